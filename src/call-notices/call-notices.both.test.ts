import { expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { sweepCallNotices } from './call-notices.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const phone = (value: string) => ({ custom_fields_values: [{ field_code: 'PHONE', values: [{ value }] }] })

async function dialler() {
  const all = await world({ ownServer: true })
  const integration = await register(all.admin)
  const { access_token } = await connect(all.stranger, integration)
  return { ...all, v2: all.stranger.as({ token: access_token }) }
}

/** Follows the stream of the log as a page does. */
async function follow(url: string, cookie: string) {
  const stop = new AbortController()
  const headers = { accept: 'text/event-stream', cookie }
  const answer = await fetch(url, { headers, signal: stop.signal })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
        if (done) throw new Error(`the stream ended: ${text}`)
        text += value
      }
      return text
    },
    stop: () => stop.abort(),
  }
}

test('people with an open page get the notices that are for them, with the record of the caller', async () => {
  const all = await dialler()
  const ann = await all.addPerson({ is_admin: true })
  const contact = await add(all.admin.browser, 'contacts', { name: 'Bob', ...phone('+44 113 496 0000') })
  const origin = await all.app.http.listen({ port: 0, host: '127.0.0.1' })
  const page = await follow(`${origin}/web/v4/events`, ann.browser.identity.cookie as string)
  await page.until('\n\n')
  const hidden = await all.v2.post('/api/v2/events', {
    add: [{ type: 'phone_call', phone_number: '+100', users: [all.admin.id] }],
  })
  expect(hidden.status).toBe(200)
  const answer = await all.v2.post('/api/v2/events/', {
    add: [{ type: 'phone_call', phone_number: '+441134960000', users: [ann.id] }],
  })
  expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([
    200,
    'application/hal+json',
    {
      _links: { self: { href: '/api/v2/events', method: 'post' } },
      _embedded: {
        items: [
          {
            element_id: contact,
            element_type: 1,
            uid: expect.any(String),
            phone_number: '+441134960000',
          },
        ],
      },
    },
  ])
  const text = await page.until('event: call')
  expect(text).toContain(
    `event: call\ndata: {"phone":"+441134960000","entity":{"type":"contacts","id":${contact}}}\n\n`,
  )
  expect(text).not.toContain('+100')
  const form = 'add[0][type]=phone_call&add[0][phone_number]=%2B7777'
  const written = await all.v2.post('/api/v2/events', form, FORM)
  expect(written.body._embedded.items[0]).toMatchObject({ element_id: null, element_type: null })
  expect(await page.until('+7777')).toContain('data: {"phone":"+7777","entity":null}')
  page.stop()
  const digits = { add: [{ type: 'phone_call', phone_number: 441134960000, users: [String(ann.id)] }] }
  expect((await all.v2.post('/api/v2/events', digits)).body._embedded.items[0].element_id).toBe(contact)
})

onEmbedded('invalid notices are refused as a whole, and old ones are deleted', async () => {
  const all = await dialler()
  const call = { type: 'phone_call', phone_number: '+1' }
  const other = await all.addPerson({ account: await all.addAccount('other') })
  expect([
    faultsOf(await all.v2.post('/api/v2/events', { add: [call, { ...call, users: [other.id] }] })),
    faultsOf(await all.v2.post('/api/v2/events', { add: [{ ...call, type: 'mail' }] })).slice(0, 1),
    (await all.stranger.post('/api/v2/events', { add: [call] })).status,
    (await all.v2.post('/api/v2/nothing', {})).status,
  ]).toEqual([[400, '1 NotSupportedChoice users.0'], [400], 401, 404])
  const stored = () => all.ctx.db.selectFrom('call_notices').select('phone').execute()
  expect(await stored()).toEqual([])
  await all.v2.post('/api/v2/events', { add: [call] })
  all.clock.advance(3_599)
  await sweepCallNotices(all.ctx)
  expect(await stored()).toHaveLength(1)
  all.clock.advance(2)
  await sweepCallNotices(all.ctx)
  expect(await stored()).toEqual([])
})

test('an account has a limited number of notices in ten seconds', async () => {
  const { v2, clock } = await dialler()
  const send = async (count: number) => {
    const add = Array.from({ length: count }, () => ({ type: 'phone_call', phone_number: '+100' }))
    const { status, headers } = await v2.post('/api/v2/events', { add })
    return [status, headers['retry-after']]
  }
  // Requests at the same time cannot pass the limit together.
  const sent = await Promise.all(Array.from({ length: 8 }, () => send(50)))
  expect(sent.map(([status]) => status).toSorted()).toEqual([200, 200, 200, 200, 429, 429, 429, 429])
  expect(await send(1)).toEqual([429, '10'])
  clock.advance(11)
  expect(await send(1)).toEqual([200, undefined])
})
