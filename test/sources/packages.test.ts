import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { describe, expect, test } from 'vitest'
import { runScript } from '../programs/program.ts'

interface Locked {
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
  gypfile?: boolean
  optional?: boolean
  /** A package of this repository. */
  link?: boolean
}

const { allowScripts, dependencies, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const locked = Object.entries(packages as Record<string, Locked>).filter(
  ([folder, { link }]) => folder.includes('node_modules/') && !link,
)

describe('Packages that `npm ci` installs', () => {
  test('come from the registry and are unchanged', () => {
    const unpinned = locked.filter(
      ([, { integrity, resolved }]) =>
        !integrity?.startsWith('sha512-') ||
        !(resolved ?? 'https://registry.').startsWith('https://registry.'),
    )
    expect(unpinned.map(([folder]) => folder)).toEqual([])
  })

  test('run only the allowed install scripts', () => {
    const running = locked.filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional)
    const names = running.map(([folder]) => folder.replace(/.*node_modules\//, ''))
    expect(names.filter((name) => allowScripts[name] !== true)).toEqual([])
  })

  /**
   * npm compiles a package with a binding.gyp, unless the package declares that it contains its binaries. npm reads
   * that from the lock file only and does not write it there, so it must be restored after an update.
   */
  test('compile nothing, so no compiler is required', () => {
    const compiled = locked.filter(
      ([folder, { gypfile }]) => gypfile !== false && existsSync(`${folder}/binding.gyp`),
    )
    expect(compiled.map(([folder]) => folder)).toEqual([])
  })
})

/** `import x from "name"` and `import("name")`, in a build or in a source. */
const imports = /(?:^import .* from |\bimport\()["']([^"'./][^"']*)["']/gm

describe('The published package', () => {
  test('depends on what its build imports from outside, and on nothing else', () => {
    const built = readdirSync('dist/server', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => `dist/server/${file}`)
    const names = [...built, 'sdk/client.ts']
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(imports)])
      .flatMap(([, name = '']) => (isBuiltin(name) ? [] : [name]))
    expect(Object.keys(dependencies).sort()).toEqual([...new Set(names)].sort())
  })

  test.each(['20.20.2', '24.6.9', '23.99.0'])(
    'says which Node it needs if it is started with %s',
    async (old) => {
      const as = `--import=data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${old}'})`
      const { code, stdout, stderr } = await runScript(as, ['dist/server/main.js', '--version'], {})
      const [, oldest] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? []
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        `Patchbay needs Node ${oldest} or newer. This is Node ${old} (${process.execPath}).\n`,
      ])
    },
  )
})
