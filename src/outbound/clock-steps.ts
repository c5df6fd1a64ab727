import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { hastenCircuits } from './circuit-queries.ts'
import { hastenDeliveries } from './lease-queries.ts'

/** Clocks are corrected by less all the time. */
const TOLERANCE_MS = 1_000

/** Tells when the clock was put back: it has then gone on by less than the time that passed. */
export class ClockSteps {
  readonly #ctx: Pick<Context, 'clock' | 'monotonic'>
  /** Milliseconds of the clock ahead of those that passed, when it was last right. */
  #ahead: number | undefined

  constructor(ctx: Pick<Context, 'clock' | 'monotonic'>) {
    this.#ctx = ctx
  }

  /** Whether the clock was put back since this was last asked. True at first: nobody watched it before. */
  wentBack(): boolean {
    const ahead = this.#ctx.clock() - this.#ctx.monotonic()
    const before = this.#ahead
    const isBack = before === undefined || ahead < before - TOLERANCE_MS
    if (isBack || ahead > before) this.#ahead = ahead
    return isBack
  }
}

/**
 * Has everything looked at that is due later than its plan allows, because its time was stored while the clock was ahead.
 * What waits for a retry is due at once. A lease keeps its name, for its process may be at work, and ends as one does that
 * begins now.
 */
export async function hasten(tx: Tx, now: number): Promise<void> {
  await hastenCircuits(tx, now)
  await hastenDeliveries(tx, now)
}
