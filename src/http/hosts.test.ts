import { describe, expect, test } from 'vitest'
import { accountStatus, connect, register } from '../../test/integrations.ts'
import { world } from '../../test/world.ts'
import { createHosts } from './hosts.ts'

const settings = {
  public_url: 'https://crm.example:8443',
  auth_url: 'https://sign-in.example',
  chat_url: 'https://chat.example:9443',
  host: '10.1.2.3',
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
  ]

  test.each(table)('%j names the account %j', (host, subdomain) => {
    const expected = subdomain === undefined ? null : { subdomain }
    const hosts = createHosts(settings)
    expect(hosts.read(host)).toEqual(expected)
    // The cached result is the same.
    expect(hosts.read(host)).toEqual(expected)
  })

  test('is read correctly after a thousand other names', () => {
    const hosts = createHosts(settings)
    for (let i = 0; i < 1_100; i++) expect(hosts.read(`a${i}.crm.example`)).toEqual({ subdomain: `a${i}` })
    expect(hosts.read('acme.crm.example')).toEqual({ subdomain: 'acme' })
    expect(hosts.read('evil.example')).toBeNull()
  })

  test('of an account is a subdomain of the base, with its port', () => {
    const hosts = createHosts(settings)
    expect(hosts.accountUrl('acme')).toBe('https://acme.crm.example:8443')
    expect(hosts.accountHost('acme')).toBe('acme.crm.example:8443')
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
