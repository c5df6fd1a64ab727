import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  CHATS,
  channelOf,
  connected,
  provider,
  send,
  signatureOf,
  signed,
  signedAnew,
} from '../../../test/fixtures/chats.ts'
import { chatTraces, textPush } from '../../../test/fixtures/pushes.ts'
import { times } from '../../../test/long.ts'
import { world } from '../../../test/world.ts'

const refusal = (error_code: number, error_type: string, error_description: string) => ({
  status: 0,
  error_code,
  error_type,
  error_description,
})
const FORGED = refusal(403, 'ORIGIN_INVALID_SIGNATURE', 'invalid signature')
const UNCONNECTED = refusal(
  404,
  'ACCOUNT_NOT_CONNECTED',
  'This channel is not connected to this account, connect it first.',
)
const UNKNOWN = refusal(404, 'ORIGIN_NOT_REGISTERED', 'NOT_FOUND')

async function shop(draft: Parameters<typeof connected>[1] = {}) {
  const here = await world()
  const open = await connected(here, draft)
  const { ctx } = here
  const left = async () => ({
    ...(await chatTraces(ctx)),
    channels: await ctx.db.selectFrom('channels').selectAll().execute(),
    connections: await ctx.db.selectFrom('channel_connections').selectAll().execute(),
    log: (await ctx.db.selectFrom('audit_log').select('id').execute()).length,
  })
  const url = `${CHATS}/${open.scope_id}`
  const now = () => new Date(ctx.clock())
  return { ...here, ...open, left, url, now }
}
type Shop = Awaited<ReturnType<typeof shop>>

type Forged = [what: string, method: string, url: string, body: string | undefined, headers: object]

/** Sends what nobody may send: each is refused as a wrong signature is, and nothing of it is left. */
async function refuseAll(here: Shop, forged: Forged[]): Promise<void> {
  const before = await here.left()
  for (const [what, method, url, body, headers] of forged) {
    const answer = await send(here, method, url, body, headers as Record<string, string>)
    expect([what, answer.status, answer.body]).toEqual([what, 403, FORGED])
    expect(answer.headers['content-type']).toBe('application/json')
  }
  expect(await here.left()).toEqual(before)
}

/** In the short form, every ninth bit: almost every byte has one, and all eight places in a byte occur. */
const STRIDE = times(9, 1)

const BODY = JSON.stringify({ event_type: 'new_message', payload: textPush('m-1') })

describe('A request to the chat surface that its channel did not sign is refused and leaves no trace (C2)', () => {
  test('every changed bit of a push, and every changed digit of its signature', async () => {
    const here = await shop()
    const headers = signed(here.channel.secret, BODY)
    const bytes = Buffer.from(BODY)
    const flipped = (of: Buffer, bit: number) => {
      const copy = Buffer.from(of)
      copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7))
      return copy
    }
    const before = await here.left()
    let refused = 0
    for (let bit = 0; bit < bytes.length * 8; bit += STRIDE) {
      const payload = flipped(bytes, bit)
      const { statusCode } = await here.app.http.inject({
        method: 'POST',
        url: here.url,
        headers: { host: here.stranger.identity.host, ...headers },
        payload,
      })
      expect([bit, statusCode]).toEqual([bit, 403])
      refused++
    }
    expect(refused).toBe(Math.ceil((bytes.length * 8) / STRIDE))
    const signature = headers['x-signature'] as string
    for (let i = 0; i < signature.length; i++) {
      const other = `${signature.slice(0, i)}${signature[i] === '0' ? '1' : '0'}${signature.slice(i + 1)}`
      const answer = await send(here, 'POST', here.url, BODY, { ...headers, 'x-signature': other })
      expect([i, answer.status]).toEqual([i, 403])
    }
    expect(await here.left()).toEqual(before)
    // As it was, it is taken: the refusals were for the bits.
    expect((await send(here, 'POST', here.url, BODY, headers)).status).toBe(200)
  }, 120_000)

  test('the same JSON in other bytes, and a missing, capitalised or foreign signature', async () => {
    const here = await shop()
    const other = await channelOf(here)
    const { secret } = here.channel
    const right = signed(secret, BODY)
    const signature = right['x-signature'] as string
    const post = (what: string, body: string, headers: object): Forged => [
      what,
      'POST',
      here.url,
      body,
      headers,
    ]
    await refuseAll(here, [
      post('indented', JSON.stringify(JSON.parse(BODY), null, 2), right),
      post('a space behind', `${BODY} `, right),
      post('a line feed behind', `${BODY}\n`, right),
      post('a byte order mark before', `\ufeff${BODY}`, right),
      post('escaped letters', BODY.replace('Sue', '\\u0053ue'), right),
      post(
        'members in another order',
        JSON.stringify({ payload: textPush('m-1'), event_type: 'new_message' }),
        right,
      ),
      post('no signature', BODY, { 'content-type': 'application/json' }),
      post('an empty one', BODY, { ...right, 'x-signature': '' }),
      post('in upper case', BODY, { ...right, 'x-signature': signature.toUpperCase() }),
      post('in base64', BODY, { ...right, 'x-signature': Buffer.from(signature, 'hex').toString('base64') }),
      post('with a prefix', BODY, { ...right, 'x-signature': `sha1=${signature}` }),
      post('twice', BODY, { ...right, 'x-signature': `${signature}, ${signature}` }),
      post("another channel's secret", BODY, signed(other.secret, BODY)),
      post('its id for a secret', BODY, signed(here.channel.id, BODY)),
      post('no secret', BODY, signed('', BODY)),
      post('SHA-256', BODY, { ...right, 'x-signature': createHash('sha256').update(BODY).digest('hex') }),
      post('what is no JSON either', 'not JSON', right),
    ])
  })

  test('a signature of the newer scheme with another body, method, type, date or path', async () => {
    const here = await shop()
    const { secret } = here.channel
    const at = { method: 'POST', path: here.url, body: BODY, date: here.now() }
    const right = signedAnew(secret, at)
    const digest = (body: string) => createHash('md5').update(body).digest('hex')
    const minutes = (count: number) => new Date(here.ctx.clock() + count * 60_000)
    const connect = `${CHATS}/${here.channel.id}/connect`
    const history = `${here.url}/chats/c-1/history`
    const post = (what: string, headers: object, body = BODY): Forged => [
      what,
      'POST',
      here.url,
      body,
      headers,
    ]
    await refuseAll(here, [
      post('another body', right, `${BODY} `),
      post('another body with its digest', { ...right, 'content-md5': digest(`${BODY} `) }, `${BODY} `),
      post('another type', { ...right, 'content-type': 'application/json; charset=utf-8' }),
      post('another date', { ...right, date: minutes(1).toUTCString() }),
      post('a date too old', signedAnew(secret, { ...at, date: minutes(-15.1) })),
      post('a date too young', signedAnew(secret, { ...at, date: minutes(15.1) })),
      post('another path', signedAnew(secret, { ...at, path: connect })),
      post('a slash behind it', signedAnew(secret, { ...at, path: `${here.url}/` })),
      post('another method', signedAnew(secret, { ...at, method: 'PATCH' })),
      post('the older recipe beside its headers', { ...right, ...signed(secret, BODY) }),
      post('only its signature', { 'content-type': 'application/json', 'x-signature': right['x-signature'] }),
      ['no bytes, signed as nothing', 'POST', here.url, undefined, signed(secret, '')],
      ['a GET, signed as nothing', 'GET', history, undefined, signed(secret, '')],
      ['a GET, unsigned', 'GET', history, undefined, {}],
      [
        'a GET of another address',
        'GET',
        history,
        undefined,
        signedAnew(secret, { ...at, method: 'GET', body: '' }),
      ],
    ])
    expect((await send(here, 'POST', here.url, BODY, right)).status).toBe(200)
    const get = signedAnew(secret, { method: 'GET', path: history, date: here.now() })
    expect((await send(here, 'GET', `${history}?limit=5`, undefined, get)).status).toBe(200)
    for (const of of [minutes(-15), minutes(15)])
      expect((await send(here, 'POST', here.url, BODY, signedAnew(secret, { ...at, date: of }))).status).toBe(
        200,
      )
  })

  test('at every address below a channel or a scope', async () => {
    const here = await shop()
    const { id } = here.channel
    const account = JSON.stringify({ account_id: here.account.amojo_id })
    const wrong = { 'content-type': 'application/json', 'x-signature': signatureOf('wrong', account) }
    const below = (method: string, path: string): Forged => [path, method, `${CHATS}/${path}`, account, wrong]
    await refuseAll(here, [
      below('POST', `${id}/connect`),
      below('POST', `${id}/disconnect`),
      below('DELETE', `${id}/disconnect`),
      below('POST', here.scope_id),
      below('POST', `${here.scope_id}/chats`),
      below('POST', `${here.scope_id}/m-1/delivery_status`),
      below('POST', `${here.scope_id}/typing`),
      below('POST', `${here.scope_id}/react`),
      ['history', 'GET', `${here.url}/chats/c-1/history`, undefined, wrong],
    ])
  })

  test('before its body is read, so an unsigned request does not learn its faults', async () => {
    const here = await shop()
    const { id } = here.channel
    const wrong = { 'content-type': 'application/json', 'x-signature': 'x' }
    await refuseAll(here, [
      ['no JSON', 'POST', here.url, '{', wrong],
      ['nothing that is asked for', 'POST', here.url, '{}', wrong],
      ['no type', 'POST', here.url, BODY, { 'x-signature': 'x' }],
      ['another type', 'POST', here.url, BODY, { 'content-type': 'text/plain', 'x-signature': 'x' }],
      ['an account that is none', 'POST', `${CHATS}/${id}/connect`, '{"account_id":"x"}', wrong],
    ])
  })
})

describe('A signed request learns', () => {
  test('that a body is not JSON, has another type, or contains a duplicate member: 400', async () => {
    const here = await shop()
    const { secret } = here.channel
    const before = await here.left()
    const refused = async (body: string, change: object = {}) => {
      const { status, body: answer } = await send(here, 'POST', here.url, body, {
        ...signed(secret, body),
        ...change,
      })
      return [status, answer]
    }
    const invalid = (detail: string) => [400, refusal(400, 'INVALID', detail)]
    expect(await refused('{')).toEqual(invalid('The body is not valid JSON at line 1, column 2.'))
    expect(await refused('{"a":1,"a":2}')).toEqual(invalid('The body contains a duplicate member.'))
    const untyped = invalid('The Content-Type must be application/json.')
    expect(await refused(BODY, { 'content-type': 'text/plain' })).toEqual(untyped)
    expect(await refused(BODY, { 'content-type': 'application/jsonp' })).toEqual(untyped)
    expect(await refused(BODY, { 'content-type': undefined })).toEqual(untyped)
    expect(await here.left()).toEqual(before)
    expect((await refused(BODY, { 'content-type': 'application/json; charset=utf-8' }))[0]).toBe(200)
  })

  test('that the address is unknown: 404, in the same form', async () => {
    const here = await shop()
    const answer = await here.call('POST', `/${here.scope_id}/nothing`, {})
    expect([answer.status, answer.body]).toEqual([
      404,
      refusal(404, 'NOT_FOUND', `Cannot POST ${here.url}/nothing`),
    ])
  })

  test('that it is too large: 4 KiB to connect, 256 KiB to push', async () => {
    const here = await shop()
    const padded = (bytes: number) => {
      const text = JSON.stringify({ account_id: here.account.amojo_id, x: '' })
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`)
    }
    const connect = `/${here.channel.id}/connect`
    expect((await here.call('POST', connect, padded(4_096))).status).toBe(200)
    const large = await here.call('POST', connect, padded(4_097))
    expect([large.status, large.body.error_type]).toEqual([413, 'TOO_LARGE'])
    expect((await here.call('POST', `/${here.scope_id}`, padded(262_144))).status).toBe(400)
    expect((await here.call('POST', `/${here.scope_id}`, padded(262_145))).status).toBe(413)
  })
})

describe('An unknown channel, and an account that is not connected', () => {
  test('are not found: a stranger learns whether a channel exists, and nothing about accounts', async () => {
    const here = await shop()
    const { secret, id } = here.channel
    const none = '00000000-0000-4000-8000-000000000000'
    const other = await here.addAccount('other')
    const ids = [none, 'x', here.account.amojo_id, id.toUpperCase()]
    for (const channel of ids)
      for (const path of [
        `${channel}/connect`,
        `${channel}/disconnect`,
        `${channel}_${here.account.amojo_id}`,
      ]) {
        const { status, body } = await send(here, 'POST', `${CHATS}/${path}`, BODY, signed(secret, BODY))
        expect([path, status, body]).toEqual([path, 404, UNKNOWN])
      }
    // With the secret: not connected. Without: a wrong signature, be there such an account or not.
    for (const amojo_id of [other.amojo_id, none]) {
      const url = `${CHATS}/${id}_${amojo_id}`
      const answers = [
        await send(here, 'POST', url, BODY, signed(secret, BODY)),
        await send(here, 'POST', url, BODY, signed('wrong', BODY)),
      ]
      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [404, UNCONNECTED],
        [403, FORGED],
      ])
    }
    for (const scope of [
      `${id}_`,
      `${id}_x`,
      `_${here.account.amojo_id}`,
      `${here.scope_id}_`,
      here.scope_id.toUpperCase(),
    ]) {
      const { status, body } = await send(here, 'POST', `${CHATS}/${scope}`, BODY, signed(secret, BODY))
      expect([scope, status, body]).toEqual([scope, 404, UNKNOWN])
    }
  })

  test("an account's scope only works with its own channel", async () => {
    const here = await shop()
    const other = await connected(here, { name: 'Other' })
    const mixed = `${CHATS}/${other.channel.id}_${here.account.amojo_id}`
    const answer = await send(here, 'POST', mixed, BODY, signed(here.channel.secret, BODY))
    expect([answer.status, answer.body]).toEqual([403, FORGED])
  })

  test('answer on every host name of the server, and on no other', async () => {
    const here = await world({ env: { PUBLIC_URL: 'http://hub.example', CHAT_URL: 'http://amojo.example' } })
    const { channel, scope_id } = await connected(here)
    const status = async (host: string) =>
      (await send(here, 'POST', `${CHATS}/${scope_id}`, '{}', { ...signed(channel.secret, '{}'), host }))
        .status
    for (const host of ['hub.example', 'amojo.example', 'demo.hub.example', 'localhost', 'AMOJO.example:443'])
      expect([host, await status(host)]).toEqual([host, 400])
    const elsewhere = await send(here, 'POST', `${CHATS}/${scope_id}`, '{}', {
      ...signed(channel.secret, '{}'),
      host: 'elsewhere.example',
    })
    expect(elsewhere.body.error_description).toBe('This server does not serve this host name.')
  })
})

describe('Limits', () => {
  test('a channel can send 500 requests at once and 100 per second, independently of others', async () => {
    const here = await world({ env: { RATE_LIMITS: 'on' } })
    const [busy, idle] = [await channelOf(here), await channelOf(here)]
    const disconnect = (channel: typeof busy) =>
      provider(here, channel).call('POST', `/${channel.id}/disconnect`, { account_id: here.account.amojo_id })
    for (let i = 0; i < 500; i++) expect((await disconnect(busy)).status).toBe(404)
    const { status, headers, body } = await disconnect(busy)
    expect([status, headers['retry-after'], body]).toEqual([
      429,
      '1',
      refusal(
        429,
        'TOO_MANY',
        'You have sent too many requests in a given amount of time. Please try again later.',
      ),
    ])
    expect((await disconnect(idle)).status).toBe(404)
    here.clock.advance(1)
    for (let i = 0; i < 100; i++) expect((await disconnect(busy)).status).toBe(404)
    expect((await disconnect(busy)).status).toBe(429)
  })

  test('wrong signatures are limited by address, and do not use up the limit of the channel', async () => {
    const here = await world({ env: { RATE_LIMITS: 'on' } })
    const { channel, scope_id, call } = await connected(here)
    const guess = (id: string) => send(here, 'POST', `${CHATS}/${id}`, '{}', signed('wrong', '{}'))
    const statuses = []
    for (let i = 0; i < 41; i++) statuses.push((await guess(i % 2 ? scope_id : `${channel.id}_x`)).status)
    expect(statuses.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, i) => (i % 2 ? 403 : 404)))
    expect(statuses[40]).toBe(429)
    expect((await call('POST', `/${channel.id}/connect`, { account_id: here.account.amojo_id })).status).toBe(
      200,
    )
  })
})
