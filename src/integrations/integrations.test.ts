import { describe, expect, test } from 'vitest'
import { exchange, register } from '../../test/fixtures/integrations.ts'
import { receiver } from '../../test/programs/receiver.ts'
import { world } from '../../test/world.ts'

const URI = 'https://shop.example/oauth'
const whole = {
  name: 'Shop',
  description: '<p>What it does</p>',
  redirect_uri: URI,
  disable_hook_url: 'https://shop.example/disabled',
  permissions: ['crm', 'files'],
  access: 'public',
  duplicate_control: true,
  multiple_sources: true,
  has_widget: true,
  revoke_on_reuse: true,
} as const

describe('Integration: every field of the table', () => {
  test('is saved and read back; saving generates the keys and the first code', async () => {
    const { admin, stranger, clock } = await world()
    const saved = await admin.browser.post('/web/integrations', whole)
    expect(saved.status).toBe(201)
    const id = saved.body.integration.id
    expect(saved.body).toEqual({
      integration: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...whole,
        icon_url: null,
        redirect_available: null,
        redirect_checked_at: null,
        redirect_error: null,
        installed_in: 1,
        created_at: clock.now(),
        created_by: admin.id,
        updated_at: clock.now(),
        updated_by: admin.id,
      },
      keys: { client_id: id, client_secret: expect.stringMatching(/^[A-Za-z0-9]{64}$/) },
      code: { code: expect.stringMatching(/^pbc_[\w-]{43}$/), expires_at: clock.now() + 1200 },
    })
    expect((await admin.browser.get(`/web/integrations/${id}`)).body).toEqual(saved.body.integration)
    expect((await admin.browser.get('/web/integrations')).body).toEqual({
      integrations: [saved.body.integration],
    })
    const { client_id, client_secret } = saved.body.keys
    const given = { client_id, client_secret, redirect_uri: URI, code: saved.body.code.code }
    expect((await exchange(stranger, given)).status).toBe(200)
  })

  test('has a default if it is omitted', async () => {
    const { admin } = await world()
    const saved = await admin.browser.post('/web/integrations', { name: 'N', redirect_uri: URI })
    expect(saved.body.integration).toMatchObject({
      description: '',
      disable_hook_url: null,
      permissions: ['crm'],
      access: 'private',
      duplicate_control: false,
      multiple_sources: false,
      has_widget: false,
      revoke_on_reuse: false,
    })
  })

  test.each([
    ['name', 'x'.repeat(256), 'TooLong'],
    ['name', '', 'NotBlank'],
    ['name', '  ', 'InvalidFormat'],
    ['name', 5, 'InvalidType'],
    ['name', undefined, 'FieldMissing'],
    ['description', 'x'.repeat(65_001), 'TooLong'],
    ['redirect_uri', undefined, 'FieldMissing'],
    ['redirect_uri', 'not a url', 'InvalidFormat'],
    ['redirect_uri', `https://shop.example/${'x'.repeat(2048)}`, 'TooLong'],
    ['disable_hook_url', 'ftp://shop.example/', 'InvalidFormat'],
    ['permissions', ['crm', 'everything'], 'NotSupportedChoice'],
    ['permissions', ['crm', 'crm'], 'NotUnique'],
    ['permissions', 'crm', 'InvalidType'],
    ['access', 'secret', 'NotSupportedChoice'],
    ['duplicate_control', 1, 'InvalidType'],
    ['multiple_sources', 'yes', 'InvalidType'],
  ])('%s = %j is refused, and nothing is saved', async (member, value, code) => {
    const { admin } = await world()
    const answer = await admin.browser.post('/web/integrations', { ...whole, [member]: value })
    expect(answer.status).toBe(400)
    const [{ errors }] = answer.body['validation-errors']
    expect(errors[0]).toMatchObject({ path: expect.stringMatching(new RegExp(`^${member}`)), code })
    expect((await admin.browser.get('/web/integrations')).body).toEqual({ integrations: [] })
  })

  test('accepts names of 255 characters and descriptions of 65,000, in any script', async () => {
    const { admin } = await world()
    const name = 'я'.repeat(255)
    const description = 'ж'.repeat(65_000)
    const saved = await admin.browser.post('/web/integrations', { ...whole, name, description })
    expect(saved.body.integration).toMatchObject({ name, description })
  })
})

describe('Integration: who can manage it', () => {
  const ladder = ['get', 'patch', 'keys', 'secret', 'check', 'log', 'icon'] as const

  test('every administrator of the developer account, and nobody else', async () => {
    const { admin, addPerson, addAccount, stranger } = await world()
    const { client_id } = await register(admin)
    const at = `/web/integrations/${client_id}`
    const second = await addPerson({ name: 'Second', is_admin: true })
    const seller = await addPerson({ name: 'Sam' })
    const other = await addPerson({ name: 'Olga', is_admin: true, account: await addAccount('other') })
    const ask = {
      get: (who: typeof stranger) => who.get(at),
      patch: (who: typeof stranger) => who.patch(at, { name: 'Taken over' }),
      keys: (who: typeof stranger) => who.post(`${at}/keys`),
      secret: (who: typeof stranger) => who.post(`${at}/secret`),
      check: (who: typeof stranger) => who.post(`${at}/check`),
      log: (who: typeof stranger) => who.get(`${at}/log`),
      icon: (who: typeof stranger) => who.delete(`${at}/icon`),
    }
    for (const what of ladder) {
      const statuses = []
      for (const { browser } of [seller, other]) statuses.push((await ask[what](browser)).status)
      expect(statuses, what).toEqual([403, 404])
      expect([401, 403], what).toContain((await ask[what](stranger)).status)
    }
    expect((await second.browser.get(at)).body.name).toBe('Shop')
    for (const what of ladder) expect((await ask[what](second.browser)).status, what).toBe(200)
  })

  test('creation requires an administrator', async () => {
    const { addPerson, stranger } = await world()
    const seller = await addPerson({ name: 'Sam' })
    expect((await seller.browser.post('/web/integrations', whole)).status).toBe(403)
    expect((await seller.browser.get('/web/integrations')).status).toBe(403)
    expect(
      (await stranger.post('/web/integrations', whole, { 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(401)
    expect((await stranger.get('/web/integrations')).status).toBe(401)
  })

  test('keys, the secret and the addresses for codes require a password entered within 15 minutes (A11)', async () => {
    const { admin, clock } = await world()
    const { client_id, client_secret } = await register(admin)
    const at = `/web/integrations/${client_id}`
    clock.advance(15 * 60 - 1)
    expect((await admin.browser.post(`${at}/keys`)).body).toEqual({ client_id, client_secret })
    clock.advance(2)
    for (const answer of [
      await admin.browser.post(`${at}/keys`),
      await admin.browser.post(`${at}/secret`),
      await admin.browser.patch(at, { redirect_uri: 'https://evil.example/' }),
      await admin.browser.patch(at, { disable_hook_url: null }),
      await admin.browser.post(`/web/installations/${client_id}/long-lived-tokens`, { name: 'x', days: 1 }),
    ]) {
      expect([answer.status, answer.body.type.split('#')[1]]).toEqual([403, 'password_needed'])
    }
    expect((await admin.browser.patch(at, { name: 'Other name' })).body).toMatchObject({
      name: 'Other name',
      redirect_uri: URI,
    })
  })

  test('every display and change is logged, without secrets', async () => {
    const { admin } = await world()
    const { client_id, client_secret } = await register(admin)
    await admin.browser.post(`/web/integrations/${client_id}/keys`)
    await admin.browser.patch(`/web/integrations/${client_id}`, { name: 'Renamed', access: 'public' })
    await admin.browser.patch(`/web/integrations/${client_id}`, { name: 'Renamed' })
    const changed = (await admin.browser.post(`/web/integrations/${client_id}/secret`)).body.client_secret
    const log = await admin.browser.get(`/web/integrations/${client_id}/log`)
    expect(
      log.body.entries.map(({ action, details }: { action: string; details: unknown }) => [action, details]),
    ).toEqual([
      ['integration.secret_regenerated', {}],
      ['integration.changed', { changed: ['name', 'access'] }],
      ['integration.secret_shown', {}],
      ['integration.installed', {}],
      ['integration.created', { name: 'Shop' }],
    ])
    expect(log.text).not.toContain(client_secret)
    expect(log.text).not.toContain(changed)
  })
})

describe('Redirect URI availability (A12)', () => {
  test('is checked daily: three failures in a row make it unavailable, one answer makes it available again', async () => {
    const { admin, app, clock, signIn } = await world()
    const site = await receiver()
    const { client_id } = await register(admin, { redirect_uri: `${site.url}/oauth` })
    const job = app.chores.find(({ name }) => name === 'redirect URIs')
    const shown = async () => (await (await signIn(admin)).get(`/web/integrations/${client_id}`)).body
    await job?.run()
    expect(await shown()).toMatchObject({
      redirect_available: true,
      redirect_error: null,
      redirect_checked_at: clock.now(),
    })
    expect(site.received.map(({ method, query }) => [method, query])).toEqual([['HEAD', {}]])
    await job?.run()
    expect(site.received).toHaveLength(1)
    site.answer = (_request, response) => response.writeHead(503).end()
    for (const available of [true, true, false]) {
      clock.advance(86_400)
      await job?.run()
      expect(await shown()).toMatchObject({ redirect_available: available, redirect_error: 'answered 503' })
    }
    site.answer = (_request, response) => response.writeHead(400).end()
    clock.advance(86_400)
    await job?.run()
    expect(await shown()).toMatchObject({ redirect_available: true, redirect_error: null })
    const asked = site.received.length
    clock.set(clock.now() - 3_600)
    await job?.run()
    // The clock was ahead at the last check.
    expect(site.received.length).toBeGreaterThan(asked)
  })

  test('is checked again for a new redirect URI', async () => {
    const { admin } = await world()
    const { client_id } = await register(admin)
    const at = `/web/integrations/${client_id}`
    expect((await admin.browser.post(`${at}/check`)).body.redirect_error).toEqual(expect.any(String))
    const moved = await admin.browser.patch(at, { redirect_uri: 'https://shop.example/new' })
    expect(moved.body).toMatchObject({
      redirect_available: null,
      redirect_error: null,
      redirect_checked_at: null,
    })
  })
})
