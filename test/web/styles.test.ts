import { globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The classes that components use, by the path of the CSS module. */
function usedClasses(): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>()
  for (const file of globSync('web/**/*.tsx', { cwd: root })) {
    const source = readFileSync(resolve(root, file), 'utf8')
    const code = source.replaceAll(/^import .*$/gm, '')
    for (const [, name, path] of source.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)'/gm)) {
      const styles = relative(root, resolve(root, dirname(file), path as string))
      const classes = [...code.matchAll(new RegExp(`(?<![\\w'\`./])${name}\\.(\\w+)`, 'g'))].map(
        ([, one]) => one,
      )
      // A computed name uses the classes that it can be.
      if (new RegExp(`(?<![\\w.])${name}\\[`).test(code)) classes.push('*')
      used.set(styles, new Set([...(used.get(styles) ?? []), ...(classes as string[])]))
    }
  }
  return used
}

function definedClasses(styles: string): Set<string> {
  const rules = readFileSync(resolve(root, styles), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  return new Set([...rules.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name as string))
}

test('each class that a component uses exists in its CSS module, and no other', () => {
  const used = usedClasses()
  expect(used.size).toBeGreaterThan(50)
  const missing: string[] = []
  const unused: string[] = []
  for (const [styles, names] of used) {
    const defined = definedClasses(styles)
    for (const name of names) if (name !== '*' && !defined.has(name)) missing.push(`${styles} .${name}`)
    for (const name of defined)
      if (!names.has('*') && !names.has(name) && !name.startsWith('mantine'))
        unused.push(`${styles} .${name}`)
  }
  expect({ missing, unused }).toEqual({ missing: [], unused: [] })
})
