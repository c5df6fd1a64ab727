import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { accountStatus, connect, register } from '../../../test/fixtures/integrations.ts'
import { type World, world } from '../../../test/world.ts'
import { tables } from '../../db/tables.ts'
import { createSetupToken, setPassword } from '../accounts.ts'

const MINUTE = 60
const PASSWORD = 'blue otter sings 9'
const NEW = 'seven quiet lakes at 5am'

const audited = async ({ ctx }: World) =>
  (await ctx.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(({ action }) => action)

describe('PATCH /web/profile', () => {
  test('a person changes their own name and language', async () => {
    const place = await world()
    const ann = await place.addPerson()
    const { status, body } = await ann.browser.patch('/web/profile', { name: 'Anna', lang: 'es' })
    expect(status).toBe(200)
    expect(body.user).toEqual({ id: ann.id, name: 'Anna', email: ann.email, lang: 'es' })
    expect(await audited(place)).toEqual(['profile.changed'])
  })

  test("a new password ends the person's other sessions, and tokens stay valid", async () => {
    const place = await world()
    const ada = await place.addPerson({ name: 'Ada', is_admin: true, password: PASSWORD })
    const other = await place.signIn(ada)
    const { access_token } = await connect(place.stranger, await register(ada))
    const answer = await ada.browser.patch('/web/profile', { password: NEW })
    expect(answer.status).toBe(200)
    expect((await ada.browser.get('/web/session')).body.user.id).toBe(ada.id)
    expect((await other.get('/web/session')).body.user).toBeNull()
    expect((await place.admin.browser.get('/web/session')).body.user.id).toBe(place.admin.id)
    expect(await accountStatus(place.stranger, access_token)).toBe(200)
    const signIn = async (password: string) =>
      (await place.stranger.post('/web/session', { email: ada.email, password })).status
    expect([await signIn(PASSWORD), await signIn(NEW)]).toEqual([401, 200])
    expect(await audited(place)).toContain('profile.password_changed')
    expect(JSON.stringify(await place.ctx.db.selectFrom('audit_log').selectAll().execute())).not.toContain(
      NEW,
    )
  })

  test.each([
    [15 * MINUTE - 1, 200],
    [15 * MINUTE + 1, 403],
  ])('a new password %i s after entering the old one returns %i', async (passed, status) => {
    const place = await world()
    const ann = await place.addPerson({ password: PASSWORD })
    place.clock.advance(passed)
    const answer = await ann.browser.patch('/web/profile', { password: NEW })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body.type).toMatch(/#password_needed$/)
    expect(await audited(place)).toEqual(status === 200 ? ['profile.password_changed'] : [])
  })

  onEmbedded.each([
    { password: 'short' },
    { password: 'x'.repeat(257) },
    { password: 'password1234' },
    { name: '' },
    { name: 'x'.repeat(51) },
    { lang: 'de' },
  ])('%j is rejected', async (patch) => {
    const place = await world()
    const ann = await place.addPerson({ password: PASSWORD })
    const { status, body } = await ann.browser.patch('/web/profile', patch)
    expect(status).toBe(400)
    expect(body['validation-errors'][0].errors[0].path).toBe(Object.keys(patch)[0])
    expect(await audited(place)).toEqual([])
  })

  test('requires a session', async () => {
    const { stranger } = await world()
    expect((await stranger.patch('/web/profile', { name: 'X' })).status).toBe(401)
  })

  test('the operator sets a forgotten password, and all sessions end', async () => {
    const place = await world()
    const ann = await place.addPerson({ password: PASSWORD })
    await expect(setPassword(place.ctx, ann.id, 'password1234')).rejects.toMatchObject({ reason: 'invalid' })
    await setPassword(place.ctx, ann.id, NEW)
    expect((await ann.browser.get('/web/session')).body.user).toBeNull()
    expect((await place.stranger.post('/web/session', { email: ann.email, password: NEW })).status).toBe(200)
  })
})

describe('P4: the first account', () => {
  const draft = (token: string) => ({
    token,
    account: { name: 'Acme', subdomain: 'acme' },
    user: { name: 'Zoe', email: 'Zoe@Example.com', password: PASSWORD, lang: 'ru' },
  })

  /** A server without accounts. */
  async function empty(): Promise<World> {
    const place = await world({ mode: 'serve' })
    await place.ctx.db.transaction().execute(async (tx) => {
      for (const table of tables.toReversed()) await tx.deleteFrom(table).execute()
    })
    return place
  }

  const rows = async ({ ctx }: World) => [
    await ctx.db.selectFrom('accounts').selectAll().execute(),
    await ctx.db.selectFrom('users').selectAll().execute(),
    await ctx.db.selectFrom('audit_log').selectAll().execute(),
  ]

  test('is created with the one-time link, and its administrator is signed in', async () => {
    const place = await empty()
    const bare = place.stranger.as({ host: 'localhost:8080' })
    expect((await bare.get('/web/session')).body).toMatchObject({ setup_needed: true, mode: 'serve' })
    const token = await createSetupToken(place.ctx)
    const answer = await bare.post('/web/setup', draft(token))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      user: { name: 'Zoe', email: 'zoe@example.com', lang: 'ru' },
      account: { name: 'Acme', subdomain: 'acme', url: 'http://acme.localhost:8080', is_admin: true },
      setup_needed: false,
    })
    const cookie = String(answer.headers['set-cookie']).split(';')[0] as string
    const { body } = await bare.as({ cookie }).get('/web/v4/account?with=users_groups')
    expect([body.language, body._embedded.users_groups[0].name]).toEqual(['ru', 'Отдел продаж'])
    expect(await audited(place)).toEqual(['account.added', 'session.started'])
    expect((await bare.post('/web/setup', draft(token))).status).toBe(403)
  })

  test('only one of two concurrent requests with the link succeeds', async () => {
    const place = await empty()
    const token = await createSetupToken(place.ctx)
    const second = { ...draft(token), account: { name: 'Other', subdomain: 'other' } }
    const answers = await Promise.all([
      place.stranger.post('/web/setup', draft(token)),
      place.stranger.post('/web/setup', second),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect((await rows(place))[0]).toHaveLength(1)
  })

  onEmbedded('an older, invented or missing token is rejected', async () => {
    const place = await empty()
    expect((await place.stranger.post('/web/setup', draft('pbf_x'))).status).toBe(403)
    const older = await createSetupToken(place.ctx)
    await createSetupToken(place.ctx)
    expect((await place.stranger.post('/web/setup', draft(older))).status).toBe(403)
    expect(await rows(place)).toEqual([[], [], []])
  })

  onEmbedded.each<[string, (body: ReturnType<typeof draft>) => void, string]>([
    [
      'a weak password',
      (body) => {
        body.user.password = 'zoe-password-1'
      },
      'user.password',
    ],
    [
      'a short password',
      (body) => {
        body.user.password = 'blue otter'
      },
      'user.password',
    ],
    [
      'a subdomain with a dot',
      (body) => {
        body.account.subdomain = 'a.b'
      },
      'account.subdomain',
    ],
    [
      'a blank name',
      (body) => {
        body.user.name = ' '
      },
      'user.name',
    ],
  ])('%s is rejected, and the link stays valid', async (_what, spoil, path) => {
    const place = await empty()
    const token = await createSetupToken(place.ctx)
    const body = draft(token)
    spoil(body)
    const refused = await place.stranger.post('/web/setup', body)
    expect(refused.status).toBe(400)
    expect(refused.body['validation-errors'][0].errors[0].path).toBe(path)
    expect(await rows(place)).toEqual([[], [], []])
    expect((await place.stranger.post('/web/setup', draft(token))).status).toBe(200)
  })

  onEmbedded('the link is rejected after the first account exists', async () => {
    const place = await world()
    const token = await createSetupToken(place.ctx)
    expect((await place.stranger.post('/web/setup', draft(token))).status).toBe(403)
  })

  onEmbedded('an account cannot use a subdomain of the server itself', async () => {
    const place = await world({
      env: { PUBLIC_URL: 'https://crm.example', CHAT_URL: 'https://chat.crm.example' },
    })
    for (const reserved of ['chat', 'www', 'api', 'api-b', 'amojo', 'amojo-2', 'drive', 'drive-c'])
      await expect(place.addAccount(reserved)).rejects.toMatchObject({
        faults: [{ path: 'subdomain', code: 'NotSupportedChoice' }],
      })
    await place.addAccount('apiary')
    await expect(place.addAccount('demo')).rejects.toMatchObject({ faults: [{ code: 'NotUnique' }] })
  })
})
