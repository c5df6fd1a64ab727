import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { PasswordLinkRow, UserRow } from '../../db/tables.ts'
import { invalid, Refusal } from '../../errors.ts'
import { randomToken, sha256 } from '../../secrets.ts'
import { auditAs, recordAudit } from '../audit/audit.ts'
import { type Actor, findActor, requireAdmin } from '../members/actor.ts'
import { belongsElsewhere, findPersonRows, findUser, updateUser } from '../members/people-queries.ts'
import { membershipsOf } from '../members/queries.ts'
import {
  consumePasswordLink,
  deleteExpiredPasswordLinks,
  deletePasswordLink,
  deleteSessionsOf,
  findPasswordLink,
  writePasswordLink,
} from '../sessions/session-queries.ts'
import {
  type BrowserSession,
  beginSession,
  type Device,
  requireConfirmed,
  type StartedSession,
} from '../sessions/sessions.ts'
import { passwordWeakness } from './password-rules.ts'
import { hashPassword } from './passwords.ts'

/**
 * Resetting a forgotten password (A16). The operator sets a new one on the command line. An administrator creates a
 * one-time link, hands it over, and never learns the password. A password opens every account of its person, so
 * only administrators of a person's sole account can create a link. This is checked when the link is created and
 * again when it is used.
 */
const LIFETIME = 24 * 3_600

/** The token of a one-time link, and the Unix second at which it expires. */
export interface PasswordLink {
  token: string
  expires_at: number
}

/**
 * Creates a link for a person of this account alone, and invalidates any earlier link. The administrator must have
 * entered their own password within the last 15 minutes (A11). Throws Refusal('forbidden') with the code
 * `shared_password` if the person also belongs to other accounts.
 */
export async function createPasswordLink(
  ctx: Context,
  actor: Actor,
  session: BrowserSession,
  user_id: number,
): Promise<PasswordLink> {
  requireAdmin(actor)
  requireConfirmed(session, ctx.now())
  const token = randomToken('pbw_')
  const expires_at = ctx.now() + LIFETIME
  await ctx.db.transaction().execute(async (tx) => {
    const [person] = await findPersonRows(tx, actor.account_id, [user_id])
    if (!person) throw new Refusal('not_found', 'User not found in this account.')
    if (await belongsElsewhere(tx, actor.account_id, user_id)) throw sharedPerson()
    await writePasswordLink(tx, {
      user_id,
      hash: sha256(token),
      account_id: actor.account_id,
      created_by: actor.user_id,
      expires_at,
    })
    await auditAs(ctx, tx, actor, 'user.password_link_made', { id: user_id })
  })
  return { token, expires_at }
}

const sharedPerson = () =>
  new Refusal(
    'forbidden',
    'This person also belongs to other accounts, and has the same password in all of them. The operator of the server can set a new password with: patchbay user password.',
    { code: 'shared_password' },
  )

/**
 * Sets the password with a one-time link, ends all sessions of the person and starts a new one. Throws
 * Refusal('forbidden') with the code `password_link` for an expired or used link, and Refusal('invalid') for a weak
 * password, which leaves the link valid.
 */
export async function usePasswordLink(
  ctx: Context,
  { token, password }: { token: string; password: string },
  { request_id, ...device }: Device & { request_id: string },
): Promise<StartedSession> {
  const hash = sha256(token)
  const { user_id } = await requireLink(ctx, hash)
  const password_hash = await passwordHashFor(await requireUser(ctx, user_id), password)
  return ctx.db.transaction().execute(async (tx) => {
    // A concurrent second request waits for the first, then finds no link.
    const link = await consumePasswordLink(tx, hash)
    if (!link || !(await isUsable(ctx, tx, link))) throw linkEnded()
    await replacePassword(ctx, tx, user_id, password_hash)
    const by = { account_id: link.account_id, user_id, address: device.address, request_id }
    await recordAudit(
      ctx,
      tx,
      { ...by, action: 'user.password_set', details: { id: user_id } },
      { ...by, action: 'session.started' },
    )
    return beginSession(ctx, tx, user_id, link.account_id, device)
  })
}

/**
 * Sets a person's password for the operator, and ends all sessions of the person. Throws Refusal('invalid') for a
 * weak password.
 */
export async function setPassword(ctx: Context, user_id: number, password: string): Promise<void> {
  const password_hash = await passwordHashFor(await requireUser(ctx, user_id), password)
  await ctx.db.transaction().execute(async (tx) => {
    await replacePassword(ctx, tx, user_id, password_hash)
    const accounts = await membershipsOf(tx, user_id)
    const entry = { user_id: 0, action: 'user.password_set', details: { id: user_id } } as const
    const drafts = accounts.map(({ account_id }) => ({ ...entry, account_id, request_id: 'command line' }))
    if (drafts.length > 0) await recordAudit(ctx, tx, ...drafts)
  })
}

/** Hashes a new password. Throws Refusal('invalid') if it is too easy to guess. */
export async function passwordHashFor(user: UserRow, password: string): Promise<string> {
  const weakness = passwordWeakness(password, user)
  if (weakness) throw invalid('password', 'NotSupportedChoice', weakness)
  return hashPassword(password)
}

/** Deletes expired links; runs periodically. */
export async function sweepPasswordLinks(ctx: Context): Promise<void> {
  await ctx.db.transaction().execute((tx) => deleteExpiredPasswordLinks(tx, ctx.now()))
}

async function replacePassword(ctx: Context, tx: Tx, user_id: number, password_hash: string): Promise<void> {
  await updateUser(tx, user_id, { password_hash, updated_at: ctx.now() })
  await deletePasswordLink(tx, user_id)
  await deleteSessionsOf(tx, user_id, null)
}

async function requireLink(ctx: Context, hash: Buffer): Promise<PasswordLinkRow> {
  const link = await findPasswordLink(ctx.db, hash)
  if (!link || link.expires_at <= ctx.now()) throw linkEnded()
  return link
}

async function requireUser(ctx: Context, user_id: number): Promise<UserRow> {
  const user = await findUser(ctx.db, user_id)
  if (!user) throw new Refusal('not_found', 'User not found.')
  return user
}

/** The administrator who created the link must still have the right to do so when it is used. */
async function isUsable(ctx: Context, tx: Tx, link: PasswordLinkRow): Promise<boolean> {
  const { user_id, account_id, created_by, expires_at } = link
  if (expires_at <= ctx.now()) return false
  const [person] = await findPersonRows(tx, account_id, [user_id])
  if (!person || (await belongsElsewhere(tx, account_id, user_id))) return false
  const request = { integration: null, request_id: '', address: '' }
  const maker = await findActor({ ...ctx, db: tx }, { account_id, user_id: created_by }, request)
  return maker?.is_admin === true
}

const linkEnded = () =>
  new Refusal(
    'forbidden',
    'This link has been used or replaced, or has expired. Ask an administrator of your account for a new one.',
    { code: 'password_link' },
  )
