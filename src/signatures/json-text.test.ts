import { expect, test } from 'vitest'
import { settingsOf, TextWriter } from './recipes.ts'

const parts = {
  ...{ method: 'POST', digest: null, type: '', date: '', path: '/', host: '', query: '' },
  ...{ id: '', timestamp: '', client_uuid: '', account_id: '' },
}
const chat = settingsOf('chat_body')

/** A list of so many zeros, so many levels deep. */
const nested = (levels: number, zeros: number) =>
  Buffer.from('['.repeat(levels) + Array(zeros).fill('0').join() + ']'.repeat(levels))

test('a text that indentation makes too long is not written', () => {
  const writer = new TextWriter({ ...parts, body: nested(38, 100_000) })
  expect(writer.write({ ...chat, spacing: 'indent_4' })).toBeUndefined()
  expect(String(writer.write({ ...chat, spacing: 'python' })).length).toBe(38 + 3 * 100_000 - 2 + 38)
})

test('the length of a text that was made counts as work, not only that of the body', () => {
  const writer = new TextWriter({ ...parts, body: nested(20, 5_000) })
  const made = writer.write({ ...chat, spacing: 'indent_4' }) as Buffer
  expect(made.length).toBeGreaterThan(400_000)
  expect(writer.worked).toBeGreaterThanOrEqual(made.length)
  expect(JSON.parse(String(made))).toEqual(JSON.parse(String(writer.parts.body)))
})
