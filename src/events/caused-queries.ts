import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import type { CausedIn, Found } from '../db/ids-by-time.ts'
import { createTurns } from '../fair-turns.ts'
import { EVERYTHING } from './filters.ts'
import { type CausedEvent, endOfSlice, idAt, type Scan } from './list-queries.ts'

/** Events that are read, in pieces of one statement. Events have no index by request (Q8). */
const READ = { most: 100_000, piece: 10_000 }

/** Events of one cause: the first ones, and how many there are. */
export interface CausedEvents {
  name: string
  events: Omit<CausedEvent, 'value_after' | 'value_before' | 'field_name' | 'talk_contact_id'>[]
  count: number
}

/** The events of each cause in a part of the log, which is a range of the primary key; at most `each` are returned. */
export async function eventsCausedIn(
  db: Db,
  { account_id, names, from, to }: CausedIn,
  each: number,
): Promise<Found<CausedEvents>> {
  const found = new Map<string, CausedEvents>()
  const until = idAt(to + 1)
  const nextTurn = createTurns()
  let start = idAt(from)
  for (let read = 0; read < READ.most; read += READ.piece) {
    const end = await endOfPiece(db, account_id, start, until)
    const piece = { account_id, names, start, end: end ?? until }
    for (const { name, count } of await countIn(db, piece)) {
      const known = found.get(name) ?? { name, events: [], count: 0 }
      known.events.push(...(await firstIn(db, piece, name, each - known.events.length)))
      found.set(name, { ...known, count: known.count + Number(count) })
    }
    if (end === undefined) return { rows: [...found.values()], is_cut: false }
    start = end
    const turn = nextTurn()
    if (turn) await turn
  }
  return { rows: [...found.values()], is_cut: true }
}

/** The last id of a piece; undefined if it ends with the range. An id begins with its time, so the bounds are no ids. */
function endOfPiece(db: Db, account_id: number, start: string, until: string): Promise<string | undefined> {
  const scan: Scan = { account_id, filter: EVERYTHING, direction: 'newer', from: start, until }
  return endOfSlice(db, scan, READ.piece)
}

interface Piece {
  account_id: number
  names: readonly string[]
  start: string
  end: string
}

const inPiece = (db: Db, { account_id, start, end }: Piece) =>
  db.selectFrom('events').where('account_id', '=', account_id).where('id', '>', start).where('id', '<=', end)

const countIn = (db: Db, piece: Piece) =>
  inPiece(db, piece)
    .where((eb) => isOneOf(db, eb.ref('request_id'), piece.names))
    .select((eb) => ['request_id as name', eb.fn.countAll<number>().as('count')])
    .groupBy('request_id')
    .execute()

async function firstIn(db: Db, piece: Piece, name: string, limit: number) {
  if (limit <= 0) return []
  return inPiece(db, piece)
    .where('request_id', '=', name)
    .select([
      'id',
      'type',
      'entity_type',
      'entity_id',
      'created_by',
      'created_by_integration',
      'created_at',
      'request_id',
    ])
    .orderBy(sql`id`)
    .limit(limit)
    .execute()
}
