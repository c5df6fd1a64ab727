import { describe, expect, test } from 'vitest'
import { accountStatus, connect, consent, register } from '../../test/fixtures/integrations.ts'
import { world } from '../../test/world.ts'
import { createHosts } from './hosts.ts'

const settings = {
  public_url: 'https://crm.example:8443',
  auth_url: 'https://sign-in.example',
  chat_url: 'https://chat.example:9443',
  host: '10.1.2.3',
  host_aliases: ['kommo.com', 'amocrm.ru'],
}

describe('The name in a Host header (P5)', () => {
  const table: [string, string | null | undefined][] = [
    ['crm.example', null],
    ['crm.example:8443', null],
    ['crm.example:1', null],
    ['CRM.Example', null],
    ['sign-in.example', null],
    ['chat.example:9443', null],
    ['10.1.2.3', null],
    ['localhost:8080', null],
    ['127.0.0.1:8080', null],
    ['127.9.9.9', null],
    ['[::1]:8080', null],
    ['acme.crm.example:8443', 'acme'],
    ['ACME.crm.EXAMPLE', 'acme'],
    ['a.b.crm.example', undefined],
    ['.crm.example', undefined],
    ['acme.crm.example.', undefined],
    ['crm.example.', undefined],
    ['acme.crm.example.evil.example', undefined],
    ['evilcrm.example', undefined],
    ['acme.sign-in.example', undefined],
    ['acme.localhost', undefined],
    ['128.0.0.1', undefined],
    ['127.0.0.1.evil.example', undefined],
    ['[::2]', undefined],
    ['[::1', undefined],
    ['acme.crm.example:port', undefined],
    ['acme.crm.example:123456', undefined],
    ['acme.crm.example, crm.example', undefined],
    ['acme@crm.example', undefined],
    ['acme.crm.example/x', undefined],
    ['acmé.crm.example', undefined],
    ['', undefined],
    ['acme.kommo.com', 'acme'],
    ['ACME.amocrm.ru:8443', 'acme'],
    ['drive-b.amocrm.ru', 'drive-b'],
    ['amocrm.ru', null],
    ['www.kommo.com', null],
    ['amojo.amocrm.ru', null],
    ['amojo-b.amocrm.ru', null],
    ['api-b.kommo.com:443', null],
    ['a.b.kommo.com', undefined],
    ['evilkommo.com', undefined],
    ['kommo.com.evil.example', undefined],
    ['amocrm.com', undefined],
  ]

  test.each(table)('%j names the account %j', (host, subdomain) => {
    const hosts = createHosts(settings)
    expect(hosts.read(host)?.subdomain).toBe(subdomain)
    // The cached result is the same.
    expect(hosts.read(host)?.subdomain).toBe(subdomain)
  })

  test('is read correctly after a thousand other names', () => {
    const hosts = createHosts(settings)
    for (let i = 0; i < 1_100; i++) expect(hosts.read(`a${i}.crm.example`)?.subdomain).toBe(`a${i}`)
    expect(hosts.read('acme.crm.example')?.subdomain).toBe('acme')
    expect(hosts.read('evil.example')).toBeNull()
  })

  test('of an account is a subdomain of the base, with its port', () => {
    const hosts = createHosts(settings)
    expect(hosts.accountUrl('acme')).toBe('https://acme.crm.example:8443')
    expect(hosts.accountHost('acme')).toBe('acme.crm.example:8443')
  })

  test.each([
    ['acme.crm.example', 'crm.example:8443'],
    ['localhost', 'crm.example:8443'],
    ['acme.kommo.com', 'kommo.com'],
    ['ACME.Kommo.COM:8443', 'kommo.com:8443'],
    ['www.amocrm.ru', 'amocrm.ru'],
    ['amocrm.ru:443', 'amocrm.ru:443'],
  ])('%s has the domain %s', (host, base_host) => {
    expect(createHosts(settings).read(host)?.base_host).toBe(base_host)
  })
})

describe('A token is valid only at the address of its account', () => {
  const table: [string, Record<string, string>, number][] = [
    ['demo.localhost:8080', {}, 200],
    ['DEMO.LOCALHOST', {}, 200],
    ['demo.localhost:1', {}, 200],
    ['localhost', {}, 200],
    ['other.localhost:8080', {}, 401],
    ['OTHER.localhost', {}, 401],
    ['nobody.localhost', {}, 401],
    ['demo.amocrm.ru', {}, 200],
    ['demo.kommo.com:443', {}, 200],
    ['www.amocrm.ru', {}, 200],
    ['other.kommo.com', {}, 401],
    ['demo.evil.example', {}, 400],
    ['demo.localhost.', {}, 400],
    ['demo.other.localhost', {}, 400],
    // No proxy is trusted by default.
    ['other.localhost', { 'x-forwarded-host': 'demo.localhost' }, 401],
    ['demo.localhost', { 'x-forwarded-host': 'other.localhost' }, 200],
    ['other.localhost', { forwarded: 'host=demo.localhost' }, 401],
    ['other.localhost', { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-server': 'demo.localhost' }, 401],
  ]

  test('in every spelling and with any other headers', async () => {
    const { admin, stranger, addAccount } = await world()
    await addAccount('other')
    const { access_token: token } = await connect(stranger, await register(admin))
    for (const [host, headers, status] of table) {
      const answer = await stranger.as({ host, token }).get('/api/v4/account', headers)
      expect([host, headers, answer.status]).toEqual([host, headers, status])
    }
  })

  test('behind a trusted proxy, where the forwarded host and scheme apply to the request and its links', async () => {
    const { admin, stranger } = await world({ env: { TRUST_PROXY: '127.0.0.1' } })
    const { access_token } = await connect(stranger, await register(admin))
    const through = stranger.as({ host: 'internal.example', token: access_token })
    expect(await accountStatus(through, access_token)).toBe(400)
    const headers = { 'x-forwarded-host': 'demo.localhost', 'x-forwarded-proto': 'https' }
    const { status, body } = await through.get('/api/v4/account', headers)
    expect([status, body._links.self.href]).toEqual([200, 'https://demo.localhost/api/v4/account'])
    expect((await through.get('/api/v4/account', { 'x-forwarded-host': 'other.localhost' })).status).toBe(401)
  })
})

describe('Clients with the hosts of the platform (HOST_ALIASES)', () => {
  test('get links, addresses and tokens of the domain that they asked', async () => {
    const { admin, stranger } = await world()
    const host = 'demo.amocrm.ru'
    const shop = await register(admin, { permissions: ['crm', 'files'] })
    const tokens = await connect(stranger.as({ host }), shop)
    const client = stranger.as({ host, token: tokens.access_token })
    expect((await client.get('/api/v4/account')).body._links.self.href).toBe(`http://${host}/api/v4/account`)
    expect((await client.get('/api/v4/account?with=drive_url')).body.drive_url).toBe(`http://${host}/drive`)
    const own = { id: admin.account.id, subdomain: 'demo', domain: host, top_level_domain: 'ru' }
    expect((await client.get('/oauth2/account/subdomain')).body).toEqual(own)
    const asked = await stranger
      .as({ host: 'www.amocrm.ru' })
      .get('/oauth2/account/current/subdomain', { 'x-refresh-token': tokens.refresh_token })
    expect(asked.body).toEqual(own)
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString())
    expect([claims.base_domain, claims.api_domain]).toEqual(['amocrm.ru', 'amocrm.ru'])
    expect((await client.as({ host: 'drive-b.amocrm.ru' }).get('/v1.0/files')).status).toBe(204)
  })

  test('get the domain of the consent page as referer', async () => {
    const { admin } = await world()
    const shop = await register(admin)
    const { page, location } = await consent(
      { ...admin, browser: admin.browser.as({ host: 'www.kommo.com' }) },
      shop,
    )
    expect(page.body.accounts[0].host).toBe('demo.kommo.com')
    expect(new URL(location).searchParams.get('referer')).toBe('demo.kommo.com')
  })

  test('are refused if the setting is off', async () => {
    const { stranger } = await world({ env: { HOST_ALIASES: 'off' } })
    expect((await stranger.as({ host: 'demo.amocrm.ru' }).get('/api/v4/account')).status).toBe(400)
  })
})
