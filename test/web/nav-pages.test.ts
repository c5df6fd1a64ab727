import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Row {
  to: string
  key: string
  isOfAdministrators: boolean
}

/** The rows of the navigation, as they are written. */
const rows = [...read('web/shell/nav-pages.ts').matchAll(/to: '([^']+)',\s+key: '(.)'(.*)/g)].map(
  ([, to, key, rest]): Row => ({
    to: to as string,
    key: key as string,
    isOfAdministrators: (rest as string).includes('administrators: true'),
  }),
)
const settings = rows.filter(({ to }) => to.startsWith('/settings/') || to.startsWith('/developers/'))

describe('Pages of the navigation', () => {
  test('have different letters', () => {
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.map(({ key }) => key).filter((key, i, keys) => keys.indexOf(key) < i)).toEqual([])
  })

  test('of the settings and the tools are visited by the test of all pages', () => {
    const walks = read('test/end-to-end/pages.spec.ts')
    expect(settings.filter(({ to }) => !walks.includes(`'${to}':`))).toEqual([])
  })

  test('for administrators are closed to others by the test of rights', () => {
    const closed = read('test/end-to-end/rights-pages.spec.ts')
    const ofAdministrators = settings.filter(({ isOfAdministrators }) => isOfAdministrators)
    expect(ofAdministrators.filter(({ to }) => !closed.includes(`'${to}':`))).toEqual([])
    expect(ofAdministrators.length).toBeGreaterThan(15)
  })
})
