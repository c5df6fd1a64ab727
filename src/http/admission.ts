import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'

/** A database that is busy is looked at again after as long. */
const DATABASE_BUSY_MS = 1

/** Times are milliseconds. */
export interface AdmissionLimits {
  /** A request that has waited as long is refused. */
  max_wait: number
  /** As many may wait longer: they are no overload, but a few slow requests. */
  few: number
  /** Requests that wait; more are refused as they come. */
  max_waiting: number
  /** Work on requests in one turn of the event loop; what goes beyond waits for the next turn. */
  turn: number
  /** Requests begun in one turn at most. */
  batch: number
  /** Turns that are left to new connections while requests wait: one after the other, and for each turn with requests. */
  accepting: { most: number; for_each: number }
}

export const ADMISSION: AdmissionLimits = {
  max_wait: 500,
  few: 8,
  max_waiting: 5_000,
  turn: 10,
  batch: 16,
  accepting: { most: 2_048, for_each: 16 },
}

export interface AdmissionParts {
  serve: RequestListener
  /** Answers without doing what is asked for. */
  refuse: RequestListener
  /** Whom the request is from: the flows take turns. */
  flowOf: (request: IncomingMessage) => string
  /** Whether the database can take another request at once. */
  isFree: () => boolean
  limits?: AdmissionLimits
}

/**
 * Decides when a request is begun, or that it is refused. A server that begins all that has arrived finishes none of it
 * in time. It does not accept new connections either: libuv accepts one in each turn of the event loop, so turns have to
 * be short, and where a connection has come in, the next turns are left to those behind it.
 *
 * A request that finds no other waiting is begun at once. Otherwise it waits. The flows have queues of their own and
 * take turns (fair queueing), so that one busy caller does not shut out the others. The wait is bounded: a refusal
 * within a second can be acted on, and a request whose caller has gone away is not served.
 */
export class Admission {
  readonly #parts: AdmissionParts
  readonly #limits: AdmissionLimits
  /** Those that have requests waiting, the one whose turn it is first. */
  #rotation: Flow[] = []
  readonly #flows = new Map<string, Flow>()
  /** All that wait, in the order of their arrival; some of them are gone already. */
  #arrivals: Waiting[] = []
  #waiting = 0
  #refused = 0
  #isScheduled = false
  /** The turn of the event loop that requests were last begun in, and when that began. */
  #turn = -1
  #turnBegan = 0
  /** The turn in which a connection was last accepted. */
  #acceptedIn = -2
  /** Turns that may still be left to new connections. */
  #credit: number
  /** Up to when requests may be begun in this turn. */
  #until = 0

  constructor(parts: AdmissionParts) {
    this.#parts = parts
    this.#limits = parts.limits ?? ADMISSION
    this.#credit = this.#limits.accepting.most
  }

  /** Requests that wait now. */
  get waiting(): number {
    return this.#waiting
  }

  /** Requests that were refused since the start. */
  get refused(): number {
    return this.#refused
  }

  /** Takes a request whose head has been read. */
  readonly take: RequestListener = (request, response) => {
    if (isProbe(request)) return this.#parts.serve(request, response)
    const turn = turnOfLoop()
    if (this.#waiting === 0 && this.#hasTime(turn) && !this.#isAccepting(turn) && this.#parts.isFree())
      return this.#parts.serve(request, response)
    if (this.#waiting >= this.#limits.max_waiting) return this.#refuse(request, response)
    this.#queue(request, response)
    this.#schedule()
  }

  /** To be told of each new connection: where there was one, there may be more, and they are accepted first. */
  readonly accepted = (): void => {
    this.#acceptedIn = turnOfLoop()
  }

  #hasTime(turn: number): boolean {
    const now = performance.now()
    if (turn !== this.#turn) {
      this.#turn = turn
      this.#turnBegan = now
    }
    return now - this.#turnBegan < this.#limits.turn
  }

  /** Whether connections are coming in: a turn may read a request before it accepts one. */
  #isAccepting(turn: number): boolean {
    return turn - this.#acceptedIn <= 1
  }

  #queue(request: IncomingMessage, response: ServerResponse): void {
    const key = this.#parts.flowOf(request)
    let flow = this.#flows.get(key)
    if (!flow) {
      flow = { key, queue: [] }
      this.#flows.set(key, flow)
      this.#rotation.push(flow)
    }
    const waiting = { request, response, flow, since: performance.now(), isGone: false }
    flow.queue.push(waiting)
    this.#arrivals.push(waiting)
    this.#waiting++
  }

  /** Several callbacks for one turn, a request in each: so what a request does up to its first wait is counted. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    if (!this.#parts.isFree()) {
      setTimeout(this.#run, DATABASE_BUSY_MS)
      return
    }
    setImmediate(this.#run)
    for (let i = Math.min(this.#limits.batch, this.#waiting); i > 1; i--) setImmediate(this.#beginOne)
  }

  readonly #run = (): void => {
    this.#isScheduled = false
    this.#refuseLate()
    this.#until = this.#letsAccept() ? 0 : performance.now() + this.#limits.turn
    this.#beginOne()
    if (this.#waiting > 0) this.#schedule()
  }

  readonly #beginOne = (): void => {
    if (performance.now() >= this.#until || !this.#parts.isFree()) return
    const waiting = this.#next()
    if (waiting) this.#parts.serve(waiting.request, waiting.response)
  }

  /** Whether this turn is left to new connections. */
  #letsAccept(): boolean {
    const { most, for_each } = this.#limits.accepting
    const isLeft = this.#acceptedIn === turnOfLoop() && this.#credit > 0
    this.#credit = isLeft ? this.#credit - 1 : Math.min(most, this.#credit + for_each)
    return isLeft
  }

  /** The request whose turn it is. */
  #next(): Waiting | undefined {
    for (let flow = this.#rotation.shift(); flow; flow = this.#rotation.shift()) {
      const waiting = flow.queue.shift()
      if (flow.queue.length > 0) this.#rotation.push(flow)
      else this.#flows.delete(flow.key)
      if (!waiting) continue
      this.#leave(waiting)
      if (!waiting.request.socket.destroyed) return waiting
    }
    return undefined
  }

  #refuseLate(): void {
    const oldest = performance.now() - this.#limits.max_wait
    for (let first = this.#arrivals[0]; first; first = this.#arrivals[0]) {
      if (!first.isGone && (first.since > oldest || this.#waiting <= this.#limits.few)) return
      this.#arrivals.shift()
      if (first.isGone) continue
      // Nothing in the queue of its flow is older.
      first.flow.queue.shift()
      this.#leave(first)
      if (!first.request.socket.destroyed) this.#refuse(first.request, first.response)
    }
  }

  #leave(waiting: Waiting): void {
    waiting.isGone = true
    this.#waiting--
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    this.#refused++
    this.#parts.refuse(request, response)
  }
}

interface Flow {
  key: string
  queue: Waiting[]
}

interface Waiting {
  request: IncomingMessage
  response: ServerResponse
  flow: Flow
  since: number
  isGone: boolean
}

const turnOfLoop = (): number => performance.nodeTiming.uvMetricsInfo.loopCount

/** Load balancers get an answer however many requests wait. */
const isProbe = ({ url }: IncomingMessage): boolean =>
  url === '/healthz' || url?.startsWith('/healthz?') === true
