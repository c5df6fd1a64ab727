import { argon2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { holdHashing } from '../../../test/programs/fast-hashing.ts'
import { type World, world } from '../../../test/world.ts'
import { completeRights } from '../members/rights.ts'

const MINUTE = 60
const PASSWORD = 'blue otter sings 9'
const limited = () => world({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' } })

/** A guess from an address, which the proxy reports. */
const guess = (browser: Client, email: string, password: string, address: string) =>
  browser.post('/web/session', { email, password }, { 'x-forwarded-for': address })

/** Sends the requests concurrently, and counts the responses by status. */
async function statuses(asks: (() => Promise<{ status: number }>)[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let at = 0; at < asks.length; at += 30) {
    const answers = await Promise.all(asks.slice(at, at + 30).map((ask) => ask()))
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

const deviceOf = (answer: Awaited<ReturnType<Client['get']>>) =>
  (answer.headers['set-cookie'] as string[])
    .map((line) => line.split(';')[0])
    .find((line) => line?.includes('device')) as string

describe('Sign-in', () => {
  test('returns the session, logs it and audits it', async () => {
    const { addPerson, stranger, account, ctx, clock, logged } = await world()
    const ann = await addPerson({ password: PASSWORD })
    const answer = await stranger.post('/web/session', { email: ann.email.toUpperCase(), password: PASSWORD })
    const own = {
      id: account.id,
      name: 'demo Ltd',
      subdomain: 'demo',
      url: 'http://demo.localhost:8080',
      is_admin: false,
      is_paid: true,
    }
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      user: { id: ann.id, name: 'Ann', email: ann.email, lang: 'en' },
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      account: own,
      accounts: [own],
      rights: completeRights(),
      confirmed_until: clock.now() + 15 * MINUTE,
      setup_needed: false,
      mode: 'dev',
    })
    const log = await ctx.db.selectFrom('audit_log').select(['action', 'user_id', 'address']).execute()
    expect(log).toEqual([{ action: 'session.started', user_id: ann.id, address: '127.0.0.1' }])
    expect(logged()).toContain(`"event":"signed_in","user_id":${ann.id}`)
  })

  test('without sign-in, the session has no user', async () => {
    const { stranger } = await world()
    expect((await stranger.get('/web/session')).body).toEqual({
      user: null,
      csrf_token: null,
      account: null,
      accounts: [],
      rights: null,
      confirmed_until: null,
      setup_needed: false,
      mode: 'dev',
    })
  })

  test('a wrong password, an unknown e-mail and a person without a password get the same error', async () => {
    const { addPerson, stranger, ctx, logged } = await world()
    const ann = await addPerson({ password: PASSWORD })
    const bob = await addPerson({ name: 'Bob' })
    const attempts = [
      [ann.email, `${PASSWORD}!`],
      ['nobody@example.com', PASSWORD],
      [bob.email, ''],
    ] as const
    const before = await ctx.db.selectFrom('sessions').selectAll().execute()
    for (const [email, password] of attempts) {
      const answer = await stranger.post('/web/session', { email, password })
      expect(answer.status).toBe(401)
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.body).toEqual({
        title: 'Unauthorized',
        type: 'http://demo.localhost:8080/docs/errors#not_authorized',
        status: 401,
        detail: 'The e-mail or the password is wrong.',
      })
    }
    expect(await ctx.db.selectFrom('sessions').selectAll().execute()).toEqual(before)
    expect(await ctx.db.selectFrom('audit_log').selectAll().execute()).toEqual([])
    expect(logged()).toContain('"event":"sign_in_failed"')
    expect(logged()).not.toContain('nobody@example.com')
  })

  test.each([
    { email: 5, password: PASSWORD },
    { email: 'a\u0000@example.com', password: PASSWORD },
    { email: 'ann@example.com' },
    { email: 'ann@example.com', password: 'x'.repeat(257) },
  ])('%j is rejected before a password is hashed', async (body) => {
    const { stranger } = await world()
    expect((await stranger.post('/web/session', body)).status).toBe(400)
  })

  test('a deactivated member can sign in and has no account', async () => {
    const { admin, addPerson, stranger } = await world()
    const ann = await addPerson({ password: PASSWORD })
    await admin.browser.post(`/web/v4/users/${ann.id}/deactivate`)
    const { body } = await stranger.post('/web/session', { email: ann.email, password: PASSWORD })
    expect([body.user.id, body.account, body.accounts]).toEqual([ann.id, null, []])
  })
})

describe('A9: password guessing', () => {
  test('after ten wrong guesses for one person from one network, sign-in is limited', async () => {
    const place = await limited()
    const [ann] = await people(place, 1)
    // The correct one is last in a burst, and is not evaluated: otherwise a burst would get all its guesses.
    const burst = Array.from({ length: 30 }, (_, index) => (index === 29 ? PASSWORD : `wrong ${index}`))
    const tries = burst.map((password) => () => guess(place.stranger, ann, password, '198.51.100.7'))
    expect(await statuses(tries)).toEqual({ 401: 10, 429: 20 })
    const refused = await guess(place.stranger, ann, PASSWORD, '198.51.100.99')
    expect([refused.status, refused.body.retry_after]).toEqual([429, 90])
    place.clock.advance(89)
    expect((await guess(place.stranger, ann, PASSWORD, '198.51.100.7')).status).toBe(429)
    place.clock.advance(2)
    expect((await guess(place.stranger, ann, PASSWORD, '198.51.100.7')).status).toBe(200)
  })

  test('one network gets sixty wrong guesses an hour, for any person', async () => {
    const place = await limited()
    const emails = await people(place, 80)
    const tries = emails.map(
      (email, index) => () => guess(place.stranger, email, 'wrong', `203.0.113.${index}`),
    )
    expect(await statuses(tries)).toEqual({ 401: 60, 429: 20 })
  })

  test('one person gets a hundred wrong guesses an hour from everywhere; a known browser can still sign in', async () => {
    const place = await limited()
    const [ann, bob] = await people(place, 2)
    const known = deviceOf(await guess(place.stranger, ann, PASSWORD, '192.0.2.1'))
    await weaken(place, ann)
    const tries = Array.from(
      { length: 130 },
      (_, index) => () => guess(place.stranger, ann, 'wrong', `10.0.${index}.1`),
    )
    expect(await statuses(tries)).toEqual({ 401: 100, 429: 30 })
    expect((await guess(place.stranger, ann, PASSWORD, '192.0.2.1')).status).toBe(429)
    const own = place.stranger.as({ cookie: known })
    expect((await guess(own, ann, PASSWORD, '192.0.2.1')).status).toBe(200)
    await weaken(place, ann)
    // That budget is separate and small, and the device cookie is valid for one person only.
    const more = Array.from({ length: 12 }, () => () => guess(own, ann, 'wrong', '192.0.2.1'))
    expect(await statuses(more)).toEqual({ 401: 10, 429: 2 })
    for (let i = 0; i < 10; i++) await guess(place.stranger, bob, 'wrong', '192.0.2.1')
    expect((await guess(own, bob, PASSWORD, '192.0.2.1')).status).toBe(429)
    const forged = place.stranger.as({ cookie: known.replace(/\.[\w-]+$/, `.${'A'.repeat(43)}`) })
    expect((await guess(forged, ann, PASSWORD, '192.0.2.1')).status).toBe(429)
  })

  test('successful sign-ins are not limited', async () => {
    const place = await limited()
    const ann = await place.addPerson({ password: PASSWORD })
    const tries = Array.from(
      { length: 12 },
      () => () => guess(place.stranger, ann.email, PASSWORD, '198.51.100.7'),
    )
    expect(await statuses(tries)).toEqual({ 200: 12 })
  })

  test('more than 32 queued guesses get 503', async () => {
    const place = await limited()
    const { email } = await place.addPerson({ password: PASSWORD })
    const release = holdHashing()
    const answers: Awaited<ReturnType<typeof guess>>[] = []
    const guesses = Array.from({ length: 40 }, async () =>
      answers.push(await guess(place.stranger, email, 'wrong', '198.51.100.7')),
    )
    await expect.poll(() => answers.length).toBe(8)
    expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
      Array(8).fill([503, '5']),
    )
    release()
    await Promise.all(guesses)
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(8)
  })

  test('after ten wrong confirmations in one session it is limited; the person can sign in elsewhere', async () => {
    const place = await limited()
    const ann = await place.addPerson({ password: PASSWORD })
    await weaken(place, ann.email)
    const tries = Array.from({ length: 12 }, () => () => confirm(ann.browser, 'wrong'))
    expect(await statuses(tries)).toEqual({ 401: 10, 429: 2 })
    expect((await confirm(await place.signIn(ann), PASSWORD)).status).toBe(200)
    expect((await guess(place.stranger, ann.email, PASSWORD, '198.51.100.7')).status).toBe(200)
  })

  test("a stranger's guesses do not block the confirmation in a session", async () => {
    const place = await limited()
    const ann = await place.addPerson({ password: PASSWORD })
    await weaken(place, ann.email)
    const tries = Array.from(
      { length: 12 },
      () => () => guess(place.stranger, ann.email, 'wrong', '127.0.0.1'),
    )
    expect(await statuses(tries)).toEqual({ 401: 10, 429: 2 })
    expect((await confirm(ann.browser, PASSWORD)).status).toBe(200)
  })

  test('a hash of lower cost is renewed at sign-in', async () => {
    const place = await world()
    const [ann] = await people(place, 1)
    await guess(place.stranger, ann, PASSWORD, '192.0.2.1')
    const { password_hash } = await place.ctx.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', ann)
      .executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=65536,/)
    expect((await guess(place.stranger, ann, PASSWORD, '192.0.2.1')).status).toBe(200)
  })
})

const confirm = (browser: Client, password: string) => browser.post('/web/session/confirm', { password })

/** PASSWORD hashed at minimal cost: the test counts how many guesses are evaluated. */
function weakHash(): string {
  const nonce = Buffer.alloc(16, 1)
  const tag = argon2Sync('argon2id', {
    message: PASSWORD,
    nonce,
    tagLength: 32,
    memory: 8,
    passes: 1,
    parallelism: 1,
  })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8,t=1,p=1$${text(nonce)}$${text(tag)}`
}

/** Adds people without an account, and returns their e-mails. */
async function people({ ctx }: World, count: number): Promise<[string, string]> {
  const ids = Array.from({ length: count }, (_, index) => 10_000 + index)
  const plain = {
    name: 'P',
    lang: 'en',
    phone_number: null,
    password_hash: weakHash(),
    created_at: 0,
    updated_at: 0,
  }
  const rows = ids.map((id) => ({
    ...plain,
    id,
    uuid: `u${id}`,
    amojo_id: `a${id}`,
    email: `p${id}@example.com`,
  }))
  await ctx.db.transaction().execute((tx) => tx.insertInto('users').values(rows).execute())
  return rows.map(({ email }) => email) as [string, string]
}

async function weaken({ ctx }: World, email: string): Promise<void> {
  const hash = { password_hash: weakHash() }
  await ctx.db
    .transaction()
    .execute((tx) => tx.updateTable('users').set(hash).where('email', '=', email).execute())
}

describe('A11: the password is entered again', () => {
  const secret = (browser: Client, id: string) => browser.post(`/web/integrations/${id}/keys`)

  async function withIntegration(place: World) {
    const ada = await place.addPerson({ name: 'Ada', is_admin: true, password: PASSWORD })
    const { body } = await ada.browser.post('/web/integrations', {
      name: 'Shop',
      redirect_uri: 'https://shop.example/',
    })
    return { browser: ada.browser, id: body.keys.client_id as string }
  }

  test('secrets are shown for 15 minutes after it', async () => {
    const place = await world()
    const { browser, id } = await withIntegration(place)
    place.clock.advance(15 * MINUTE - 1)
    expect((await secret(browser, id)).status).toBe(200)
    place.clock.advance(1)
    const refused = await secret(browser, id)
    expect([refused.status, refused.body.type.split('#')[1]]).toEqual([403, 'password_needed'])
    expect((await browser.get('/web/session')).body.confirmed_until).toBeNull()
    expect((await browser.post('/web/session/confirm', { password: 'wrong' })).status).toBe(401)
    expect((await secret(browser, id)).status).toBe(403)
    const confirmed = await browser.post('/web/session/confirm', { password: PASSWORD })
    expect(confirmed.body.confirmed_until).toBe(place.clock.now() + 15 * MINUTE)
    expect(confirmed.body.csrf_token).toBe(browser.identity.csrf_token)
    expect((await secret(browser, id)).status).toBe(200)
  })

  test('it is required again if the clock was ahead at the last time', async () => {
    const place = await world()
    const right = place.clock.now()
    place.clock.set(right + 7 * 3_600)
    const { browser, id } = await withIntegration(place)
    expect((await secret(browser, id)).status).toBe(200)
    place.clock.set(right)
    expect((await secret(browser, id)).status).toBe(403)
    expect((await browser.post('/web/session/confirm', { password: PASSWORD })).status).toBe(200)
    expect((await secret(browser, id)).status).toBe(200)
  })

  test('a confirmation requires a session', async () => {
    const { stranger } = await world()
    expect((await stranger.post('/web/session/confirm', { password: PASSWORD })).status).toBe(401)
  })
})
