import { type Expression, sql } from 'kysely'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import { listOfIds } from '../db/dialect.ts'

/** Ids of a page of a set. The ids of an account are near each other. */
const PAGE = 4_096
const BITS = 32

/** A set of ids: hundreds of thousands are added and looked up several times faster than in a Set. */
export class IdSet {
  readonly #pages = new Map<number, Uint32Array>()

  add(id: number): void {
    const number = pageOf(id)
    const at = id % PAGE
    let page = this.#pages.get(number)
    if (!page) {
      page = new Uint32Array(PAGE / BITS)
      this.#pages.set(number, page)
    }
    page[at >>> 5] = (page[at >>> 5] as number) | (1 << (at % BITS))
  }

  has(id: number): boolean {
    const page = this.#pages.get(pageOf(id))
    const at = id % PAGE
    return page !== undefined && ((page[at >>> 5] as number) & (1 << (at % BITS))) !== 0
  }
}

/** As an integer of 32 bits, which is no garbage: ids are below 2^44. */
const pageOf = (id: number): number => (id / PAGE) >>> 0

/** Whether an id is in all of the sets. */
export function isInAll(sets: readonly IdSet[], id: number): boolean {
  for (const set of sets) if (!set.has(id)) return false
  return true
}

const ZERO = 48

/** Calls the function for each id of a text with `listOfIds`. An array of all of them would be garbage for the most part. */
export function eachId(text: string | null, found: (id: number) => void): void {
  if (text === null) return
  let id = -1
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO
    if (digit >= 0 && digit <= 9) {
      id = id < 0 ? digit : id * 10 + digit
    } else if (id >= 0) {
      found(id)
      id = -1
    }
  }
  if (id >= 0) found(id)
}

/** Calls the function for the id of each record (`entity_id`) that a query returns; many are read in the background. */
export async function readIds(
  db: Db,
  account_id: number,
  entries: Expression<unknown>,
  { inBackground }: { inBackground: boolean },
  found: (id: number) => void,
): Promise<void> {
  const query = sql<{ ids: string | null }>`
    select ${listOfIds(db, sql.ref('entity_id'))} as ids from (${entries}) as entries`
  const [row] = inBackground
    ? await readInBackground(db, account_id, { compile: () => query.compile(db) })
    : (await query.execute(db)).rows
  eachId(row?.ids ?? null, found)
}
