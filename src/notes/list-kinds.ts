import type { Actor } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'
import type { QueryValue } from '../http/queries/bracket-query.ts'
import type { Page } from '../http/queries/paging.ts'
import { readFilters, readOrder } from './filters.ts'
import { pageQuery, seenIds, showNotes } from './list.ts'
import { type CardType, cardTypes, type Parents } from './parents.ts'
import type { Note } from './schemas.ts'

/** A note with the kind of its record. */
export interface NoteOfKind {
  type: CardType
  note: Note
}

/** A page of the notes on records of all kinds that the actor can see, by id or by the times in the filter. */
export async function listNotesOfKinds(
  db: Db,
  actor: Actor,
  parents: Parents,
  filter: QueryValue,
  { limit, offset }: Page,
): Promise<NoteOfKind[]> {
  const filters = readFilters(filter)
  const visibilities = await parents.visibilities(db, actor)
  const order = readOrder(undefined, filters)
  const walk = { limit: offset + limit, offset: 0, after: null, entity_id: undefined }
  const seen = cardTypes.filter((type) => visibilities[type] !== 'none')
  const [first, ...others] = await Promise.all(
    seen.map(async (type) => {
      const visibility = visibilities[type]
      const seen_ids = await seenIds(visibility, filters)
      const page = pageQuery(db, actor, type, { filters, order, visibility, seen_ids }, walk)
      return db.selectFrom(page.as('notes')).selectAll('notes')
    }),
  )
  if (!first) return []
  const all = others.reduce((union, part) => union.unionAll(part), first)
  const rows = await db
    .selectFrom(all.as('notes'))
    .selectAll('notes')
    .orderBy(`notes.${order.column}`, order.direction)
    .orderBy('notes.id', order.direction)
    .limit(limit)
    .offset(offset)
    .execute()
  const notes = await showNotes(db, actor, rows, { base: '', withPinned: false })
  return notes.map((note, i) => ({ type: rows[i]?.entity_type as CardType, note }))
}
