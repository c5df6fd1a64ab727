import type { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import type { Actor } from '../accounts/accounts.ts'
import { Refusal } from '../errors.ts'
import type { Metrics } from '../http/metrics.ts'

/** How many tails and exports of one caller a process serves at once: each is a reader that does not go away. */
const MOST = 20

/** The answers that go on: they end with their caller, and with the server. */
export interface Streams {
  /**
   * Texts as they are made, until the caller's answer is closed. Throws Refusal('too_many') when he has as many as he may:
   * each person for himself, whose every tab follows the log, and the integrations of an account together.
   */
  begin(
    caller: Pick<Actor, 'account_id' | 'user_id' | 'integration'>,
    answer: Pick<EventEmitter, 'once'>,
    texts: (signal: AbortSignal) => AsyncIterable<string>,
  ): Readable
  /** Ends all of them: a server that stops waits for no tail. */
  end(): void
}

/** `gauge` counts those that are open, in the figures of the program. */
export function createStreams(gauge: Pick<Metrics['streams'], 'inc' | 'dec'>, most = MOST): Streams {
  const open = new Map<string, Set<AbortController>>()
  return {
    begin({ account_id, user_id, integration }, answer, texts) {
      const owner = integration ? `account ${account_id}` : `person ${user_id} of ${account_id}`
      const own = open.get(owner) ?? new Set()
      if (own.size >= most)
        throw new Refusal('too_many', `You have ${most} streams open, which is the most.`, {
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
      // One text waits at most: the next is made when it is taken.
      return Readable.from(texts(stop.signal), { highWaterMark: 1 })
    },
    end() {
      for (const controllers of open.values()) for (const stop of controllers) stop.abort()
    },
  }
}
