import { type Expression, sql } from 'kysely'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db } from '../../db/database.ts'
import { listOfIds } from '../../db/dialect.ts'
import { compilable } from '../../db/prepared.ts'

/** Ids of a page of a set. The ids of an account are near each other. */
const PAGE = 4_096
const BITS = 32

/** A set of ids: hundreds of thousands are added and looked up several times faster than in a Set. */
export class IdSet {
  readonly #pages = new Map<number, Uint32Array>()

  constructor(ids: readonly number[]) {
    for (const id of ids) this.#add(id)
  }

  #add(id: number): void {
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

/** An integer of 32 bits, which takes no memory of the heap: ids are below 2^44. */
const pageOf = (id: number): number => (id / PAGE) >>> 0

/** The ids that are in all of the sets, in their order. */
export const inAll = (sets: readonly IdSet[], ids: readonly number[]): readonly number[] =>
  sets.reduce((some, set) => some.filter((id) => set.has(id)), ids)

/** The ids in a text of listOfIds. */
export const idsIn = (text: string | undefined): number[] => JSON.parse(text ?? '[]')

/** The ids of the records (`entity_id`) that a query returns; many are read in the background. */
export async function readIds(
  db: Db,
  account_id: number,
  entries: Expression<unknown>,
  { inBackground }: { inBackground: boolean },
): Promise<number[]> {
  const query = sql<{ ids: string }>`
    select ${listOfIds(db, sql.ref('entity_id'))} as ids from (${entries}) as entries`
  const [row] = inBackground
    ? await readInBackground(db, account_id, compilable(db, query))
    : (await query.execute(db)).rows
  return idsIn(row?.ids)
}
