import type { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import type { Actor } from '../accounts/accounts.ts'
import { Refusal } from '../errors.ts'
import type { Metrics } from '../http/metrics.ts'

/** Streams per caller and process. Each keeps its resources until it ends. */
const MOST = 20

/** Open-ended answers. They end with their client or with the server. */
export interface Streams {
  /**
   * Sends texts as they are produced, until the client closes the answer. Throws Refusal('too_many') above the limit,
   * which is per person (each of their tabs follows the log) and shared by the integrations of an account.
   */
  begin(
    caller: Pick<Actor, 'account_id' | 'user_id' | 'integration'>,
    answer: Pick<EventEmitter, 'once'>,
    texts: (signal: AbortSignal) => AsyncIterable<string>,
  ): Readable
  /** Ends all streams, so that the server can stop. */
  end(): void
}

/** `gauge` counts the open streams. */
export function createStreams(gauge: Pick<Metrics['streams'], 'inc' | 'dec'>, most = MOST): Streams {
  const open = new Map<string, Set<AbortController>>()
  return {
    begin({ account_id, user_id, integration }, answer, texts) {
      const owner = integration ? `account ${account_id}` : `person ${user_id} of ${account_id}`
      const own = open.get(owner) ?? new Set()
      if (own.size >= most)
        throw new Refusal('too_many', `You have ${most} streams open, which is the maximum.`, {
          retry_after: 5,
        })
      const stop = new AbortController()
      open.set(owner, own.add(stop))
      gauge.inc()
      answer.once('close', () => {
        stop.abort()
        gauge.dec()
        own.delete(stop)
        if (own.size === 0) open.delete(owner)
      })
      // Buffers one text at most. The next one is produced when the client takes it.
      return Readable.from(texts(stop.signal), { highWaterMark: 1 })
    },
    end() {
      for (const controllers of open.values()) for (const stop of controllers) stop.abort()
    },
  }
}
