import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Milliseconds for which an answer is repeated: a surface may tell the time in it. */
const KEPT_MS = 1_000
/** Answers that are kept; what is asked under more names than that is not repeated. */
const MOST = 1_000
/** What an answer is rendered from besides its surface, behind a proxy that is trusted as well. */
const TOLD_BY = ['host', 'x-forwarded-host', 'x-forwarded-proto'] as const
/** These are answered without a body, or by other rules. */
const ALONE = new Set(['HEAD', 'OPTIONS'])

interface Answer {
  status: number
  /** Names and values in turn, as Node takes them; without those that a request has for itself. */
  headers: string[]
  body: string
}

/**
 * Answers to a server's refusals, kept to be repeated. Where requests are refused because there are too many, what a
 * refusal costs is taken from those that are served. So the first one is rendered as its surface does, and those that
 * read alike are given the same bytes, without the framework.
 */
export class RepeatedRefusals {
  readonly #alikeBelow: readonly string[]
  readonly #kept = new Map<string, Answer>()
  #since = Number.NEGATIVE_INFINITY

  /** Refusals of one reason read alike below each of these addresses. */
  constructor(alikeBelow: readonly string[]) {
    this.#alikeBelow = alikeBelow
  }

  /** Answers as a request like this one was answered within the last second; false when none was. */
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

  /** Keeps an answer for requests like this one. */
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

  /** What has the same key reads alike; empty for what may read otherwise. */
  #keyOf({ url = '', method = '', headers }: IncomingMessage, reason: string): string {
    const below = this.#alikeBelow.find((prefix) => url.startsWith(prefix))
    if (below === undefined || ALONE.has(method)) return ''
    let key = `${reason} ${below}`
    for (const name of TOLD_BY) key += `\n${headers[name] ?? ''}`
    return key
  }
}
