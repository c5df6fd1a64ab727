import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, findMembers, type OfIntegrations, withoutActing } from '../accounts/accounts.ts'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import { isOneOf, sortKey } from '../db/dialect.ts'
import { byRow, type ChosenIndex, chooseIndex } from '../db/indexes/index-choice.ts'
import { preparedByShape } from '../db/prepared.ts'
import type { NoteRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { quotedText } from '../http/bodies/json-text.ts'
import type { QueryValue } from '../http/queries/bracket-query.ts'
import type { Page, Position } from '../http/queries/paging.ts'
import { type Filters, isEmpty, type Order, readFilters, readOrder } from './filters.ts'
import type { CardType, Parents, Visibility } from './parents.ts'
import { notesOfIntegrations, selectNotes } from './queries.ts'
import type { Note } from './schemas.ts'
import { noteText, type Showing } from './view.ts'

export interface NoteQuery extends OfIntegrations {
  filter?: QueryValue
  order?: QueryValue
}

/** Reads notes on records of a kind that a person can see. */
export interface NoteReader {
  db: Db
  actor: Actor
  parents: Parents
  type: CardType
}

export interface ListOptions extends Showing {
  page: Page
  /** The end of the previous page, so that earlier rows are not read again. */
  after: Position | null
  /** The only record whose notes are listed. */
  entity_id: number | undefined
}

/** `showNotes` or `noteTexts`. */
type Show<T> = (db: Db, actor: Actor, rows: NoteRow[], showing: Showing) => Promise<T[]>

/** A page of the notes on records of one kind that the actor can see, and the position of the next one. */
export async function listNotes<T>(
  reader: NoteReader,
  asked: NoteQuery,
  options: ListOptions,
  show: Show<T>,
): Promise<{ notes: T[]; next: Position | null }> {
  const { db, actor, type } = reader
  const filters = readFilters(asked.filter)
  const order = readOrder(asked.order, filters)
  const visibility = await visibilityOf(reader, options.entity_id)
  if (visibility === 'none') return { notes: [], next: null }
  const seen_ids = await seenIds(visibility, filters)
  const isNarrow = isOfRecords({ filters, seen_ids }, options)
  const { integrations } = asked
  const chosen =
    integrations && (await chooseIntegrations(db, actor.account_id, type, integrations, { order, isNarrow }))
  const { after, page, entity_id } = options
  const { limit } = page
  const walk = { limit: limit + 1, offset: after === null ? page.offset : 0, after, entity_id }
  const query = () => pageQuery(db, actor, type, { filters, order, visibility, seen_ids, chosen }, walk)
  const isLong = chosen?.way === 'scanned' && !isNarrow
  const isPlain = visibility === 'all' && !chosen && isEmpty(filters)
  const rows = isLong
    ? await readInBackground(db, actor.account_id, query())
    : await (isPlain ? plainPage(db, actor.account_id, type, order, walk) : query().execute())
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? { value: last[order.column], id: last.id } : null
  return { notes: await show(db, actor, shown, options), next }
}

/** For a record in the address, its visibility decides. */
async function visibilityOf(
  { db, actor, parents, type }: NoteReader,
  entity_id: number | undefined,
): Promise<Visibility> {
  if (entity_id === undefined) return (await parents.visibilities(db, actor))[type]
  await parents.requireVisible(db, actor, type, entity_id)
  return 'all'
}

/** If a person can see at most this many records, their notes are read directly, without scanning all notes. */
const MAX_RECORDS = 1_000

export async function seenIds(
  visibility: Visibility,
  { ids, entity_ids }: Filters,
): Promise<number[] | null> {
  const isNarrow = ids !== null || entity_ids !== null
  return typeof visibility === 'string' || isNarrow ? null : visibility.few(MAX_RECORDS)
}

/** The note, or Refusal('not_found') if its record is hidden. */
export async function readNote(
  { db, actor, parents, type }: NoteReader,
  { id, entity_id }: { id: number; entity_id?: number | undefined },
  showing: Showing,
): Promise<Note> {
  const visibility = (await parents.visibilities(db, actor))[type]
  const row =
    visibility === 'none'
      ? undefined
      : await selectNotes(db, actor.account_id, type)
          .where('notes.id', '=', id)
          .$if(entity_id !== undefined, (query) => query.where('notes.entity_id', '=', entity_id as number))
          .where((eb) => eb.and(seen(visibility)))
          .executeTakeFirst()
  if (!row) throw noteNotFound()
  const [note] = await showNotes(db, actor, [row], showing)
  return note as Note
}

/** The notes among these whose records the actor can see, by id. */
export async function readNotes(
  { db, actor, parents, type }: NoteReader,
  ids: readonly number[],
  showing: Showing,
): Promise<Map<number, Note>> {
  const visibility = ids.length > 0 ? (await parents.visibilities(db, actor))[type] : 'none'
  if (visibility === 'none') return new Map()
  const rows = await selectNotes(db, actor.account_id, type)
    .where((eb) => isOneOf(db, eb.ref('notes.id'), ids))
    .where((eb) => eb.and(seen(visibility)))
    .execute()
  return new Map((await showNotes(db, actor, rows, showing)).map((note) => [note.id, note]))
}

export const noteNotFound = () => new Refusal('not_found', 'Entity not found')

/** Notes as the API returns them, with the current groups of people (R13). */
export async function showNotes(db: Db, actor: Actor, rows: NoteRow[], showing: Showing): Promise<Note[]> {
  return (await noteTexts(db, actor, rows, showing)).map((text) => JSON.parse(text))
}

/** The same notes as JSON texts. */
export async function noteTexts(
  db: Db,
  { account_id }: Actor,
  rows: NoteRow[],
  { acting = withoutActing, base, withPinned }: Showing,
): Promise<string[]> {
  if (rows.length === 0) return []
  const [members, ofRow] = await Promise.all([findMembers(db, account_id), acting(rows)])
  const showing = { base: quotedText(base), withPinned }
  return rows.map((row) => noteText(row, members, showing, ofRow))
}

const seen = (visibility: Visibility): Expression<SqlBool>[] =>
  typeof visibility === 'string' ? [] : [visibility.covers('notes.entity_id')]

const creator = sql.ref('notes.created_by_integration')

/** Finds the notes that integrations created, by their index in the order of ids or if they are few. */
async function chooseIntegrations(
  db: Db,
  account_id: number,
  type: CardType,
  integrations: readonly number[],
  { order, isNarrow }: { order: Order; isNarrow: boolean },
): Promise<ChosenIndex> {
  if (isNarrow) return byRow(db, creator, integrations)
  return chooseIndex(db, {
    column: creator,
    values: integrations,
    entries: notesOfIntegrations(db, account_id, type, integrations),
    isInOrder: order.column === 'id',
  })
}

/** Whether only the notes of a few records are read. */
const isOfRecords = (
  { filters, seen_ids }: Pick<Asked, 'filters' | 'seen_ids'>,
  { entity_id }: Pick<ListOptions, 'entity_id'>,
): boolean => [entity_id ?? null, filters.entity_ids, filters.ids, seen_ids].some((of) => of !== null)

interface Asked {
  filters: Filters
  order: Order
  visibility: Visibility
  /** The visible records, if there are few. */
  seen_ids: number[] | null
  /** The condition on the integrations that created the notes. */
  chosen?: ChosenIndex | null | undefined
}

/** Rows of a list: a page and one more, to detect a next page. */
interface Walk extends Pick<ListOptions, 'after' | 'entity_id'> {
  limit: number
  offset: number
}

/**
 * Each order has an index for all notes of a kind, for one type of note and for one record. Several types are scanned
 * separately and merged, so that a rare type is as fast as a frequent one.
 */
export function pageQuery(
  db: Db,
  { account_id }: Pick<Actor, 'account_id'>,
  type: CardType,
  { filters, order, visibility, seen_ids, chosen }: Asked,
  { limit, offset, after, entity_id }: Walk,
) {
  const { column, direction } = order
  const { note_types } = filters
  const conditions = [
    ...conditionsOf(db, filters, entity_id),
    ...(chosen ? [chosen.condition] : []),
    ...(after === null ? [] : [beyond(order, after)]),
    ...(seen_ids === null ? seen(visibility) : [isAnyOf(db, 'entity_id', seen_ids)]),
  ]
  const rows = selectNotes(db, account_id, type).$if(conditions.length > 0, (query) =>
    query.where((eb) => eb.and(conditions)),
  )
  const isSorted = chosen?.way === 'sorted'
  const key = (name: string) => (isSorted ? sortKey(db, sql.ref(name)) : sql.ref(name))
  const sorted = (query: typeof rows) =>
    query
      .orderBy(key(`notes.${column}`), direction)
      .$if(column !== 'id', (query) => query.orderBy(key('notes.id'), direction))
  const isNarrow = isOfRecords({ filters, seen_ids }, { entity_id }) || isSorted
  if (note_types === null || note_types.length < 2 || isNarrow)
    return sorted(note_types === null ? rows : rows.where(isAnyOf(db, 'note_type', note_types)))
      .limit(limit)
      .offset(offset)
  const parts = note_types.map((name) =>
    db
      .selectFrom(
        sorted(rows.where('notes.note_type', '=', name))
          .limit(offset + limit)
          .as('notes'),
      )
      .selectAll('notes'),
  )
  const [first, ...others] = parts as [(typeof parts)[number]]
  const all = others.reduce((union, part) => union.unionAll(part), first)
  return sorted(db.selectFrom(all.as('notes')).selectAll('notes') as never)
    .limit(limit)
    .offset(offset)
}

/** A page of a list without a filter, for an actor who can see its records: its statement is built once. */
function plainPage(
  db: Db,
  account_id: number,
  type: CardType,
  { column, direction }: Order,
  { after, entity_id, limit, offset }: Walk,
): Promise<NoteRow[]> {
  const shape = { type, column, direction, isAfter: after !== null, isOfRecord: entity_id !== undefined }
  return plainPages(db, shape, { account_id, entity_id, ...(after ?? { value: 0, id: 0 }), limit, offset })
}

type PlainShape = { type: CardType; isAfter: boolean; isOfRecord: boolean } & Order
type PlainValues = { account_id: number } & Position & Omit<Walk, 'after'>

const plainPages = preparedByShape(
  (db, { account_id, entity_id, value, id, limit, offset }: PlainValues, shape: PlainShape) => {
    const { type, column, direction, isAfter, isOfRecord } = shape
    const asked: Asked = {
      filters: readFilters(undefined),
      order: { column, direction },
      visibility: 'all',
      seen_ids: null,
    }
    const after = isAfter ? { value, id } : null
    return pageQuery(db, { account_id }, type, asked, {
      limit,
      offset,
      after,
      entity_id: isOfRecord ? entity_id : undefined,
    })
  },
)

function conditionsOf(db: Db, filters: Filters, entity_id: number | undefined): Expression<SqlBool>[] {
  const { ids, entity_ids, is_pinned, updated_at } = filters
  const at = sql.ref('notes.updated_at')
  return [
    ...(entity_id === undefined ? [] : [isAnyOf(db, 'entity_id', [entity_id])]),
    ...(ids === null ? [] : [isAnyOf(db, 'id', ids)]),
    ...(entity_ids === null ? [] : [isAnyOf(db, 'entity_id', entity_ids)]),
    // A literal, because the index of pinned notes is partial.
    ...(is_pinned === null ? [] : [sql<SqlBool>`notes.is_pinned = ${sql.lit(Number(is_pinned))}`]),
    ...(updated_at.from === null ? [] : [sql<SqlBool>`${at} >= ${updated_at.from}`]),
    ...(updated_at.to === null ? [] : [sql<SqlBool>`${at} <= ${updated_at.to}`]),
  ]
}

/** A single value is compared directly, so that its index also yields the order of the following column. */
function isAnyOf(db: Db, name: keyof NoteRow, values: (number | string)[]): Expression<SqlBool> {
  const column = sql.ref(`notes.${name}`)
  return values.length === 1 ? sql<SqlBool>`${column} = ${values[0]}` : isOneOf(db, column, values)
}

function beyond({ column, direction }: Order, { value, id }: Position): Expression<SqlBool> {
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  if (column === 'id') return sql<SqlBool>`notes.id ${sign} ${id}`
  return sql<SqlBool>`(notes.updated_at, notes.id) ${sign} (${value}, ${id})`
}
