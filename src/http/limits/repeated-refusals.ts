import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long an answer is repeated, in milliseconds. An answer may contain the time. */
const KEPT_MS = 1_000
/** Stored answers. Requests to further hosts are not repeated. */
const MOST = 1_000
/** Headers that an answer depends on besides its surface, including those of a trusted proxy. */
const TOLD_BY = ['host', 'x-forwarded-host', 'x-forwarded-proto'] as const
/** Methods whose answers have no body or different rules. */
const ALONE = new Set(['HEAD', 'OPTIONS'])

interface Answer {
  status: number
  /** Alternating names and values, as Node accepts them, without headers of a single request. */
  headers: string[]
  body: string
}

/**
 * Repeats a server's refusals. Under overload, the time for a refusal is missing for the requests that are served. So
 * the first refusal is rendered by its surface, and equal ones get the same bytes without the framework.
 */
export class RepeatedRefusals {
  readonly #alikeBelow: readonly string[]
  readonly #kept = new Map<string, Answer>()
  #since = Number.NEGATIVE_INFINITY

  /** Below each of these addresses, refusals with one reason are equal. */
  constructor(alikeBelow: readonly string[]) {
    this.#alikeBelow = alikeBelow
  }

  /** Repeats an answer of the last second to an equal request; false if there is none. */
  repeat(request: IncomingMessage, response: ServerResponse, reason: string): boolean {
    if (performance.now() - this.#since > KEPT_MS) {
      this.#kept.clear()
      return false
    }
    const answer = this.#kept.get(this.#keyOf(request, reason))
    if (!answer) return false
    response.writeHead(answer.status, [...answer.headers, 'x-request-id', randomUUID()]).end(answer.body)
    return true
  }

  /** Stores an answer for equal requests. */
  keep(
    request: IncomingMessage,
    reason: string,
    headers: Record<string, unknown>,
    answer: Omit<Answer, 'headers'>,
  ): void {
    const key = this.#keyOf(request, reason)
    if (key === '' || this.#kept.size >= MOST) return
    if (this.#kept.size === 0) this.#since = performance.now()
    const { 'x-request-id': _, ...shared } = headers
    this.#kept.set(key, {
      ...answer,
      headers: Object.entries(shared).flatMap(([name, value]) => [name, String(value)]),
    })
  }

  /** Requests with one key get equal answers; '' if the answer can differ. */
  #keyOf({ url = '', method = '', headers }: IncomingMessage, reason: string): string {
    const below = this.#alikeBelow.find((prefix) => url.startsWith(prefix))
    if (below === undefined || ALONE.has(method)) return ''
    let key = `${reason} ${below}`
    for (const name of TOLD_BY) key += `\n${headers[name] ?? ''}`
    return key
  }
}
