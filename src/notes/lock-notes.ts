import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { NoteRow } from '../db/tables.ts'
import { collectFaults, Refusal } from '../errors.ts'
import { nameOfItem } from '../http/bodies/validation.ts'
import { noteNotFound } from './list.ts'
import type { CardType, NamedParent, Parents } from './parents.ts'
import { findNotes } from './queries.ts'

const NO_NOTE = 'There is no such note.'

/** The notes of a request, and their place in it. */
export interface NamedNotes {
  type: CardType
  notes: readonly { id: number; request_id?: string | number | undefined }[]
  /** Where the ids are: in the address, or in the items of a body. */
  place: 'path' | 'item'
  /** The record in the address. Only its notes are found. */
  entity_id?: number | undefined
  /** Whether to look for deleted notes. */
  deleted?: boolean
}

/** Attempts of a change, which is repeated if a note moved to another record meanwhile. */
const MAX_TRIES = 3

/**
 * Locks the notes, which must exist on records that the actor can edit, and returns the result of `write`. Every change
 * of a note locks its record first, so concurrent changes wait for each other.
 */
export async function withLockedNotes<T>(
  ctx: Context,
  actor: Actor,
  parents: Parents,
  named: NamedNotes,
  write: (tx: Tx, locked: Map<number, NoteRow>) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const done = await ctx.db.transaction().execute(async (tx) => {
      const locked = await lockNamed(tx, actor, parents, named)
      return locked && { answer: await write(tx, locked) }
    })
    if (done) return done.answer
  }
  throw new Refusal('unavailable', 'These notes are being changed at the moment. Repeat the request.', {
    retry_after: 1,
  })
}

/** Returns null if a note moved to another record before that was locked. Nothing is written then. */
async function lockNamed(
  tx: Tx,
  actor: Actor,
  parents: Parents,
  named: NamedNotes,
): Promise<Map<number, NoteRow> | null> {
  const { type, notes, place, entity_id } = named
  const known = await findInPlace(tx, actor, named)
  const references = notes.flatMap((note, i) => {
    const row = known.get(note.id)
    return row ? [reference(type, row.entity_id, nameOfItem(note, i))] : []
  })
  const cards = entity_id === undefined ? references : [reference(type, entity_id, '0')]
  try {
    if (cards.length > 0)
      await parents.lockEditable(tx, actor, cards, entity_id === undefined ? place : 'path')
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    // A merged record is in the trash, and its notes are on the remaining one.
    const now = await findNotes(tx, actor.account_id, type, [...known.keys()])
    if (entity_id === undefined && now.some((row) => row.entity_id !== known.get(row.id)?.entity_id))
      return null
    throw refusal
  }
  const locked = await findInPlace(tx, actor, named)
  const cardIds = new Set([entity_id, ...references.map(({ id }) => id)])
  for (const row of locked.values()) if (!cardIds.has(row.entity_id)) return null
  if (notes.some(({ id }) => !locked.has(id))) await refuseLost(tx, actor, parents, named, locked)
  return locked
}

/** People who cannot see everything must not learn whether a note exists (R6). */
async function refuseLost(
  tx: Tx,
  actor: Actor,
  parents: Parents,
  { type, notes, place }: NamedNotes,
  locked: ReadonlyMap<number, NoteRow>,
): Promise<void> {
  if ((await parents.visibilities(tx, actor))[type] !== 'all') throw forbidden()
  if (place === 'path') throw noteNotFound()
  const { about, refuse } = collectFaults()
  notes.forEach((note, i) => {
    if (!locked.has(note.id)) about(nameOfItem(note, i))('NotSupportedChoice', 'id', NO_NOTE)
  })
  refuse()
}

const forbidden = () => new Refusal('forbidden', 'Insufficient rights to call this method')

const reference = (entity_type: CardType, id: number, request_id: string): NamedParent => ({
  entity_type,
  id,
  request_id,
  path: 'id',
  // Notes of deleted records are reported as missing.
  missing: NO_NOTE,
})

/** The notes that are in the expected place. */
async function findInPlace(
  tx: Tx,
  { account_id }: Actor,
  { type, notes, entity_id, deleted = false }: NamedNotes,
): Promise<Map<number, NoteRow>> {
  const ids = [...new Set(notes.map(({ id }) => id))]
  const rows = await findNotes(tx, account_id, type, ids)
  const isThere = (row: NoteRow) =>
    (row.is_deleted === 1) === deleted && (entity_id === undefined || row.entity_id === entity_id)
  return new Map(rows.filter(isThere).map((row) => [row.id, row]))
}
