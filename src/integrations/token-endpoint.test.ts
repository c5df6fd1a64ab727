import { describe, expect, test } from 'vitest'
import { exchange, register } from '../../test/integrations.ts'
import { world } from '../../test/world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

describe('Token exchange: POST /oauth2/access_token', () => {
  test('incorrect data is 400 in application/json, with the details in the body', async () => {
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
      detail: expect.any(String),
      error: 'invalid_grant',
      error_description: 'Cannot decrypt the authorization code',
    })
  })

  test.each(['client_id', 'client_secret', 'grant_type', 'redirect_uri', 'code'])(
    '%s is always needed, as text',
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
    ['not JSON', '{"client_id":', 'application/json'],
    ['an array', '[]', 'application/json'],
    ['a string', '"x"', 'application/json'],
    ['null', 'null', 'application/json'],
    ['empty', '', 'application/json'],
    ['another type', 'x', 'text/plain'],
    ['a member twice', '{"client_id":"a","client_id":"b"}', 'application/json'],
    ['too deep', `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`, 'application/json'],
    ['a prototype', '{"__proto__":{"client_id":"a"}}', 'application/json'],
  ])('a body that is %s is 400 invalid_request', async (_what, body, type) => {
    const { stranger } = await world()
    const answer = await stranger.post('/oauth2/access_token', body, { 'content-type': type })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ status: 400, error: 'invalid_request' })
  })

  test('a body of more than 16 KiB is 413', async () => {
    const { stranger } = await world()
    const answer = await stranger.post('/oauth2/access_token', { code: 'x'.repeat(17_000) })
    expect(answer.status).toBe(413)
    expect(answer.body).toMatchObject({ status: 413, error: 'invalid_request' })
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
  test('takes a form, and the keys in HTTP Basic', async () => {
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

  test('refuses what no database keeps', async () => {
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

  test('refuses a parameter that is there twice, and keys in two places', async () => {
    const { admin, stranger } = await world()
    const { client_id, client_secret, redirect_uri, code } = await register(admin)
    const whole = form({ client_id, client_secret, redirect_uri, code, grant_type: 'authorization_code' })
    const twice = await stranger.post('/oauth2/access_token', `${whole}&client_id=${client_id}`, FORM)
    expect(twice.body).toMatchObject({ status: 400, error: 'invalid_request' })
    const basic = { authorization: `Basic ${Buffer.from(`${client_id}:other`).toString('base64')}` }
    expect((await stranger.post('/oauth2/access_token', whole, { ...FORM, ...basic })).body.error).toBe(
      'invalid_request',
    )
    expect((await stranger.post('/oauth2/access_token', whole, FORM)).status).toBe(200)
  })
})

describe('Limits on guessing', () => {
  test('five wrong secrets from one address, and that client waits there; elsewhere it does not', async () => {
    const { admin, stranger, clock } = await world({ env: { RATE_LIMITS: 'on' } })
    const shop = await register(admin)
    for (let i = 0; i < 5; i++) {
      expect((await exchange(stranger, shop, shop.code, { client_secret: 'guess' })).status).toBe(400)
    }
    const limited = await exchange(stranger, shop)
    expect(limited.status).toBe(429)
    expect(limited.headers['retry-after']).toBe('12')
    expect(limited.body).toMatchObject({ status: 429, retry_after: 12 })
    clock.advance(12)
    expect((await exchange(stranger, shop)).status).toBe(200)
  })
})

describe('Where an account lives (A15)', () => {
  test('is told to who has a refresh token or an access token, and uses neither', async () => {
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
