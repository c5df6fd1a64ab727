import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { CHATS, type Connected, connected, send, signed } from '../../../test/fixtures/chats.ts'
import { textOf } from '../../../test/fixtures/conversations.ts'
import { customer, storedMessages, textPush } from '../../../test/fixtures/pushes.ts'
import { traces } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'

interface Sent {
  w: World
  here: Connected
  chat_id: string
  /** The message that a person has just written. */
  id: string
}

async function sent(): Promise<Sent> {
  const w = await world()
  const here = await connected(w)
  const pushed = await here.push(textPush('m-1'))
  const chat_id = pushed.body.new_message.conversation_id
  const { body } = await w.admin.browser.post(`/web/v4/chats/${chat_id}/messages`, { text: 'It is.' })
  return { w, here, chat_id, id: body.id }
}

const report = ({ here, id }: Sent, body: object, msgid = id) =>
  here.call('POST', `/${here.scope_id}/${msgid}/delivery_status`, body)

/** The state and the error of the message, as people see them. */
async function fate({ w, chat_id }: Sent) {
  const { body } = await w.admin.browser.get(`/web/v4/chats/${chat_id}/messages?limit=1`)
  const [{ state, error_code, error }] = body._embedded.messages
  return { state, error_code, error }
}

const version = async ({ w, chat_id }: Sent): Promise<number> =>
  (await w.admin.browser.get(`/web/v4/chats/${chat_id}`)).body.version

const fine = (state: string) => ({ state, error_code: null, error: null })
const failed = { status_code: -1, error_code: 904, error: 'Not registered' }
const refused = { state: 'failed', error_code: 904, error: 'Not registered' }

/** Brings a fresh message into a state. */
const begin: Record<string, (of: Sent) => Promise<unknown>> = {
  pending: async () => {},
  delivered: (of) => report(of, { status_code: 1 }),
  read: (of) => report(of, { status_code: 2 }),
  'failed, as the provider said': (of) => report(of, failed),
  'failed, as we gave up': ({ w, id }) =>
    w.ctx.db
      .transaction()
      .execute((tx) =>
        tx
          .updateTable('chat_messages')
          .set({ state: 'failed', error: 'exhausted' })
          .where('id', '=', id)
          .execute(),
      ),
}

const late = { ...failed, error_code: 901, error: 'Late' }
const steps: [from: string, body: object, to: object, changes: boolean][] = [
  ['pending', { status_code: 1 }, fine('delivered'), true],
  ['pending', { status_code: 2 }, fine('read'), true],
  ['pending', failed, refused, true],
  ['delivered', { status_code: 1 }, fine('delivered'), false],
  ['delivered', { status_code: 2 }, fine('read'), true],
  ['delivered', failed, refused, true],
  ['read', { status_code: 1 }, fine('read'), false],
  ['read', { status_code: 2 }, fine('read'), false],
  ['read', failed, fine('read'), false],
  ['failed, as the provider said', { status_code: 1 }, refused, false],
  ['failed, as the provider said', { status_code: 2 }, refused, false],
  ['failed, as the provider said', late, refused, false],
  ['failed, as we gave up', { status_code: 1 }, fine('delivered'), true],
  ['failed, as we gave up', { status_code: 2 }, fine('read'), true],
  ['failed, as we gave up', failed, refused, true],
]

describe('A delivery report', () => {
  onEmbedded.each(steps)('%s: after %j it is %j', async (from, body, to, changes) => {
    const of = await sent()
    await begin[from]?.(of)
    const before = await version(of)
    const answer = await report(of, body)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await fate(of)).toEqual(to)
    // The stream of the chat has the changes and nothing else.
    expect((await version(of)) - before).toBe(changes ? 1 : 0)
    const again = await report(of, body)
    expect([again.status, await fate(of), (await version(of)) - before]).toEqual([200, to, changes ? 1 : 0])
  })
})

test('Concurrent reports never move a message back', async () => {
  const of = await sent()
  const before = await version(of)
  const codes = Array.from({ length: 20 }, (_, i) => (i % 2) + 1)
  const answers = await Promise.all(codes.map((status_code) => report(of, { status_code })))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(await fate(of)).toEqual(fine('read'))
  expect([1, 2]).toContain((await version(of)) - before)
})

describe('A report', () => {
  const unwritten = { state: 'failed', error_code: 903, error: null }
  test.each<[object, object]>([
    [{ delivery_status: 1 }, fine('delivered')],
    [{ delivery_status: 2, status_code: 2 }, fine('read')],
    [
      { delivery_status: -1, error_code: 905, error: 'Text' },
      { state: 'failed', error_code: 905, error: 'Text' },
    ],
    [{ status_code: -1, error_code: 903 }, unwritten],
    [{ status_code: -1, error_code: 903, error: '' }, unwritten],
    [{ status_code: 1, error_code: 0, error: '', account_id: 'ignored' }, fine('delivered')],
  ])('%j is taken: %j', async (body, to) => {
    const of = await sent()
    expect((await report(of, { msgid: of.id, ...body })).status).toBe(200)
    expect(await fate(of)).toEqual(to)
  })

  onEmbedded.each<[string, object, [code: string, path: string][]]>([
    ['nothing', {}, [['FieldMissing', 'status_code']]],
    ['another status', { status_code: 0 }, [['NotSupportedChoice', 'status_code']]],
    ['a status that is a text', { status_code: '1' }, [['InvalidType', 'status_code']]],
    ['half a status', { delivery_status: 1.5 }, [['InvalidType', 'delivery_status']]],
    ['two statuses', { status_code: 1, delivery_status: 2 }, [['NotSupportedChoice', 'delivery_status']]],
    ['another message', { status_code: 1, msgid: 'm-1' }, [['NotSupportedChoice', 'msgid']]],
    ['no code of the error', { status_code: -1, error: 'x' }, [['FieldMissing', 'error_code']]],
    ['an unknown error', { status_code: -1, error_code: 900 }, [['NotSupportedChoice', 'error_code']]],
    ['another unknown error', { status_code: -1, error_code: 906 }, [['NotSupportedChoice', 'error_code']]],
    ['an error that says nothing', { status_code: -1, error_code: 905 }, [['FieldMissing', 'error']]],
    [
      'wrong types',
      { msgid: 7, status_code: -1, error_code: '901', error: {} },
      [
        ['InvalidType', 'msgid'],
        ['InvalidType', 'error_code'],
        ['InvalidType', 'error'],
      ],
    ],
    [
      'a very long error',
      { status_code: -1, error_code: 905, error: 'x'.repeat(2_001) },
      [['TooLong', 'error']],
    ],
  ])('with %s is refused, and leaves no trace', async (_name, body, faults) => {
    const of = await sent()
    const before = [await version(of), await traces(of.w.ctx)]
    const answer = await report(of, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      status: 0,
      error_code: 400,
      error_type: 'INVALID',
      error_description: 'Request validation failed',
      errors: faults.map(([code, path]) => ({ path, code, detail: expect.any(String) })),
    })
    expect([await fate(of), await version(of), await traces(of.w.ctx)]).toEqual([fine('pending'), ...before])
  })

  onEmbedded('is accepted only for messages of its scope', async () => {
    const of = await sent()
    const { w, here } = of
    const other = await connected(w)
    const stranger = await w.addPerson({ account: await w.addAccount('other'), is_admin: true })
    const elsewhere = await connected(w, { by: stranger })
    const pushed = await here.push(textPush('m-2', { conversation_id: 'c-2' }))
    const ask = async (at: Connected, msgid: string) => {
      const answer = await at.call('POST', `/${at.scope_id}/${encodeURIComponent(msgid)}/delivery_status`, {
        status_code: 2,
      })
      return [answer.status, answer.body.error_type]
    }
    const unknown = [404, 'NOT_FOUND']
    expect(await ask(other, of.id)).toEqual(unknown)
    expect(await ask(elsewhere, of.id)).toEqual(unknown)
    expect(await ask(other, pushed.body.new_message.msgid)).toEqual(unknown)
    expect(await ask(other, 'm-2')).toEqual(unknown)
    expect(await ask(here, 'm-3')).toEqual(unknown)
    // An id of another time: the ids beside this one belong to the other messages of the test.
    expect(await ask(here, of.id.replace(/^./, 'f'))).toEqual(unknown)
    expect(await ask(here, 'a\0b')).toEqual([400, 'INVALID'])
    expect(await fate(of)).toEqual(fine('pending'))
  })

  test.each(['our id', 'its own id'])(
    'of a message that the provider pushed is accepted by %s, and changes no incoming message',
    async (by) => {
      const w = await world()
      const here = await connected(w, { protocol: 'live' })
      const person = await w.admin.browser.get(`/web/v4/users/${w.admin.id}?with=amojo_id`)
      const ada = { id: 'ada', name: 'Ada', ref_id: person.body.amojo_id }
      const incoming = textPush('m-1')
      const outgoing = textPush('m-2', { sender: ada, receiver: customer() })
      for (const [payload, state] of [
        [incoming, 'received'],
        [outgoing, 'read'],
      ] as const) {
        const { msgid, ref_id } = (await here.push(payload)).body.new_message
        const path = `/${here.scope_id}/${by === 'our id' ? msgid : ref_id}/delivery_status`
        const answer = await here.call('POST', path, { status_code: 2 })
        expect([answer.status, answer.text]).toEqual([200, ''])
        const row = (await storedMessages(w.ctx)).find(({ id }) => id === msgid)
        expect(row?.state).toBe(state)
      }
    },
  )

  test('requires the signature of the channel and an existing scope', async () => {
    const of = await sent()
    const { w, here, id } = of
    const body = JSON.stringify({ status_code: 2 })
    const at = (scope_id: string) => `${CHATS}/${scope_id}/${id}/delivery_status`
    const forged = await send(w, 'POST', at(here.scope_id), body, signed('0'.repeat(80), body))
    expect([forged.status, forged.body.error_type]).toEqual([403, 'ORIGIN_INVALID_SIGNATURE'])
    const unconnected = here.scope_id.replace(/.{4}$/, '0000')
    const lost = await send(w, 'POST', at(unconnected), body, signed(here.channel.secret, body))
    expect([lost.status, lost.body.error_type]).toEqual([404, 'ACCOUNT_NOT_CONNECTED'])
    expect(await fate(of)).toEqual(fine('pending'))
  })
})

onEmbedded('the ids of the provider can have 255 characters in addresses, as in pushes', async () => {
  const { w, here } = await sent()
  const long = 'é'.repeat(255)
  const pushed = await here.push(textOf(w, 'sue', 'Hello', { msgid: long, conversation_id: long }))
  expect(pushed.status).toBe(200)
  const id = encodeURIComponent(long)
  const path = `/${here.scope_id}/${id}/delivery_status`
  expect((await here.call('POST', path, { status_code: 1 })).status).toBe(200)
  const history = await here.call('GET', `/${here.scope_id}/chats/${id}/history`)
  expect([history.status, history.body?.messages?.[0].message.client_id]).toEqual([200, long])
})
