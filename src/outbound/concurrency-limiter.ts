/**
 * Places for things that may go on at once: few per endpoint, more in all, and only a part of them for slow
 * endpoints, so that however many receivers hang, the others find a place. Endpoints take turns.
 */
export interface ConcurrencyLimits {
  each: number
  all: number
  /** How many of `all` the slow endpoints share. */
  slow: number
}

/** Gives a place back. `took_ms` counts towards what is slow; null when nothing was done with the place. */
export type GiveBack = (took_ms: number | null) => void

interface Waiting {
  granted: (giveBack: GiveBack) => void
}

interface Endpoint {
  taken: number
  waiting: Set<Waiting>
}

const SLOW_MS = 2000
/** An endpoint is quick while all of its last 20 took no longer. */
const QUICK_MS = 200
/** An endpoint is slow while of its last 20 more than one in twenty took longer than 2 s: by their 95th percentile. */
const COUNTED = 20
/** Endpoints that are remembered while nothing goes to them. */
const REMEMBERED = 1000

/** What an endpoint has been like. */
interface Past {
  /** The last ones first, a bit each: 1 when it was slow. */
  bits: number
  count: number
  isSlow: boolean
  /** How many in a row were quick, up to those that are counted. */
  quick: number
}

export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits
  /** Those with something taken or waiting, in the order of their turns. */
  readonly #endpoints = new Map<string, Endpoint>()
  /** In the order of their last use. */
  readonly #past = new Map<string, Past>()
  #taken = 0
  #takenBySlow = 0

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits
  }

  isSlow(endpoint: string): boolean {
    return this.#past.get(endpoint)?.isSlow ?? false
  }

  isQuick(endpoint: string): boolean {
    return this.#past.get(endpoint)?.quick === COUNTED
  }

  /** Waits for a place. Rejects with the signal's reason when that comes first. */
  take(endpoint: string, signal: AbortSignal): Promise<GiveBack> {
    if (signal.aborted) return Promise.reject(signal.reason)
    const { promise, resolve, reject } = Promise.withResolvers<GiveBack>()
    const entry = this.#endpoints.get(endpoint) ?? { taken: 0, waiting: new Set() }
    this.#endpoints.set(endpoint, entry)
    const leave = () => {
      entry.waiting.delete(waiting)
      this.#forget(endpoint, entry)
      reject(signal.reason)
    }
    const waiting: Waiting = {
      granted: (giveBack) => {
        signal.removeEventListener('abort', leave)
        resolve(giveBack)
      },
    }
    signal.addEventListener('abort', leave, { once: true })
    entry.waiting.add(waiting)
    this.#grant()
    return promise
  }

  /** Goes round the endpoints, one place each, until nobody who waits may have one. */
  #grant(): void {
    for (let granted = true; granted; ) {
      granted = false
      for (const [name, entry] of [...this.#endpoints]) {
        if (!this.#hasPlace(name, entry)) continue
        this.#endpoints.delete(name)
        this.#endpoints.set(name, entry)
        this.#give(name, entry)
        granted = true
      }
    }
  }

  #hasPlace(name: string, { taken, waiting }: Endpoint): boolean {
    if (waiting.size === 0 || taken >= this.#limits.each || this.#taken >= this.#limits.all) return false
    return !this.isSlow(name) || this.#takenBySlow < this.#limits.slow
  }

  #give(name: string, entry: Endpoint): void {
    const [next] = entry.waiting
    if (!next) return
    entry.waiting.delete(next)
    const asSlow = this.isSlow(name) ? 1 : 0
    entry.taken++
    this.#taken++
    this.#takenBySlow += asSlow
    next.granted((took_ms) => {
      entry.taken--
      this.#taken--
      this.#takenBySlow -= asSlow
      if (took_ms !== null) this.#remember(name, took_ms)
      this.#forget(name, entry)
      this.#grant()
    })
  }

  #remember(name: string, took_ms: number): void {
    const before = this.#past.get(name) ?? { bits: 0, count: 0, quick: 0 }
    const bits = ((before.bits << 1) | (took_ms > SLOW_MS ? 1 : 0)) & ((1 << COUNTED) - 1)
    const quick = took_ms > QUICK_MS ? 0 : Math.min(before.quick + 1, COUNTED)
    const count = Math.min(before.count + 1, COUNTED)
    this.#past.delete(name)
    this.#past.set(name, { bits, count, quick, isSlow: ones(bits) > count * 0.05 })
    const [oldest] = this.#past.keys()
    if (oldest !== undefined && this.#past.size > REMEMBERED) this.#past.delete(oldest)
  }

  #forget(name: string, { taken, waiting }: Endpoint): void {
    if (taken === 0 && waiting.size === 0) this.#endpoints.delete(name)
  }
}

function ones(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
