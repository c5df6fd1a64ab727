import type { Db } from '../db/database.ts'
import { BACKLOGS, type Backlog, type DueRow, selectBacklogs, selectDue } from './due-queries.ts'

/** Deliveries that a poll reads, and the fewest of one backlog. */
const PAGE = 128
const FEWEST = 32

const START = { account_id: 0, endpoint: '' }

/** The deliveries of one poll, in the order of their turns. */
export interface Due {
  rows: DueRow[]
  /** Whether more are due. */
  is_cut: boolean
}

/**
 * Turns among the backlogs, so that a long one delays no other: those go first that were served the longest time ago, and
 * each gives one delivery in turn.
 */
export class Turns {
  /** The poll that served each backlog last. */
  #served = new Map<string, number>()
  #polls = 0
  /** Whether the last poll read deliveries, and could send none of them. */
  #isHeldUp = false
  /** If a query cannot return all backlogs, the next poll begins after its last one. */
  #after: Pick<Backlog, 'account_id' | 'endpoint'> = START

  /**
   * Reads deliveries of at most so many backlogs of those that have room: twice as many as they have room for, or a page if the
   * last poll could send none. Then many others may have to be held or paused, too.
   */
  async next(db: Db, now: number, most: number, roomOf: (backlog: Backlog) => number): Promise<Due> {
    const found = await this.#backlogs(db, now)
    this.#served = new Map(found.map((backlog) => [nameOf(backlog), this.#servedAt(backlog)]))
    this.#polls++
    const chosen = found
      .filter((backlog) => roomOf(backlog) > 0)
      .sort((a, b) => this.#servedAt(a) - this.#servedAt(b) || a.due_at - b.due_at || a.head - b.head)
      .slice(0, most)
    if (chosen.length === 0) return { rows: [], is_cut: found.length > 0 }
    const wanted = this.#isHeldUp ? PAGE : Math.max(FEWEST, 2 * Math.max(...chosen.map(roomOf)))
    const limit = Math.min(Math.ceil(PAGE / chosen.length), wanted)
    const rows = await selectDue(db, { heads: chosen.map(({ head }) => head), now, limit })
    this.#isHeldUp = rows.length > 0
    const byBacklog = Map.groupBy(rows.sort(byTime), nameOf)
    const lists = chosen.map((backlog) => byBacklog.get(nameOf(backlog)) ?? [])
    return {
      rows: Array.from({ length: limit }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat(),
      is_cut: found.length > chosen.length || lists.some((list) => list.length >= limit),
    }
  }

  async #backlogs(db: Db, now: number): Promise<Backlog[]> {
    const rest = await selectBacklogs(db, { now, ...this.#after })
    const found =
      rest.length === 0 && this.#after !== START ? await selectBacklogs(db, { now, ...START }) : rest
    this.#after = found.length < BACKLOGS ? START : (found.at(-1) as Backlog)
    return found
  }

  /** Must be called for each delivery that is claimed. */
  serve(delivery: DueRow): void {
    this.#served.set(nameOf(delivery), this.#polls)
    this.#isHeldUp = false
  }

  #servedAt(backlog: Backlog): number {
    return this.#served.get(nameOf(backlog)) ?? 0
  }
}

const nameOf = ({ account_id, endpoint }: Pick<Backlog, 'account_id' | 'endpoint'>): string =>
  `${account_id} ${endpoint}`

const byTime = (a: DueRow, b: DueRow): number => a.next_attempt_at - b.next_attempt_at || a.id - b.id
