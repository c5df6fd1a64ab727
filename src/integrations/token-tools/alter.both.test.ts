import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { accountStatus, connect, consent, refresh, register } from '../../../test/fixtures/integrations.ts'
import { helper } from '../../../test/fixtures/request-log.ts'
import { alter, explain, families, newestFamily, requestOf, TOKENS } from '../../../test/fixtures/tokens.ts'
import { type World, world } from '../../../test/world.ts'

const DAY = 86_400
const KEY = 'a-key-that-nobody-can-guess'

async function connected(options = {}) {
  const here = await world(options)
  const shop = await register(here.admin)
  const tokens = await connect(here.stranger, shop)
  return { here, shop, tokens }
}

/** The audit log of the account, the newest entry first. */
const audited = async ({ admin }: World) =>
  (await admin.browser.get('/web/audit?area=integrations')).body.entries

describe('The test helpers', () => {
  test('let an access token expire; the refresh token lives', async () => {
    const { here, shop, tokens } = await connected()
    const done = await alter(here, 'expire', { token: 'access_token' })
    expect(done.status).toBe(204)
    expect(await accountStatus(here.stranger, tokens.access_token)).toBe(401)
    const found = await explain(here, tokens.access_token)
    expect(found.end).toMatchObject({ reason: 'expired', at: here.clock.now(), request_id: requestOf(done) })
    expect(found.sentence).toContain(`request ${requestOf(done)} of the test helpers changed its times`)
    const renewed = await refresh(here.stranger, shop, tokens.refresh_token)
    expect(await accountStatus(here.stranger, renewed.body.access_token)).toBe(200)
    const [entry] = await audited(here)
    expect(entry).toMatchObject({
      action: 'tokens.expired',
      user: null,
      details: { changed: ['access_token'] },
      request_id: requestOf(done),
    })
  })

  test('let a refresh token expire; the access token lives', async () => {
    const { here, shop, tokens } = await connected()
    await alter(here, 'expire', { token: 'refresh_token', generation: 0 })
    expect((await refresh(here.stranger, shop, tokens.refresh_token)).body.hint).toBe(
      'Refresh token has expired',
    )
    expect(await accountStatus(here.stranger, tokens.access_token)).toBe(200)
  })

  test.each([
    ['day', 200, DAY],
    ['three_months', 400, 92 * DAY],
  ])('make a pair older by %s: its refresh is answered with %i', async (by, status, seconds) => {
    const { here, shop, tokens } = await connected()
    const before = (await newestFamily(here)).pairs[0]?.issued_at ?? 0
    expect((await alter(here, 'age', { by })).status).toBe(204)
    expect((await newestFamily(here)).pairs[0]?.issued_at).toBe(before - seconds)
    expect(await accountStatus(here.stranger, tokens.access_token)).toBe(401)
    expect((await refresh(here.stranger, shop, tokens.refresh_token)).status).toBe(status)
    expect((await audited(here))[0]).toMatchObject({
      action: 'tokens.aged',
      details: { days: seconds / DAY },
    })
  })

  test('an unused pair that expires is renewed by the refresh token of its parent', async () => {
    const { here, shop, tokens } = await connected()
    const child = (await refresh(here.stranger, shop, tokens.refresh_token)).body
    await alter(here, 'expire', { token: 'access_token' })
    const renewed = (await refresh(here.stranger, shop, tokens.refresh_token)).body
    expect(renewed.refresh_token).toBe(child.refresh_token)
    expect(await accountStatus(here.stranger, renewed.access_token)).toBe(200)
    expect(await explain(here, child.access_token)).toMatchObject({ state: 'unknown', unknown: 'renewed' })
  })

  test('revoke all tokens of a consent, once', async () => {
    const { here, tokens } = await connected()
    const done = await alter(here, 'revoke')
    expect(await accountStatus(here.stranger, tokens.access_token)).toBe(401)
    expect((await explain(here, tokens.refresh_token)).end).toMatchObject({
      ...{ reason: 'revoked_by_test_helpers', by: null, request_id: requestOf(done) },
    })
    for (const action of ['revoke', 'race'])
      expect((await alter(here, action)).body.detail).toBe('The tokens of this consent have ended.')
  })

  test.each([
    ['expire', {}, 400],
    ['expire', { token: 'code' }, 400],
    ['expire', { token: 'access_token', generation: -1 }, 400],
    ['expire', { token: 'access_token', generation: 7 }, 404],
    ['age', { by: 'year' }, 400],
    ['age', { by: 'day', generation: 1 }, 404],
    ['lose_answer', { timeout: 0 }, 400],
    ['race', { timeout: 601 }, 400],
    ['race', { timeout: 'x' }, 400],
  ])('refuse %s %j with %i, and change nothing', async (action, body, status) => {
    const { here } = await connected()
    const before = await newestFamily(here)
    expect((await alter(here, action, body)).status).toBe(status)
    expect(await newestFamily(here)).toEqual(before)
  })

  onEmbedded('change no tokens of another account, and nothing for strangers', async () => {
    const { here, tokens } = await connected()
    await here.addAccount('other')
    const [family] = await families(here)
    const at = `${TOKENS}/${family?.id}`
    const other = helper(here).as({ host: 'other.localhost:8080' })
    for (const caller of [other, here.stranger])
      for (const [action, body] of [
        ['expire', { token: 'access_token' }],
        ['age', { by: 'day' }],
        ['revoke', {}],
        ['lose_answer', {}],
        ['race', {}],
      ] as const)
        expect((await caller.post(`${at}/${action}`, body)).status).toBe(caller === other ? 404 : 401)
    expect((await other.get(at)).status).toBe(404)
    expect((await other.get(TOKENS)).body.families).toEqual([])
    expect(await accountStatus(here.stranger, tokens.access_token)).toBe(200)
    expect((await newestFamily(here)).faults).toEqual([])
  })
})

describe('Administrators in the web application', () => {
  test('do the same, under their name', async () => {
    const { here, tokens } = await connected()
    const [family] = await families(here)
    const { browser } = here.admin
    const at = `/web/tokens/${family?.id}`
    expect((await browser.get('/web/tokens')).body).toMatchObject({ can_alter: true, families: [{}] })
    expect((await browser.post(`${at}/expire`, { token: 'access_token' })).status).toBe(204)
    expect((await browser.post('/web/tokens/explain', { token: tokens.access_token })).body.state).toBe(
      'expired',
    )
    expect((await browser.post(`${at}/age`, { by: 'day' })).status).toBe(204)
    expect((await browser.post(`${at}/lose_answer`, {})).status).toBe(204)
    expect((await browser.post(`${at}/race`, {})).status).toBe(204)
    expect((await browser.get(at)).body.faults).toHaveLength(2)
    expect((await browser.post(`${at}/revoke`, {})).status).toBe(204)
    const [last, ...rest] = await audited(here)
    expect(last).toMatchObject({ action: 'tokens.revoked', user: { name: 'Ada' } })
    expect(rest[0]).toMatchObject({ action: 'tokens.fault_armed', details: { reason: 'race' } })
  })

  test('nobody else reads or changes tokens', async () => {
    const { here, tokens } = await connected()
    const [family] = await families(here)
    const ann = await here.addPerson()
    const at = `/web/tokens/${family?.id}`
    for (const [caller, status] of [
      [ann.browser, 403],
      [here.stranger, 401],
    ] as const) {
      expect((await caller.get('/web/tokens')).status).toBe(status)
      expect((await caller.get(at)).status).toBe(status)
      expect((await caller.post('/web/tokens/explain', { token: tokens.access_token })).status).toBe(status)
      for (const action of ['revoke', 'lose_answer', 'race'])
        expect((await caller.post(`${at}/${action}`, {})).status).toBe(status)
    }
    expect(await accountStatus(here.stranger, tokens.access_token)).toBe(200)
  })

  test('name an integration of another account by its handle, and do not learn who regenerated its secret', async () => {
    const { here, shop } = await connected()
    await here.admin.browser.patch(`/web/integrations/${shop.client_id}`, { access: 'public' })
    const account = await here.addAccount('other')
    const eve = await here.addPerson({ name: 'Eve', is_admin: true, account })
    const other = { ...here, stranger: here.stranger.as({ host: 'other.localhost:8080' }) }
    const tokens = await connect(other.stranger, shop, (await consent(eve, shop)).code)
    here.clock.advance(60)
    await here.admin.browser.post(`/web/integrations/${shop.client_id}/secret`)
    const page = await eve.browser.get('/web/tokens')
    expect(page.body.families).toHaveLength(1)
    expect(page.text).not.toContain(shop.client_id)
    const [family] = page.body.families
    const { body, text } = await eve.browser.get(`/web/tokens/${family.id}`)
    expect(body.secret_regenerated).toEqual({ at: here.clock.now(), by: null })
    expect(text).not.toContain(shop.client_id)
    const { integration } = family
    const filtered = await eve.browser.get(`/web/tokens?integration=${integration.id}`)
    expect(filtered.body.families).toHaveLength(1)
    const found = await eve.browser.post('/web/tokens/explain', { token: tokens.access_token })
    expect(found.body).toMatchObject({ state: 'valid', integration })
    const foreign = await here.admin.browser.post('/web/tokens/explain', { token: tokens.access_token })
    const unknown = await here.admin.browser.post('/web/tokens/explain', { token: 'nothing' })
    expect(foreign.body).toEqual(unknown.body)
    expect((await here.admin.browser.get(`/web/tokens/${family.id}`)).status).toBe(404)
  })
})

describe('A server that is not for development', () => {
  onEmbedded('has no way to change tokens; administrators read them and revoke them', async () => {
    const here = await world({ mode: 'serve', ownServer: true })
    const shop = await register(here.admin)
    const tokens = await connect(here.stranger, shop)
    const { browser } = here.admin
    const { families: found, can_alter } = (await browser.get('/web/tokens')).body
    expect(can_alter).toBe(false)
    const at = `/web/tokens/${found[0].id}`
    for (const action of ['expire', 'age', 'lose_answer', 'race'])
      expect((await browser.post(`${at}/${action}`, {})).status).toBe(404)
    expect((await here.stranger.as({ token: 'x' }).get(TOKENS)).status).toBe(404)
    expect((await browser.post('/web/tokens/explain', { token: tokens.access_token })).body.state).toBe(
      'valid',
    )
    expect((await browser.post(`${at}/revoke`, {})).status).toBe(204)
    expect(await accountStatus(here.stranger, tokens.access_token)).toBe(401)
  })

  onEmbedded('has the test helpers with TEST_HELPERS=on and a key', async () => {
    const env = { TEST_HELPERS: 'on', TEST_HELPERS_KEY: KEY }
    const here = await world({ mode: 'serve', ownServer: true, env })
    await connect(here.stranger, await register(here.admin))
    expect(here.ctx.testHelpersKey).toBe(KEY)
    expect((await alter(here, 'expire', { token: 'access_token' })).status).toBe(204)
    expect((await here.stranger.as({ token: 'x' }).get(TOKENS)).status).toBe(401)
  })
})
