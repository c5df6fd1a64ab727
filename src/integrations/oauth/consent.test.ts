import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { accountStatus, exchange, type Registered, register } from '../../../test/fixtures/integrations.ts'
import { type Person, type World, world } from '../../../test/world.ts'

const encoded = (text: string) => encodeURIComponent(text)

/** Opens the consent page in the person's browser and submits its form. */
async function consent(browser: Client, shop: Registered, change: Record<string, unknown> = {}, query = '') {
  const page = await browser.get(`/web/consent?client_id=${shop.client_id}${query}`)
  const { form_token, accounts = [] } = page.body
  return {
    page,
    decided: await decide(browser, { form_token, account_id: accounts[0]?.id, decision: 'allow', ...change }),
  }
}

const decide = (browser: Client, fields: Record<string, unknown>) =>
  browser.post(
    '/oauth',
    new URLSearchParams(
      Object.entries(fields).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]])),
    ).toString(),
    { 'content-type': 'application/x-www-form-urlencoded' },
  )

const there = { PUBLIC_URL: 'https://hub.example' }

describe('The consent page', () => {
  test('shows the permissions, the integration and the accounts that the person administers', async () => {
    const { admin, account } = await world()
    const shop = await register(admin, {
      name: 'Shop',
      description: '<p>Hello<script>x</script></p>',
      permissions: ['crm', 'chats'],
    })
    const page = await admin.browser.get(`/web/consent?client_id=${shop.client_id}&state=s&mode=popup`)
    expect(page.status).toBe(200)
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.body).toEqual({
      form_token: expect.stringMatching(/^[\w-]{43}$/),
      mode: 'popup',
      integration: {
        name: 'Shop',
        description: '<p>Hello</p>',
        icon_url: null,
        permissions: ['crm', 'chats'],
        access: 'private',
        developer: { name: account.name },
        redirect_host: 'shop.example',
      },
      accounts: [
        {
          id: account.id,
          name: account.name,
          subdomain: 'demo',
          host: 'demo.localhost:8080',
          is_installed: true,
        },
      ],
      warnings: [],
    })
  })

  test('redirects to the redirect URI with code, referer, client_id, state and iss on Allow', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const { decided } = await consent(admin.browser, shop, {}, '&state=abc')
    expect(decided.status).toBe(303)
    const location = String(decided.headers.location)
    const code = new URL(location).searchParams.get('code') as string
    expect(location).toBe(
      `https://shop.example/oauth?code=${code}&referer=${encoded('demo.localhost:8080')}&client_id=${shop.client_id}&state=abc&iss=${encoded('http://localhost:8080')}`,
    )
    const { access_token } = (await exchange(stranger, shop, code)).body
    expect(await accountStatus(stranger, access_token)).toBe(200)
  })

  test('returns state only if it was sent, and error=access_denied without an installation on Decline', async () => {
    const { admin, addPerson, addAccount } = await world()
    const shop = await register(admin, { access: 'public' })
    const other = await addPerson({ name: 'Olga', is_admin: true, account: await addAccount('other') })
    const { decided } = await consent(other.browser, shop, { decision: 'decline' })
    expect(decided.headers.location).toBe(
      `https://shop.example/oauth?error=access_denied&client_id=${shop.client_id}`,
    )
    const again = await consent(other.browser, shop, { decision: 'decline' }, '&state=%20x')
    expect(again.decided.headers.location).toBe(
      `https://shop.example/oauth?error=access_denied&client_id=${shop.client_id}&state=%20x`,
    )
    expect((await other.browser.get('/web/installations')).body).toEqual({ installations: [] })
  })

  test('installs a public integration in the selected account, and its token belongs to that account', async () => {
    const { admin, stranger, addPerson, addAccount } = await world()
    const shop = await register(admin, { access: 'public' })
    const account = await addAccount('other')
    const other = await addPerson({ name: 'Olga', is_admin: true, account })
    const { decided } = await consent(other.browser, shop)
    const code = new URL(String(decided.headers.location)).searchParams.get('code') as string
    const tokens = (await exchange(stranger.as({ host: 'other.localhost:8080' }), shop, code)).body
    const called = await stranger
      .as({ host: 'localhost:8080', token: tokens.access_token })
      .get('/api/v4/account')
    expect(called.body).toMatchObject({ id: account.id, subdomain: 'other', current_user_id: other.id })
    expect((await other.browser.get('/web/installations')).body.installations).toMatchObject([
      { is_active: true, integration: { name: 'Shop', is_own: false } },
    ])
  })

  test('has the same result for popup and post_message; popup lets the opener redirect', async () => {
    const { admin } = await world()
    const shop = await register(admin)
    const posted = await consent(admin.browser, shop, {}, '&mode=post_message')
    expect(posted.decided.status).toBe(303)
    const { decided } = await consent(admin.browser, shop, {}, '&mode=popup&state=%22%3E%3Cb%3E')
    expect(decided.status).toBe(200)
    expect(decided.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(decided.text).toMatch(
      /<a id="go" href="https:\/\/shop\.example\/oauth\?code=pbc_[\w-]{43}&amp;[^"<>]*state=%22%3E%3Cb%3E[^"<>]*">/,
    )
  })

  test('binds the code to its verifier if there is a challenge (PKCE S256)', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const verifier = 'v'.repeat(50)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const { decided } = await consent(
      admin.browser,
      shop,
      {},
      `&code_challenge=${challenge}&code_challenge_method=S256`,
    )
    const code = new URL(String(decided.headers.location)).searchParams.get('code') as string
    for (const change of [{}, { code_verifier: 'w'.repeat(50) }]) {
      expect((await exchange(stranger, shop, code, change)).body.hint).toBe(
        'Failed to verify `code_verifier`',
      )
    }
    expect((await exchange(stranger, shop, code, { code_verifier: verifier })).status).toBe(200)
    const plain = await admin.browser.get(
      `/web/consent?client_id=${shop.client_id}&code_challenge=${challenge}`,
    )
    expect(plain.status).toBe(400)
  })
})

describe('Consent is refused without a redirect', () => {
  const type = (answer: { body: { type: string } }) => answer.body.type.split('#')[1]

  test('if nobody is signed in, the client is unknown, or the redirect URI differs', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    expect((await stranger.get(`/web/consent?client_id=${shop.client_id}`)).status).toBe(401)
    const unknown = await admin.browser.get('/web/consent?client_id=7d0b8b6e-0000-4000-8000-000000000000')
    expect([unknown.status, type(unknown)]).toEqual([404, 'unknown_integration'])
    const elsewhere = await admin.browser.get(
      `/web/consent?client_id=${shop.client_id}&redirect_uri=https%3A%2F%2Fshop.example%2Foauth2`,
    )
    expect([elsewhere.status, type(elsewhere)]).toEqual([400, 'redirect_uri_mismatch'])
  })

  test('to a person who is not an administrator, and for a private integration in other accounts', async () => {
    const { admin, addPerson, addAccount } = await world()
    const shop = await register(admin)
    const seller = await addPerson({ name: 'Sam' })
    const other = await addPerson({ name: 'Olga', is_admin: true, account: await addAccount('other') })
    for (const { browser } of [seller, other]) {
      const answer = await browser.get(`/web/consent?client_id=${shop.client_id}`)
      expect([answer.status, type(answer)]).toEqual([403, 'not_administrator'])
    }
  })

  test('if the form is from another session, used, too old, or for a foreign account', async () => {
    const { admin, addPerson, addAccount, clock } = await world()
    const shop = await register(admin)
    const second = await addPerson({ name: 'Second', is_admin: true })
    const other = await addAccount('other')
    const open = async (person: Person) =>
      (await person.browser.get(`/web/consent?client_id=${shop.client_id}`)).body
    const { form_token, accounts } = await open(admin)
    const fields = { form_token, account_id: accounts[0].id, decision: 'allow' }
    const refused = async (browser: Client, change = {}) => {
      const answer = await decide(browser, { ...fields, ...change })
      expect([answer.status, answer.headers.location]).toEqual([403, undefined])
    }
    await refused(second.browser)
    await refused(admin.browser)
    await refused(admin.browser, { form_token: (await open(admin)).form_token, account_id: other.id })
    const old = (await open(admin)).form_token
    clock.advance(601)
    await refused(admin.browser, { form_token: old })
    const used = (await open(admin)).form_token
    expect((await decide(admin.browser, { ...fields, form_token: used })).status).toBe(303)
    await refused(admin.browser, { form_token: used })
  })

  test('and a browser shows the reason on a page', async () => {
    const { admin } = await world()
    await register(admin)
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,*/*' }
    const answer = await admin.browser.post('/oauth', 'form_token=old&decision=allow&account_id=1', headers)
    expect([answer.status, answer.headers.location]).toEqual([303, '/oauth/refused?reason=stale_form'])
  })

  test('if the form comes from another site or a sibling address', async () => {
    const { admin } = await world()
    const shop = await register(admin)
    const { form_token, accounts } = (await admin.browser.get(`/web/consent?client_id=${shop.client_id}`))
      .body
    const body = new URLSearchParams({ form_token, account_id: accounts[0].id, decision: 'allow' }).toString()
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site }
      expect((await admin.browser.post('/oauth', body, headers)).status).toBe(403)
    }
  })

  test('in other accounts if the redirect URI is not https, and everywhere if it does not answer; dev only warns', async () => {
    for (const mode of ['serve', 'dev'] as const) {
      const here = await world({ mode, env: mode === 'serve' ? there : {} })
      const host = mode === 'serve' ? 'hub.example' : 'localhost:8080'
      const shop = await register(here.admin, { access: 'public', redirect_uri: 'http://shop.example/oauth' })
      const other = await here.addPerson({
        name: 'Olga',
        is_admin: true,
        account: await here.addAccount('other'),
      })
      const ask = (person: Person) =>
        person.browser.as({ host }).get(`/web/consent?client_id=${shop.client_id}`)
      const plain = await ask(other)
      expect(plain.status).toBe(mode === 'serve' ? 403 : 200)
      if (mode === 'serve') expect(type(plain)).toBe('redirect_uri_not_https')
      else expect(plain.body.warnings).toEqual(['redirect_uri_not_https'])
      await failChecks(here, shop)
      const down = await ask(here.admin)
      expect(down.status).toBe(mode === 'serve' ? 503 : 200)
      if (mode === 'dev') expect(down.body.warnings).toContain('redirect_uri_unavailable')
    }
  })

  test('while the redirect URI does not answer, for every way to request a code; dev issues the code', async () => {
    for (const mode of ['serve', 'dev'] as const) {
      const here = await world({ mode, env: mode === 'serve' ? there : {} })
      const { browser } = here.admin
      const shop = await register(here.admin)
      const page = await browser.get(`/web/consent?client_id=${shop.client_id}`)
      const { form_token, accounts } = page.body
      await failChecks(here, shop)
      const known = await codes(here)
      const at = '/web/installations'
      const fresh = await browser.post(`${at}/${shop.client_id}/code`)
      const allowed = await decide(browser, { form_token, account_id: accounts[0].id, decision: 'allow' })
      await browser.post(`${at}/${shop.client_id}/disable`)
      const again = await browser.post(at, { client_id: shop.client_id })
      const answers = [fresh, allowed, again]
      if (mode === 'serve') {
        expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
        expect(answers.map(type)).toEqual(Array(3).fill('redirect_uri_unavailable'))
        expect(await codes(here)).toBe(known)
        expect((await browser.get(at)).body.installations[0].is_active).toBe(false)
      } else {
        expect(answers.map(({ status }) => status)).toEqual([200, 303, 200])
        expect(await codes(here)).toBe(known + 3)
      }
    }
  })
})

const codes = async ({ ctx }: World): Promise<number> =>
  (await ctx.db.selectFrom('authorization_codes').select('hash').execute()).length

/** Three failed checks in a row: the redirect URI of these tests does not resolve. */
async function failChecks({ admin, signIn }: World, { client_id }: Registered): Promise<void> {
  const browser = await signIn(admin)
  for (let i = 0; i < 3; i++) await browser.post(`/web/integrations/${client_id}/check`)
}

describe('state is returned as it was sent', () => {
  const texts = [
    'plain',
    '%0D%0ASet-Cookie:%20a=b',
    '%0a',
    '%22%27%3E',
    '%27%20or%201=1',
    '%FF%FE',
    '%00',
    '%25',
    '%2525',
    'a+b',
    'a%2Bb',
    '%20',
    'https://evil.example/',
    '//evil.example',
    '%26code=x',
    '%23frag',
    '%3Fq',
    'x'.repeat(2048),
    '%E2%82%AC',
    '%F0%9F%98%80',
    'a%3Db',
    'a=b',
    ';',
    ',',
    '()',
    '!*',
    '~._-',
    '%5C',
    '@',
    ':',
    '$',
    '%7B%22a%22:1%7D',
    '%3Cscript%3E',
    '',
    ...Array.from({ length: 70 }, (_, i) => `%${(i * 3 + 16).toString(16).padStart(2, '0').toUpperCase()}`),
  ]

  test(`byte for byte, in ${texts.length} encodings`, async () => {
    const { admin } = await world()
    const shop = await register(admin)
    for (const text of texts) {
      const { decided } = await consent(admin.browser, shop, { decision: 'decline' }, `&state=${text}`)
      expect(decided.headers.location).toBe(
        `https://shop.example/oauth?error=access_denied&client_id=${shop.client_id}&state=${text}`,
      )
    }
  })
})
