import { type Actor, type ActorRow, actorOf } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { randomToken } from '../../secrets.ts'
import type { Vault } from '../../vault.ts'
import { findLiveGrant } from './token-queries.ts'

/** A consent of an account. */
export interface Consent {
  account_id: number
  grant_id: string
}

/** A consent with its integration and the person who gave it. */
interface PassOwner extends Consent {
  integration_id: string
  user_id: number
}

const passes = new WeakMap<Vault, Map<string, PassOwner>>()

const passesOf = ({ vault }: Pick<Context, 'vault'>): Map<string, PassOwner> => {
  const known = passes.get(vault) ?? new Map<string, PassOwner>()
  passes.set(vault, known)
  return known
}

/**
 * Does some work with a pass: a token that gives the rights of a consent while the work lasts. It is known only to this
 * process, is never stored, and belongs to no pair, so the tokens of the client stay as they are. Throws Refusal('conflict') if the
 * consent has ended.
 */
export async function withPass<T>(
  ctx: Context,
  consent: Consent,
  work: (token: string) => Promise<T>,
): Promise<T> {
  const [grant] = await findLiveGrant(ctx.db, consent)
  if (!grant)
    throw new Refusal('conflict', 'The consent of this request has ended.', { code: 'consent_ended' })
  const token = randomToken('pbp_')
  const known = passesOf(ctx)
  const { integration_id, user_id } = grant
  known.set(token, { ...consent, integration_id, user_id })
  try {
    return await work(token)
  } finally {
    known.delete(token)
  }
}

/** The owner of the pass in an `Authorization` header, for the log of a request that was refused before its token was read. */
export const ownerOfPass = (ctx: Context, authorization: string | undefined): PassOwner | undefined =>
  authorization === undefined ? undefined : passesOf(ctx).get(authorization.replace(/^bearer +/i, ''))

/** The member whose rights a pass gives; undefined if it is none, or its consent has ended. */
export async function memberOfPass(
  ctx: Context,
  token: string,
  asking: Pick<Actor, 'request_id' | 'address'>,
): Promise<Actor | undefined> {
  const consent = passesOf(ctx).get(token)
  const [row] = consent ? await findLiveGrant(ctx.db, consent) : []
  if (!row) return undefined
  const { integration_id: id, integration_number: number, grant_id, scopes } = row
  const integration = { id, number, grant_id, scopes: JSON.parse(scopes) }
  return actorOf(row as ActorRow, { integration, ...asking })
}
