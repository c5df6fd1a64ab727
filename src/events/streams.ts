import { Readable, type Writable } from 'node:stream'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'

/** Streams of one kind per caller. Each keeps its resources until it ends. */
const MOST = 20

/** The longest time in milliseconds for which a page can read before its stream begins. */
const LONGEST_LOAD_MS = 60_000

/**
 * The milliseconds before now from which a stream begins. A page of the application has read its lists before it opens its
 * streams, and would miss the changes between the two: `page_age` says since when it reads. 0 for other clients.
 */
export function recentMs(query: unknown): number {
  const age = Number((query as { page_age?: unknown }).page_age ?? 0)
  return age > 0 ? Math.min(age, LONGEST_LOAD_MS) : 0
}

/** Open-ended answers. They end with their client or with the server. */
export interface Streams {
  /**
   * Sends texts as they are produced, until the client closes the answer. Throws Refusal('too_many') above the limit,
   * which is per person (each of their tabs follows the log) and shared by the integrations of an account, in all
   * processes together.
   */
  begin(
    caller: Pick<Actor, 'account_id' | 'user_id' | 'integration'>,
    answer: Pick<Writable, 'once' | 'destroyed'>,
    texts: (signal: AbortSignal) => AsyncIterable<string>,
  ): Promise<Readable>
  /** Ends all streams, so that the server can stop. */
  end(): void
}

/** `kind` names what is counted together. */
export function createStreams(ctx: Pick<Context, 'metrics' | 'places'>, kind: string, most = MOST): Streams {
  const open = new Set<AbortController>()
  return {
    async begin({ account_id, user_id, integration }, answer, texts) {
      const owner = integration ? `account ${account_id}` : `person ${user_id} of ${account_id}`
      const giveBack = await ctx.places.take(`${kind} of ${owner}`, most)
      if (!giveBack)
        throw new Refusal('too_many', `You have ${most} streams open, which is the maximum.`, {
          retry_after: 5,
        })
      const stop = new AbortController()
      const gauge = ctx.metrics.streams
      open.add(stop)
      gauge.inc()
      const close = () => {
        stop.abort()
        gauge.dec()
        open.delete(stop)
        giveBack()
      }
      // The client can leave while the place is taken.
      if (answer.destroyed) close()
      else answer.once('close', close)
      // Buffers one text at most. The next one is produced when the client takes it.
      return Readable.from(texts(stop.signal), { highWaterMark: 1 })
    },
    end() {
      for (const stop of open) stop.abort()
    },
  }
}
