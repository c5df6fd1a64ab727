import type { Context } from '../context.ts'
import { type Tried, tryOnce } from './attempt.ts'
import { Hand } from './hand.ts'
import { type ClaimedRow, claim, nextDue, park, returnLeases, selectDue } from './lease-queries.ts'
import type { Verdict } from './schedule.ts'
import { type DeliveryKind, LeaseLost, settle } from './settle.ts'
import { sweepDeliveries } from './sweep.ts'

/** Seconds that a delivery is one process's: twice what the last of an endpoint's share may have to wait. */
const LEASE = 60
/** Seconds that must be left of a lease when a try begins: its turn for a socket, the try itself, the commit. */
const ENOUGH = 25
/** Rows that are looked at to find what to claim. */
const PAGE = 256
/** How late another process's new deliveries may be noticed. */
const POLL_MS = 5000
const PAUSE_MS = 1000
const SWEEP_SECONDS = 3600

/** The loop that empties the queue; see deliveries.ts. */
export class DeliveryWorker {
  readonly #ctx: Context
  readonly #kinds: Record<string, DeliveryKind>
  readonly #hand = new Hand()
  readonly #stopping = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #unused: ClaimedRow[] = []
  #looking: Promise<unknown> = Promise.resolve()
  #loop: Promise<void> | undefined
  #changed = Promise.withResolvers<void>()
  #changes = 0
  #made = 0
  #sweep_at = 0

  constructor(ctx: Context, kinds: Record<string, DeliveryKind>) {
    this.#ctx = ctx
    this.#kinds = kinds
  }

  wake(): void {
    this.#changes++
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  async runDue(): Promise<number> {
    const before = this.#made
    for (;;) {
      const seen = this.#changes
      const changed = this.#changed.promise
      if ((await this.#look()) || seen !== this.#changes) continue
      if (this.#hand.size === 0) return this.#made - before
      await changed
    }
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await this.#loop
    await this.#looking
    await Promise.all(this.#underWay)
    const unused = this.#unused.splice(0)
    if (unused.length === 0) return
    await this.#ctx.db.transaction().execute((tx) => returnLeases(tx, unused, this.#ctx.now()))
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const seen = this.#changes
      const changed = this.#changed.promise
      const pause_ms = await this.#step()
      if (seen !== this.#changes || pause_ms === 0) continue
      const timer = setTimeout(() => this.wake(), pause_ms)
      await changed
      clearTimeout(timer)
    }
  }

  /** Claims what there is, and answers for how long nothing more can be done, in milliseconds. */
  async #step(): Promise<number> {
    try {
      if (this.#ctx.now() >= this.#sweep_at) this.#sweep()
      if (await this.#look()) return 0
      const due = await nextDue(this.#ctx.db)
      const wait_ms = due === null ? POLL_MS : due * 1000 - this.#ctx.clock()
      // Due and yet not to be had: its endpoint is full, or another process is just taking it.
      return wait_ms > 0 ? Math.min(wait_ms, POLL_MS) : PAUSE_MS
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'the queue of deliveries could not be read')
      return PAUSE_MS
    }
  }

  /** One look at a time, or two would choose the same rows. Answers whether something was claimed or parked. */
  #look(): Promise<boolean> {
    const look = this.#looking.then(() => this.#lookOnce())
    this.#looking = look.catch(() => {})
    return look
  }

  async #lookOnce(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false
    const { db } = this.#ctx
    const now = this.#ctx.now()
    const choice = this.#hand.choose(await selectDue(db, now, this.#hand.full(), PAGE))
    if (choice.claim.length + choice.park.length === 0) return false
    const { parked, claimed } = await db.transaction().execute(async (tx) => ({
      parked: choice.park.length > 0 ? await park(tx, choice.park, now) : 0,
      claimed: choice.claim.length > 0 ? await claim(tx, choice.claim, now, now + LEASE) : [],
    }))
    for (const row of claimed.sort((a, b) => a.id - b.id)) {
      this.#hand.add(row)
      this.#track(this.#carry(row).finally(() => this.#hand.remove(row) && this.wake()))
    }
    return parked + claimed.length > 0
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => this.#ctx.log.error({ err: error }, 'the queue of deliveries met a fault'))
      .finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  async #carry(row: ClaimedRow): Promise<void> {
    const tried = await this.#tryInTurn(row)
    if (tried) await this.#settle(row, tried)
  }

  /** Sends a leased delivery when its turn comes. null when it was not sent: stopping, or the lease is nearly over. */
  async #tryInTurn(row: ClaimedRow): Promise<Tried | null> {
    const giveBack = await this.#hand.turn(row, this.#stopping.signal).catch(() => null)
    if (!giveBack) {
      this.#unused.push(row)
      return null
    }
    let took_ms = 0
    try {
      // Waited too long: left alone, it is due again when the lease ends.
      if (row.leased_until - this.#ctx.now() < ENOUGH) return null
      const tried = await tryOnce(this.#ctx, row, this.#kinds[row.kind]?.timeout_ms)
      took_ms = tried.attempt.duration_ms
      this.#made++
      return tried
    } finally {
      giveBack(took_ms)
    }
  }

  /**
   * Twice, for a commit may fail by a deadlock; then as a fault, without the owner: its try counts, so that an
   * owner that always throws does not make us send for ever.
   */
  async #settle(row: ClaimedRow, tried: Tried): Promise<void> {
    const kind = this.#kinds[row.kind] ?? {}
    const fault: Tried = {
      attempt: { ...tried.attempt, error: 'fault' },
      outcome: { status: null, retry_after: null, error: 'fault' },
    }
    const ways: [Tried, DeliveryKind][] = [
      [tried, kind],
      [tried, kind],
      [fault, { tries: kind.tries }],
    ]
    for (const [result, owner] of ways) {
      try {
        this.#report(row, result, await settle(this.#ctx, row, result, owner))
        return
      } catch (error) {
        if (error instanceof LeaseLost) return this.#ctx.log.info({ delivery: row.id }, error.message)
        this.#ctx.log.error({ err: error, delivery: row.id, kind: row.kind }, 'a try could not be settled')
      }
    }
  }

  #report({ id, kind, account_id, request_id }: ClaimedRow, { attempt }: Tried, verdict: Verdict): void {
    const outcome = verdict.state === 'pending' ? 'retried' : verdict.state
    this.#ctx.metrics.deliveries.inc({ kind, outcome })
    const why = verdict.state === 'failed' ? verdict.why : undefined
    const what = { delivery: id, kind, account_id, request_id }
    const line = {
      ...what,
      attempt: attempt.attempt,
      status: attempt.status,
      error: attempt.error,
      outcome,
      why,
    }
    if (verdict.state === 'failed') this.#ctx.log.warn(line, 'a delivery has failed for good')
    else this.#ctx.log.debug(line, 'a delivery was tried')
  }

  #sweep(): void {
    this.#sweep_at = this.#ctx.now() + SWEEP_SECONDS
    this.#track(sweepDeliveries(this.#ctx.db, this.#ctx.now()).then(() => {}))
  }
}
