import { describe, expect, test } from 'vitest'
import { client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import {
  connect,
  consent,
  exchange,
  freshCode,
  refresh,
  register,
} from '../../../test/fixtures/integrations.ts'
import { explain, families, newestFamily, requestOf } from '../../../test/fixtures/tokens.ts'
import { type World, world } from '../../../test/world.ts'
import { writeUses } from '../tokens/last-use.ts'

const DAY = 86_400

/** An integration with its first pair of tokens. */
async function connected(draft = {}) {
  const here = await world()
  const shop = await register(here.admin, draft)
  const first = await exchange(here.stranger, shop)
  return { here, shop, first, tokens: first.body }
}

const call = ({ stranger }: World, token: string) => stranger.as({ token }).get('/api/v4/account')

describe('The reason of a death', () => {
  onEmbedded('an access token has expired', async () => {
    const { here, tokens } = await connected()
    here.clock.advance(DAY)
    const found = await explain(here, tokens.access_token)
    expect(found).toMatchObject({
      kind: 'access_token',
      state: 'expired',
      end: { reason: 'expired', at: here.clock.now(), by: null, request_id: null },
      sentence: 'The access token expired at 2026-03-02T12:00:00Z.',
    })
    expect((await explain(here, tokens.refresh_token)).state).toBe('valid')
    expect((await newestFamily(here)).pairs).toMatchObject([{ state: 'unused' }])
  })

  onEmbedded('a refresh token and a code have expired', async () => {
    const { here, shop, tokens } = await connected()
    const code = await freshCode(here.admin, shop)
    here.clock.advance(92 * DAY)
    expect((await explain(here, tokens.refresh_token)).end?.reason).toBe('expired')
    expect(await explain(here, code)).toMatchObject({ kind: 'code', end: { reason: 'expired' } })
    expect((await newestFamily(here)).pairs).toMatchObject([{ state: 'expired' }])
  })

  test('a refresh token was replaced, by which requests', async () => {
    const { here, shop, first, tokens } = await connected()
    const second = await refresh(here.stranger, shop, tokens.refresh_token)
    const waiting = await explain(here, tokens.refresh_token)
    expect(waiting).toMatchObject({ state: 'valid', waiting_pair: { request_id: requestOf(second) } })
    expect(waiting.sentence).toContain('so a repeated refresh returns it again')
    here.clock.advance(5)
    const use = await call(here, second.body.access_token)
    const found = await explain(here, tokens.refresh_token)
    expect(found.end).toMatchObject({
      reason: 'replaced',
      request_id: requestOf(second),
      used_at: here.clock.now(),
      used_request_id: requestOf(use),
    })
    expect(found.sentence).toContain(`issued at 2026-03-01T12:00:00Z by request ${requestOf(second)}`)
    expect((await newestFamily(here)).pairs).toMatchObject([
      { generation: 1, state: 'in_use', issued_request_id: requestOf(second), refresh_token: { end: null } },
      { generation: 0, state: 'replaced', issued_request_id: requestOf(first), access_token: { end: null } },
    ])
  })

  onEmbedded('a code was exchanged; exchanged again, it ended the tokens', async () => {
    const { here, shop, first, tokens } = await connected()
    expect(await explain(here, shop.code)).toMatchObject({
      kind: 'code',
      state: 'replaced',
      end: { reason: 'exchanged', request_id: requestOf(first) },
      consent_end: null,
    })
    here.clock.advance(60)
    const replay = await exchange(here.stranger, shop)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const found = await explain(here, token)
      expect(found).toMatchObject({
        state: 'revoked',
        end: { reason: 'code_replayed', at: here.clock.now(), by: null, request_id: requestOf(replay) },
      })
      expect(found.sentence).toContain('its authorization code was exchanged a second time')
    }
    expect(await explain(here, shop.code)).toMatchObject({
      end: { reason: 'exchanged' },
      consent_end: { reason: 'code_replayed' },
    })
  })

  onEmbedded('the integration was disabled, by whom; tokens of a later consent live', async () => {
    const { here, shop, tokens } = await connected()
    const code = await freshCode(here.admin, shop)
    const boss = await here.addPerson({ name: 'Grace', is_admin: true })
    here.clock.advance(60)
    const disabled = await boss.browser.post(`/web/installations/${shop.client_id}/disable`)
    const end = {
      reason: 'integration_disabled',
      at: here.clock.now(),
      by: { id: boss.id, name: 'Grace' },
      request_id: requestOf(disabled),
    }
    for (const token of [tokens.access_token, tokens.refresh_token, code])
      expect((await explain(here, token)).end).toMatchObject(end)
    expect((await explain(here, tokens.access_token)).sentence).toBe(
      `The access token was revoked at 2026-03-01T12:01:00Z: the integration was disabled in the account by Grace, in request ${requestOf(disabled)}.`,
    )
    here.clock.advance(60)
    const later = await connect(here.stranger, shop, (await consent(here.admin, shop)).code)
    await here.admin.browser.post(`/web/installations/${shop.client_id}/disable`)
    expect((await explain(here, later.access_token)).end?.by?.name).toBe('Ada')
    expect((await explain(here, tokens.access_token)).end?.by?.name).toBe('Grace')
    expect((await families(here)).map((family) => family.end?.by?.name)).toEqual(['Ada', 'Grace'])
  })

  test.each([
    ['deactivated', 'person_deactivated'],
    ['removed', 'person_removed'],
  ])('the person was %s', async (how, reason) => {
    const { here, shop } = await connected()
    const grace = await here.addPerson({ name: 'Grace', is_admin: true })
    const tokens = await connect(here.stranger, shop, (await consent(grace, shop)).code)
    const { browser } = here.admin
    const ended =
      how === 'removed'
        ? await browser.delete(`/web/v4/users/${grace.id}`)
        : await browser.post(`/web/v4/users/${grace.id}/deactivate`)
    expect(ended.status).toBe(204)
    const found = await explain(here, tokens.refresh_token)
    expect(found.end).toMatchObject({ reason, by: { name: 'Ada' }, request_id: requestOf(ended) })
    await browser.post(`/web/v4/users/${grace.id}/activate`)
    expect((await explain(here, tokens.access_token)).end?.reason).toBe(reason)
  })

  test('the integration revoked them (RFC 7009)', async () => {
    const { here, shop, tokens } = await connected()
    const { client_id, client_secret } = shop
    const token = tokens.access_token
    const revoked = await here.stranger.post('/oauth2/revoke', { client_id, client_secret, token })
    expect((await explain(here, tokens.refresh_token)).end).toMatchObject({
      ...{ reason: 'revoked_by_integration', by: null, request_id: requestOf(revoked) },
    })
  })

  test('an administrator revoked them', async () => {
    const { here, shop, tokens } = await connected()
    const [family] = await families(here)
    const at = `/web/installations/${shop.client_id}/grants/${family?.id}`
    const revoked = await here.admin.browser.delete(at)
    expect((await explain(here, tokens.refresh_token)).end).toMatchObject({
      reason: 'revoked_by_administrator',
      by: { id: here.admin.id, name: 'Ada' },
      request_id: requestOf(revoked),
    })
  })

  test('a replaced refresh token was used again, with the setting revoke on reuse', async () => {
    const { here, shop, tokens } = await connected({ revoke_on_reuse: true })
    const second = await refresh(here.stranger, shop, tokens.refresh_token)
    await call(here, second.body.access_token)
    here.clock.advance(60)
    const reuse = await refresh(here.stranger, shop, tokens.refresh_token)
    expect(reuse.status).toBe(400)
    const end = { reason: 'refresh_token_reused', request_id: requestOf(reuse) }
    expect((await explain(here, second.body.refresh_token)).end).toMatchObject(end)
    const old = await explain(here, tokens.refresh_token)
    expect(old).toMatchObject({ state: 'replaced', end: { reason: 'replaced' }, consent_end: end })
    expect(old.sentence).toContain('The consent was revoked at 2026-03-01T12:01:00Z')
    expect((await newestFamily(here)).pairs.map(({ state }) => state)).toEqual(['revoked', 'replaced'])
  })

  test('without that setting, only the old token is refused', async () => {
    const { here, shop, tokens } = await connected()
    const second = await refresh(here.stranger, shop, tokens.refresh_token)
    await call(here, second.body.access_token)
    await refresh(here.stranger, shop, tokens.refresh_token)
    expect((await explain(here, tokens.refresh_token)).consent_end).toBeNull()
    expect((await explain(here, second.body.refresh_token)).state).toBe('valid')
  })

  test('the secret was regenerated: tokens and codes live, and the family says so', async () => {
    const { here, shop, tokens } = await connected()
    const code = await freshCode(here.admin, shop)
    expect((await newestFamily(here)).secret_regenerated).toBeNull()
    here.clock.advance(60)
    await here.admin.browser.post(`/web/integrations/${shop.client_id}/secret`)
    for (const token of [tokens.access_token, tokens.refresh_token, code])
      expect((await explain(here, token)).state).toBe('valid')
    expect((await refresh(here.stranger, shop, tokens.refresh_token)).status).toBe(400)
    expect((await newestFamily(here)).secret_regenerated).toEqual({
      at: here.clock.now(),
      by: { id: here.admin.id, name: 'Ada' },
    })
  })

  test('it is valid, and was refused at the address of another account', async () => {
    const { here, shop, tokens } = await connected()
    const code = await freshCode(here.admin, shop)
    await here.addAccount('other')
    const elsewhere = here.stranger.as({ host: 'other.localhost:8080' })
    const refused = await elsewhere.as({ token: tokens.access_token }).get('/api/v4/account')
    expect(refused.status).toBe(401)
    await writeUses(here.ctx)
    const found = await explain(here, tokens.access_token)
    expect(found).toMatchObject({
      state: 'valid',
      elsewhere: { host: 'other.localhost:8080', request_id: requestOf(refused) },
    })
    expect(found.sentence).toContain('because other.localhost:8080 is the address of another account.')
    const exchanged = await exchange(elsewhere, shop, code)
    expect(exchanged.body.hint).toBe('Invalid account')
    expect(await explain(here, code)).toMatchObject({
      state: 'valid',
      elsewhere: { host: 'other.localhost:8080', request_id: requestOf(exchanged) },
    })
  })

  test('a long-lived token has one token and no refresh', async () => {
    const { here, shop } = await connected()
    const { browser } = here.admin
    const made = await browser.post(`/web/installations/${shop.client_id}/long-lived-tokens`, {
      name: 'Robot',
      days: 2,
    })
    const found = await explain(here, made.body.access_token)
    expect(found).toMatchObject({ state: 'valid', is_long_lived: true, issued_request_id: requestOf(made) })
    here.clock.advance(2 * DAY)
    expect((await explain(here, made.body.access_token)).end?.reason).toBe('expired')
    const robot = (await families(here)).find(({ long_lived }) => long_lived === 'Robot')
    expect(robot).toMatchObject({ newest: { state: 'expired', refresh_token: null } })
  })
})

describe('The uses of a pair', () => {
  test('are exact while the account records, also before they are written', async () => {
    const { here, tokens } = await connected()
    here.clock.advance(10)
    const first = await call(here, tokens.access_token)
    here.clock.advance(10)
    const last = await call(here, tokens.access_token)
    const family = await newestFamily(here)
    expect(family.uses_are_exact).toBe(true)
    expect(family.pairs[0]).toMatchObject({
      state: 'in_use',
      first_use: { at: here.clock.now() - 10, request_id: requestOf(first) },
      last_use: { at: here.clock.now(), request_id: requestOf(last) },
    })
  })

  test('are kept without the request log', async () => {
    const { here, tokens } = await connected()
    await here.admin.browser.put('/web/requests/settings', { is_on: false, days: 3, keeps_bodies: false })
    const first = await call(here, tokens.access_token)
    await writeUses(here.ctx)
    here.clock.advance(10)
    const last = await call(here, tokens.access_token)
    const uses = (use: object) => ({
      ...{ state: 'in_use', first_use: { at: here.clock.now() - 10, request_id: requestOf(first) } },
      last_use: use,
    })
    const exact = { at: here.clock.now(), request_id: requestOf(last) }
    expect((await newestFamily(here)).pairs[0]).toMatchObject(uses(exact))
    const { app, ctx } = await here.secondProcess()
    const other = { ...here, ctx, stranger: client(app.http, { host: 'demo.localhost:8080' }) }
    expect((await newestFamily(other)).pairs[0]?.last_use?.request_id).toBe(requestOf(first))
    await writeUses(here.ctx)
    expect((await newestFamily(other)).pairs[0]).toMatchObject(uses(exact))
  })
})

test('What became of a token is known for 30 days after it expired, and deleted then', async () => {
  const { here, shop, tokens } = await connected()
  const second = await refresh(here.stranger, shop, tokens.refresh_token)
  await call(here, second.body.access_token)
  const tidy = async () => {
    await here.app.chores.find(({ name }) => name === 'expired codes and tokens')?.run()
  }
  here.clock.advance(29 * DAY)
  await tidy()
  expect((await explain(here, shop.code)).end?.reason).toBe('exchanged')
  here.clock.advance(92 * DAY)
  await tidy()
  expect((await explain(here, tokens.refresh_token)).end?.reason).toBe('replaced')
  here.clock.advance(2 * DAY)
  await tidy()
  expect(await explain(here, tokens.refresh_token)).toMatchObject({ state: 'unknown', unknown: 'not_issued' })
  expect(await explain(here, tokens.access_token)).toMatchObject({ state: 'unknown', unknown: 'deleted' })
  expect((await families(here))[0]?.newest).toBeNull()
})
