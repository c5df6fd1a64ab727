import type { Context } from '../../context.ts'
import { cached } from '../../db/prepared.ts'
import type { Flag, Json } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { activeMembers } from './queries.ts'
import type { Rights } from './rights.ts'

/** The authenticated caller: a member of an account, by an access token of an integration or by a browser session. */
export interface Actor {
  account_id: number
  subdomain: string
  user_id: number
  /** See MemberRow.epoch: grants are valid only in the epoch in which they were given. */
  member_epoch: number
  lang: string
  is_admin: boolean
  is_free: boolean
  group_id: number
  rights: Rights
  paid_until: number | null
  /**
   * The integration, its number, its grant and permissions; null in a browser session. Without a number it is a part of
   * the server that is no person: a rule, a form.
   */
  integration: {
    id: string
    number: number | null
    grant_id: string
    generation?: number
    scopes: string[]
  } | null
  request_id: string
  address: string
  /** While automation acts: the ids of the rules that led to this change, the first one first. */
  chain?: readonly number[]
}

/** A row of activeMembers. */
export interface ActorRow {
  account_id: number
  user_id: number
  member_epoch: number
  is_admin: Flag
  is_free: Flag
  group_id: number
  subdomain: string
  paid_until: number | null
  lang: string
  rights: Json
}

/** The parts of an Actor that come from the request. */
export type RequestInfo = Pick<Actor, 'integration' | 'request_id' | 'address'>

export function actorOf(row: ActorRow, request: RequestInfo): Actor {
  return {
    account_id: row.account_id,
    subdomain: row.subdomain,
    user_id: row.user_id,
    member_epoch: row.member_epoch,
    lang: row.lang,
    is_admin: row.is_admin === 1,
    is_free: row.is_free === 1,
    group_id: row.group_id,
    rights: parseRights(row.rights),
    paid_until: row.paid_until,
    ...request,
  }
}

const findMember = cached((db, at: { account_id: number; user_id: number }) =>
  activeMembers(db).where('members.account_id', '=', at.account_id).where('members.user_id', '=', at.user_id),
)

/** Loads a member as an actor; undefined if there is no such active member. */
export async function findActor(
  ctx: Context,
  at: { account_id: number; user_id: number },
  request: RequestInfo,
): Promise<Actor | undefined> {
  const [row] = await findMember(ctx.db, at)
  return row && actorOf(row as ActorRow, request)
}

/** The number of the integration that acts, as rows keep it (Q33); null for a person in a browser, rules and the server. */
export const actingIntegration = (by: { integration?: { number: number | null } | null }): number | null =>
  by.integration?.number ?? null

/** Throws Refusal('forbidden') unless the actor is an administrator, as settings, people and integrations require. */
export function requireAdmin(actor: Actor): void {
  if (!actor.is_admin) throw new Refusal('forbidden', 'Insufficient rights to call this method')
}

export const isPaid = (ctx: Context, { paid_until }: Pick<Actor, 'paid_until'>): boolean =>
  paid_until === null || paid_until > ctx.now()

/** Throws Refusal('unpaid') if the account is unpaid (R22). */
export function requirePaid(ctx: Context, actor: Actor): void {
  if (!isPaid(ctx, actor)) throw new Refusal('unpaid', 'Payment required')
}

/** Caches parsed rights by their text: there are few different ones, and every request needs them. */
const parsed = new Map<Json, Rights>()

export function parseRights(text: Json): Rights {
  let rights = parsed.get(text)
  if (!rights) {
    rights = Object.freeze(JSON.parse(text)) as Rights
    if (parsed.size >= 1_000) parsed.clear()
    parsed.set(text, rights)
  }
  return rights
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the surface before the handler runs. */
    actor: Actor
    /** Authenticates the caller again during a long response; throws if a new request would be refused. */
    renewActor: () => Promise<Actor>
  }
}

/**
 * The token lacks a permission. Clients match this sentence, so the separate `scope` names the permission (RFC
 * 6750, 3.1).
 */
export const insufficientScope = (scope: string): Refusal =>
  new Refusal('forbidden', "Client doesn't have the required scope", {
    code: 'insufficient_scope',
    members: { scope },
  })
