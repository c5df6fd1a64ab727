import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { noteParents } from '../entities/entities.ts'
import { invalid } from '../errors.ts'
import { parseJson } from '../http/bodies/json-body.ts'
import { addNotesInside, type CardType, editNotes, kindsOfNotes } from '../notes/notes.ts'
import { type NewNote, NewNotes, NotePatches } from '../notes/schemas.ts'
import { elementTypes } from '../webhooks/webhooks.ts'
import { type Draft, draftOf, type Item, numberIn, type Translate, textIn, to, toTime } from './members.ts'
import { type Batch, inBatch, requestIdOf, validated } from './requests.ts'

type Json = Record<string, unknown>

/** A type of note by its number, and its params from `text`. */
interface LegacyNoteType {
  note_type: string
  params: (text: unknown) => object
}

const call = (text: unknown): object => {
  const { UNIQ, PHONE, DURATION, SRC, LINK, call_status, call_result } = jsonIn(text)
  return withoutAbsent({
    ...{ uniq: textIn(UNIQ), phone: textIn(PHONE), duration: numberIn(DURATION), source: textIn(SRC) },
    ...{ link: linkIn(LINK), call_status: numberIn(call_status), call_result },
  })
}

/** The documented example of a call has an address without `http://`. */
const linkIn = (link: unknown): unknown =>
  typeof link === 'string' && /^[\w-]+(\.[\w-]+)+(\/|$)/.test(link) ? `http://${link}` : link

const sms = (text: unknown): object => {
  const { TEXT, PHONE, text: said, phone } = jsonIn(text)
  return withoutAbsent({ text: textIn(TEXT ?? said), phone: textIn(PHONE ?? phone) })
}

/** Some clients do not say which service writes a message. */
const NO_SERVICE = 'API'

const service = (text: unknown): object => {
  const { text: said, service } = jsonIn(text)
  return withoutAbsent({ text: textIn(said), service: textIn(service ?? NO_SERVICE) })
}

const noteTypes: ReadonlyMap<unknown, LegacyNoteType> = new Map([
  [4, { note_type: 'common', params: (text: unknown) => ({ text: textIn(text) }) }],
  [10, { note_type: 'call_in', params: call }],
  [11, { note_type: 'call_out', params: call }],
  [25, { note_type: 'service_message', params: service }],
  [102, { note_type: 'sms_in', params: sms }],
  [103, { note_type: 'sms_out', params: sms }],
])
const COMMON = 4

/**
 * The JSON in a text. A text that could not be the body of a request has no members, so that validation names what is
 * missing.
 */
function jsonIn(text: unknown): Json {
  if (typeof text !== 'string') return Object(text)
  try {
    return Object(parseJson(Buffer.from(text)))
  } catch {
    return {}
  }
}

const withoutAbsent = (members: Json): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

const members: Record<string, Translate> = {
  id: to('id', numberIn),
  element_id: to('entity_id', numberIn),
  responsible_user_id: to('responsible_user_id', numberIn),
  created_user_id: to('created_by', numberIn),
  date_create: toTime('created_at'),
  // The second API.
  created_by: to('created_by', numberIn),
  created_at: toTime('created_at'),
}

const kindsByNumber = new Map<unknown, CardType>(
  Object.entries(elementTypes).map(([kind, number]) => [number, kind as CardType]),
)

/** The kind of record of each note. Throws Refusal('invalid') for a note of another kind, or of none that is known. */
const kindsOf = ({ at, items }: Batch, known?: readonly CardType[]): CardType[] =>
  items.map(({ element_type }, i) => {
    const kind = known && element_type === undefined ? known[i] : kindsByNumber.get(numberIn(element_type))
    if (kind === undefined)
      throw invalid(`${at}.${i}.element_type`, 'NotSupportedChoice', 'This value should be 1, 2, 3 or 12.')
    return kind
  })

/** Refuses a number that no type of note has. The rules of notes would answer with the names of v4. */
function requireTypes({ at, items }: Batch): void {
  for (const [i, { note_type }] of items.entries())
    if (note_type !== undefined && !noteTypes.has(numberIn(note_type)))
      throw invalid(
        `${at}.${i}.note_type`,
        'NotSupportedChoice',
        `This value should be one of ${[...noteTypes.keys()].join(', ')}.`,
      )
}

/** Adds notes to records of any kinds, all of them or none. */
export function addLegacyNotes(ctx: Context, actor: Actor, batch: Batch) {
  const kinds = kindsOf(batch)
  requireTypes(batch)
  const drafts = batch.items.map((item) => ({
    ...draftOf(item, members),
    id: undefined,
    ...typed(item, COMMON),
  }))
  const notes = validated(NewNotes.items, drafts, batch)
  return ctx.db.transaction().execute(async (tx) => {
    const ids: number[] = []
    for (const [kind, places] of Map.groupBy(kinds.keys(), (i) => kinds[i] as CardType)) {
      const own = places.map((i) => ({ ...(notes[i] as NewNote), request_id: i }))
      const rows = await inBatch(batch, () =>
        addNotesInside(ctx, tx, actor, noteParents, { type: kind }, own),
      )
      rows.forEach(({ id }, i) => {
        ids[places[i] as number] = id
      })
    }
    return ids.map((id, i) => ({ id, request_id: requestIdOf(batch.items[i] as Item, i) }))
  })
}

/**
 * The kinds of records that notes are on. A note that does not exist has a kind that the actor does not see as a whole,
 * so that it is refused like one that they cannot see (R6).
 */
async function knownKinds(ctx: Context, actor: Actor, ids: readonly number[]): Promise<CardType[]> {
  const known = await kindsOfNotes(ctx.db, actor.account_id, ids)
  const seen = await noteParents.visibilities(ctx.db, actor)
  const hidden = [...kindsByNumber.values()].find((kind) => seen[kind] !== 'all') ?? 'leads'
  return ids.map((id) => known.get(id) ?? hidden)
}

/**
 * Changes notes, all of them or none if the caller opened a unit. A client of the second API does not say on which kind
 * of record a note is.
 */
export async function editLegacyNotes(ctx: Context, actor: Actor, batch: Batch) {
  const drafts = batch.items.map((item, i) => ({
    ...draftOf(item, members),
    ...((item.text ?? item.params) !== undefined && typed(item, COMMON)),
    request_id: i,
  }))
  const patches = validated(NotePatches.items, drafts, batch)
  const kinds = kindsOf(
    batch,
    await knownKinds(
      ctx,
      actor,
      patches.map(({ id }) => id),
    ),
  )
  const changed: { id: number; last_modified: number }[] = []
  for (const [type, places] of Map.groupBy(kinds.keys(), (i) => kinds[i] as CardType)) {
    const own = places.map((i) => patches[i] as (typeof patches)[number])
    const rows = await inBatch(batch, () => editNotes(ctx, actor, noteParents, { type, place: 'item' }, own))
    rows.forEach(({ id, updated_at }, i) => {
      changed[places[i] as number] = { id, last_modified: updated_at }
    })
  }
  return changed
}

/**
 * The type and the params. The first API has JSON in the text, the second one has it in `params`. An unknown number
 * stays, so that validation refuses it.
 */
function typed({ note_type, text, params }: Item, absent: number): Draft {
  const number = numberIn(note_type ?? absent)
  const found = noteTypes.get(number)
  if (found)
    return {
      note_type: found.note_type,
      params: found.params(number === COMMON ? text : (params ?? text)),
    }
  return { note_type: textIn(number), params: {} }
}
