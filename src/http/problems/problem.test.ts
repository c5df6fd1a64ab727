import { describe, expect, test } from 'vitest'
import { client } from '../../../test/client.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'
import { type Reason, Refusal } from '../../errors.ts'
import { createServer } from '../server.ts'
import { reasons } from './problem.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const docs = 'http://demo.localhost:8080/docs/errors'
const json = { 'content-type': 'application/json' }

/** Internals that answers must never contain: paths, SQL and versions. */
const TELLING =
  /\/work|node_modules|\.ts\b|at \S+ \(|select |insert |sqlite|postgres|fastify|node\.js|v\d+\.\d+\.\d+/i

/** A server with routes that fail in every way. */
async function failing() {
  const { ctx, logged } = await world()
  const http = createServer(ctx)
  const fail = (path: string, act: () => unknown) => http.get(path, async () => act())
  const raise = (error: unknown) => () => {
    throw error
  }
  fail('/error', raise(new Error('select * from users failed at /root/patchbay/src/db/tables.ts')))
  fail(
    '/status',
    raise(Object.assign(new Error('teapot of node_modules'), { statusCode: 418, code: 'SQLITE_CORRUPT' })),
  )
  fail('/type', () => (undefined as unknown as { a: { b: 1 } }).a.b)
  fail('/text', raise('select 1'))
  fail('/nothing', raise(undefined))
  fail('/null', raise(null))
  fail('/database', () =>
    ctx.db
      .selectFrom('none' as never)
      .selectAll()
      .execute(),
  )
  http.get('/unserializable', () => ({ big: 1n }))
  http.get('/sync', raise(new Error('select 2')))
  for (const reason of Object.keys(reasons) as Reason[])
    http.get(`/refusal/${reason}`, () => {
      throw new Refusal(reason, 'No.', { cause: new Error('select secret') })
    })
  http.get('/refusal', () => {
    const faults = [
      { request_id: 'a', code: 'FieldMissing' as const, path: 'name', detail: 'Missing.' },
      { request_id: 'b', code: 'TooLong' as const, path: 'text', detail: 'Too long.' },
      { request_id: 'a', code: 'TooLong' as const, path: 'text', detail: 'Too long.' },
    ]
    throw new Refusal('too_many', 'Wait.', { code: 'narrow', faults, retry_after: 7 })
  })
  await http.ready()
  return { browser: client(http, { host: 'demo.localhost:8080' }), logged }
}

describe('An internal error', () => {
  const paths = [
    '/error',
    '/status',
    '/type',
    '/text',
    '/nothing',
    '/null',
    '/database',
    '/unserializable',
    '/sync',
  ]

  test('is 500 with a constant sentence and an id that is in the log', async () => {
    const { browser, logged } = await failing()
    const ids = []
    for (const path of paths) {
      const { status, headers, body, text } = await browser.get(path)
      const id = headers['x-request-id']
      ids.push(id)
      const problem = {
        title: 'Internal Server Error',
        type: `${docs}#internal`,
        status: 500,
        detail: `Something went wrong on our side. The request id is ${id}.`,
      }
      expect(id).toMatch(UUID)
      expect([path, status, headers['content-type'], body]).toEqual([
        path,
        500,
        'application/problem+json',
        problem,
      ])
      expect(text + JSON.stringify(headers)).not.toMatch(TELLING)
    }
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes('unexpected error'))
    expect(lines.map((line) => JSON.parse(line).request_id)).toEqual(ids)
  })
})

describe('A refusal', () => {
  test('is a problem document for every reason, and its internal cause is only logged', async () => {
    const { browser, logged } = await failing()
    for (const [reason, { status, title }] of Object.entries(reasons)) {
      const answer = await browser.get(`/refusal/${reason}`)
      expect(answer.headers['content-type']).toBe('application/problem+json')
      expect(answer.headers['retry-after']).toBeUndefined()
      const problem = { title, type: `${docs}#${reason}`, status, detail: 'No.' }
      expect([answer.status, answer.body]).toEqual([status, problem])
    }
    expect(logged().match(/select secret/g)?.length).toBeGreaterThanOrEqual(Object.keys(reasons).length)
  })

  test('has its faults by item, its code and its retry time', async () => {
    const { browser } = await failing()
    const { headers, body } = await browser.get('/refusal')
    expect(headers['retry-after']).toBe('7')
    expect(body).toEqual({
      'validation-errors': [
        {
          request_id: 'a',
          errors: [
            { code: 'FieldMissing', path: 'name', detail: 'Missing.' },
            { code: 'TooLong', path: 'text', detail: 'Too long.' },
          ],
        },
        { request_id: 'b', errors: [{ code: 'TooLong', path: 'text', detail: 'Too long.' }] },
      ],
      title: 'Too Many Requests',
      type: `${docs}#narrow`,
      status: 429,
      detail: 'Wait.',
      retry_after: 7,
    })
  })

  test('links to its documentation, which explains every reason', async () => {
    const { stranger } = await world()
    const { body } = await stranger.get('/nothing')
    const page = await stranger.get(new URL(body.type).pathname)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    for (const name of [...Object.keys(reasons), 'internal']) expect(page.text).toContain(`<dt id="${name}">`)
  })
})

describe('An unknown address', () => {
  const unknown = [
    ['GET', '/nothing'],
    ['POST', '/nothing'],
    ['GET', '/oauth2/nothing'],
    ['POST', '/oauth2/nothing'],
    ['GET', '/web/nothing'],
    ['GET', '/api/nothing'],
    ['GET', '/api/v5/account'],
  ] as const

  test('is 404, without its query, which can contain a code', async () => {
    const { app } = await world()
    for (const [method, url] of unknown) {
      const answer = await app.http.inject({
        method,
        url: `${url}?code=secret`,
        headers: { host: 'demo.localhost:8080' },
      })
      expect(answer.headers['content-type']).toBe('application/problem+json')
      expect(answer.json()).toEqual({
        title: 'Not Found',
        type: `${docs}#not_found`,
        status: 404,
        detail: `Cannot ${method} http://demo.localhost:8080${url}`,
      })
    }
  })

  test('of v4 is 401 without a token and 404 with one, by every method', async () => {
    const { admin, stranger, app } = await world()
    const { access_token } = await connect(stranger, await register(admin))
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'] as const) {
      for (const url of ['/api/v4/nothing', '/api/v4/account/nothing']) {
        const ask = async (authorization?: string) => {
          const headers = { host: 'demo.localhost:8080', ...(authorization && { authorization }) }
          const answer = await app.http.inject({ method, url, headers })
          return [method, url, answer.statusCode, answer.headers['content-type']]
        }
        const refused = (status: number) => [method, url, status, 'application/problem+json']
        expect(await ask()).toEqual(refused(401))
        expect(await ask('Bearer nothing')).toEqual(refused(401))
        expect(await ask(`Bearer ${access_token}`)).toEqual(refused(404))
      }
    }
  })

  test('for a method that it does not accept is 405 and names those that it accepts (RFC 9110, section 15.5.6)', async () => {
    const { admin, stranger, app } = await world()
    const { access_token } = await connect(stranger, await register(admin))
    const ask = async (method: 'DELETE' | 'HEAD' | 'PUT' | 'OPTIONS', url: string) => {
      const headers = { host: 'demo.localhost:8080', authorization: `Bearer ${access_token}` }
      const answer = await app.http.inject({ method, url: `${url}?code=secret`, headers })
      return [answer.statusCode, answer.headers.allow, answer.body && answer.json().detail]
    }
    const address = 'http://demo.localhost:8080'
    const accepts = (method: string, path: string, allow: string) => [
      405,
      allow,
      `Cannot ${method} ${address}${path}. This address accepts ${allow}.`,
    ]
    for (const [method, path, allow] of [
      ['DELETE', '/api/v4/events', 'GET, HEAD'],
      ['PUT', '/api/v4/leads/', 'DELETE, GET, HEAD, PATCH, POST'],
      ['PUT', '/api/v4/account', 'GET, HEAD, PATCH'],
      ['DELETE', '/healthz', 'GET, HEAD'],
      ['OPTIONS', '/oauth2/access_token', 'POST'],
    ] as const)
      expect(await ask(method, path)).toEqual(accepts(method, path, allow))
    expect(await ask('HEAD', '/oauth2/access_token')).toEqual([405, 'POST', ''])
    // Without a valid id, it is a different address.
    expect(await ask('HEAD', '/api/v4/users/nobody')).toEqual([404, undefined, ''])
    const misspelt = '/api/v4/leads/complexx'
    expect(await ask('PUT', misspelt)).toEqual([404, undefined, `Cannot PUT ${address}${misspelt}`])
    expect(await ask('PUT', '/api/v4/leads/1')).toEqual(
      accepts('PUT', '/api/v4/leads/1', 'DELETE, GET, HEAD, PATCH'),
    )
  })

  test('by QUERY is 404, or 400 without the type of its content', async () => {
    const { stranger } = await world()
    for (const url of ['/nothing', '/web/nothing', '/v2/origin/custom/nothing', '/forms/nothing/nothing']) {
      const typed = await stranger.send('QUERY', url, '{}', { 'content-type': 'application/json' })
      const untyped = await stranger.send('QUERY', url)
      expect([url, typed.status, untyped.status]).toEqual([url, 404, 400])
      expect(untyped.text).toContain('Content-Type')
    }
  })

  test('that is unreadable is a problem document with its id', async () => {
    const { stranger } = await world()
    const long = ['1'.repeat(201), 'a'.repeat(300)]
    for (const url of ['/%zz', '/api/v4/%zz', '/%', `/api/v4/users/${long[0]}`, `/icons/${long[1]}`]) {
      const { status, headers, body, text } = await stranger.get(url)
      expect(headers).toMatchObject({
        'content-type': 'application/problem+json',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(UUID),
      })
      expect([400, 401, 404]).toContain(status)
      expect(body.status).toBe(status)
      expect(text).not.toMatch(TELLING)
    }
  })
})

describe('Hostile values', () => {
  const places = [
    '/api/v4/users/{}',
    '/api/v4/users?page={}',
    '/api/v4/users?limit={}',
    '/api/v4/account?with={}',
    '/web/integrations/{}',
    '/oauth?client_id={}&state={}&mode={}',
    '/icons/{}',
    '/{}',
  ]
  const values = [
    '1e400',
    '-1',
    '9007199254740993',
    '99999999999999999999999',
    '%20',
    "'%20or%201=1--",
    '%F0%9F%98%80',
    '%ff',
    '%ED%A0%80',
    '%00',
    '..%2f..%2fetc%2fpasswd',
    '../../../etc/passwd',
    '%0d%0aX:%20y',
    'a[b]=1',
    '[]',
    '__proto__',
    'NaN',
  ]

  test('in addresses never cause an internal error or reveal internals', async () => {
    const { admin, stranger, logged } = await world()
    const { access_token } = await connect(stranger, await register(admin))
    const callers = [stranger.as({ token: access_token }), admin.browser]
    const odd = []
    for (const place of places) {
      for (const value of values) {
        for (const caller of callers) {
          const { status, text, headers } = await caller.get(place.replaceAll('{}', value))
          if (status >= 500 && status !== 503) odd.push([status, place, value])
          if (status >= 400 && headers['content-type'] === 'application/problem+json' && TELLING.test(text))
            odd.push([text])
        }
      }
    }
    expect(odd).toEqual([])
    expect(logged()).not.toContain('unexpected error')
  })

  test.each(['/web/session', '/oauth2/access_token', '/oauth'])(
    'in forms and bodies of %s do not either',
    async (url) => {
      const { stranger, admin, logged } = await world()
      const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', '']
      const bodies = [
        '',
        '{}',
        '[]',
        '5',
        'null',
        '"x"',
        '{"email":{},"client_id":[]}',
        'a=%00&client_id=%00&form_token=%00',
        '%',
        '\0',
      ]
      const statuses = []
      for (const caller of [stranger, admin.browser]) {
        for (const type of types) {
          for (const body of bodies) {
            const answer = await caller.post(url, body, type ? { 'content-type': type } : {})
            statuses.push([answer.status, type, body])
          }
        }
      }
      expect(statuses.filter(([status]) => (status as number) >= 500)).toEqual([])
      expect(logged()).not.toContain('unexpected error')
    },
  )
})

describe('The id of a request (V11)', () => {
  test("is new for each request, in its answer and its log line, and ignores the caller's own", async () => {
    const { stranger, logged } = await world()
    const asked = [
      await stranger.get('/healthz', { 'x-request-id': 'mine' }),
      await stranger.get('/nothing', { 'x-request-id': 'mine', 'request-id': 'mine' }),
      await stranger.get('/api/v4/account'),
      await stranger.post('/oauth2/access_token', {}, json),
      await stranger.as({ host: 'evil.example' }).get('/healthz'),
      await stranger.as({ host: 'evil.example' }).get('/nothing'),
    ]
    const ids = asked.map(({ headers }) => headers['x-request-id'] as string)
    for (const id of ids) expect(id).toMatch(UUID)
    expect(new Set(ids).size).toBe(asked.length)
    const lines = logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ msg }) => msg === 'request').map(({ request_id }) => request_id)).toEqual(ids)
    expect(logged()).not.toContain('mine')
  })

  test('is logged without queries, which contain codes and tokens', async () => {
    const { stranger, logged } = await world()
    await stranger.get('/nothing?code=abcdefgh')
    await stranger.get('/oauth?client_id=abcdefgh')
    expect(logged()).not.toContain('abcdefgh')
  })

  test('is the only technical detail of an answer', async () => {
    const { stranger } = await world()
    for (const path of ['/healthz', '/nothing', '/api/v4/account', '/%zz']) {
      const { headers } = await stranger.get(path)
      expect([headers.server, headers['x-powered-by']]).toEqual([undefined, undefined])
    }
  })
})
