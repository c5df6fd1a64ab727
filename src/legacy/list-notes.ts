import { type Static, Type } from 'typebox'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { noteParents } from '../entities/entities.ts'
import { invalid } from '../errors.ts'
import { listOf, type QueryValue, textOf } from '../http/queries/bracket-query.ts'
import {
  type CardType,
  knownNoteTypes,
  legacyNoteTypes,
  listNotes,
  listNotesOfKinds,
  type NoteOfKind,
  showNotes,
} from '../notes/notes.ts'
import { elementTypes } from '../webhooks/webhooks.ts'
import { filterOf, type LegacyQuery, MAX_ROWS, named, pageOf } from './list-parameters.ts'
import { findTasks } from './tasks.ts'

export const NOTE_TYPE =
  '4 text, 5 file, 10 incoming call, 11 outgoing call, 102 incoming SMS, 103 outgoing SMS, 25 the others.'

/** Notes in the legacy form (docs/wire/legacy.md#notes). */
export const LegacyNote = Type.Object(
  {
    id: Type.Integer(),
    element_id: Type.Integer(),
    element_type: Type.Integer({
      description: 'The kind of the record: 1 contact, 2 lead, 3 company, 12 customer.',
    }),
    note_type: Type.Integer({ description: NOTE_TYPE }),
    date_create: Type.Integer(),
    created_user_id: Type.Integer(),
    last_modified: Type.Integer(),
    text: Type.String({ description: 'The text, or the params of the note as JSON.' }),
    attachement: Type.String({ description: 'The name of the file, or empty.' }),
    responsible_user_id: Type.Integer(),
    group_id: Type.Integer(),
    account_id: Type.Integer(),
    editable: Type.Enum(['Y', 'N'], { description: 'Whether the note can be changed.' }),
  },
  { title: 'LegacyNote' },
)

type Json = Record<string, unknown>
type ListAs = (...asked: [Context, Actor, LegacyQuery, string | undefined]) => Promise<NoteOfKind[]>

const notesOn =
  (type: CardType): ListAs =>
  async (ctx, actor, query, modified_since) => {
    const filter = await notesFilter(ctx, actor, query, modified_since)
    const options = { page: pageOf(query), after: null, entity_id: undefined, base: '', withPinned: false }
    const reader = { db: ctx.db, actor, parents: noteParents, type }
    const { notes } = await listNotes(reader, { filter }, options, showNotes)
    return notes.map((note) => ({ type, note }))
  }

const notesOfKinds: ListAs = async (ctx, actor, query, modified_since) => {
  const filter = await notesFilter(ctx, actor, query, modified_since)
  return listNotesOfKinds(ctx.db, actor, noteParents, filter, pageOf(query))
}

/** The notes with the results of tasks, also of those in `element_id`. A task without a record has no such note. */
const results: ListAs = async (ctx, actor, { element_id, ...query }, modified_since) => {
  const filter = { ...(await notesFilter(ctx, actor, query, modified_since)), note_type: ['task_result'] }
  if (element_id === undefined) return listNotesOfKinds(ctx.db, actor, noteParents, filter, pageOf(query))
  const asked = { id: element_id, limit_rows: MAX_ROWS, limit_offset: 0 }
  const tasks = await findTasks(ctx, actor, asked, undefined)
  const entity_id = tasks.flatMap(({ entity_id }) => (entity_id === null ? [] : String(entity_id)))
  if (entity_id.length === 0) return []
  const ids = new Set(tasks.map(({ id }) => id))
  const all = { page: 1, limit: MAX_ROWS, offset: 0 }
  const found = await listNotesOfKinds(ctx.db, actor, noteParents, { ...filter, entity_id }, all)
  const { limit_offset, limit_rows } = query
  return found
    .filter(({ note }) => ids.has((note.params as { task_id?: number }).task_id as number))
    .slice(limit_offset, limit_offset + limit_rows)
}

/** How notes are listed by their `type`. */
const lists: ReadonlyMap<string, ListAs> = new Map([
  ['lead', notesOn('leads')],
  ['contact', notesOn('contacts')],
  ['company', notesOn('companies')],
  ['customer', notesOn('customers')],
  ['task', results],
  ['all', notesOfKinds],
])

/** The visible notes on records of the kind in `type`, or with the ids that the client names, by id, at most 500. */
export async function listLegacyNotes(
  ctx: Context,
  actor: Actor,
  query: LegacyQuery,
  modified_since: string | undefined,
): Promise<Static<typeof LegacyNote>[]> {
  const list = lists.get(textOf(query.type)) ?? (query.id === undefined ? undefined : notesOfKinds)
  if (list === undefined)
    throw invalid(
      'type',
      textOf(query.type) === '' ? 'FieldMissing' : 'NotSupportedChoice',
      `This value should be one of ${[...lists.keys()].join(', ')}.`,
    )
  return (await list(ctx, actor, query, modified_since)).map(view)
}

async function notesFilter(
  ctx: Context,
  actor: Actor,
  query: LegacyQuery,
  modified_since: string | undefined,
): Promise<Record<string, QueryValue>> {
  const { responsible_user_id: _, ...filter } = {
    ...(await filterOf(ctx, actor, query, modified_since)),
    ...named('entity_id', query.element_id),
    ...typesIn(query.note_type),
  }
  return filter
}

const OTHER_NOTE = 25

const numberOf = (note_type: string): number =>
  legacyNoteTypes[note_type as keyof typeof legacyNoteTypes] ?? OTHER_NOTE
const namesByNumber = Map.groupBy(knownNoteTypes, numberOf)

/** The filter of v4 for numbers of types. A number without a type stays, so that it is refused. */
const typesIn = (note_type: QueryValue | undefined): Record<string, QueryValue> =>
  named(
    'note_type',
    note_type && listOf(note_type).flatMap((number) => namesByNumber.get(Number(number)) ?? number),
  )

function view({ note, type }: NoteOfKind): Static<typeof LegacyNote> {
  const params = note.params as Json
  return {
    id: note.id,
    element_id: note.entity_id,
    element_type: elementTypes[type],
    note_type: numberOf(note.note_type),
    date_create: note.created_at,
    created_user_id: note.created_by,
    last_modified: note.updated_at,
    text: shownText(note.note_type, params),
    attachement: note.note_type === 'attachment' ? String(params.file_name) : '',
    responsible_user_id: note.responsible_user_id,
    group_id: note.group_id,
    account_id: note.account_id,
    editable: note.note_type === 'common' ? 'Y' : 'N',
  }
}

/** The text of a common note or of a file, otherwise JSON with the names that older clients read. */
function shownText(note_type: string, params: Json): string {
  if (note_type === 'common' || note_type === 'attachment') return String(params.text ?? '')
  if (note_type === 'sms_in' || note_type === 'sms_out')
    return JSON.stringify({ TEXT: params.text, PHONE: params.phone })
  if (note_type !== 'call_in' && note_type !== 'call_out') return JSON.stringify(params)
  const { uniq, phone, duration, source, link, call_status, call_result } = params
  return JSON.stringify({
    ...{ UNIQ: uniq, LINK: link ?? '', PHONE: phone, DURATION: duration, SRC: source },
    ...{ call_status, call_result },
  })
}
