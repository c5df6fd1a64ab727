import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'

/** How often a busy database is checked, in milliseconds. */
const DATABASE_BUSY_MS = 1
/** How often the pace of starts is measured during an overload, in milliseconds. */
const PACE_MS = 100

/** Times are in milliseconds. */
export interface AdmissionLimits {
  /** A request that has waited this long is refused. */
  max_wait: number
  /** This many requests may wait longer: a few slow requests are not an overload. */
  few: number
  /** The maximum number of waiting requests. Above it, requests are refused on arrival. */
  max_waiting: number
  /** The time per turn of the event loop for starting requests. */
  turn: number
  /** The maximum number of requests started per turn. */
  batch: number
  /**
   * Turns reserved for new connections while requests wait: the maximum in a row, and the number per millisecond. It is
   * not a number per request, because a request that waits for the database also takes time in later turns.
   */
  accepting: { most: number; per_ms: number }
}

export const ADMISSION: AdmissionLimits = {
  max_wait: 500,
  few: 8,
  max_waiting: 5_000,
  turn: 10,
  batch: 16,
  accepting: { most: 2_048, per_ms: 4 },
}

export interface AdmissionParts {
  serve: RequestListener
  /** Answers without processing the request. */
  refuse: RequestListener
  /** The caller of the request. Each caller is a flow, and flows take turns. */
  flowOf: (request: IncomingMessage) => string
  /** Whether the database can take another request now. */
  isFree: () => boolean
  limits?: AdmissionLimits
}

/**
 * Decides when a request starts, or refuses it. A server that starts every request at once finishes none of them in
 * time. It accepts no connections either: libuv accepts one per turn of the event loop. So turns are kept short, and
 * after a new connection the next turns are reserved for those behind it.
 *
 * A request starts at once if no other is waiting. Otherwise it is queued. Each flow has its own queue, and the flows
 * take turns (fair queueing), so one busy caller cannot block the others. The wait is bounded, because a client can
 * react to a refusal within a second. A request whose client has gone away is not served.
 *
 * The first request that has waited too long begins an overload, which lasts until none has been refused for a while.
 * Meanwhile a request that would wait too long is refused on arrival: thousands of waiting requests cost garbage
 * collection the time in which others could be answered.
 */
export class Admission {
  readonly #parts: AdmissionParts
  readonly #limits: AdmissionLimits
  /** The flows with waiting requests; the next one is first. */
  #rotation: Flow[] = []
  readonly #flows = new Map<string, Flow>()
  /** All waiting requests in the order of their arrival, including abandoned ones. */
  #arrivals: Waiting[] = []
  #waiting = 0
  #refused = 0
  #isScheduled = false
  /** The turn of the event loop in which requests last started, and its start time. */
  #turn = -1
  #turnBegan = 0
  /** The turn in which a connection was last accepted. */
  #acceptedIn = -2
  /** Turns that may still be reserved for new connections, and when they were last counted. */
  #credit: number
  #creditedAt = 0
  /** The end of the time for starting requests in this turn. */
  #until = 0
  /** The end of the overload, unless another request is refused. */
  #overloadedUntil = 0
  /** The milliseconds between two starts while requests wait. */
  #pace = 0
  /** The starts since the pace was last measured, and when that was. */
  #started = 0
  #pacedAt = 0

  constructor(parts: AdmissionParts) {
    this.#parts = parts
    this.#limits = parts.limits ?? ADMISSION
    this.#credit = this.#limits.accepting.most
  }

  /** Requests that are waiting now. */
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
    const key = this.#parts.flowOf(request)
    if (this.#waiting >= this.#limits.max_waiting || this.#wouldBeLate(key))
      return this.#refuse(request, response)
    this.#queue(key, request, response)
    this.#schedule()
  }

  /** Must be called for each new connection. More can follow, and they are accepted before requests start. */
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

  /** Whether connections are arriving. A turn can read a request before it accepts a connection. */
  #isAccepting(turn: number): boolean {
    return turn - this.#acceptedIn <= 1
  }

  /** Whether a request of the flow would wait too long. The pace varies, so only half of the maximum is used. */
  #wouldBeLate(key: string): boolean {
    if (performance.now() >= this.#overloadedUntil) return false
    const turns = 1 + (this.#flows.get(key)?.queue.length ?? 0)
    const ahead = Math.min(this.#waiting, turns * this.#flows.size)
    return ahead > this.#limits.few && ahead * this.#pace > this.#limits.max_wait / 2
  }

  #queue(key: string, request: IncomingMessage, response: ServerResponse): void {
    let flow = this.#flows.get(key)
    if (!flow) {
      flow = { key, queue: [] }
      this.#flows.set(key, flow)
      this.#rotation.push(flow)
    }
    const waiting = { request, response, flow, since: performance.now(), isGone: false }
    flow.queue.push(waiting)
    if (this.#waiting === 0) this.#restartPace()
    this.#arrivals.push(waiting)
    this.#waiting++
  }

  /**
   * Runs several callbacks per turn with one request each, so that the synchronous part of each request is measured.
   */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    if (!this.#parts.isFree()) {
      setTimeout(this.#runAfterTimer, DATABASE_BUSY_MS)
      return
    }
    setImmediate(this.#run)
    for (let i = Math.min(this.#limits.batch, this.#waiting); i > 1; i--) setImmediate(this.#beginOne)
  }

  /** Timers run before the connections of a turn are accepted, so those of the previous turn count. */
  readonly #runAfterTimer = (): void => this.#run(this.#isAccepting(turnOfLoop()))

  readonly #run = (isAccepting = this.#acceptedIn === turnOfLoop()): void => {
    this.#isScheduled = false
    this.#refuseLate()
    this.#measurePace()
    this.#until = this.#letsAccept(isAccepting) ? 0 : performance.now() + this.#limits.turn
    this.#beginOne()
    if (this.#waiting > 0) this.#schedule()
  }

  readonly #beginOne = (): void => {
    if (performance.now() >= this.#until || !this.#parts.isFree()) return
    const waiting = this.#next()
    if (!waiting) return
    this.#started++
    this.#parts.serve(waiting.request, waiting.response)
  }

  #measurePace(): void {
    const passed = performance.now() - this.#pacedAt
    if (passed < PACE_MS) return
    this.#pace = passed / Math.max(1, this.#started)
    this.#restartPace()
  }

  #restartPace(): void {
    this.#started = 0
    this.#pacedAt = performance.now()
  }

  /** Whether this turn is reserved for new connections. */
  #letsAccept(isAccepting: boolean): boolean {
    const { most, per_ms } = this.#limits.accepting
    const now = performance.now()
    this.#credit = Math.min(most, this.#credit + (now - this.#creditedAt) * per_ms)
    this.#creditedAt = now
    if (!isAccepting || this.#credit < 1) return false
    this.#credit--
    return true
  }

  /** The next request. */
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
      // It is also the oldest request of its flow.
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
    this.#overloadedUntil = performance.now() + 2 * this.#limits.max_wait
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

/** Health checks are answered regardless of the queue. */
const isProbe = ({ url }: IncomingMessage): boolean =>
  url === '/healthz' || url?.startsWith('/healthz?') === true
