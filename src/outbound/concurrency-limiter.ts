export interface ConcurrencyLimits {
  /** Tasks of one endpoint at the same time. */
  each: number
  all: number
  /** The part of `all` that slow endpoints share. */
  slow: number
}

/** Ends a task. `took_ms` counts in the endpoint's history; null when the task sent nothing. */
export type Release = (took_ms: number | null) => void

interface Endpoint {
  running: number
  waiting: Set<(release: Release) => void>
}

const SLOW_MS = 2000
const FAST_MS = 200
/** Durations that are kept for each endpoint, and the number of endpoints. */
const HISTORY = 20
const REMEMBERED = 1000

/**
 * Limits the tasks that run at the same time: few per endpoint, more in total, and only a part of the total for slow
 * endpoints, so that many unresponsive endpoints do not block the others. Endpoints take turns.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits
  /** Endpoints with running or waiting tasks, in the order of their turns. */
  readonly #endpoints = new Map<string, Endpoint>()
  /** The last durations of each endpoint; the least recently used endpoint first. */
  readonly #history = new Map<string, number[]>()
  #running = 0
  #runningSlow = 0

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits
  }

  /** Whether the 95th percentile of the endpoint's last durations is over 2 s. */
  isSlow(endpoint: string): boolean {
    const durations = this.#history.get(endpoint) ?? []
    return durations.filter((ms) => ms > SLOW_MS).length > durations.length * 0.05
  }

  /** Whether all of the endpoint's last durations were short. */
  isFast(endpoint: string): boolean {
    const durations = this.#history.get(endpoint) ?? []
    return durations.length === HISTORY && durations.every((ms) => ms <= FAST_MS)
  }

  /** Waits until a task of the endpoint can run. Rejects with the signal's reason when it aborts before that. */
  acquire(endpoint: string, signal: AbortSignal): Promise<Release> {
    if (signal.aborted) return Promise.reject(signal.reason)
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const entry = this.#endpoints.get(endpoint) ?? { running: 0, waiting: new Set() }
    this.#endpoints.set(endpoint, entry)
    const cancel = () => {
      entry.waiting.delete(start)
      this.#removeIdle(endpoint, entry)
      reject(signal.reason)
    }
    const start = (release: Release) => {
      signal.removeEventListener('abort', cancel)
      resolve(release)
    }
    signal.addEventListener('abort', cancel, { once: true })
    entry.waiting.add(start)
    this.#startWaiting()
    return promise
  }

  /** Starts one task of each endpoint in turn, until no waiting task can run. */
  #startWaiting(): void {
    for (let started = true; started; ) {
      started = false
      for (const [name, entry] of [...this.#endpoints]) {
        if (!this.#canStart(name, entry)) continue
        this.#endpoints.delete(name)
        this.#endpoints.set(name, entry)
        this.#startNext(name, entry)
        started = true
      }
    }
  }

  #canStart(name: string, { running, waiting }: Endpoint): boolean {
    if (waiting.size === 0 || running >= this.#limits.each || this.#running >= this.#limits.all) return false
    return !this.isSlow(name) || this.#runningSlow < this.#limits.slow
  }

  #startNext(name: string, entry: Endpoint): void {
    const [start] = entry.waiting
    if (!start) return
    entry.waiting.delete(start)
    const slow = this.isSlow(name) ? 1 : 0
    entry.running++
    this.#running++
    this.#runningSlow += slow
    start((took_ms) => {
      entry.running--
      this.#running--
      this.#runningSlow -= slow
      if (took_ms !== null) this.#remember(name, took_ms)
      this.#removeIdle(name, entry)
      this.#startWaiting()
    })
  }

  #remember(name: string, took_ms: number): void {
    const durations = [took_ms, ...(this.#history.get(name) ?? [])].slice(0, HISTORY)
    this.#history.delete(name)
    this.#history.set(name, durations)
    const [oldest] = this.#history.keys()
    if (oldest !== undefined && this.#history.size > REMEMBERED) this.#history.delete(oldest)
  }

  #removeIdle(name: string, { running, waiting }: Endpoint): void {
    if (running === 0 && waiting.size === 0) this.#endpoints.delete(name)
  }
}
