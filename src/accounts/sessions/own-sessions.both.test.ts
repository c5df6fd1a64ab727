import { expect, test } from 'vitest'
import { BEGINNING, world } from '../../../test/world.ts'

const PASSWORD = 'blue otter sings 9'
const FIREFOX = 'Mozilla/5.0 (Wayland; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
const HOUR = 3_600

test('a person sees their active sessions, the current one first, and ends all others', async () => {
  const place = await world()
  const { stranger, clock } = place
  const ann = await place.addPerson({ name: 'Ann', password: PASSWORD })
  clock.advance(HOUR)
  const credentials = JSON.stringify({ email: ann.email, password: PASSWORD })
  const headers = { 'content-type': 'application/json', 'user-agent': `${FIREFOX}${'x'.repeat(300)}` }
  expect((await stranger.send('POST', '/web/session', credentials, headers)).status).toBe(200)
  const third = await place.signIn(ann)
  const at = { created_at: BEGINNING + HOUR, seen_at: BEGINNING + HOUR }
  const listed = await ann.browser.get('/web/sessions')
  expect(listed.body.sessions).toHaveLength(3)
  expect(listed.body.sessions[0]).toMatchObject({ is_current: true, created_at: BEGINNING })
  expect(listed.body.sessions.slice(1)).toEqual(
    expect.arrayContaining([
      {
        id: expect.stringMatching(/^[\da-f]{16}$/),
        is_current: false,
        ...at,
        address: '127.0.0.1',
        user_agent: null,
      },
      {
        id: expect.stringMatching(/^[\da-f]{16}$/),
        is_current: false,
        ...at,
        address: '127.0.0.1',
        user_agent: expect.stringContaining(FIREFOX),
      },
    ]),
  )
  expect(
    Math.max(
      ...listed.body.sessions.map(({ user_agent }: { user_agent: string | null }) => user_agent?.length ?? 0),
    ),
  ).toBe(300)
  expect(listed.text).not.toContain('hash')

  const ended = await ann.browser.delete('/web/sessions')
  expect([ended.status, ended.body.sessions.length]).toEqual([200, 1])
  expect((await ann.browser.get('/web/session')).body.user.id).toBe(ann.id)
  expect((await third.get('/web/sessions')).status).toBe(401)
  expect((await place.admin.browser.get('/web/sessions')).body.sessions).toHaveLength(1)
  const audited = await place.ctx.db
    .selectFrom('audit_log')
    .select(['action', 'user_id'])
    .where('action', '=', 'session.others_ended')
    .execute()
  expect(audited).toEqual([{ action: 'session.others_ended', user_id: ann.id }])
})

test('a session that has expired is not listed', async () => {
  const place = await world()
  const ann = await place.addPerson({ name: 'Ann' })
  place.clock.advance(8 * HOUR)
  const browser = await place.signIn(ann)
  expect((await browser.get('/web/sessions')).body.sessions).toMatchObject([{ is_current: true }])
})

test('sessions are ended with the CSRF token only', async () => {
  const place = await world()
  const ann = await place.addPerson({ name: 'Ann' })
  const other = await place.signIn(ann)
  const { csrf_token: _, ...identity } = ann.browser.identity
  expect((await ann.browser.as({ ...identity, csrf_token: 'wrong' }).delete('/web/sessions')).status).toBe(
    403,
  )
  expect((await place.stranger.delete('/web/sessions')).status).toBe(401)
  expect((await other.get('/web/sessions')).body.sessions).toHaveLength(2)
})
