import { expect, test } from 'vitest'
import { subdomainOf } from '../../web/accounts/subdomain.ts'

test.each([
  ['Demo Ltd', 'demo-ltd'],
  ['Bäckerei Groß & Söhne', 'backerei-gross-sohne'],
  ['ООО «Велосипед»', 'ooo-velosiped'],
  ['Йогурт и щётка', 'iogurt-i-schetka'],
  ['Київ', 'kiiv'],
  ['日本', ''],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
])('%s becomes %s', (name, subdomain) => {
  expect(subdomainOf(name)).toBe(subdomain)
})
