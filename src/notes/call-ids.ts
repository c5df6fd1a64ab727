import type { Tx } from '../db/database.ts'
import type { CallIdRow, NoteRow } from '../db/tables.ts'
import { isCall } from './note-types.ts'
import { deleteCallIds, findCallIds, insertCallIds } from './queries.ts'

export const TAKEN_CALL = 'Another note of this account already has this uniq.'

/** The `uniq` of a call; undefined for other notes. */
export const callIdOf = ({ note_type, params }: NoteRow): string | undefined =>
  isCall(note_type) ? (JSON.parse(params) as { uniq: string }).uniq : undefined

/**
 * Reserves the `uniq` of the calls among the notes. Returns the ids of those whose `uniq` belongs to another note (N9).
 */
export async function claimCallIds(tx: Tx, notes: readonly NoteRow[]): Promise<ReadonlySet<number>> {
  // All writers use one order, so that two batches with the same calls wait for each other without a deadlock.
  const claims = rowsOf(notes).sort((a, b) => (a.uniq < b.uniq ? -1 : a.uniq > b.uniq ? 1 : 0))
  const [first] = claims
  if (!first) return new Set()
  await insertCallIds(tx, claims)
  const uniqs = claims.map(({ uniq }) => uniq)
  const holders = await findCallIds(tx, first.account_id, uniqs)
  const holderOf = new Map(holders.map(({ uniq, note_id }) => [uniq, note_id]))
  return new Set(claims.flatMap(({ uniq, note_id }) => (holderOf.get(uniq) === note_id ? [] : [note_id])))
}

/** Releases the previous `uniq` of changed notes. */
export const releaseCallIds = (tx: Tx, notes: readonly NoteRow[]): Promise<void> =>
  deleteCallIds(tx, rowsOf(notes))

const rowsOf = (notes: readonly NoteRow[]): CallIdRow[] =>
  notes.flatMap((note) => {
    const uniq = callIdOf(note)
    return uniq === undefined ? [] : [{ account_id: note.account_id, uniq, note_id: note.id }]
  })
