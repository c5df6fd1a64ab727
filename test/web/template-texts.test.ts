import { expect, test } from 'vitest'
import { filledIn } from '../../web/chats/templates/template-text.ts'
import type { Chat } from '../../web/data/chats.ts'
import { formatIn } from '../../web/parts/texts/format.ts'

test('A template has the exact price of the lead, as people of the language write it', async () => {
  const lead = { id: 7, name: 'Ten bells', price: 1234, price_with_minor_units: 1234.5 }
  const chat = { _embedded: { contact: { id: 1, name: 'Ann' }, lead } } as unknown as Chat
  const content = '{{contact.name}}: {{lead.price}} for {{lead.name}}, {{lead.unknown}}'
  const text = async (language: string) => (await filledIn(content, chat, formatIn(language))).text
  expect(await text('en')).toBe('Ann: 1,234.50 for Ten bells, {{lead.unknown}}')
  expect(await text('ru')).toBe('Ann: 1\u00a0234,50 for Ten bells, {{lead.unknown}}')
})
