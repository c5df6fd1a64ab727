import { describe, expect, test } from 'vitest'
import type { Answer } from '../../test/client.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { world } from '../../test/world.ts'

const SIGN_IN = '/private/api/auth.php?type=json'

async function withToken() {
  const place = await world()
  const shop = await register(place.admin)
  const issued = await place.admin.browser.post(`/web/installations/${shop.client_id}/long-lived-tokens`, {
    name: 'Old client',
    days: 30,
  })
  const signIn = (USER_LOGIN: string, USER_HASH: string) =>
    place.stranger.post(SIGN_IN, { USER_LOGIN, USER_HASH })
  return { place, shop, hash: issued.body.access_token as string, signIn }
}

const setCookieOf = ({ headers }: Answer) => String(headers['set-cookie'])

describe('F11: the sign-in of clients that keep a cookie', () => {
  test('answers who signed in, for JSON and for a form', async () => {
    const { place, hash, signIn } = await withToken()
    const { admin, account, stranger } = place
    const form = String(new URLSearchParams({ USER_LOGIN: admin.email, USER_HASH: hash }))
    const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
    const json = await signIn(admin.email, hash)
    for (const answer of [json, await stranger.post(SIGN_IN, form, asForm)])
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          response: {
            auth: true,
            accounts: [
              {
                id: account.id,
                name: expect.any(String),
                subdomain: 'demo',
                language: 'en',
                timezone: expect.any(String),
              },
            ],
            user: { id: admin.id, language: 'en' },
            server_time: expect.any(Number),
          },
        },
      ])
    expect(setCookieOf(json)).toMatch(/^patchbay-api=[^;]+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/)
  })

  test('its cookie is a token of the older APIs, also with its attributes, and of no other API', async () => {
    const { place, hash, signIn } = await withToken()
    const header = setCookieOf(await signIn(place.admin.email, hash))
    const [pair] = header.split(';') as [string]
    const read = async (path: string, cookie: string) =>
      (await place.stranger.as({ cookie }).get(path)).status
    for (const path of ['/private/api/v2/json/accounts/current', '/api/v2/account'])
      expect([path, await read(path, pair), await read(path, `a=b; ${header}`)]).toEqual([path, 200, 200])
    const add = { add: [{ name: 'From an old client' }] }
    expect((await place.stranger.as({ cookie: pair }).post('/api/v2/leads', add)).status).toBe(200)
    for (const path of ['/api/v4/account', '/v3/user', '/web/v4/account'])
      expect([path, await read(path, pair)]).toEqual([path, 401])
    // A header decides alone.
    const both = await place.stranger.as({ cookie: pair, token: 'x' }).get('/api/v2/account')
    expect(both.status).toBe(401)
  })

  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
    ['typed by hand', { 'sec-fetch-site': 'none' }],
    [
      'of another origin, on plain http',
      { 'sec-fetch-site': undefined, origin: 'http://demo.localhost:3000' },
    ],
    ['of no origin', { 'sec-fetch-site': undefined, origin: 'null' }],
  ])('a request %s neither uses the cookie nor gets one', async (_, headers) => {
    const { place, hash, signIn } = await withToken()
    const [cookie] = setCookieOf(await signIn(place.admin.email, hash)).split(';')
    const stranger = place.stranger.as({ cookie })
    expect((await stranger.get('/api/v2/account', headers)).status).toBe(401)
    expect((await stranger.post('/api/v2/leads', { add: [{ name: 'A' }] }, headers)).status).toBe(401)
    const credentials = { USER_LOGIN: place.admin.email, USER_HASH: hash }
    const refused = await place.stranger.post(SIGN_IN, credentials, headers)
    expect([refused.status, refused.headers['set-cookie'], refused.body.response.auth]).toEqual([
      403,
      undefined,
      false,
    ])
  })

  test('a page of its own address uses the cookie', async () => {
    const { place, hash, signIn } = await withToken()
    const [cookie] = setCookieOf(await signIn(place.admin.email, hash)).split(';')
    const stranger = place.stranger.as({ cookie })
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': undefined, origin: 'http://demo.localhost:8080' },
    ])
      expect((await stranger.get('/api/v2/account', headers)).status).toBe(200)
  })

  test('the cookie ends with the token', async () => {
    const { place, shop, hash, signIn } = await withToken()
    const [cookie] = setCookieOf(await signIn(place.admin.email, hash)).split(';')
    const stranger = place.stranger.as({ cookie })
    expect((await stranger.get('/api/v2/account')).status).toBe(200)
    await place.admin.browser.post(`/web/installations/${shop.client_id}/disable`)
    expect((await stranger.get('/api/v2/account')).status).toBe(401)
  })

  test('refuses other people and tokens without a cookie, and says so where clients look', async () => {
    const { place, shop, hash, signIn } = await withToken()
    const ann = await place.addPerson({})
    const short = (await connect(place.stranger, shop)).access_token
    const refused = [
      await signIn(place.admin.email, 'x'),
      await signIn(place.admin.email, ''),
      await signIn(place.admin.email, short),
      await signIn(ann.email, hash),
      await signIn('', hash),
    ]
    for (const { status, body, headers } of refused)
      expect([status, body.response, headers['set-cookie']]).toEqual([
        401,
        {
          auth: false,
          error: expect.any(String),
          error_code: 110,
          server_time: expect.any(Number),
        },
        undefined,
      ])
    const empty = await place.stranger.post(SIGN_IN, {})
    expect([empty.status, empty.body.response.auth]).toEqual([400, false])
  })

  test('the second API takes the hash in the address, too', async () => {
    const { place, hash } = await withToken()
    const form = new URLSearchParams({
      'add[0][source_name]': 'PBX',
      'add[0][source_uid]': 'pbx-1',
      'add[0][incoming_entities][leads][0][name]': 'Call',
      'add[0][incoming_lead_info][to]': '74950000000',
      'add[0][incoming_lead_info][from]': '79160000000',
      'add[0][incoming_lead_info][date_call]': '1510000000',
      'add[0][incoming_lead_info][duration]': '30',
      'add[0][incoming_lead_info][link]': 'https://pbx.example/1.mp3',
      'add[0][incoming_lead_info][service_code]': 'pbx',
      'add[0][incoming_lead_info][uniq]': 'call-1',
    })
    const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
    const add = (login: string, api_key: string) =>
      place.stranger.post(
        `/api/v2/incoming_leads/sip?${new URLSearchParams({ login, api_key })}`,
        String(form),
        asForm,
      )
    const added = await add(place.admin.email, hash)
    expect([added.status, added.body.data]).toEqual([200, [expect.any(String)]])
    expect((await add(place.admin.email, 'x')).status).toBe(401)
  })
})
