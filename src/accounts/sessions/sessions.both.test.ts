import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { type World, world } from '../../../test/world.ts'
import { sweepSessions } from './sessions.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const PASSWORD = 'blue otter sings 9'

const isSignedIn = async (browser: Client) => (await browser.get('/web/session')).body.user !== null
const sessionsIn = ({ ctx }: World) => ctx.db.selectFrom('sessions').selectAll().execute()

/** Applies the Set-Cookie headers of a response to the browser. */
function withCookies(browser: Client, answer: Awaited<ReturnType<Client['get']>>): Client {
  const lines = [answer.headers['set-cookie'] ?? []].flat()
  const cookie = lines.map((line) => line.split(';')[0]).join('; ')
  return browser.as({ cookie, csrf_token: answer.body.csrf_token })
}

describe('A9: the cookie of a session', () => {
  test('is inaccessible to scripts and other sites, and only its hash is stored', async () => {
    const place = await world()
    const ann = await place.addPerson({ password: PASSWORD })
    const answer = await place.stranger.post('/web/session', { email: ann.email, password: PASSWORD })
    const [session, device] = answer.headers['set-cookie'] as string[]
    expect(session).toMatch(/^patchbay=pbs_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/)
    expect(device).toMatch(
      /^patchbay-device=\d+\.[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
    const secret = session?.split(/[=;]/)[1] as string
    expect(JSON.stringify(await sessionsIn(place))).not.toContain(secret)
    expect(place.logged()).not.toContain(secret)
    expect(place.logged()).not.toContain(PASSWORD)
  })

  test('on https is Secure and bound to its host', async () => {
    const place = await world({ env: { PUBLIC_URL: 'https://crm.example' } })
    const ann = await place.addPerson({ password: PASSWORD })
    const browser = place.stranger.as({ host: 'demo.crm.example' })
    const answer = await browser.post('/web/session', { email: ann.email, password: PASSWORD })
    const [session, device] = answer.headers['set-cookie'] as string[]
    expect(session).toMatch(
      /^__Host-patchbay=pbs_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(device).toMatch(/^__Host-patchbay-device=.*; Secure$/)
    expect(await isSignedIn(withCookies(browser, answer))).toBe(true)
    // A sibling subdomain could have set a cookie without the prefix.
    const planted = browser.as({ cookie: (session as string).replace('__Host-', '').split(';')[0] as string })
    expect(await isSignedIn(planted)).toBe(false)
  })

  test('is ignored if its name occurs twice, because one of them was planted', async () => {
    const { admin, addPerson } = await world()
    const mallory = await addPerson({ name: 'Mallory' })
    const cookie = `${mallory.browser.identity.cookie}; ${admin.browser.identity.cookie}`
    expect(await isSignedIn(admin.browser.as({ cookie }))).toBe(false)
    expect(
      (await admin.browser.as({ cookie: `a=b; ${admin.browser.identity.cookie}` }).get('/web/v4/users'))
        .status,
    ).toBe(200)
  })

  test.each(['', 'patchbay=', 'patchbay=pbs_unknown', 'patchbay=\u00ff', 'other=1'])(
    '"%s" is nobody',
    async (cookie) => {
      const { stranger } = await world()
      expect((await stranger.as({ cookie }).get('/web/session')).body.user).toBeNull()
      expect((await stranger.as({ cookie }).get('/web/v4/account')).status).toBe(401)
    },
  )
})

describe('A9: a session ends', () => {
  test('after 8 hours without use', async () => {
    const { admin, signIn, clock } = await world()
    clock.advance(8 * HOUR - 1)
    expect(await isSignedIn(admin.browser)).toBe(true)
    clock.advance(8 * HOUR - 1)
    expect(await isSignedIn(admin.browser)).toBe(true)
    const other = await signIn(admin)
    clock.advance(8 * HOUR)
    expect(await isSignedIn(other)).toBe(false)
    expect((await other.get('/web/v4/account')).status).toBe(401)
  })

  test.each([
    [-1, true],
    [1, false],
  ])('after 7 days even if it is in use (%i s)', async (offset, alive) => {
    const { admin, clock } = await world()
    for (let passed = 0; passed < 7 * DAY - 4 * HOUR; passed += 4 * HOUR) {
      clock.advance(4 * HOUR)
      await admin.browser.get('/web/session')
    }
    clock.advance(4 * HOUR + offset)
    expect(await isSignedIn(admin.browser)).toBe(alive)
  })

  test('a use is stored at most every five minutes', async () => {
    const place = await world()
    const seen = async () => (await sessionsIn(place))[0]?.seen_at
    const begin = place.clock.now()
    place.clock.advance(299)
    await place.admin.browser.get('/web/session')
    expect(await seen()).toBe(begin)
    place.clock.advance(1)
    await place.admin.browser.get('/web/session')
    expect(await seen()).toBe(begin + 300)
  })

  test('at sign-out, also on the server', async () => {
    const place = await world()
    const answer = await place.admin.browser.delete('/web/session')
    expect(answer.status).toBe(204)
    expect(answer.headers['set-cookie']).toBe('patchbay=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    expect(await isSignedIn(place.admin.browser)).toBe(false)
    expect((await place.admin.browser.delete('/web/session')).status).toBe(401)
    expect(await sessionsIn(place)).toEqual([])
  })

  test('and is then deleted', async () => {
    const place = await world()
    place.clock.advance(8 * HOUR)
    await place.signIn(place.admin)
    await sweepSessions(place.ctx)
    expect(await sessionsIn(place)).toHaveLength(1)
  })

  test('at a new sign-in: a cookie that the browser brings is never adopted (fixation)', async () => {
    const place = await world()
    const ann = await place.addPerson({ password: PASSWORD })
    const credentials = { email: ann.email, password: PASSWORD }
    const planted = place.stranger.as({ cookie: 'patchbay=pbs_planted' })
    const first = await planted.post('/web/session', credentials)
    expect((first.headers['set-cookie'] as string[])[0]).not.toContain('planted')
    expect(await isSignedIn(planted)).toBe(false)
    const browser = withCookies(place.stranger, first)
    const second = withCookies(browser, await browser.post('/web/session', credentials))
    expect(second.identity.cookie).not.toBe(browser.identity.cookie)
    expect([await isSignedIn(browser), await isSignedIn(second)]).toEqual([false, true])
  })
})

describe('A9: writes are accepted only from a page of the same origin', () => {
  const foreign = [
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
    ['typed by hand', { 'sec-fetch-site': 'none' }],
    ['from nowhere', { 'sec-fetch-site': undefined }],
    ['of another origin', { 'sec-fetch-site': undefined, origin: 'http://evil.localhost:8080' }],
    ['of no origin', { 'sec-fetch-site': undefined, origin: 'null' }],
    ['of the other scheme', { 'sec-fetch-site': undefined, origin: 'https://demo.localhost:8080' }],
  ] as [string, Record<string, string>][]

  onEmbedded.each(foreign)('%s, every write is rejected and changes nothing', async (_what, headers) => {
    const { admin, addPerson, ctx } = await world()
    const ann = await addPerson({ password: PASSWORD })
    const { browser } = admin
    const answers = [
      await browser.post('/web/session', { email: ann.email, password: PASSWORD }, headers),
      await browser.patch('/web/session', { account_id: 1 }, headers),
      await browser.post('/web/session/confirm', { password: PASSWORD }, headers),
      await browser.patch('/web/profile', { name: 'Mallory' }, headers),
      await browser.patch('/web/v4/account', { name: 'Mallory' }, headers),
      await browser.post('/web/v4/groups', { name: 'Mallory' }, headers),
      await browser.delete(`/web/v4/users/${ann.id}`, undefined, headers),
      await browser.post('/web/integrations', { name: 'M', redirect_uri: 'https://m.example/' }, headers),
      await browser.post('/web/setup', {}, headers),
      await browser.delete('/web/session', undefined, headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
    expect(answers.map(({ body }) => body.type.split('#')[1])).toEqual(answers.map(() => 'cross_origin'))
    expect((await browser.get('/web/session')).body).toMatchObject({
      user: { name: 'Ada' },
      account: { name: 'demo Ltd' },
    })
    expect(await ctx.db.selectFrom('audit_log').selectAll().execute()).toEqual([])
  })

  test('an older browser that sends only Origin is accepted', async () => {
    const { admin } = await world()
    const headers = { 'sec-fetch-site': undefined, origin: 'http://demo.localhost:8080' } as never
    expect((await admin.browser.patch('/web/v4/account', { name: 'New' }, headers)).status).toBe(200)
  })

  onEmbedded.each<[string, string | undefined]>([
    ['missing', undefined],
    ['wrong', 'x'.repeat(43)],
    ['of another session', 'other'],
  ])('with the CSRF token %s, writes are rejected', async (_what, token) => {
    const { admin, signIn } = await world()
    const other = (await signIn(admin)).identity.csrf_token as string
    const headers = { 'x-csrf-token': token === 'other' ? other : token } as Record<string, string>
    for (const answer of [
      await admin.browser.patch('/web/v4/account', { name: 'Mallory' }, headers),
      await admin.browser.patch('/web/profile', { name: 'Mallory' }, headers),
      await admin.browser.post(
        '/web/integrations',
        { name: 'M', redirect_uri: 'https://m.example/' },
        headers,
      ),
      await admin.browser.delete('/web/session', undefined, headers),
    ])
      expect([answer.status, answer.body.type.split('#')[1]]).toEqual([403, 'csrf_token'])
    expect((await admin.browser.get('/web/session')).body).toMatchObject({
      user: { name: 'Ada' },
      account: { name: 'demo Ltd' },
    })
  })
})

describe('P5: the account of a session', () => {
  test("on an account's own host is that account, elsewhere the chosen one", async () => {
    const place = await world()
    const other = await place.addAccount('other')
    const ann = await place.addPerson()
    await place.addPerson({ email: ann.email, account: other, is_admin: true })
    const bare = ann.browser.as({ host: 'localhost:8080' })
    const name = async (browser: Client) => (await browser.get('/web/v4/account')).body.subdomain
    const there = ann.browser.as({ host: 'other.localhost:8080' })
    expect([await name(ann.browser), await name(there), await name(bare)]).toEqual(['demo', 'other', 'demo'])
    const chosen = await bare.patch('/web/session', { account_id: other.id })
    expect(chosen.body.account).toEqual({
      id: other.id,
      name: 'other Ltd',
      subdomain: 'other',
      url: 'http://other.localhost:8080',
      is_admin: true,
      is_paid: true,
    })
    expect([await name(ann.browser), await name(bare)]).toEqual(['demo', 'other'])
    // A page that still shows the account before.
    const stale = await bare.patch('/web/profile', { name: 'Ann B' })
    expect([stale.status, stale.body.type.split('#')[1]]).toEqual([403, 'csrf_token'])
    for (const [token, status] of [
      [bare.identity.csrf_token, 403],
      [chosen.body.csrf_token, 200],
    ])
      expect((await bare.get('/web/v4/account', { 'x-csrf-token': token })).status).toBe(status)
    const renewed = bare.as({ host: 'localhost:8080', csrf_token: chosen.body.csrf_token })
    expect((await renewed.patch('/web/profile', { name: 'Ann B' })).status).toBe(200)
    expect((await bare.get('/web/session')).body.csrf_token).toBe(chosen.body.csrf_token)
    const refused = await renewed
      .as({ host: 'demo.localhost:8080' })
      .patch('/web/session', { account_id: other.id })
    expect([refused.status, refused.body.type.split('#')[1]]).toEqual([409, 'other_address'])
  })

  test('returns the same error for an account of others and an unknown account', async () => {
    const place = await world()
    const other = await place.addAccount('other')
    for (const host of ['other.localhost:8080', 'nowhere.localhost:8080']) {
      const browser = place.admin.browser.as({ host })
      const { status, body } = await browser.get('/web/v4/account')
      expect([status, body.detail]).toEqual([403, 'You are not a member of this account.'])
      expect((await browser.get('/web/session')).body.account).toBeNull()
    }
    const bare = place.admin.browser.as({ host: 'localhost:8080' })
    for (const account_id of [other.id, 999]) {
      expect((await bare.patch('/web/session', { account_id })).status).toBe(404)
    }
    expect((await bare.get('/web/session')).body.account.subdomain).toBe('demo')
  })
})
