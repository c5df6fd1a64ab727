import { createHmac } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { accountStatus, connect, consent, exchange, register } from '../../../test/fixtures/integrations.ts'
import { receiver } from '../../../test/programs/receiver.ts'
import { world } from '../../../test/world.ts'

const hook = (client_id: string) => ({
  method: 'GET',
  path: '/oauth',
  query: { code: expect.any(String), referer: 'demo.localhost:8080', client_id, from_widget: '1' },
})

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

describe('Disabling an integration', () => {
  onEmbedded(
    'sends a signed GET with account_id and client_id to the hook URL, even after an hour of downtime',
    async () => {
      const { admin, account, app, clock } = await world()
      const site = await receiver()
      site.answer = (_request, response) => response.writeHead(503).end()
      const shop = await register(admin, { disable_hook_url: `${site.url}/disabled?mine=1` })
      await admin.browser.post(`/web/installations/${shop.client_id}/disable`)
      for (let minutes = 0; minutes < 60; minutes++) {
        await app.deliveries.runDue()
        clock.advance(60)
      }
      const tries = site.received.length
      expect(tries).toBeGreaterThanOrEqual(5)
      site.answer = (_request, response) => response.end()
      clock.advance(3_600)
      await app.deliveries.runDue()
      clock.advance(86_400)
      await app.deliveries.runDue()
      expect(site.received).toHaveLength(tries + 1)
      const signature = createHmac('sha256', shop.client_secret)
        .update(`${shop.client_id}|${account.id}`)
        .digest('hex')
      const { method, path, query, headers, body } = site.received.at(-1) ?? {}
      expect({ method, path, query, body }).toEqual({
        method: 'GET',
        path: '/disabled',
        query: {
          mine: '1',
          account_id: String(account.id),
          client_id: shop.client_id,
          client_uuid: shop.client_id,
          signature,
        },
        body: '',
      })
      expect(new Set(site.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(headers?.['webhook-attempt']).toBe(String(tries + 1))
      expect(headers?.['user-agent']).toBe('amoService-oAuth-Code-Sender/1.0')
    },
  )

  test('sends nothing without a hook URL or the second time', async () => {
    const { admin, app, ctx } = await world()
    const site = await receiver()
    const plain = await register(admin)
    const hooked = await register(admin, { disable_hook_url: `${site.url}/` })
    for (const { client_id } of [plain, hooked, hooked])
      expect((await admin.browser.post(`/web/installations/${client_id}/disable`)).status).toBe(204)
    await app.deliveries.runDue()
    expect(site.received).toHaveLength(1)
    expect(await ctx.db.selectFrom('deliveries').selectAll().execute()).toHaveLength(1)
  })

  onEmbedded('requires an administrator of the account that installed it', async () => {
    const { admin, addPerson, addAccount, stranger } = await world()
    const shop = await register(admin)
    const { access_token } = await connect(stranger, shop)
    const seller = await addPerson({ name: 'Sam' })
    const other = await addPerson({ name: 'Olga', is_admin: true, account: await addAccount('other') })
    const at = `/web/installations/${shop.client_id}`
    for (const path of ['disable', 'code']) {
      expect((await seller.browser.post(`${at}/${path}`)).status).toBe(403)
      expect((await other.browser.post(`${at}/${path}`)).status).toBe(404)
      expect((await stranger.post(`${at}/${path}`, undefined, SAME_ORIGIN)).status).toBe(401)
    }
    expect((await other.browser.post('/web/installations', { client_id: shop.client_id })).status).toBe(404)
    expect(await accountStatus(stranger, access_token)).toBe(200)
  })

  test('is possible from the list, which shows who installed it, its last use and who has tokens', async () => {
    const { admin, account, stranger, clock } = await world()
    const shop = await register(admin, { permissions: ['crm'] })
    clock.advance(60)
    const { access_token } = await connect(stranger, shop)
    await accountStatus(stranger, access_token)
    const { installations } = (await admin.browser.get('/web/installations')).body
    expect(installations).toEqual([
      {
        integration: {
          id: shop.client_id,
          name: 'Shop',
          description: '',
          icon_url: null,
          access: 'private',
          permissions: ['crm'],
          developer: { name: account.name },
          is_own: true,
        },
        is_active: true,
        installed_at: clock.now() - 60,
        installed_by: { id: admin.id, name: admin.name },
        disabled_at: null,
        disabled_by: null,
        last_used_at: clock.now(),
        grants: [
          {
            id: expect.any(String),
            user: { id: admin.id, name: admin.name },
            long_lived: null,
            scopes: ['crm'],
            created_at: clock.now(),
            expires_at: expect.any(Number),
          },
        ],
      },
    ])
  })

  test('keeps the last use, which is shown at once, written once a minute and never moved back', async () => {
    const { admin, stranger, clock, ctx, app, secondProcess } = await world()
    const shop = await register(admin)
    const { access_token } = await connect(stranger, shop)
    const shown = async () =>
      (await admin.browser.get('/web/installations')).body.installations[0].last_used_at
    const stored = async () =>
      (await ctx.db.selectFrom('installations').select('last_used_at').executeTakeFirstOrThrow()).last_used_at
    const chore = ({ chores }: typeof app) => chores.find(({ name }) => name === 'last uses')?.run()
    expect([await shown(), await stored()]).toEqual([null, null])
    await accountStatus(stranger, access_token)
    const first = clock.now()
    expect([await shown(), await stored()]).toEqual([first, null])
    await chore(app)
    expect([await shown(), await stored()]).toEqual([first, first])
    clock.advance(60)
    await accountStatus(stranger, access_token)
    expect([await shown(), await stored()]).toEqual([first + 60, first])
    const other = await secondProcess()
    clock.advance(60)
    await other.app.http.inject({
      url: '/api/v4/account',
      headers: { host: 'localhost', authorization: `Bearer ${access_token}` },
    })
    await other.app.http.close()
    expect([await shown(), await stored()]).toEqual([first + 120, first + 120])
    await chore(app)
    expect(await stored()).toBe(first + 120)
  })

  test('is not necessary to revoke one grant', async () => {
    const { admin, stranger, addPerson } = await world()
    const shop = await register(admin)
    const second = await addPerson({ name: 'Second', is_admin: true })
    const mine = await connect(stranger, shop)
    const { code } = (await second.browser.post(`/web/installations/${shop.client_id}/code`)).body
    const theirs = await connect(stranger, shop, code)
    const { grants } = (await admin.browser.get('/web/installations')).body.installations[0]
    const { id } = grants.find(({ user }: { user: { id: number } }) => user.id === second.id)
    const at = `/web/installations/${shop.client_id}/grants`
    expect((await admin.browser.delete(`${at}/${id}`)).status).toBe(204)
    expect((await admin.browser.delete(`${at}/nothing`)).status).toBe(404)
    expect(await accountStatus(stranger, theirs.access_token)).toBe(401)
    expect(await accountStatus(stranger, mine.access_token)).toBe(200)
  })
})

describe('An account other than the developer account', () => {
  /** Allows a public integration in a second account. */
  async function guest() {
    const here = await world()
    const shop = await register(here.admin, { access: 'public' })
    const olga = await here.addPerson({
      name: 'Olga',
      is_admin: true,
      account: await here.addAccount('other'),
    })
    const { page, code } = await consent(olga, shop)
    return { ...here, shop, olga, page, code }
  }

  onEmbedded(
    'never sees the integration id: not in the consent, the installation, the icon or the audit log',
    async () => {
      const { admin, shop, olga, page, stranger, code } = await guest()
      const icon = await sharp({ create: { width: 400, height: 272, channels: 3, background: '#36f' } })
        .png()
        .toBuffer()
      const type = { 'content-type': 'image/png' }
      await admin.browser.put(`/web/integrations/${shop.client_id}/icon`, icon, type)
      await connect(stranger.as({ host: 'other.localhost:8080' }), shop, code)
      const shown = [page, await olga.browser.get('/web/installations'), await olga.browser.get('/web/audit')]
      expect(shown.map(({ status }) => status)).toEqual([200, 200, 200])
      for (const { text } of shown) expect(text).not.toContain(shop.client_id)
      const [installation] = shown[1]?.body.installations ?? []
      expect(installation.integration.is_own).toBe(false)
      expect((await olga.browser.get(installation.integration.icon_url)).status).toBe(200)
      const listed = shown[2]?.body.entries.map(
        ({ integration_id }: { integration_id: string }) => integration_id,
      )
      expect(listed).toContain(installation.integration.id)
      const own = (await admin.browser.get('/web/audit')).body.entries
      expect(own.map(({ integration_id }: { integration_id: string }) => integration_id)).toContain(
        shop.client_id,
      )
    },
  )

  onEmbedded('uses its handle as the developer account uses the id', async () => {
    const { shop, olga, stranger, code } = await guest()
    const other = stranger.as({ host: 'other.localhost:8080' })
    const { access_token } = await connect(other, shop, code)
    const [{ integration, grants }] = (await olga.browser.get('/web/installations')).body.installations
    const at = `/web/installations/${integration.id}`
    expect((await olga.browser.post(`${at}/code`)).status).toBe(200)
    expect((await olga.browser.delete(`${at}/grants/${grants[0].id}`)).status).toBe(204)
    expect(await accountStatus(other, access_token)).toBe(401)
    expect((await olga.browser.post(`${at}/disable`)).status).toBe(204)
    const again = await olga.browser.post('/web/installations', { client_id: integration.id })
    expect((await exchange(other, shop, again.body.code)).status).toBe(200)
    for (const id of ['nobody', '00000000-0000-4000-8000-000000000000'])
      expect((await olga.browser.post(`/web/installations/${id}/code`)).status).toBe(404)
  })
})

describe('The widget hook', () => {
  test('is sent to the redirect URI with a separate code, and the redirect then has from_widget', async () => {
    const { admin, stranger } = await world()
    const site = await receiver()
    const shop = await register(admin, { redirect_uri: `${site.url}/oauth`, has_widget: true })
    const { form_token, accounts } = (await admin.browser.get(`/web/consent?client_id=${shop.client_id}`))
      .body
    const decided = await admin.browser.post(
      '/oauth',
      new URLSearchParams({ form_token, account_id: accounts[0].id, decision: 'allow' }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    )
    const location = new URL(String(decided.headers.location))
    expect(location.searchParams.get('from_widget')).toBe('1')
    // The first hook is from the installation at creation.
    expect(site.received).toMatchObject([{}, hook(shop.client_id)])
    const code = site.received[1]?.query.code as string
    expect((await exchange(stranger, shop, code)).status).toBe(200)
    expect((await exchange(stranger, shop, String(location.searchParams.get('code')))).status).toBe(200)
  })

  test('is sent for every installation and for nothing else', async () => {
    const { admin, stranger } = await world()
    const site = await receiver()
    const shop = await register(admin, { redirect_uri: `${site.url}/oauth`, has_widget: true })
    const at = `/web/installations/${shop.client_id}`
    expect(site.received).toMatchObject([hook(shop.client_id)])
    await admin.browser.post(`${at}/code`)
    await admin.browser.post('/web/installations', { client_id: shop.client_id })
    expect(site.received).toHaveLength(1)
    await admin.browser.post(`${at}/disable`)
    const again = await admin.browser.post('/web/installations', { client_id: shop.client_id })
    expect(site.received).toMatchObject([{}, hook(shop.client_id)])
    const code = String(site.received[1]?.query.code)
    expect(code).not.toBe(again.body.code)
    expect((await exchange(stranger, shop, code)).status).toBe(200)
    await register(admin, { redirect_uri: `${site.url}/oauth` })
    expect(site.received).toHaveLength(2)
  })

  test('is not repeated, and a failure changes nothing', async () => {
    const { admin, app, ctx } = await world()
    const shop = await register(admin, { redirect_uri: 'http://127.0.0.1:1/oauth', has_widget: true })
    const { form_token, accounts } = (await admin.browser.get(`/web/consent?client_id=${shop.client_id}`))
      .body
    const decided = await admin.browser.post(
      '/oauth',
      new URLSearchParams({ form_token, account_id: accounts[0].id, decision: 'allow' }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    )
    expect(decided.status).toBe(303)
    expect(await app.deliveries.runDue()).toBe(0)
    expect(await ctx.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })
})

describe('Long-lived tokens (A15)', () => {
  test('live for the selected number of days and end with the installation', async () => {
    const { admin, stranger, clock, signIn } = await world()
    const shop = await register(admin)
    const at = `/web/installations/${shop.client_id}/long-lived-tokens`
    const issued = await admin.browser.post(at, { name: 'Nightly job', days: 30 })
    const { access_token, expires_at } = issued.body
    expect(expires_at).toBe(clock.now() + 30 * 86_400)
    clock.set(expires_at - 1)
    expect(await accountStatus(stranger, access_token)).toBe(200)
    clock.advance(2)
    expect(await accountStatus(stranger, access_token)).toBe(401)
    const browser = await signIn(admin)
    const longer = (await browser.post(at, { name: 'Nightly job', days: 1826 })).body.access_token
    await browser.post(`/web/installations/${shop.client_id}/disable`)
    expect(await accountStatus(stranger, longer)).toBe(401)
  })

  onEmbedded.each([{ days: 0 }, { days: 1827 }, { days: 1.5 }, { name: '' }])(
    'with %j are refused',
    async (change) => {
      const { admin } = await world()
      const shop = await register(admin)
      const answer = await admin.browser.post(`/web/installations/${shop.client_id}/long-lived-tokens`, {
        name: 'x',
        days: 1,
        ...change,
      })
      expect(answer.status).toBe(400)
    },
  )

  test('require a private integration', async () => {
    const { admin } = await world()
    const shop = await register(admin, { access: 'public' })
    const answer = await admin.browser.post(`/web/installations/${shop.client_id}/long-lived-tokens`, {
      name: 'x',
      days: 1,
    })
    expect(answer.status).toBe(409)
  })
})

describe('Short-lived tokens (Q39)', () => {
  test('live for 15 minutes, act as the integration, end with the installation and are deleted later', async () => {
    const { admin, stranger, clock, ctx, app } = await world()
    const shop = await register(admin, { access: 'public' })
    const at = `/web/installations/${shop.client_id}/short-lived-tokens`
    const issued = await admin.browser.post(at)
    expect(issued.body).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      expires_at: clock.now() + 900,
    })
    clock.advance(899)
    expect(await accountStatus(stranger, issued.body.access_token)).toBe(200)
    clock.advance(1)
    expect(await accountStatus(stranger, issued.body.access_token)).toBe(401)
    const second = await admin.browser.post(at)
    const log = await ctx.db.selectFrom('audit_log').select('action').execute()
    expect(log.filter(({ action }) => action === 'short_lived_token.issued')).toHaveLength(2)
    await admin.browser.post(`/web/installations/${shop.client_id}/disable`)
    expect(await accountStatus(stranger, second.body.access_token)).toBe(401)
    expect((await admin.browser.post(at)).status).toBe(409)
    const pairs = async () => (await ctx.db.selectFrom('token_pairs').select('grant_id').execute()).length
    expect(await pairs()).toBe(2)
    clock.advance(30 * 86_400 + 901)
    await app.chores.find(({ name }) => name === 'expired codes and tokens')?.run()
    expect(await pairs()).toBe(0)
  })

  onEmbedded('are only for administrators and integrations that are installed in their account', async () => {
    const { admin, stranger, addAccount, addPerson, ctx } = await world()
    const shop = await register(admin)
    const at = `/web/installations/${shop.client_id}/short-lived-tokens`
    const elsewhere = await addPerson({ account: await addAccount('other'), is_admin: true })
    const before = await ctx.db.selectFrom('grants').selectAll().execute()
    const tries = [
      [stranger, 401],
      [await addPerson({ rights: {} }).then(({ browser }) => browser), 403],
      [elsewhere.browser, 404],
    ] as const
    for (const [caller, status] of tries) expect((await caller.post(at)).status).toBe(status)
    expect((await admin.browser.post('/web/installations/nothing/short-lived-tokens')).status).toBe(404)
    expect(await ctx.db.selectFrom('grants').selectAll().execute()).toEqual(before)
  })
})
