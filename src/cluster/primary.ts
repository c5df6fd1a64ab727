import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { PlaceCounts } from '../http/limits/places.ts'
import { createBuckets } from '../http/limits/rate-limit.ts'
import { type Channel, createChannel } from './channel.ts'
import { LockQueue } from './lock-queue.ts'
import { SLOT } from './member.ts'
import type { Figures, Message } from './messages.ts'
import { endsAtOnce, isStopSignal, STOP_SIGNALS } from './stop-signals.ts'
import { closeUnaccepted } from './unaccepted.ts'

/** Milliseconds before a process that has ended is started again: none at first, then more each time. */
const RESTART = { first: 100, longest: 30_000 }
/** A process that has lived this long was started well. */
const WELL_MS = 10_000
/** How long the processes may take to stop. They cut off open requests before. */
const STOP_MS = 20_000
/** How long a process may take to report its metrics; a busy one is left out. */
const METRICS_MS = 2_000

export interface PrimaryParts {
  workers: number
  /** The environment of the server processes. */
  env: NodeJS.ProcessEnv
  log: Logger
  /** An exit code after which no process may continue. */
  fatal: number
}

/** A server process, as the primary sees it. */
interface Process {
  slot: number
  worker: Worker
  channel: Channel
  /** The places that its requests have. */
  places: PlaceCounts
  since: number
}

/**
 * The primary process of a server with several. It starts them, starts one again that has ended, passes signals on, and
 * connects them: it distributes connections (node:cluster) and notices of commits, counts what is limited for all, and
 * grants the lock for writing. It has no database and answers no requests.
 *
 * Process 0 is the leader, which also runs the queues and the upkeep. A new leader takes over what the old one had leased.
 */
export class Primary {
  readonly #parts: PrimaryParts
  readonly #processes = new Map<number, Process>()
  readonly #buckets = createBuckets(() => performance.now())
  readonly #places = new PlaceCounts()
  readonly #lock = new LockQueue()
  readonly #failures = new Map<number, number>()
  readonly #restarts = new Map<number, NodeJS.Timeout>()
  readonly #ended = Promise.withResolvers<number>()
  #ready = new Map<number, (address: string) => void>()
  #isStarted = false
  #isStopping = false
  #code = 0

  constructor(parts: PrimaryParts) {
    this.#parts = parts
    for (const signal of STOP_SIGNALS) process.on(signal, this.#onSignal)
  }

  /** Resolves with the exit code when all processes have ended. */
  get ended(): Promise<number> {
    return this.#ended.promise
  }

  /**
   * Starts the processes, and resolves with the address on which they listen. The first one starts alone: if it cannot,
   * it says why, and `ended` resolves.
   */
  async start(): Promise<string> {
    const address = await this.#fork(0)
    const others = Array.from({ length: this.#parts.workers - 1 }, (_, i) => this.#fork(i + 1))
    await Promise.all(others)
    this.#isStarted = true
    return address
  }

  #fork(slot: number): Promise<string> {
    const ready = Promise.withResolvers<string>()
    if (this.#isStopping) return ready.promise
    const worker = cluster.fork({ ...this.#parts.env, [SLOT]: String(slot) })
    closeUnaccepted(worker.process)
    const channel = createChannel((messages) => worker.isConnected() && worker.send(messages, () => {}))
    const started = { slot, worker, channel, places: new PlaceCounts(), since: performance.now() }
    this.#processes.set(slot, started)
    this.#ready.set(slot, ready.resolve)
    this.#serve(started)
    worker.on('message', (messages: Message[]) => channel.receive(messages))
    worker.on('exit', (code, signal) => this.#onExit(started, code, signal))
    // A message that was under way to a process that has ended.
    worker.on('error', (error) => this.#parts.log.debug({ err: error, process: slot }, 'no connection'))
    return ready.promise
  }

  /** Answers and passes on what a process says. */
  #serve(from: Process): void {
    const { channel, slot, places } = from
    channel.on({
      ready: ({ address }) => this.#ready.get(slot)?.(address),
      commit: (message) => {
        for (const other of this.#processes.values()) if (other !== from) other.channel.send(message)
      },
      ring: (message) => this.#processes.get(0)?.channel.send(message),
      give_back: ({ budgets }) => this.#buckets.giveBack(budgets),
      leave: ({ key }) => {
        places.giveBack(key)
        this.#places.giveBack(key)
      },
      want: () => this.#lock.want(channel),
      free: ({ newest_ulid }) => this.#lock.free(channel, newest_ulid),
    })
    channel.handle({
      take: (budgets) => this.#buckets.take(budgets),
      enter: ([key, most]) => {
        const isFree = this.#places.take(key, most)
        if (isFree) places.take(key, most)
        return isFree
      },
      metrics: () => this.#readMetrics(),
    })
  }

  async #readMetrics(): Promise<Figures[]> {
    const reports = [...this.#processes.values()].map(({ channel }) => {
      const none = sleep(METRICS_MS, undefined, { ref: false })
      return Promise.race([channel.call('figures', null), none]).catch(() => undefined)
    })
    return (await Promise.all(reports)).filter((figures) => figures !== undefined)
  }

  #onExit(ended: Process, code: number | null, signal: string | null): void {
    const { slot, channel, places } = ended
    channel.end()
    this.#lock.leave(channel)
    for (const key of places.keys()) this.#places.giveBack(key)
    this.#processes.delete(slot)
    if (code === this.#parts.fatal || !this.#isStarted) this.#endAll(code ?? 1)
    if (this.#isStopping) {
      if (code !== 0 && !isStopSignal(signal)) this.#code ||= code ?? 1
      if (this.#processes.size === 0) this.#ended.resolve(this.#code)
      return
    }
    const hasLived = performance.now() - ended.since >= WELL_MS
    const failures = hasLived ? 0 : (this.#failures.get(slot) ?? 0)
    this.#failures.set(slot, failures + 1)
    const wait_ms = failures === 0 ? 0 : Math.min(RESTART.first * 2 ** (failures - 1), RESTART.longest)
    this.#parts.log.error(
      { process: slot, code, signal, wait_ms },
      'a server process ended, and is started again',
    )
    this.#restarts.set(
      slot,
      setTimeout(() => void this.#fork(slot), wait_ms),
    )
  }

  readonly #onSignal = (signal: string): void => {
    if (this.#isStopping) {
      if (endsAtOnce(signal)) this.#endAll(1)
      return
    }
    this.#stop()
    for (const { channel } of this.#processes.values()) channel.send({ is: 'stop', signal })
    if (this.#processes.size === 0) this.#ended.resolve(0)
    setTimeout(() => this.#endAll(1), STOP_MS).unref()
  }

  #stop(): void {
    this.#isStopping = true
    for (const timer of this.#restarts.values()) clearTimeout(timer)
  }

  /** Ends all processes at once. */
  #endAll(code: number): void {
    this.#stop()
    this.#code ||= code
    for (const { worker } of this.#processes.values()) worker.process.kill('SIGKILL')
    if (this.#processes.size === 0) this.#ended.resolve(this.#code)
  }
}
