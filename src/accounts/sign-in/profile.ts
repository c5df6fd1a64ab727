import type { Context } from '../../context.ts'
import type { UserRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { recordAudit } from '../audit/audit.ts'
import { findUser, lockUser, updateUser } from '../members/people-queries.ts'
import type { ProfilePatch } from '../members/schemas.ts'
import { passwordHashFor } from '../passwords/new-passwords.ts'
import { deletePasswordLink, deleteSessionsOf, findSessionRow } from '../sessions/session-queries.ts'
import { type BrowserSession, requireConfirmed } from '../sessions/sessions.ts'
import type { SignInRequest } from './sign-in.ts'

/**
 * Changes a person's own name, language or password. A new password requires that the old one was entered within 15
 * minutes, and ends the person's other sessions. Tokens of integrations stay valid.
 */
export async function changeProfile(
  ctx: Context,
  session: BrowserSession,
  patch: ProfilePatch,
  request: SignInRequest,
): Promise<void> {
  const { name, lang, password } = patch
  if (password !== undefined) requireConfirmed(session, ctx.now())
  const user = await findUser(ctx.db, session.user_id)
  if (!user) throw signedOut()
  const password_hash = password === undefined ? undefined : await passwordHashFor(user, password)
  const changes: Partial<UserRow> = {
    ...(name !== undefined && { name }),
    ...(lang !== undefined && { lang }),
    ...(password_hash !== undefined && { password_hash }),
  }
  const changed = Object.keys(patch).filter((member) => member in { name, lang, password })
  if (Object.keys(changes).length === 0) return
  await ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, user.id)
    // The session can have ended while the password was hashed, for example because somebody has replaced the password.
    if (!(await findSessionRow(tx, session.hash))) throw signedOut()
    await updateUser(tx, user.id, { ...changes, updated_at: ctx.now() })
    if (password_hash !== undefined) {
      await deleteSessionsOf(tx, user.id, session.hash)
      await deletePasswordLink(tx, user.id)
    }
    if (session.account_id === null) return
    const { address, request_id } = request
    const action = password_hash === undefined ? 'profile.changed' : 'profile.password_changed'
    await recordAudit(ctx, tx, {
      account_id: session.account_id,
      user_id: user.id,
      action,
      details: { changed },
      address,
      request_id,
    })
  })
}

const signedOut = () => new Refusal('not_authorized', 'Sign in first.')
