import { expect, test } from 'vitest'
import { type Connected, connected } from '../../../test/fixtures/chats.ts'
import { textPush } from '../../../test/fixtures/pushes.ts'
import { type World, world } from '../../../test/world.ts'

/** The quote of the latest message, as the inbox reads it. */
async function quoteOf({ admin }: World, chat_id: string): Promise<unknown> {
  const { body } = await admin.browser.get(`/web/v4/chats/${chat_id}/messages?limit=1`)
  return body._embedded.messages[0].content.reply_to
}

async function quoting() {
  const w = await world()
  const here = await connected(w, { protocol: 'live' })
  const push = async (at: Connected, msgid: string, change: object) => {
    const { status, body } = await at.push(textPush(msgid, change))
    expect(status).toBe(200)
    return body.new_message as { msgid: string; conversation_id: string }
  }
  const text = `Is it still ${'there? '.repeat(100)}`
  const first = await push(here, 'm-1', { message: { type: 'text', text } })
  const quote = async (reply_to: object, change: object = {}) => {
    const { conversation_id } = await push(here, crypto.randomUUID(), { reply_to, ...change })
    return quoteOf(w, conversation_id)
  }
  return { w, here, push, first, text, quote }
}

test('A quote by either id has the type and the beginning of the text', async () => {
  const { first, text, quote } = await quoting()
  const determined = { id: first.msgid, type: 'text', text: text.slice(0, 500) }
  expect(await quote({ message: { id: first.msgid } })).toEqual({ message: determined })
  expect(await quote({ message: { msgid: 'm-1', text: 'other' } })).toEqual({
    message: { msgid: 'm-1', ...determined },
  })
})

test('A quote of a file has its name', async () => {
  const { here, push, quote } = await quoting()
  const message = { type: 'file', media: 'https://cdn.example/a.pdf', file_name: 'a.pdf' }
  const { msgid } = await push(here, 'm-2', { message })
  expect(await quote({ message: { msgid: 'm-2' } })).toEqual({
    message: { msgid: 'm-2', id: msgid, type: 'file', text: '', file_name: 'a.pdf' },
  })
})

test('A quote of an unknown message, or of another conversation or channel, stays as it was sent', async () => {
  const { w, here, push, quote } = await quoting()
  const other = await push(here, 'm-3', { conversation_id: 'c-2' })
  const channel = await connected(w, { protocol: 'live' })
  const foreign = await push(channel, 'm-4', {})
  for (const id of [other.msgid, foreign.msgid, crypto.randomUUID(), 'none'])
    expect(await quote({ message: { id, type: 'text', text: 'as sent' } })).toEqual({
      message: { id, type: 'text', text: 'as sent' },
    })
  for (const odd of [{}, { message: 5 }, { message: { id: 5, msgid: [] } }])
    expect(await quote(odd)).toEqual(odd)
})
