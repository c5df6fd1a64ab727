import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { type World, world } from '../../../test/world.ts'

const OLD = 'blue otter sings 9'
const NEW = 'seven quiet lakes at 5am'
const DAY = 86_400
const SHOWN = /^http:\/\/demo\.localhost:8080\/new-password#(pbw_[\w-]{43})$/

/** An account with an administrator, and Ann, who forgot her password. */
async function forgotten() {
  const place = await world()
  const ann = await place.addPerson({ password: OLD })
  const path = `/web/people/${ann.id}/password_link`
  const link = async () => {
    const { status, body } = await place.admin.browser.post(path)
    return { status, body, token: SHOWN.exec(body.url)?.[1] ?? '' }
  }
  const use = (token: string, password = NEW) => place.stranger.post('/web/password', { token, password })
  const signIn = async (password: string) =>
    (await place.stranger.post('/web/session', { email: ann.email, password })).status
  return { place, ann, path, link, use, signIn }
}

const audited = async ({ ctx }: World) =>
  (await ctx.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(({ action }) => action)
const links = ({ ctx }: World) => ctx.db.selectFrom('password_links').selectAll().execute()

describe('A16: a one-time link for a new password', () => {
  test('sets the password once, ends the sessions, signs in, and is recorded without its token', async () => {
    const { place, ann, link, use, signIn } = await forgotten()
    const { status, body, token } = await link()
    expect([status, body]).toEqual([
      200,
      { url: expect.stringMatching(SHOWN), expires_at: place.ctx.now() + DAY },
    ])
    expect(await signIn(OLD)).toBe(200)

    const weak = await use(token, 'password1234')
    expect([weak.status, weak.body['validation-errors'][0].errors[0].path]).toEqual([400, 'password'])
    const used = await use(token)
    expect([used.status, used.body.user.id, used.body.account.id]).toEqual([200, ann.id, place.account.id])
    expect((await ann.browser.get('/web/session')).body.user).toBeNull()
    expect([await signIn(OLD), await signIn(NEW)]).toEqual([401, 200])

    const again = await use(token, 'another quiet lake at 6am')
    expect([again.status, again.body.type.split('#')[1]]).toEqual([403, 'password_link'])
    expect(await links(place)).toEqual([])
    expect(await audited(place)).toEqual(
      expect.arrayContaining(['user.password_link_made', 'user.password_set', 'session.started']),
    )
    expect(JSON.stringify(await place.ctx.db.selectFrom('audit_log').selectAll().execute())).not.toContain(
      token,
    )
  })

  test('only one of two concurrent uses sets the password', async () => {
    const { link, use, signIn } = await forgotten()
    const { token } = await link()
    const passwords = [NEW, 'another quiet lake at 6am']
    const answers = await Promise.all(passwords.map((password) => use(token, password)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await Promise.all(passwords.map(signIn))).toEqual(winner === 0 ? [200, 401] : [401, 200])
  })

  onEmbedded.each<[string, (scene: Awaited<ReturnType<typeof forgotten>>) => Promise<unknown>]>([
    ['after a day', async ({ place }) => place.clock.advance(DAY)],
    ['when a newer one was made', async ({ link }) => link()],
    [
      'when the person changed the password',
      async ({ ann }) => ann.browser.patch('/web/profile', { password: 'another quiet lake at 6am' }),
    ],
    [
      'when the person was removed',
      async ({ place, ann }) => place.admin.browser.delete(`/web/v4/users/${ann.id}`),
    ],
    [
      'when the person joined another account',
      async ({ place, ann }) =>
        place.addPerson({ email: ann.email, account: await place.addAccount('other') }),
    ],
    [
      'when its creator is not an administrator any more',
      async ({ place }) =>
        place.ctx.db
          .transaction()
          .execute((tx) =>
            tx.updateTable('members').set({ is_admin: 0 }).where('user_id', '=', place.admin.id).execute(),
          ),
    ],
  ])('%s it is rejected, and the password does not change', async (_when, happens) => {
    const scene = await forgotten()
    const { token } = await scene.link()
    await happens(scene)
    const before = await scene.place.ctx.db.selectFrom('users').select('password_hash').execute()
    expect((await scene.use(token)).status).toBe(403)
    expect(await scene.place.ctx.db.selectFrom('users').select('password_hash').execute()).toEqual(before)
  })

  test('is not created for a person of several accounts, by another member, for an unknown user, or without the own password', async () => {
    const { place, ann, path } = await forgotten()
    const ben = await place.addPerson()
    const boss = await place.addPerson({ account: await place.addAccount('other'), is_admin: true })
    const codeOf = ({ status, body }: { status: number; body: { type?: string } }) => [
      status,
      body.type?.split('#')[1],
    ]
    expect(codeOf(await place.stranger.post(path))).toEqual([401, 'not_authorized'])
    expect(codeOf(await ben.browser.post(path))).toEqual([403, 'forbidden'])
    expect(codeOf(await boss.browser.post(path))).toEqual([404, 'not_found'])
    expect(codeOf(await place.admin.browser.post('/web/people/9999/password_link'))).toEqual([
      404,
      'not_found',
    ])
    await place.addPerson({ email: ann.email, account: await place.addAccount('third') })
    expect(codeOf(await place.admin.browser.post(path))).toEqual([403, 'shared_password'])
    place.clock.advance(15 * 60 + 1)
    expect(codeOf(await place.admin.browser.post(path))).toEqual([403, 'password_needed'])
    expect(await links(place)).toEqual([])
  })

  onEmbedded.each(['', 'pbw_x', 'pbs_x'])('the token %j is rejected', async (token) => {
    const { use } = await forgotten()
    expect((await use(token)).status).toBe(403)
  })
})

test('POST /users reports that a known person keeps their password', async () => {
  const place = await world()
  const other = await place.addAccount('other')
  await place.addPerson({ email: place.admin.email, account: other, is_admin: true })
  const cleo = await place.addPerson({ email: 'cleo@other.example', account: other, password: OLD })
  const draft = { name: 'X', password: NEW }
  const { status, body } = await place.admin.browser.post('/web/v4/users', [
    { ...draft, email: cleo.email },
    { ...draft, email: 'new@demo.example' },
  ])
  expect([
    status,
    body._embedded.users.map((user: { keeps_password?: true }) => user.keeps_password),
  ]).toEqual([201, [true, undefined]])
})

describe('PUT /web/account/paid', () => {
  onEmbedded('switches the account to unpaid and back in development, for administrators', async () => {
    const place = await world()
    const ann = await place.addPerson()
    expect((await ann.browser.put('/web/account/paid', { is_paid: false })).status).toBe(403)
    expect((await place.admin.browser.put('/web/account/paid', { is_paid: false })).status).toBe(204)
    expect((await place.admin.browser.get('/web/v4/events')).status).toBe(402)
    expect((await place.admin.browser.get('/web/session')).body.account.is_paid).toBe(false)
    expect((await place.admin.browser.put('/web/account/paid', { is_paid: true })).status).toBe(204)
    expect((await place.admin.browser.get('/web/v4/events')).status).toBe(200)
    expect(await audited(place)).toEqual(['account.changed', 'account.changed'])
  })

  test('does not exist on a production server', async () => {
    const place = await world({ mode: 'serve' })
    expect((await place.admin.browser.put('/web/account/paid', { is_paid: false })).status).toBe(404)
  })
})
