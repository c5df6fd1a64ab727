import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { randomToken, sha256 } from '../../secrets.ts'
import { recordAudit } from '../audit/audit.ts'
import { hasAccounts } from '../members/queries.ts'
import type { FirstSetUp } from '../members/schemas.ts'
import { insertNewMembers } from '../people/new-members.ts'
import { hashOf } from '../people/people.ts'
import { draftFaults, refuseFaults } from '../people/person-draft.ts'
import { consumeSetting, readSetting, writeSetting } from '../sessions/session-queries.ts'
import { beginSession, type StartedSession } from '../sessions/sessions.ts'
import { createAccount } from '../settings/new-account.ts'
import type { SignInRequest } from './sign-in.ts'

const SETTING = 'setup_token_sha256'

/** Whether the server has no account yet. */
export async function isEmpty(ctx: Context): Promise<boolean> {
  return !(await hasAccounts(ctx.db))
}

/**
 * Creates the token of the one-time setup link, which the program prints while the server has no account. Only its
 * hash is stored, and a new token replaces the previous one.
 */
export async function createSetupToken(ctx: Context): Promise<string> {
  const token = randomToken('pbf_')
  await ctx.db.transaction().execute((tx) => writeSetting(tx, SETTING, hashOfToken(token)))
  return token
}

/**
 * Creates the first account with its administrator, and signs them in. The token works once, and only while the
 * server has no account.
 */
export async function setUp(
  ctx: Context,
  draft: FirstSetUp,
  request: SignInRequest,
): Promise<StartedSession> {
  const token = hashOfToken(draft.token)
  if ((await readSetting(ctx.db, SETTING)) !== token || !(await isEmpty(ctx))) throw linkUsed()
  const member = { ...draft.user, is_admin: true }
  refuseFaults(draftFaults(member, '0').map((fault) => ({ ...fault, path: `user.${fault.path}` })))
  const newMember = { draft: member, password_hash: await hashOf(member), request_id: '0' }
  return ctx.db.transaction().execute(async (tx) => {
    // Of two concurrent requests, only one gets the token.
    if (!(await consumeSetting(tx, SETTING, token)) || (await hasAccounts(tx))) throw linkUsed()
    const language = draft.user.lang
    const account = await createAccount(ctx, tx, { ...draft.account, ...(language && { language }) })
    const [user_id] = (await insertNewMembers(ctx, tx, account.id, [newMember], null)) as [number]
    const { address, request_id } = request
    const row = { account_id: account.id, user_id, address, request_id }
    await recordAudit(ctx, tx, { ...row, action: 'account.added' }, { ...row, action: 'session.started' })
    return beginSession(ctx, tx, user_id, account.id, request)
  })
}

const hashOfToken = (token: string): string => sha256(token).toString('hex')

const linkUsed = () =>
  new Refusal('forbidden', 'This link has been used or replaced. Restart the server to get a new one.', {
    code: 'setup_link',
  })
