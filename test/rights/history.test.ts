import { expect, test } from 'vitest'
import type { EventRow, NoteRow } from '../../src/db/tables.ts'
import { type CardType, cardTypes } from '../../src/entities/records/entity-types.ts'
import { eventTypeOf, eventTypes } from '../../src/events/event-types.ts'
import { ofSample } from '../sample.ts'
import { type Resource, reaches } from './expected.ts'
import { nameInLog } from './makers.ts'
import type { Caller } from './people.ts'
import { createScene, type Scene } from './scene.ts'
import { addManyLeads, linkEverything } from './states.ts'
import { askedBy, every, walk } from './walk.ts'

/** A query, the expected rows, and the page lengths for reading them. */
interface Asked<Row> {
  query: string
  of?: (row: Row) => boolean
  order?: (one: Row, other: Row) => number
  limits?: number[]
}

const LONGEST = 250

/** Lists of ids of the maximum length of a filter. */
function chunks<Item>(items: Item[], most: number): Item[][] {
  const count = Math.ceil(items.length / most)
  return Array.from({ length: count }, (_, i) => items.slice(i * most, (i + 1) * most))
}

/** The scene with everything that can have events or notes. */
async function filled(): Promise<Scene> {
  const scene = await createScene()
  for (const type of cardTypes) await scene.states(`notes of ${type}`)
  await scene.states('tasks')
  await scene.states('transactions')
  await scene.states('chats')
  await linkEverything(scene)
  return scene
}

const recordOf = (scene: Scene, { entity_id }: { entity_id: number }): Resource =>
  scene.byId.get(String(entity_id)) as Resource

/** The faults in a person's lists. In an unpaid account there are none. */
async function faultsOf<Row extends { id: number | string; account_id: number; entity_id: number }>(
  scene: Scene,
  caller: Caller,
  path: string,
  rows: Row[],
  queries: Asked<Row>[],
): Promise<string[]> {
  const failures: string[] = []
  const seen = rows.filter(
    (row) => row.account_id === caller.account_id && reaches(caller, 'view', recordOf(scene, row)),
  )
  for (const { query, of = () => true, order, limits = [LONGEST] } of queries) {
    const rows = seen.filter(of)
    const expected = (order ? rows.toSorted(order) : rows).map(({ id }) => id)
    for (const limit of limits) {
      const { ids, faults } = await walk(caller, path, query, limit)
      const name = `GET ${path}?${query}, by ${limit}: ${caller.name}`
      if (!caller.is_paid || caller.refused) {
        const refusal = String(caller.refused ?? 402)
        if (!faults[0]?.startsWith(refusal)) failures.push(`${name}: ${faults[0] ?? 'is shown'}`)
      } else if (faults.length > 0) failures.push(`${name}: ${faults.join(', ')}`)
      else if (String(ids) !== String(expected)) failures.push(`${name}: ${ids} and not ${expected}`)
    }
  }
  return failures
}

const messages: number[] = [eventTypes.incoming_chat_message.number, eventTypes.outgoing_chat_message.number]

/** A message of a talk about a lead is also found by the contact of the talk. */
const isOfTalk = ({ type, talk_contact_id }: EventRow): boolean =>
  messages.includes(type) && talk_contact_id !== null

/** Each query also contains hidden records, by id, kind or value. */
function queriesOfLog(scene: Scene, rows: EventRow[]): Asked<EventRow>[] {
  const resources = new Map(rows.map((row) => [row.entity_id, recordOf(scene, row)]))
  const byKind = Map.groupBy(resources.values(), nameInLog)
  const types = [...new Set(rows.map(({ type }) => type))]
  const fields = [...new Set(rows.flatMap(({ field_id }) => field_id ?? []))]
  const kinds = [...byKind.keys()]
  const texts = (field_id: number) =>
    rows
      .filter((row) => row.field_id === field_id)
      .map(({ value_after }) => JSON.parse(value_after)[0].custom_field_value.text as string)
  return [
    { query: '', limits: [7, LONGEST] },
    { query: 'filter[created_at][from]=1', limits: [LONGEST] },
    { query: every('filter[entity]', kinds), limits: [20] },
    ...kinds.map((kind) => ({
      query: `filter[entity]=${kind}`,
      of: (row: EventRow) => row.entity_type === kind || (kind === 'contact' && isOfTalk(row)),
      limits: [5, LONGEST],
    })),
    ...[...byKind].flatMap(([kind, resources]) =>
      chunks(
        resources.map(({ id }) => Number(id)),
        10,
      ).map((ids) => ({
        query: `filter[entity]=${kind}&${every('filter[entity_id]', ids)}`,
        of: (row: EventRow) =>
          ids.includes(row.entity_id) ||
          (kind === 'contact' && isOfTalk(row) && ids.includes(row.talk_contact_id as number)),
        limits: [20],
      })),
    ),
    ...chunks(
      rows.map(({ id }) => id),
      LONGEST,
    ).map((ids) => ({ query: every('filter[id]', ids), of: ({ id }: EventRow) => ids.includes(id) })),
    { query: every('filter[type]', types.map(eventTypeOf) as string[]), limits: [20] },
    ...types.map((type) => ({
      query: `filter[type]=${eventTypeOf(type)}`,
      of: (row: EventRow) => row.type === type,
    })),
    ...fields.flatMap((field_id) =>
      chunks(texts(field_id), 100).map((some) => ({
        query: `filter[type]=custom_field_${field_id}_value_changed&${every('filter[value_after][value]', some)}`,
        of: (row: EventRow) =>
          row.field_id === field_id && some.some((text) => row.value_after.includes(text)),
        limits: [3],
      })),
    ),
    ...[...Map.groupBy(rows, ({ created_by }) => created_by).keys()].map((id) => ({
      query: `filter[created_by]=${id}`,
      of: ({ created_by }: EventRow) => created_by === id,
    })),
  ]
}

const everybody = ({ people }: Scene): Caller[] => [...people.callers, ...people.refused]

test('the log contains exactly the events of visible records, in pages and as an export', {
  timeout: 300_000,
}, async () => {
  const scene = await filled()
  const { db } = scene.world.ctx
  const rows = await db.selectFrom('events').selectAll().orderBy('id', 'desc').execute()
  const queries = queriesOfLog(scene, rows)
  const failures: string[] = []
  for (const [person, caller] of everybody(scene).entries()) {
    const asked = caller.refused ? queries.slice(0, 1) : askedBy(person, queries)
    failures.push(...(await faultsOf(scene, caller, 'events', rows, asked)))
    if (caller.refused || !caller.is_paid) continue
    const accept = 'application/x-ndjson'
    const { text } = await caller.client.get(`${caller.surface}/events`, { accept })
    const { ids } = await walk(caller, 'events', '', LONGEST)
    const lines = text.split('\n').filter((line) => line !== '')
    const exported = lines.map((line) => JSON.parse(line).id)
    if (String(exported) !== String(ids)) failures.push(`${caller.name} exports ${exported} and sees ${ids}`)
  }
  expect(failures, ofSample).toEqual([])
})

function queriesOfNotes(rows: NoteRow[], ids: number[]): Asked<NoteRow>[] {
  const types = [...new Set(rows.map(({ note_type }) => note_type))]
  return [
    { query: '', limits: [3, LONGEST] },
    ...chunks(
      rows.map(({ id }) => id),
      LONGEST,
    ).map((ids) => ({ query: every('filter[id]', ids), of: ({ id }: NoteRow) => ids.includes(id) })),
    ...chunks(ids, LONGEST).map((ids) => ({
      query: every('filter[entity_id]', ids),
      of: ({ entity_id }: NoteRow) => ids.includes(entity_id),
      limits: [3],
    })),
    ...types.map((type) => ({
      query: `filter[note_type]=${type}`,
      of: ({ note_type }: NoteRow) => note_type === type,
      limits: [2],
    })),
    { query: every('filter[note_type]', types), limits: [3] },
    { query: 'filter[updated_at][from]=1', limits: [3] },
    { query: 'order[id]=desc', order: (one, other) => other.id - one.id },
    {
      query: 'order[updated_at]=desc',
      order: (one, other) => other.updated_at - one.updated_at || other.id - one.id,
      limits: [3],
    },
  ]
}

test('lists of notes contain exactly those of visible records, for all records and for one', {
  timeout: 300_000,
}, async () => {
  const scene = await filled()
  await addManyLeads(scene)
  const { db } = scene.world.ctx
  const rows = await db
    .selectFrom('notes')
    .selectAll()
    .where('is_deleted', '=', 0)
    .orderBy('updated_at')
    .orderBy('id')
    .execute()
  const failures: string[] = []
  for (const type of cardTypes) {
    const resources = [...scene.byId.values()].filter(({ kind }) => kind === type)
    const notes = rows.filter(({ entity_type }) => entity_type === type)
    const queries = queriesOfNotes(
      notes,
      resources.map(({ id }) => Number(id)),
    )
    for (const [person, caller] of everybody(scene).entries()) {
      failures.push(
        ...(await faultsOf(
          scene,
          caller,
          `${type}/notes`,
          notes,
          caller.refused ? [{ query: '' }] : askedBy(person, queries),
        )),
      )
      if (!caller.refused && caller.is_paid)
        failures.push(...(await faultsOfRecords(caller, type, askedBy(person, resources), notes)))
    }
  }
  expect(failures, ofSample).toEqual([])
})

/** The notes and files at the address of each record, which is not found if the record is hidden. */
async function faultsOfRecords(
  caller: Caller,
  type: CardType,
  resources: Resource[],
  rows: NoteRow[],
): Promise<string[]> {
  const failures: string[] = []
  for (const resource of resources) {
    const isOpen = !resource.is_deleted && reaches(caller, 'view', resource)
    const { ids, faults } = await walk(caller, `${type}/${resource.id}/notes`, '', 3)
    const expected = rows.filter(({ entity_id }) => entity_id === resource.id).map(({ id }) => id)
    const files = await caller.client.get(`${caller.surface}/${type}/${resource.id}/files`)
    const name = `${caller.name}: ${type} ${resource.state}`
    // The cards of the scene have no files.
    if (files.status !== (isOpen ? 204 : 404)) failures.push(`${name}, files: ${files.status}`)
    if (!isOpen && !faults[0]?.startsWith('404')) failures.push(`${name}, notes: ${faults[0] ?? 'are shown'}`)
    if (isOpen && (faults.length > 0 || String(ids) !== String(expected)))
      failures.push(`${name}, notes: ${faults} ${ids} and not ${expected}`)
  }
  return failures
}
