import { expect, test } from 'vitest'
import { initials } from '../../web/parts/texts/initials.ts'

test.each([
  ['Ada Demo', 'AD'],
  ['ada', 'A'],
  ['Ada King Lovelace', 'AL'],
  ['  émile   zola ', 'ÉZ'],
  ['«Ромашка» ООО', 'РО'],
  ['Many messages 🧑‍🚀', 'MM'],
  ['👩‍👩‍👧‍👦', ''],
  ['(ממחר)', 'מ'],
  ['7 Seas', '7S'],
  ['𝒜da', '𝒜'],
  ['', ''],
])('the initials of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
