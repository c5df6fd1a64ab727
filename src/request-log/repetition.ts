import type { Exchange, Message } from '../traffic.ts'
import type { Owner } from './owners.ts'
import { headerLines, headerOf, shownHeader, withoutTokens } from './redaction.ts'

/**
 * Requests to one operation are often like the one before: a client asks with one token for one address, and gets the same
 * answer. The text of such a request was already written and searched for secrets, so it is used again. The operations are
 * a fixed set, so few texts are kept. Long bodies are not kept.
 */

/** Longer bodies are not kept. */
const LONGEST_BODY = 4_096

const ofExchange = ['url', 'host', 'method', 'direction'] as const
const ofOwner = ['integration_id', 'user_id', 'grant_id', 'generation'] as const

type Same = Pick<Exchange, (typeof ofExchange)[number]> & Pick<Owner, (typeof ofOwner)[number]>

const heads = new Map<string, Same & { text: string }>()

/**
 * The text of what an exchange has in common with the one before it, which `write` makes if they differ. An address with a
 * secret is not kept.
 */
export function commonText(
  exchange: Exchange,
  owner: Owner,
  write: () => { text: string; hasSecret: boolean },
): string {
  const known = heads.get(exchange.operation)
  if (
    known &&
    ofExchange.every((name) => known[name] === exchange[name]) &&
    ofOwner.every((name) => known[name] === owner[name])
  )
    return known.text
  const { text, hasSecret } = write()
  const { url, host, method, direction } = exchange
  const { integration_id, user_id, grant_id, generation } = owner
  if (!hasSecret)
    heads.set(exchange.operation, {
      ...{ url, host, method, direction, integration_id, user_id, grant_id, generation, text },
    })
  return text
}

const sentHeaders = new Map<string, { shown: Map<string, string>; lines: string }>()

/** The headers of a request as lines, which are written again if one of them differs from the request before as it is shown. */
export function sentLines(operation: string, headers: Message['headers']): string {
  const known = sentHeaders.get(operation)
  if (known && areShownAs(headers, known.shown)) return known.lines
  const lines = withoutTokens(headerLines(headers))
  const shown = new Map(lines.split('\n').filter(Boolean).map(headerOf))
  sentHeaders.set(operation, { shown, lines })
  return lines
}

function areShownAs(headers: Message['headers'], shown: ReadonlyMap<string, string>): boolean {
  let count = 0
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    if (shownHeader(name, String(value)) !== shown.get(name)) return false
    count++
  }
  return count === shown.size
}

type Bodies = Map<string, string>
const bodies: Record<Side, Bodies> = { sent: new Map(), answered: new Map() }

export type Side = 'sent' | 'answered'

/**
 * A body without its secrets, which `search` finds if it differs from the last one of the operation. A body with a secret is not
 * kept.
 */
export function searchedBody(
  side: Side,
  operation: string,
  body: string,
  search: () => string | null,
): string | null {
  if (bodies[side].get(operation) === body) return body
  const kept = search()
  if (kept === body && body.length <= LONGEST_BODY) bodies[side].set(operation, body)
  return kept
}
