import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { exchange, refresh, register } from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'

const guarded = () => world({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' } })
/** The same caller from another address. */
const from = (caller: Client, address: string): Client => ({
  ...caller,
  post: (url, body) => caller.post(url, body, { 'x-forwarded-for': address }),
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

describe('Token exchange: POST /oauth2/access_token', () => {
  test('incorrect data is 400 in application/json, with details in the body', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const answer = await exchange(stranger, shop, 'garbage')
    expect(answer.status).toBe(400)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toEqual({
      hint: 'Cannot decrypt the authorization code',
      title: 'Bad Request',
      type: 'http://demo.localhost:8080/docs/errors#unknown_code',
      status: 400,
      detail: 'Cannot decrypt the authorization code',
      error: 'invalid_grant',
      error_description: 'Cannot decrypt the authorization code',
    })
  })

  test.each(['client_id', 'client_secret', 'grant_type', 'redirect_uri', 'code'])(
    '%s is required as text',
    async (name) => {
      const { admin, stranger } = await world()
      const shop = await register(admin)
      for (const value of [undefined, null, '', 5, ['x'], { a: 'b' }, true, 'x'.repeat(5000)]) {
        const answer = await exchange(stranger, shop, shop.code, { [name]: value })
        expect(answer.status, `${name} = ${JSON.stringify(value)}`).toBe(400)
        const long = typeof value === 'string' && value.length > 0
        if (!long)
          expect(answer.body).toMatchObject({
            error: 'invalid_request',
            hint: `Check the \`${name}\` parameter`,
          })
      }
      expect((await exchange(stranger, shop)).status).toBe(200)
    },
  )

  test.each([
    ['not JSON', '{"client_id":', 'application/json', 'The body is not valid JSON.'],
    ['an array', '[]', 'application/json', 'it must be a JSON object'],
    ['a string', '"x"', 'application/json', 'it must be a JSON object'],
    ['null', 'null', 'application/json', 'it must be a JSON object'],
    ['empty', '', 'application/json', 'it must be a JSON object'],
    ['another type', 'x', 'text/plain', 'Content-Type is "text/plain"; it should be application/json'],
    [
      'a member twice',
      '{"client_id":"a","client_id":"b"}',
      'application/json',
      'contains a duplicate member',
    ],
    ['too deep', `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`, 'application/json', 'nested deeper than 20'],
    ['a prototype', '{"__proto__":{"client_id":"a"}}', 'application/json', 'a member __proto__'],
  ])('a body that is %s is 400 invalid_request with a hint', async (_what, body, type, hint) => {
    const { stranger } = await world()
    const answer = await stranger.post('/oauth2/access_token', body, { 'content-type': type })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ status: 400, error: 'invalid_request', hint: answer.body.detail })
    expect(answer.body.hint).toContain(hint)
  })

  test('a body of more than 16 KiB is 400', async () => {
    const { stranger } = await world()
    const answer = await stranger.post('/oauth2/access_token', { code: 'x'.repeat(17_000) })
    const hint = 'The request body cannot be read: it is larger than 16384 bytes.'
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ status: 400, error: 'invalid_request', hint, detail: hint })
  })

  test('another grant type is unsupported_grant_type', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    for (const grant_type of ['password', 'client_credentials', 'constructor', '__proto__']) {
      const answer = await exchange(stranger, shop, shop.code, { grant_type })
      expect(answer.body).toMatchObject({ status: 400, error: 'unsupported_grant_type' })
    }
  })

  test('an unknown client and a wrong secret are invalid_client', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    expect((await exchange(stranger, shop, shop.code, { client_id: 'nobody' })).body).toMatchObject({
      status: 400,
      error: 'invalid_client',
      hint: 'Check the `client_id` parameter',
    })
    expect(
      (await exchange(stranger, shop, shop.code, { client_secret: `${shop.client_secret}x` })).body,
    ).toMatchObject({
      status: 400,
      error: 'invalid_client',
      hint: 'Check the `client_secret` parameter',
    })
  })
})

describe('Token exchange by generic clients (A3)', () => {
  test('accepts a form, and the keys in HTTP Basic', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const { client_id, client_secret, redirect_uri, code } = shop
    const basic = {
      authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
    }
    const first = await stranger.post(
      '/oauth2/access_token',
      form({ grant_type: 'authorization_code', redirect_uri, code }),
      { ...FORM, ...basic },
    )
    expect(first.status).toBe(200)
    const { refresh_token } = first.body
    const second = await stranger.post(
      '/oauth2/access_token',
      form({ client_id, client_secret, grant_type: 'refresh_token', refresh_token }),
      FORM,
    )
    expect(second.status).toBe(200)
    expect(second.headers['content-type']).toBe('application/json')
  })

  test('rejects characters that a database cannot store', async () => {
    const { admin, stranger } = await world()
    const { client_id, client_secret, redirect_uri, code } = await register(admin)
    const whole = { client_id, client_secret, redirect_uri, code, grant_type: 'authorization_code' }
    for (const name of Object.keys(whole)) {
      const answer = await stranger.post('/oauth2/access_token', form({ ...whole, [name]: 'a\0b' }), FORM)
      expect(answer.status, name).toBe(400)
    }
    expect((await stranger.get(`/oauth?client_id=a%00b`, { accept: 'text/html' })).status).not.toBe(500)
    expect((await admin.browser.get('/web/consent?client_id=a%00b')).status).toBe(404)
  })

  test.each(['access_token', 'revoke'])('%s says that JSON was sent as a form', async (path) => {
    const { stranger } = await world()
    const json = '\n{"client_id":"a","grant_type":"refresh_token"}'
    const { status, body } = await stranger.post(`/oauth2/${path}`, json, FORM)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.detail).toMatch(/: it is JSON, .* Send `Content-Type: application\/json`\.$/)
  })

  test('rejects a duplicate parameter, and keys in two places', async () => {
    const { admin, stranger } = await world()
    const { client_id, client_secret, redirect_uri, code } = await register(admin)
    const whole = form({ client_id, client_secret, redirect_uri, code, grant_type: 'authorization_code' })
    const twice = await stranger.post('/oauth2/access_token', `${whole}&client_id=${client_id}`, FORM)
    expect(twice.body).toMatchObject({ status: 400, error: 'invalid_request' })
    expect(twice.body.detail).toContain('"client_id" is a duplicate')
    const basic = { authorization: `Basic ${Buffer.from(`${client_id}:other`).toString('base64')}` }
    expect((await stranger.post('/oauth2/access_token', whole, { ...FORM, ...basic })).body.error).toBe(
      'invalid_request',
    )
    expect((await stranger.post('/oauth2/access_token', whole, FORM)).status).toBe(200)
  })
})

describe('Limits on guessing', () => {
  test('five wrong secrets from one network block further wrong ones, but never the right secret', async () => {
    const { admin, stranger, clock } = await guarded()
    const shop = await register(admin)
    const guess = (address: string) =>
      exchange(from(stranger, address), shop, shop.code, { client_secret: 'x' })
    for (let i = 0; i < 5; i++) expect((await guess('198.51.100.7')).status).toBe(400)
    const limited = await guess('198.51.100.8')
    expect(limited.status).toBe(429)
    expect(limited.headers['retry-after']).toBe('12')
    expect(limited.body).toMatchObject({ status: 429, retry_after: 12 })
    expect((await guess('203.0.113.1')).status).toBe(400)
    // From the same address as the guesses.
    expect((await exchange(from(stranger, '198.51.100.7'), shop)).status).toBe(200)
    clock.advance(12)
    expect((await guess('198.51.100.7')).status).toBe(400)
  })

  test('wrong secrets from many networks do not limit the client with the right one', async () => {
    const { admin, stranger } = await guarded()
    const shop = await register(admin)
    let { refresh_token } = (await exchange(stranger, shop)).body
    for (let i = 0; i < 60; i++)
      await exchange(from(stranger, `203.0.${i}.1`), shop, shop.code, { client_secret: 'x' })
    const statuses = []
    for (let i = 0; i < 19; i++) {
      const answer = await refresh(stranger, shop, refresh_token)
      statuses.push(answer.status)
      refresh_token = answer.body.refresh_token
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect([
      (await refresh(stranger, shop, 'x')).status,
      (await refresh(stranger, shop, 'x')).status,
    ]).toEqual([429, 429])
  })

  test('unknown client ids are counted by address', async () => {
    const { admin, stranger } = await guarded()
    const shop = await register(admin)
    const statuses = []
    for (let i = 0; i < 41; i++)
      statuses.push((await exchange(stranger, shop, shop.code, { client_id: `nobody-${i}` })).status)
    expect(statuses.slice(39)).toEqual([400, 429])
    expect((await exchange(stranger, shop)).status).toBe(200)
  })

  test('wrong refresh tokens at the subdomain address do not block a valid one', async () => {
    const { admin, stranger } = await guarded()
    const { refresh_token } = (await exchange(stranger, await register(admin))).body
    const ask = async (token: string) =>
      (await stranger.get('/oauth2/account/current/subdomain', { 'x-refresh-token': token })).status
    const statuses = []
    for (let i = 0; i < 41; i++) statuses.push(await ask(`pbr_${i}`))
    expect(statuses.slice(39)).toEqual([401, 429])
    expect(await ask(refresh_token)).toBe(200)
  })
})

describe('The address of an account (A15)', () => {
  test('is returned for a refresh token or an access token, without using it up', async () => {
    const { admin, stranger, account } = await world()
    const shop = await register(admin)
    const { access_token, refresh_token } = (await exchange(stranger, shop)).body
    const home = {
      id: account.id,
      subdomain: 'demo',
      domain: 'demo.localhost:8080',
      top_level_domain: 'localhost',
    }
    const base = stranger.as({ host: 'localhost:8080' })
    const current = await base.get('/oauth2/account/current/subdomain', { 'x-refresh-token': refresh_token })
    expect(current.status).toBe(200)
    expect(current.body).toEqual(home)
    const older = await base.as({ token: access_token }).get('/oauth2/account/subdomain')
    expect(older.body).toEqual(home)
    for (const token of ['', 'pbr_wrong', 'x'.repeat(10_000)]) {
      const refused = await base.get('/oauth2/account/current/subdomain', { 'x-refresh-token': token })
      expect(refused.status).toBe(401)
      expect(refused.body.status).toBe(401)
    }
  })
})
