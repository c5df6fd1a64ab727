import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Locked {
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
  gypfile?: boolean
  optional?: boolean
  /** A package of this repository. */
  link?: boolean
}

const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const locked = Object.entries(packages as Record<string, Locked>).filter(
  ([folder, { link }]) => folder.includes('node_modules/') && !link,
)

describe('What `npm ci` installs', () => {
  test('comes from the registry, and is what it was when it was chosen', () => {
    const unpinned = locked.filter(
      ([, { integrity, resolved }]) =>
        !integrity?.startsWith('sha512-') ||
        !(resolved ?? 'https://registry.').startsWith('https://registry.'),
    )
    expect(unpinned.map(([folder]) => folder)).toEqual([])
  })

  test('runs scripts of the packages that may, and of no other', () => {
    const running = locked.filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional)
    const names = running.map(([folder]) => folder.replace(/.*node_modules\//, ''))
    expect(names.filter((name) => allowScripts[name] !== true)).toEqual([])
  })

  /**
   * npm compiles what has a binding.gyp, unless the package says that it brings its binaries. It reads that in the lock
   * file alone, and does not write it there: after an update it has to be put back by hand.
   */
  test('compiles nothing, so it needs no compiler', () => {
    const compiled = locked.filter(
      ([folder, { gypfile }]) => gypfile !== false && existsSync(`${folder}/binding.gyp`),
    )
    expect(compiled.map(([folder]) => folder)).toEqual([])
  })
})
