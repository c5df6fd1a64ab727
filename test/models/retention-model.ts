import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'
import { type Tables, tables } from '../../src/db/tables.ts'
import type { KindName } from '../../src/retention/kind-types.ts'
import { line } from '../fixtures/conversations.ts'
import { add } from '../fixtures/records.ts'
import type { World } from '../world.ts'

/** All rows of a database, by table. */
export type Rows = { [Name in (typeof tables)[number]]: Tables[Name][] }

export async function allRows({ db }: Context): Promise<Rows> {
  const read = tables.map(async (table) => {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
    return [table, rows] as const
  })
  return Object.fromEntries(await Promise.all(read)) as unknown as Rows
}

/** A step of a generated history: some days pass, then something happens. */
export interface Step {
  days: number
  what: (typeof whats)[number]
  /** Chooses among what exists. */
  pick: number
}

export const whats = [
  'lead',
  'contact',
  'edit',
  'note',
  'delete note',
  'task',
  'complete task',
  'delete task',
  'trash',
  'restore',
  'merge',
  'message',
] as const

/** Plays a history by the API. A refused step, such as a note on a record in the trash, changes nothing. */
export async function play(all: World, steps: readonly Step[]): Promise<void> {
  const chat = await line(all)
  const ids: Record<'leads' | 'contacts' | 'notes' | 'tasks', number[]> = {
    leads: [],
    contacts: [],
    notes: [],
    tasks: [],
  }
  for (const { days, what, pick } of steps) {
    all.clock.advance(days * 86_400 + pick)
    const browser = await all.signIn(all.admin)
    const one = (of: keyof typeof ids) => ids[of][pick % Math.max(ids[of].length, 1)] ?? 0
    const named = { name: `Name ${pick % 5}`, _embedded: { tags: [{ name: `t${pick % 3}` }] } }
    if (what === 'lead') {
      const contact = one('contacts')
      ids.leads.push(await add(browser, 'leads', { ...named, price: pick }))
      await browser.post(`/web/v4/leads/${ids.leads.at(-1)}/link`, [
        { to_entity_type: 'contacts', to_entity_id: contact },
      ])
    }
    const phone = [{ field_code: 'PHONE', values: [{ value: `+7916${pick}` }] }]
    if (what === 'contact')
      ids.contacts.push(await add(browser, 'contacts', { ...named, custom_fields_values: phone }))
    if (what === 'edit') await browser.patch(`/web/v4/leads/${one('leads')}`, { name: `Other ${pick}` })
    if (what === 'note') {
      const call = { uniq: `call-${pick}`, duration: 1, phone: '1', link: 'https://example.com/x' }
      const draft =
        pick % 2 ? { note_type: 'call_in', params: call } : { note_type: 'common', params: { text: 'x' } }
      const answer = await browser.post(`/web/v4/leads/${one('leads')}/notes`, [draft])
      if (answer.status === 200) ids.notes.push(answer.body._embedded.notes[0].id)
    }
    if (what === 'delete note') await browser.delete(`/web/v4/leads/notes/${one('notes')}`)
    if (what === 'task') {
      const of = { entity_type: 'leads', entity_id: one('leads') }
      const answer = await browser.post('/web/v4/tasks', [
        { text: 'call', complete_till: all.clock.now(), ...(of.entity_id > 0 && of) },
      ])
      if (answer.status === 200) ids.tasks.push(answer.body._embedded.tasks[0].id)
    }
    if (what === 'complete task')
      await browser.patch(`/web/v4/tasks/${one('tasks')}`, { is_completed: true, result: { text: 'done' } })
    if (what === 'delete task') await browser.delete(`/web/v4/tasks/${one('tasks')}`)
    const type = pick % 3 === 0 ? 'contacts' : 'leads'
    if (what === 'trash') await browser.delete(`/web/v4/${type}/${one(type)}`)
    if (what === 'restore') await browser.post(`/web/v4/${type}/${one(type)}/restore`)
    if (what === 'merge') {
      const [first, second] = [one(type), ids[type].at(-1 - (pick % 2))]
      await browser.post(`/web/v4/${type}/merge`, { id: first, merge: [second] })
    }
    if (what === 'message') await chat.write(`Who ${pick % 3}`)
  }
}

type Since = Partial<Record<KindName, number>>
type Entity = Rows['entities'][number]

/**
 * The rows that must be left when everything before `since` was deleted, by rules that are written here once more, without
 * a database.
 */
export function remaining(before: Rows, since: Since): Rows {
  const isOld = (kind: KindName, at: number) => since[kind] !== undefined && at < since[kind]
  const gone = goneRecords(before, (at) => isOld('trash', at))
  const emptied = emptiedRecords(before, (at) => isOld('merged', at))
  const isLeft = ({ entity_id }: { entity_id: number }) => !gone.has(entity_id)
  const isFull = ({ entity_id }: { entity_id: number }) => !gone.has(entity_id) && !emptied.has(entity_id)
  const isWhole = (kind: 'notes' | 'tasks', row: { is_deleted: number; updated_at: number }) =>
    row.is_deleted === 0 || !isOld(kind, row.updated_at)

  const tasks = before.tasks.filter((row) => isWhole('tasks', row) && !gone.has(row.entity_id ?? 0))
  const taskIds = idsOf(tasks)
  const notes = before.notes.filter(
    (row) =>
      isWhole('notes', row) &&
      (row.entity_type === 'tasks' ? taskIds.has(row.entity_id) : !gone.has(row.entity_id)),
  )
  const noteIds = idsOf(notes)
  const events = before.events.filter(({ created_at }) => !isOld('events', created_at))
  const eventIds = idsOf(events)
  const last = new Set(before.conversations.map(({ last_message_id }) => last_message_id))
  return {
    ...before,
    entities: before.entities.filter(({ id }) => !gone.has(id)),
    field_values: before.field_values.filter(isFull),
    field_keys: before.field_keys.filter(isFull),
    search_words: before.search_words.filter(isFull),
    entity_tags: before.entity_tags.filter(isFull),
    links: before.links.filter((row) => isLeft(row) && !gone.has(row.to_entity_id)),
    incoming_leads: before.incoming_leads.filter(({ lead_id }) => !gone.has(lead_id)),
    visitors: before.visitors.filter(isLeft),
    audience_members: before.audience_members.filter(isLeft),
    subscriptions: before.subscriptions.filter(isLeft),
    tasks,
    notes,
    call_ids: before.call_ids.filter(({ note_id }) => noteIds.has(note_id)),
    events,
    event_keys: before.event_keys.filter(({ event_id }) => eventIds.has(event_id)),
    chat_messages: before.chat_messages.filter(
      ({ id, created_at, state }) => !isOld('messages', created_at) || last.has(id) || state === 'pending',
    ),
    audit_log: before.audit_log.filter(({ at }) => !isOld('audit', at)),
  }
}

/** The records that go: old ones in the trash that nothing needs, and those that were merged into them. */
function goneRecords(before: Rows, isOld: (at: number) => boolean): Set<number> {
  const records = new Map(before.entities.map((row) => [row.id, row]))
  const rootOf = (id: number): number => {
    const into = records.get(id)?.merged_into
    return into ? rootOf(into) : id
  }
  const used = new Set<number>()
  for (const { contact_id, lead_id } of [...before.conversations, ...before.talks])
    for (const id of [contact_id, lead_id]) if (id !== null) used.add(rootOf(id))
  for (const { entity_id, is_completed, is_deleted } of before.tasks)
    if (entity_id !== null && is_completed === 0 && is_deleted === 0) used.add(rootOf(entity_id))
  const goes = ({ id, is_deleted, updated_at }: Entity) =>
    is_deleted === 1 && isOld(updated_at) && !used.has(id)
  return idsOf(before.entities.filter(({ id }) => goes(records.get(rootOf(id)) as Entity)))
}

/** The records that lose their values: merged ones that have some. */
function emptiedRecords(before: Rows, isOld: (at: number) => boolean): Set<number> {
  const filled = new Set([...before.field_values, ...before.entity_tags].map(({ entity_id }) => entity_id))
  return idsOf(
    before.entities.filter(
      ({ id, merged_into, updated_at }) => merged_into !== null && isOld(updated_at) && filled.has(id),
    ),
  )
}

const idsOf = <Id>(rows: readonly { id: Id }[]): Set<Id> => new Set(rows.map(({ id }) => id))
