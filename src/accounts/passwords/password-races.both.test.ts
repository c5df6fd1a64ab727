import { expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { holdHashing } from '../../../test/programs/fast-hashing.ts'
import { world } from '../../../test/world.ts'
import type { UserRow } from '../../db/tables.ts'
import { findUser, renewPasswordHash } from '../members/people-queries.ts'
import { hashPassword } from './passwords.ts'

const OLD = 'blue otter sings 9'
const NEW = 'seven quiet lakes at 5am'

/** Ann, whose password can be replaced while her old one is being checked. */
async function annsAccount() {
  const here = await world()
  const ann = await here.addPerson({ password: OLD })
  const signIn = (password: string) => here.stranger.post('/web/session', { email: ann.email, password })
  const replacement = await hashPassword(NEW)
  const replace = () =>
    here.ctx.db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ password_hash: replacement }).where('id', '=', ann.id).execute()
      await tx.deleteFrom('sessions').where('user_id', '=', ann.id).execute()
    })
  const sessions = () =>
    here.ctx.db.selectFrom('sessions').selectAll().where('user_id', '=', ann.id).execute()
  return { here, ann, signIn, replace, sessions }
}

test('a sign-in with the old password begins no session after the password was replaced', async () => {
  const { signIn, replace, sessions } = await annsAccount()
  const release = holdHashing()
  const pending = signIn(OLD)
  // The sign-in has read the old hash when it waits for its turn.
  await new Promise((resolve) => setTimeout(resolve, 300))
  await replace()
  release()
  expect((await pending).status).toBe(401)
  expect(await sessions()).toEqual([])
  expect([(await signIn(OLD)).status, (await signIn(NEW)).status]).toEqual([401, 200])
})

test('a session that has ended meanwhile sets no password', async () => {
  const { here, ann, signIn, replace } = await annsAccount()
  await ann.browser.post('/web/session/confirm', { password: OLD })
  const release = holdHashing()
  const pending = ann.browser.patch('/web/profile', { password: 'nine loud rivers at 6pm' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await replace()
  release()
  expect((await pending).status).toBe(401)
  expect([(await signIn('nine loud rivers at 6pm')).status, (await signIn(NEW)).status]).toEqual([401, 200])
  expect(
    (await here.ctx.db.selectFrom('audit_log').select('action').execute()).map(({ action }) => action),
  ).not.toContain('profile.password_changed')
})

onEmbedded(
  'the renewal of an outdated hash does not restore a password that was replaced meanwhile',
  async () => {
    const { here, ann, signIn, replace } = await annsAccount()
    const outdated = (await findUser(here.ctx.db, ann.id)) as UserRow
    await replace()
    const renewed = await hashPassword(OLD)
    await here.ctx.db.transaction().execute((tx) => renewPasswordHash(tx, outdated, renewed))
    expect([(await signIn(OLD)).status, (await signIn(NEW)).status]).toEqual([401, 200])
  },
)
