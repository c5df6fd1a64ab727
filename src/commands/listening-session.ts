import { setTimeout as sleep } from 'node:timers/promises'
import type { HeardRequest, ListenSession } from '../listening/schemas.ts'
import { type Server, type ServerEvent, ServerRefusal, serverEvents } from '../outbound/server-client.ts'

/** The events of a listener: its session begins, a request comes, or the connection broke. */
export interface Heard {
  session?: ListenSession
  request?: HeardRequest
  broken?: unknown
}

const SHORTEST_MS = 200
const LONGEST_MS = 5_000
/** Refusals that can end by waiting; every other one is final. */
const PASSING = new Set([408, 429, 500, 502, 503, 504, 507])

/**
 * Listens until the signal aborts. When the line breaks, it connects again and continues after the last request that was
 * taken, so nothing is lost and nothing comes twice. Throws ServerRefusal if the server refuses for good.
 */
export async function* heard(server: Server, path: string, signal: AbortSignal): AsyncGenerator<Heard> {
  let position: string | null = null
  let pause_ms = SHORTEST_MS
  let isKnown = false
  while (!signal.aborted) {
    let broken: unknown
    try {
      for await (const event of serverEvents(server, path, position, signal)) {
        pause_ms = SHORTEST_MS
        const found = readEvent(event)
        const isRepeated = found.request && position !== null && found.request.id <= Number(position)
        if ((found.session && !isKnown) || (found.request && !isRepeated)) yield found
        isKnown ||= found.session !== undefined
        // Only now: what the reader has not dealt with comes again.
        position = event.id ?? position
      }
    } catch (error) {
      if (error instanceof ServerRefusal && !PASSING.has(error.status)) throw error
      broken = error
    }
    if (signal.aborted) return
    if (broken !== undefined && pause_ms > SHORTEST_MS) yield { broken }
    const asked = broken instanceof ServerRefusal ? (broken.retry_after ?? 0) * 1000 : 0
    await sleep(Math.max(asked, pause_ms * (0.5 + Math.random() / 2)), undefined, { signal }).catch(() => {})
    pause_ms = Math.min(pause_ms * 2, LONGEST_MS)
  }
}

function readEvent({ name, data }: ServerEvent): Heard {
  if (name === 'session') return { session: JSON.parse(data) }
  if (name === 'request') return { request: JSON.parse(data) }
  return {}
}
