import { decodeJwt, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'

const AT = '/web/v4/widgets/demo_pbx'
const setting = (key: string, type: string, is_required = false) => ({ key, name: key, type, is_required })
const manifest = {
  code: 'demo_pbx',
  version: '1.0.0',
  settings_template: [
    setting('login', 'text', true),
    setting('password', 'pass', true),
    setting('phones', 'users'),
    setting('lines', 'users_lp'),
  ],
}

async function withWidget() {
  const all = await world()
  const integration = await register(all.admin)
  const { access_token } = await connect(all.stranger, integration)
  const described = await all.admin.browser.put(`/web/integrations/${integration.client_id}/widget`, manifest)
  return { ...all, integration, described, own: all.stranger.as({ token: access_token }) }
}

test('a widget is installed with settings that only its own integration reads', async () => {
  const all = await withWidget()
  const { admin, own, integration } = all
  expect(all.described.status).toBe(200)
  const shown = {
    id: expect.any(Number),
    ...manifest,
    rating: '0,0',
    is_lead_source: false,
    is_work_with_dp: false,
    is_crm_template: false,
    client_uuid: integration.client_id,
    is_active_in_account: false,
    pipeline_id: null,
    _links: { self: { href: `http://demo.localhost:8080${AT}` } },
  }
  expect((await admin.browser.get(AT)).body).toEqual(shown)
  const settings = {
    login: 'acme',
    password: 'pbx-secret-of-acme',
    phones: { [admin.id]: '101' },
    lines: { [admin.id]: { login: 'a', password: 'b' } },
  }
  const installed = await own.post('/api/v4/widgets/demo_pbx', { ...shown, ...settings, id: 5 })
  const _links = { self: { href: 'http://demo.localhost:8080/api/v4/widgets/demo_pbx' } }
  expect([installed.status, installed.body]).toEqual([
    200,
    { ...shown, is_active_in_account: true, settings, _links },
  ])
  const changed = await admin.browser.post(AT, { login: 'other', phones: null })
  // Another caller gets the passwords that it has sent itself, and no stored ones.
  expect(changed.body.settings).toEqual({ login: 'other' })
  const replaced = await admin.browser.post(AT, { password: 'pbx-secret-of-acme' })
  expect(replaced.body.settings).toEqual({ login: 'other', password: 'pbx-secret-of-acme' })
  const second = await register(admin, { name: 'Second' })
  const foreign = all.stranger.as({ token: (await connect(all.stranger, second)).access_token })
  expect((await foreign.post('/api/v4/widgets/demo_pbx', {})).body.settings).toEqual({ login: 'other' })
  const list = (await admin.browser.get('/web/v4/widgets')).body._embedded.widgets
  expect(list).toEqual([{ ...shown, is_active_in_account: true }])
  expect((await own.get('/api/v4/widgets/demo_pbx')).body.settings.login).toBe('other')
  const page = await admin.browser.get(`/web/installations/${integration.client_id}/widget`)
  const { code, version, settings_template } = manifest
  expect(page.body.widget).toEqual({
    code,
    version,
    settings_template,
    is_installed: true,
    settings: { login: 'other' },
  })
  const [row] = await all.ctx.db.selectFrom('widget_installations').select('settings').execute()
  expect(row?.settings.includes('pbx-secret-of-acme')).toBe(false)
  expect((await admin.browser.delete(AT)).status).toBe(204)
  expect([
    (await admin.browser.delete(AT)).status,
    (await admin.browser.get(AT)).body.is_active_in_account,
  ]).toEqual([404, false])
})

onEmbedded('a setting by users is blank if nobody has a value', async () => {
  const all = await world()
  const { client_id } = await register(all.admin)
  const { browser } = all.admin
  const template = [setting('phones', 'users', true), setting('lines', 'users_lp')]
  await browser.put(`/web/integrations/${client_id}/widget`, { ...manifest, settings_template: template })
  expect([
    faultsOf(await browser.post(AT, { phones: {} })),
    faultsOf(await browser.post(AT, { phones: [] })),
  ]).toEqual([
    [400, '0 FieldMissing phones'],
    [400, '0 FieldMissing phones'],
  ])
  const phones = { [all.admin.id]: '101' }
  expect((await browser.post(AT, { phones, lines: [] })).body.settings).toEqual({ phones })
})

onEmbedded('wrong settings and other callers are refused', async () => {
  const all = await withWidget()
  const { browser } = all.admin
  const ask = async (body: object) => faultsOf(await browser.post(AT, body))
  const good = { login: 'a', password: 'b' }
  expect([
    await ask({ login: 'a' }),
    await ask({ ...good, login: 7 }),
    await ask({ ...good, phones: { 999: 'x' } }),
    await ask({ ...good, lines: { [all.admin.id]: { login: 'a' } } }),
    await ask({ ...good, password: 'x'.repeat(4_097) }),
  ]).toEqual([
    [400, '0 FieldMissing password'],
    [400, '0 InvalidType login'],
    [400, '0 NotSupportedChoice phones.999'],
    [400, `0 InvalidType lines.${all.admin.id}.password`],
    [400, '0 TooLong password'],
  ])
  const person = (await all.addPerson()).browser
  const other = (await all.addPerson({ account: await all.addAccount('other'), is_admin: true })).browser
  const described = `/web/integrations/${all.integration.client_id}/widget`
  expect([
    (await person.get(AT)).status,
    (await person.post(AT, good)).status,
    (await person.delete(AT)).status,
    (await person.get(described)).status,
    (await person.get(described.replace('integrations', 'installations'))).status,
    (await other.get(AT)).status,
    (await other.post(AT, good)).status,
    (await other.put(described, manifest)).status,
  ]).toEqual([200, 403, 403, 403, 403, 404, 404, 404])
  expect(await all.ctx.db.selectFrom('widget_installations').selectAll().execute()).toEqual([])
})

test('a code belongs to one widget, and a disabled integration has none', async () => {
  const all = await withWidget()
  const second = await register(all.admin)
  const taken = await all.admin.browser.put(`/web/integrations/${second.client_id}/widget`, manifest)
  const twice = await all.admin.browser.put(`/web/integrations/${second.client_id}/widget`, {
    ...manifest,
    code: 'second',
    settings_template: [setting('a', 'text'), setting('a', 'pass')],
  })
  expect([faultsOf(taken), faultsOf(twice)]).toEqual([
    [400, '0 NotUnique code'],
    [400, '0 NotUnique settings_template.1.key'],
  ])
  const at = `/web/integrations/${all.integration.client_id}/widget`
  expect((await all.admin.browser.get(at)).body.widget).toMatchObject(manifest)
  await all.admin.browser.post(`/web/installations/${all.integration.client_id}/disable`)
  expect((await all.admin.browser.get('/web/v4/widgets')).status).toBe(204)
})

test('a one-time token proves to the integration who calls', async () => {
  const all = await withWidget()
  const ann = await all.addPerson()
  const { client_id, client_secret } = all.integration
  const answer = await ann.browser.post(`/web/installations/${client_id}/widget_token`)
  expect([answer.status, answer.body.expires_at]).toEqual([200, all.clock.now() + 1_800])
  const key = new TextEncoder().encode(client_secret)
  const currentDate = new Date(all.clock.now() * 1_000)
  const { protectedHeader } = await jwtVerify(answer.body.token, key, { currentDate, algorithms: ['HS256'] })
  expect([protectedHeader, decodeJwt(answer.body.token)]).toEqual([
    { alg: 'HS256', typ: 'JWT' },
    {
      iss: 'http://demo.localhost:8080',
      aud: 'https://shop.example',
      jti: expect.any(String),
      iat: all.clock.now(),
      nbf: all.clock.now(),
      exp: all.clock.now() + 1_800,
      account_id: all.account.id,
      user_id: ann.id,
      subdomain: 'demo',
      client_uuid: client_id,
      is_admin: false,
    },
  ])
  const other = (await all.addPerson({ account: await all.addAccount('other') })).browser
  expect((await other.post(`/web/installations/${client_id}/widget_token`)).status).toBe(404)
})

test('a one-time token names the host of the redirect URI without its port', async () => {
  const { admin } = await world()
  const { client_id } = await register(admin, { redirect_uri: 'http://localhost:3000/oauth' })
  const { body } = await admin.browser.post(`/web/installations/${client_id}/widget_token`)
  expect(decodeJwt(body.token).aud).toBe('http://localhost')
})

test('another address for the settings of a widget needs the password', async () => {
  const { admin, addPerson, clock, integration } = await withWidget()
  const describe = async (more: object, { browser } = admin) => {
    const { status, body } = await browser.put(`/web/integrations/${integration.client_id}/widget`, {
      ...manifest,
      ...more,
    })
    return [status, body.type?.split('#')[1]]
  }
  const [own, other] = ['https://hook.example/own', 'https://hook.example/other']
  expect(await describe({ webhook_url: own })).toEqual([200, undefined])
  clock.advance(16 * 60)
  expect(await describe({ webhook_url: other })).toEqual([403, 'password_needed'])
  expect(await describe({ webhook_url: own, version: '1.0.1' })).toEqual([200, undefined])
  expect(await describe({})).toEqual([200, undefined])
  // A new session has just had the password.
  const ann = await addPerson({ is_admin: true })
  expect(await describe({ webhook_url: other }, ann)).toEqual([200, undefined])
})

test('an answer with settings is repeated under its key, and stored encrypted', async () => {
  const { ctx, own } = await withWidget()
  const install = () =>
    own.post(
      '/api/v4/widgets/demo_pbx',
      { login: 'acme', password: 'pbx-secret-of-acme' },
      { 'idempotency-key': 'install' },
    )
  const [first, again] = [await install(), await install()]
  expect([first.status, first.body.settings.password]).toEqual([200, 'pbx-secret-of-acme'])
  expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body])
  const [row] = await ctx.db.selectFrom('idempotency_keys').select(['answer', 'sealed_answer']).execute()
  expect([row?.answer, row?.sealed_answer?.includes('pbx-secret-of-acme')]).toEqual([null, false])
})
