import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { type Actor, type ActorRow, actorOf, isPaid, parseRights } from '../members/actor.ts'
import { findUser } from '../members/people-queries.ts'
import { hasAccounts, membershipsOf } from '../members/queries.ts'
import { everything } from '../members/rights.ts'
import type { Session } from '../members/schemas.ts'
import { updateSession } from '../sessions/session-queries.ts'
import { type BrowserSession, confirmedUntil } from '../sessions/sessions.ts'

type Membership = Awaited<ReturnType<typeof membershipsOf>>[number]

/** The session for the web application; `subdomain` is that of the request's host. */
export async function sessionView(
  ctx: Context,
  session: BrowserSession | null,
  subdomain: string | null,
): Promise<Session> {
  const user = session && (await findUser(ctx.db, session.user_id))
  if (!session || !user) return { ...nobody, setup_needed: !(await hasAccounts(ctx.db)), mode: modeOf(ctx) }
  const memberships = await membershipsOf(ctx.db, user.id)
  const here = chosen(memberships, session, subdomain)
  const { id, name, email, lang } = user
  return {
    user: { id, name, email, lang: lang as NonNullable<Session['user']>['lang'] },
    csrf_token: session.csrf_token,
    account: here ? accountOf(ctx, here) : null,
    accounts: memberships.map((membership) => accountOf(ctx, membership)),
    rights: here ? rightsOf(here) : null,
    confirmed_until: confirmedUntil(session, ctx.now()),
    setup_needed: false,
    mode: modeOf(ctx),
  }
}

const modeOf = ({ config }: Context): Session['mode'] => (config.mode === 'dev' ? 'dev' : 'serve')

const nobody = {
  user: null,
  csrf_token: null,
  account: null,
  accounts: [],
  rights: null,
  confirmed_until: null,
}

const rightsOf = ({ is_admin, rights }: Membership) =>
  is_admin === 1 ? everything : parseRights(rights as ActorRow['rights'])

const accountOf = (
  ctx: Context,
  { account_id, account_name, subdomain, is_admin, paid_until }: Membership,
) => ({
  id: account_id,
  name: account_name,
  subdomain,
  url: ctx.hosts.accountUrl(subdomain),
  is_admin: is_admin === 1,
  is_paid: isPaid(ctx, { paid_until }),
})

/** On an account's own host, that account; elsewhere the one that the person chose last (P5). */
function chosen(
  memberships: Membership[],
  session: BrowserSession,
  subdomain: string | null,
): Membership | undefined {
  return memberships.find((one) =>
    subdomain === null ? one.account_id === session.account_id : one.subdomain === subdomain,
  )
}

/**
 * Loads the actor of a session in its current account. Throws Refusal('forbidden') if the person is not a member,
 * also for an account that does not exist.
 */
export async function actorOfSession(
  ctx: Context,
  session: BrowserSession,
  subdomain: string | null,
  request: Pick<Actor, 'request_id' | 'address'>,
): Promise<Actor> {
  const member = chosen(await membershipsOf(ctx.db, session.user_id), session, subdomain)
  if (!member)
    throw new Refusal('forbidden', 'You are not a member of this account.', { code: 'not_a_member' })
  return actorOf(member as ActorRow, { integration: null, ...request })
}

/** Switches the session to another account of the person. Throws Refusal('not_found') if they are not a member. */
export async function chooseAccount(
  ctx: Context,
  session: BrowserSession,
  subdomain: string | null,
  account_id: number,
): Promise<void> {
  const memberships = await membershipsOf(ctx.db, session.user_id)
  const target = memberships.find((one) => one.account_id === account_id)
  if (!target) throw new Refusal('not_found', 'Account not found.')
  if (subdomain !== null && target.subdomain !== subdomain)
    throw new Refusal(
      'conflict',
      'This host belongs to one account. Open the other account at its own address.',
      {
        code: 'other_address',
      },
    )
  await ctx.db.transaction().execute((tx) => updateSession(tx, session.hash, { account_id }))
}
