import type { DueCircuit } from './circuit-queries.ts'
import { ConcurrencyLimiter, type GiveBack } from './concurrency-limiter.ts'
import { type ClaimedRow, type DueRow, OPENING } from './lease-queries.ts'
import { endpointOf } from './targets.ts'

/** What one process has leased and not yet ended. More of an endpoint than it can use at once only wait in memory. */
const IN_ALL = 512
const PER_ENDPOINT = 16
const PER_SLOW_ENDPOINT = 4
/** Of one that answers at once, so that claims are few, and what it has answered is settled together. */
const PER_QUICK_ENDPOINT = 64
/** Fewer than the sockets there are, so that a request which a person waits for finds one (C8). */
const RUNNING = { each: 4, all: 96, slow: 24 }
export const CLAIMED_AT_ONCE = 64
/** Circuits of which it is remembered when they were answered. */
const REMEMBERED = 1000
/** How many deliveries of a circuit that has closed are due at once; the others still wait. */
export const LET_GO = 256

export interface Choice {
  claim: number[]
  /** Followers, behind the head of their lane. */
  park: DueRow[]
  /** What waits for its circuit. */
  hold: DueRow[]
  /** Of open circuits: the next one to send. */
  probe: { name: string; id: number }[]
  /** Closed circuits, and how many of what they hold they let go. */
  letGo: { name: string; most: number }[]
}

/**
 * The leased deliveries of this process, counted by endpoint, so that one that hangs holds few of them. That is the
 * endpoint of the stored URL, by which they are found; where the owner sends one elsewhere, its place among those that go
 * on at once is counted where it goes.
 */
export class InFlight {
  readonly #limiter = new ConcurrencyLimiter(RUNNING)
  readonly #rows = new Map<number, ClaimedRow>()
  readonly #counts = new Map<string, number>()
  readonly #lanes = new Set<string>()
  /** When the deliveries of a circuit were answered last, by the clock of this process. */
  readonly #answered = new Map<string, number>()

  add(row: ClaimedRow): void {
    this.#rows.set(row.id, row)
    this.#count(endpointOf(row.url), 1)
    this.#lanes.add(laneOf(row))
  }

  /** Answers whether it is time to claim more: not before half of what an endpoint may have is done. */
  remove(row: ClaimedRow): boolean {
    const endpoint = endpointOf(row.url)
    this.#rows.delete(row.id)
    this.#lanes.delete(laneOf(row))
    this.#count(endpoint, -1)
    return this.#room(endpoint) >= this.#most(endpoint) / 2
  }

  get size(): number {
    return this.#rows.size
  }

  /** Notes whether a try was answered, see circuits.ts. */
  note(circuit: string, isAnswered: boolean): void {
    this.#answered.delete(circuit)
    if (isAnswered) this.#answered.set(circuit, performance.now())
    const [oldest] = this.#answered.keys()
    if (oldest !== undefined && this.#answered.size > REMEMBERED) this.#answered.delete(oldest)
  }

  /** Whether deliveries of a circuit were answered within the last second, and none has failed since: it is closed. */
  isAnswering(circuit: string): boolean {
    return performance.now() - (this.#answered.get(circuit) ?? Number.NEGATIVE_INFINITY) < 1000
  }

  /** Waits until a delivery may be sent to an endpoint. */
  turn(endpoint: string, signal: AbortSignal): Promise<GiveBack> {
    return this.#limiter.take(endpoint, signal)
  }

  /** Endpoints that nothing more is claimed for. */
  full(): string[] {
    return [...this.#counts.keys()].filter((endpoint) => this.#room(endpoint) <= 0)
  }

  /** What to do with what is due. */
  choose(due: DueRow[], circuits: DueCircuit[]): Choice {
    const choice = { ...this.#chooseOfCircuits(circuits), claim: [] as number[], park: [] as DueRow[] }
    const hold: DueRow[] = []
    const room = new Map<string, number>()
    const most = Math.min(CLAIMED_AT_ONCE, IN_ALL - this.#rows.size)
    for (const row of due) {
      if (row.head !== null && row.head !== row.id) {
        choice.park.push(row)
        continue
      }
      if (this.#holds(row)) continue
      if (row.is_open === 1) {
        hold.push(row)
        continue
      }
      const endpoint = endpointOf(row.url)
      const left = room.get(endpoint) ?? this.#room(endpoint)
      if (left <= 0 || choice.claim.length >= most) continue
      room.set(endpoint, left - 1)
      choice.claim.push(row.id)
    }
    return { ...choice, hold }
  }

  #chooseOfCircuits(circuits: DueCircuit[]): Pick<Choice, 'probe' | 'letGo'> {
    const isOpen = ({ failures }: DueCircuit) => failures >= OPENING
    return {
      probe: circuits
        .filter(isOpen)
        .flatMap(({ name, first }) => (first === null || this.#rows.has(first) ? [] : [{ name, id: first }])),
      letGo: circuits
        .filter((circuit) => !isOpen(circuit) && circuit.busy <= LET_GO / 2)
        .map(({ name, busy }) => ({ name, most: LET_GO - busy })),
    }
  }

  /** A delivery whose lease ran out in our hands is left to us; a lane has one delivery under way at a time. */
  #holds(row: DueRow): boolean {
    return this.#rows.has(row.id) || this.#lanes.has(laneOf(row))
  }

  #room(endpoint: string): number {
    return this.#most(endpoint) - (this.#counts.get(endpoint) ?? 0)
  }

  #most(endpoint: string): number {
    if (this.#limiter.isSlow(endpoint)) return PER_SLOW_ENDPOINT
    return this.#limiter.isQuick(endpoint) ? PER_QUICK_ENDPOINT : PER_ENDPOINT
  }

  #count(endpoint: string, change: number): void {
    const count = (this.#counts.get(endpoint) ?? 0) + change
    if (count > 0) this.#counts.set(endpoint, count)
    else this.#counts.delete(endpoint)
  }
}

/** What has no lane is a lane of its own. */
const laneOf = ({ id, account_id, lane }: Pick<DueRow, 'id' | 'account_id' | 'lane'>) =>
  lane === null ? `${id}` : `${account_id} ${lane}`
