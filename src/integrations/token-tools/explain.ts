import type { Context } from '../../context.ts'
import { nameIn } from '../registry/handles.ts'
import { HISTORY_SECONDS } from '../registry/lifetimes.ts'
import { clientNames } from '../registry/queries.ts'
import { readAccessToken } from '../tokens/access-tokens.ts'
import { consentSentence, endSentence, timeOf, tokenNouns } from '../tokens/token-sentences.ts'
import { type FoundToken, tokenState } from '../tokens/token-states.ts'
import { elsewhereOf, type KnownUse, pairHistory } from './pairs.ts'
import { type Names, namesOf, shownEnd } from './people.ts'
import type { Explanation } from './schemas.ts'

/** The account that asks, and the address from which it does. */
export interface Asking {
  account_id: number
  address: string
}

/**
 * The state and the end of a token or a code. Only its hash is looked up, and the text goes nowhere else. One that the
 * account does not have is unknown, whether another account has it or nobody, and counts as a guess (Q17).
 */
export async function explainToken(ctx: Context, asking: Asking, pasted: string): Promise<Explanation> {
  const text = pasted.trim().replace(/^bearer\s+/i, '')
  const found = await tokenState(ctx.db, text, ctx.now())
  if (found?.account_id === asking.account_id) return known(ctx, asking.account_id, found)
  await ctx.limits.take('stranger', asking.address)
  const unknown = unknownOf(ctx, asking.account_id, text)
  return { ...NOTHING, unknown: unknown.reason, sentence: unknown.sentence }
}

const NOTHING: Omit<Explanation, 'sentence'> = {
  kind: null,
  is_long_lived: false,
  state: 'unknown',
  unknown: null,
  end: null,
  consent_end: null,
  grant_id: null,
  generation: null,
  integration: null,
  issued_at: null,
  issued_request_id: null,
  expires_at: null,
  last_use: null,
  elsewhere: null,
  waiting_pair: null,
}

async function known(ctx: Context, account_id: number, found: FoundToken): Promise<Explanation> {
  const { kind, state, end, grant_id, generation, integration_id, pair, code } = found
  const [names, [client]] = await Promise.all([
    namesOf(ctx.db, [end, found.family]),
    clientNames(ctx.db, [integration_id]),
  ])
  const isAccess = kind === 'access_token'
  const expires_at = code ? code.expires_at : isAccess ? pair.access_expires_at : pair.refresh_expires_at
  const hasChild = kind === 'refresh_token' && pair && pair.child_issued_at !== null && pair.is_child_pending
  const facts = {
    last_use: pair && isAccess ? lastUseOf(ctx, found) : null,
    elsewhere: elsewhereOf(pair ?? code),
    waiting_pair: hasChild ? { at: pair.child_issued_at as number, request_id: pair.child_request_id } : null,
  }
  return {
    sentence: sentenceOf(found, { ...facts, expires_at, names }),
    kind,
    is_long_lived: !!pair && pair.long_lived !== null,
    state,
    unknown: null,
    end: shownEnd(end, names),
    consent_end: shownEnd(laterEnd(found), names),
    grant_id,
    generation,
    integration: client ? { id: nameIn(ctx, account_id, client), name: client.name } : null,
    issued_at: (pair ?? code).issued_at,
    issued_request_id: (pair ?? code).issued_request_id,
    expires_at,
    ...facts,
  }
}

function lastUseOf(ctx: Context, { pair }: FoundToken): KnownUse | null {
  return pair && pairHistory(ctx, pair.id, pair, { family: null }).last_use
}

interface Facts extends Pick<Explanation, 'last_use' | 'elsewhere' | 'waiting_pair' | 'expires_at'> {
  names: Names
}

const byRequest = (request_id: string | null): string => (request_id ? ` by request ${request_id}` : '')

/** The end of the whole consent, if the token had ended before for another reason. */
const laterEnd = ({ end, family }: FoundToken) => (family?.reason === end?.reason ? null : family)

function sentenceOf(found: FoundToken, facts: Facts): string {
  const { kind, end } = found
  const { last_use, elsewhere, waiting_pair, expires_at, names } = facts
  const later = laterEnd(found)
  const main = end
    ? endSentence(kind, end, names.get(end.by ?? 0) ?? null) +
      (later ? ` ${consentSentence(later, names.get(later.by ?? 0) ?? null)}` : '')
    : `The ${tokenNouns[kind]} is valid until ${timeOf(expires_at ?? 0)}${validity(kind, { last_use, waiting_pair })}.`
  if (!elsewhere) return main
  const { at, host, request_id } = elsewhere
  return `${main} It was refused at ${timeOf(at)} by request ${request_id}, because ${host} is the address of another account.`
}

function validity(
  kind: FoundToken['kind'],
  { last_use, waiting_pair }: Pick<Facts, 'last_use' | 'waiting_pair'>,
): string {
  if (waiting_pair)
    return `: a new pair was issued at ${timeOf(waiting_pair.at)}${byRequest(waiting_pair.request_id)} and has not been used, so a repeated refresh returns it again`
  if (kind === 'code') return ' and has not been exchanged'
  if (kind === 'refresh_token') return ' and has not been exchanged for a new pair'
  return last_use
    ? ` and was last used at ${timeOf(last_use.at)}${byRequest(last_use.request_id)}`
    : ' and has not been used'
}

/** A refresh token or a code: a prefix, and 32 bytes in base64url. */
const SHORT = /^(pb[rc])_/
const SHORT_LENGTH = 47
const shortNouns: Record<string, string> = { pbr: 'refresh token', pbc: 'authorization code' }
const OTHER = /^pb[a-z]_/
const DAYS = HISTORY_SECONDS / 86_400

/** Why the account has no such token, by its form only. */
function unknownOf(
  ctx: Context,
  account_id: number,
  text: string,
): { reason: NonNullable<Explanation['unknown']>; sentence: string } {
  const [, prefix = ''] = SHORT.exec(text) ?? []
  if (prefix && text.length !== SHORT_LENGTH)
    return {
      reason: 'malformed',
      sentence: `This ${shortNouns[prefix]} has ${text.length} characters instead of ${SHORT_LENGTH}: it was cut or changed.`,
    }
  if (!prefix && OTHER.test(text))
    return {
      reason: 'other_kind',
      sentence: 'This is a secret of another kind, not a token of an integration.',
    }
  const claims = readAccessToken(ctx, text)
  if (claims?.account_id === account_id) return formerAccessToken(ctx.now(), claims)
  return {
    reason: 'not_issued',
    sentence: `This server did not issue this token in this account, or it ended more than ${DAYS} days ago and was deleted.`,
  }
}

/** A token with a valid signature that has no row. */
function formerAccessToken(now: number, { iat, exp }: { iat: number; exp: number }) {
  const span = `This access token was issued at ${timeOf(iat)} and was valid until ${timeOf(exp)}.`
  return exp + HISTORY_SECONDS < now
    ? {
        reason: 'deleted' as const,
        sentence: `${span} What became of it was deleted ${DAYS} days after that.`,
      }
    : {
        reason: 'renewed' as const,
        sentence: `${span} It was not used before it expired, and a repeated refresh replaced it.`,
      }
}
