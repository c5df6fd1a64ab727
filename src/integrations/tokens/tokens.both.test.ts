import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import {
  accountStatus,
  connect,
  exchange,
  freshCode,
  refresh,
  register,
} from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'
import { refreshExpiry } from '../registry/lifetimes.ts'

const MINUTE = 60
const DAY = 86_400

describe('States and transitions: authorization code', () => {
  test('within 20 minutes, with valid keys and redirect URI, it returns an active token pair', async () => {
    const { admin, stranger, clock } = await world()
    const shop = await register(admin)
    clock.advance(20 * MINUTE - 1)
    const answer = await exchange(stranger, shop)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toEqual({
      token_type: 'Bearer',
      expires_in: DAY,
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(/^pbr_[\w-]{43}$/),
      server_time: clock.now(),
    })
    expect(await accountStatus(stranger, answer.body.access_token)).toBe(200)
  })

  test('expires_in is exact even if a second passes during the exchange', async () => {
    const { admin, stranger, ctx, clock } = await world()
    const shop = await register(admin)
    const now = ctx.now
    ctx.now = () => {
      const seen = now()
      clock.advance(1)
      return seen
    }
    const { body } = await exchange(stranger, shop)
    expect(body.expires_in).toBe(DAY)
    expect(body.server_time + DAY).toBe(decodeJwt(body.access_token).exp)
    const { body: refreshed } = await refresh(stranger, shop, body.refresh_token)
    expect(refreshed.expires_in).toBe(DAY)
  })

  test('it expires after 20 minutes; a new code is required', async () => {
    const { admin, stranger, clock } = await world()
    const shop = await register(admin)
    clock.advance(20 * MINUTE + 1)
    const answer = await exchange(stranger, shop)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      status: 400,
      error: 'invalid_grant',
      hint: 'Authorization code has expired',
    })
    const again = await exchange(stranger, shop, await freshCode(admin, shop))
    expect(again.status).toBe(200)
  })

  test('if it is replayed with valid credentials, it is refused and its tokens are revoked (A5)', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const tokens = await connect(stranger, shop)
    const replay = await exchange(stranger, shop)
    expect(replay.status).toBe(400)
    expect(replay.body.hint).toBe('Authorization code has been revoked')
    expect(replay.body.detail).toContain('its tokens have been revoked too')
    expect(await accountStatus(stranger, tokens.access_token)).toBe(401)
    expect((await refresh(stranger, shop, tokens.refresh_token)).body.hint).toBe('Token has been revoked')
    const log = await admin.browser.get(`/web/integrations/${shop.client_id}/log`)
    expect(log.body.entries.map(({ action }: { action: string }) => action)).toContain('code.replayed')
  })

  test.each([
    ['secret', { client_secret: 'wrong' }],
    ['redirect URI', { redirect_uri: 'https://shop.example/other' }],
    ['client', { client_id: '7d0b8b6e-0000-4000-8000-000000000000' }],
    ['verifier', { code_verifier: 'a'.repeat(43) }],
  ])('a replay with a wrong %s revokes nothing (A4)', async (_what, change) => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const tokens = await connect(stranger, shop)
    expect((await exchange(stranger, shop, shop.code, change)).status).toBe(400)
    expect(await accountStatus(stranger, tokens.access_token)).toBe(200)
  })

  test.each([
    ['secret', { client_secret: 'wrong' }],
    ['redirect URI', { redirect_uri: 'https://shop.example/other' }],
    ['verifier', { code_verifier: 'a'.repeat(43) }],
  ])('a wrong %s does not consume it (A4)', async (_what, change) => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    expect((await exchange(stranger, shop, shop.code, change)).status).toBe(400)
    expect((await exchange(stranger, shop)).status).toBe(200)
  })

  test('a code of another client is unknown', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const other = await register(admin, { name: 'Other' })
    expect((await exchange(stranger, other, shop.code)).body.hint).toBe(
      'Cannot decrypt the authorization code',
    )
    expect((await exchange(stranger, shop)).status).toBe(200)
  })

  onEmbedded('on the address of another account it is refused and not consumed', async () => {
    const { admin, stranger, addAccount } = await world()
    await addAccount('other')
    const shop = await register(admin)
    const elsewhere = stranger.as({ host: 'other.localhost:8080' })
    expect((await exchange(elsewhere, shop)).body.hint).toBe('Invalid account')
    expect((await exchange(stranger, shop)).status).toBe(200)
  })
})

describe('States and transitions: access token', () => {
  test('it expires after expires_in seconds; the refresh token is required to continue', async () => {
    const { admin, stranger, clock } = await world()
    const shop = await register(admin)
    const tokens = await connect(stranger, shop)
    clock.advance(tokens.expires_in - 1)
    expect(await accountStatus(stranger, tokens.access_token)).toBe(200)
    clock.advance(2)
    const late = await stranger.as({ token: tokens.access_token }).get('/api/v4/account')
    expect(late.status).toBe(401)
    expect(late.headers['content-type']).toBe('application/problem+json')
    expect(late.body).toEqual({
      title: 'Unauthorized',
      type: 'http://demo.localhost:8080/docs/errors#token_expired',
      status: 401,
      detail: 'Invalid user name or password',
    })
    const renewed = await refresh(stranger, shop, tokens.refresh_token)
    expect(await accountStatus(stranger, renewed.body.access_token)).toBe(200)
  })

  test('it is a JWT that clients can decode (A1)', async () => {
    const { admin, stranger, account, clock } = await world()
    const shop = await register(admin, { permissions: ['crm', 'chats'] })
    const { access_token } = await connect(stranger, shop)
    expect(decodeJwt(access_token)).toEqual({
      aud: shop.client_id,
      jti: expect.stringMatching(/^[\w-]{43}$/),
      iat: clock.now(),
      nbf: clock.now(),
      exp: clock.now() + DAY,
      sub: String(admin.id),
      account_id: account.id,
      base_domain: 'localhost:8080',
      api_domain: 'localhost:8080',
      scopes: ['crm', 'chats'],
    })
  })

  onEmbedded('a token of one account is refused on the address of another (P5)', async () => {
    const { admin, stranger, addAccount } = await world()
    await addAccount('other')
    const { access_token } = await connect(stranger, await register(admin))
    expect(await accountStatus(stranger.as({ host: 'other.localhost:8080' }), access_token)).toBe(401)
    expect(await accountStatus(stranger.as({ host: 'localhost:8080' }), access_token)).toBe(200)
    expect(await accountStatus(stranger.as({ host: '127.0.0.1:8080' }), access_token)).toBe(200)
  })

  onEmbedded('WWW-Authenticate explains why a token is refused (A20)', async () => {
    const { admin, stranger, addAccount, clock, app } = await world()
    await addAccount('other')
    const shop = await register(admin)
    const { access_token } = await connect(stranger, shop)
    const challengeFor = async (
      token: string | undefined,
      host = 'demo.localhost:8080',
      url = '/api/v4/account',
    ) => {
      const headers = { host, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
      const answer = await app.http.inject({ url, headers })
      expect(answer.statusCode).toBe(401)
      return [answer.headers['www-authenticate'], answer.json().type?.split('#')[1]]
    }
    const challenge = (why: string) =>
      `Bearer realm="patchbay", error="invalid_token", error_description="${why}"`
    expect(await challengeFor(undefined)).toEqual(['Bearer realm="patchbay"', 'token_missing'])
    const unknown = challenge('The access token is unknown')
    expect(await challengeFor('garbage')).toEqual([unknown, 'token_unknown'])
    expect(await challengeFor('x'.repeat(5_000))).toEqual([unknown, 'token_unknown'])
    expect(await challengeFor('garbage', undefined, '/private/api/v2/json/fields/set')).toEqual([
      unknown,
      undefined,
    ])
    expect(await challengeFor('garbage', undefined, '/oauth2/account/subdomain')).toEqual([
      unknown,
      'token_unknown',
    ])
    expect(await challengeFor(access_token, 'other.localhost:8080')).toEqual([
      challenge('The access token is for a different account than this address'),
      'token_of_other_account',
    ])
    await admin.browser.post(`/web/installations/${shop.client_id}/disable`)
    expect(await challengeFor(access_token)).toEqual([
      challenge('The access token has been revoked'),
      'token_revoked',
    ])
    clock.advance(DAY)
    expect(await challengeFor(access_token)).toEqual([
      challenge('The access token has expired'),
      'token_expired',
    ])
  })

  test('without the permission crm it does not give access to v4 (A21)', async () => {
    const { admin, stranger } = await world()
    const { access_token } = await connect(stranger, await register(admin, { permissions: ['chats'] }))
    const answer = await stranger.as({ token: access_token }).get('/api/v4/account')
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ detail: "Client doesn't have the required scope", scope: 'crm' })
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="patchbay", error="insufficient_scope", scope="crm"',
    )
  })
})

describe('States and transitions: refresh token', () => {
  test('it returns a new pair, returns it again while it is unused, and is outdated once it is used', async () => {
    const { admin, stranger, clock } = await world()
    const shop = await register(admin)
    const first = await connect(stranger, shop)
    const second = (await refresh(stranger, shop, first.refresh_token)).body
    expect(second.access_token).not.toBe(first.access_token)
    clock.advance(MINUTE)
    const again = await refresh(stranger, shop, first.refresh_token)
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ ...second, expires_in: DAY - MINUTE, server_time: clock.now() })
    expect(await accountStatus(stranger, second.access_token)).toBe(200)
    const outdated = await refresh(stranger, shop, first.refresh_token)
    expect(outdated.status).toBe(400)
    expect(outdated.body).toMatchObject({
      error: 'invalid_grant',
      hint: 'Token has been revoked',
      status: 400,
    })
    expect((await refresh(stranger, shop, second.refresh_token)).status).toBe(200)
  })

  test('the exchange of the new refresh token also uses the new pair (A6)', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const first = await connect(stranger, shop)
    const second = (await refresh(stranger, shop, first.refresh_token)).body
    expect((await refresh(stranger, shop, second.refresh_token)).status).toBe(200)
    expect((await refresh(stranger, shop, first.refresh_token)).body.hint).toBe('Token has been revoked')
    expect((await refresh(stranger, shop, second.refresh_token)).status).toBe(200)
  })

  test('a call without a permission uses the pair, too; an expired access token does not', async () => {
    const { admin, stranger, clock } = await world()
    const shop = await register(admin)
    const first = await connect(stranger, shop)
    const second = (await refresh(stranger, shop, first.refresh_token)).body
    clock.advance(DAY + 1)
    expect(await accountStatus(stranger, second.access_token)).toBe(401)
    expect((await refresh(stranger, shop, first.refresh_token)).status).toBe(200)
    const third = (await refresh(stranger, shop, second.refresh_token)).body
    expect((await stranger.as({ token: third.access_token }).get('/api/v4/nothing')).status).toBe(404)
    expect((await refresh(stranger, shop, second.refresh_token)).status).toBe(400)
  })

  test('a repetition after a day returns the same refresh token with a valid access token (A6)', async () => {
    const { admin, stranger, clock } = await world()
    const shop = await register(admin)
    const first = await connect(stranger, shop)
    const lost = (await refresh(stranger, shop, first.refresh_token)).body
    clock.advance(DAY - 1)
    const early = (await refresh(stranger, shop, first.refresh_token)).body
    expect(early).toEqual({ ...lost, expires_in: 1, server_time: clock.now() })
    clock.advance(1)
    const late = await refresh(stranger, shop, first.refresh_token)
    expect(late.status).toBe(200)
    const { access_token, ...rest } = late.body
    expect(rest).toEqual({
      token_type: 'Bearer',
      expires_in: DAY,
      refresh_token: lost.refresh_token,
      server_time: clock.now(),
    })
    expect(decodeJwt(access_token)).toMatchObject({ iat: clock.now(), exp: clock.now() + DAY })
    clock.advance(MINUTE)
    expect((await refresh(stranger, shop, first.refresh_token)).body).toMatchObject({
      access_token,
      expires_in: DAY - MINUTE,
    })
    expect(await accountStatus(stranger, lost.access_token)).toBe(401)
    expect(await accountStatus(stranger, access_token)).toBe(200)
    expect((await refresh(stranger, shop, first.refresh_token)).body.hint).toBe('Token has been revoked')
    expect((await refresh(stranger, shop, lost.refresh_token)).status).toBe(200)
  })

  test('a repetition after a day does not extend the refresh token (A2)', async () => {
    const { admin, stranger, clock } = await world()
    const shop = await register(admin)
    const first = await connect(stranger, shop)
    const { refresh_token } = (await refresh(stranger, shop, first.refresh_token)).body
    clock.advance(2 * DAY)
    expect((await refresh(stranger, shop, first.refresh_token)).body.refresh_token).toBe(refresh_token)
    clock.set(Date.UTC(2026, 5, 1, 12) / 1000)
    expect((await refresh(stranger, shop, refresh_token)).body.hint).toBe('Refresh token has expired')
  })

  test('old access tokens live until they expire (A6)', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const first = await connect(stranger, shop)
    const second = (await refresh(stranger, shop, first.refresh_token)).body
    expect(await accountStatus(stranger, second.access_token)).toBe(200)
    expect(await accountStatus(stranger, first.access_token)).toBe(200)
  })

  test('it expires after three months without a refresh', async () => {
    const { admin, stranger, clock } = await world()
    const shop = await register(admin)
    const tokens = await connect(stranger, shop)
    const end = Date.UTC(2026, 5, 1, 12) / 1000
    clock.set(end - 1)
    expect((await refresh(stranger, shop, tokens.refresh_token)).status).toBe(200)
    clock.set(end + 1)
    const late = await refresh(stranger, shop, tokens.refresh_token)
    expect(late.status).toBe(400)
    expect(late.body.hint).toBe('Refresh token has expired')
  })

  test('reuse of an outdated one is logged and ends nothing; with revoke on reuse it ends the family (A6)', async () => {
    const { admin, stranger } = await world()
    for (const revoke_on_reuse of [false, true]) {
      const shop = await register(admin, { revoke_on_reuse })
      const first = await connect(stranger, shop)
      const second = (await refresh(stranger, shop, first.refresh_token)).body
      await accountStatus(stranger, second.access_token)
      expect((await refresh(stranger, shop, first.refresh_token)).status).toBe(400)
      expect(await accountStatus(stranger, second.access_token)).toBe(revoke_on_reuse ? 401 : 200)
      const log = await admin.browser.get(`/web/integrations/${shop.client_id}/log`)
      expect(log.body.entries[0]).toMatchObject({
        action: 'refresh_token.reused',
        details: { revoked: revoke_on_reuse },
      })
    }
  })

  test('a token of another client is unknown and stays unchanged', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const other = await register(admin, { name: 'Other' })
    const tokens = await connect(stranger, shop)
    expect((await refresh(stranger, other, tokens.refresh_token)).body.hint).toBe('Invalid refresh token')
    expect((await refresh(stranger, shop, tokens.refresh_token)).status).toBe(200)
  })

  onEmbedded('on the address of another account, or of none, it is refused and not used', async () => {
    const { admin, stranger, addAccount } = await world()
    await addAccount('other')
    const shop = await register(admin)
    const tokens = await connect(stranger, shop)
    for (const host of ['other.localhost:8080', 'nobody.localhost:8080']) {
      const refused = await refresh(stranger.as({ host }), shop, tokens.refresh_token)
      expect([refused.status, refused.body.hint]).toEqual([400, 'Invalid account'])
    }
    expect(await accountStatus(stranger, tokens.access_token)).toBe(200)
    for (const host of ['localhost:8080', 'demo.localhost:8080'])
      expect((await refresh(stranger.as({ host }), shop, tokens.refresh_token)).status).toBe(200)
  })
})

describe('States and transitions: what ends what (A7)', () => {
  test('a deactivation permanently ends tokens, pending pairs and codes', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const first = await connect(stranger, shop)
    const pending = (await refresh(stranger, shop, first.refresh_token)).body
    const unused = await freshCode(admin, shop)
    expect((await admin.browser.post(`/web/installations/${shop.client_id}/disable`)).status).toBe(204)
    const dead = async () => {
      expect(await accountStatus(stranger, first.access_token)).toBe(401)
      expect(await accountStatus(stranger, pending.access_token)).toBe(401)
      expect((await refresh(stranger, shop, first.refresh_token)).body.hint).toBe('Token has been revoked')
      expect((await refresh(stranger, shop, pending.refresh_token)).body.hint).toBe('Token has been revoked')
      expect((await exchange(stranger, shop, unused)).body.hint).toBe('Authorization code has been revoked')
    }
    await dead()
    const { code } = (await admin.browser.post('/web/installations', { client_id: shop.client_id })).body
    await dead()
    expect((await exchange(stranger, shop, code)).status).toBe(200)
  })

  test('after the secret is regenerated, the old one is refused at once and tokens stay valid', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const tokens = await connect(stranger, shop)
    const { client_secret } = (await admin.browser.post(`/web/integrations/${shop.client_id}/secret`)).body
    const refused = await refresh(stranger, shop, tokens.refresh_token)
    expect(refused.body).toMatchObject({
      status: 400,
      error: 'invalid_client',
      hint: 'Check the `client_secret` parameter',
    })
    expect(await accountStatus(stranger, tokens.access_token)).toBe(200)
    expect((await refresh(stranger, { ...shop, client_secret }, tokens.refresh_token)).status).toBe(200)
  })

  test.each(['deactivate', 'remove'])(
    'a granting user who is gone (%s) loses tokens and codes permanently',
    async (how) => {
      const { admin, stranger, addPerson } = await world()
      const second = await addPerson({ name: 'Second', is_admin: true })
      const shop = await register(admin)
      const code = await freshCode(second, shop)
      const tokens = await connect(stranger, shop, code)
      const unused = await freshCode(second, shop)
      const answer =
        how === 'remove'
          ? await admin.browser.delete(`/web/v4/users/${second.id}`)
          : await admin.browser.post(`/web/v4/users/${second.id}/deactivate`)
      expect(answer.status).toBe(204)
      expect(await accountStatus(stranger, tokens.access_token)).toBe(401)
      if (how === 'deactivate') await admin.browser.post(`/web/v4/users/${second.id}/activate`)
      expect(await accountStatus(stranger, tokens.access_token)).toBe(401)
      expect((await exchange(stranger, shop, unused)).body.hint).toBe('Authorization code has been revoked')
      expect((await refresh(stranger, shop, tokens.refresh_token)).body.hint).toBe('Token has been revoked')
    },
  )

  test('a deactivation takes effect in every other process with the next call', async () => {
    const { admin, stranger, secondProcess } = await world()
    const shop = await register(admin)
    const { access_token } = await connect(stranger, shop)
    const other = await secondProcess()
    const asked = () =>
      other.app.http.inject({
        url: '/api/v4/account',
        headers: { host: 'localhost', authorization: `Bearer ${access_token}` },
      })
    expect((await asked()).statusCode).toBe(200)
    await admin.browser.post(`/web/installations/${shop.client_id}/disable`)
    expect((await asked()).statusCode).toBe(401)
  })
})

test('three calendar months end on the last day of the month if the day does not exist (A2)', () => {
  const at = (text: string) => Date.parse(text) / 1000
  expect(refreshExpiry(at('2026-11-30T10:00:00Z'))).toBe(at('2027-02-28T10:00:00Z'))
  expect(refreshExpiry(at('2027-11-30T10:00:00Z'))).toBe(at('2028-02-29T10:00:00Z'))
  expect(refreshExpiry(at('2026-01-15T00:00:01Z'))).toBe(at('2026-04-15T00:00:01Z'))
  expect(refreshExpiry(at('2026-10-31T23:59:59Z'))).toBe(at('2027-01-31T23:59:59Z'))
})
