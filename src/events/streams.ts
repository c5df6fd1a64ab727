import type { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { Refusal } from '../errors.ts'

/** How many tails and exports of one account a process serves at once: each is a reader that does not go away. */
const MOST_OF_ACCOUNT = 20

/** The answers that go on: they end with their caller, and with the server. */
export interface Streams {
  /**
   * Texts as they are made, until the caller's answer is closed. Throws Refusal('too_many') when the account has as many
   * as it may.
   */
  begin(
    account_id: number,
    answer: Pick<EventEmitter, 'once'>,
    texts: (signal: AbortSignal) => AsyncIterable<string>,
  ): Readable
  /** Ends all of them: a server that stops waits for no tail. */
  end(): void
}

export function createStreams(most = MOST_OF_ACCOUNT): Streams {
  const open = new Map<number, Set<AbortController>>()
  return {
    begin(account_id, answer, texts) {
      const own = open.get(account_id) ?? new Set()
      if (own.size >= most)
        throw new Refusal('too_many', `An account has ${most} open streams at most.`, {
          retry_after: 5,
        })
      const stop = new AbortController()
      open.set(account_id, own.add(stop))
      answer.once('close', () => {
        stop.abort()
        own.delete(stop)
        if (own.size === 0) open.delete(account_id)
      })
      // One text waits at most: the next is made when it is taken.
      return Readable.from(texts(stop.signal), { highWaterMark: 1 })
    },
    end() {
      for (const controllers of open.values()) for (const stop of controllers) stop.abort()
    },
  }
}
