import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { messageOf, openStore as openPushes } from '../../bench/floors/push-rows.ts'
import {
  type Constants,
  type LeadDraft,
  openStore,
  type Request,
  type Store,
} from '../../bench/floors/rows.ts'
import type { Context } from '../../src/context.ts'
import { tables } from '../../src/db/tables.ts'
import { connected } from '../fixtures/chats.ts'
import { connect, register } from '../fixtures/integrations.ts'
import { textPush } from '../fixtures/pushes.ts'
import { addAll } from '../fixtures/records.ts'
import { type World, world } from '../world.ts'
import { kindOfRun } from './databases.ts'

type Row = Record<string, unknown>
type Rows = Record<string, string[]>

/** Every row, by its table. */
async function everyRow({ db }: Context): Promise<Rows> {
  const found: Rows = {}
  for (const table of tables)
    found[table] = (await db.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row))
  return found
}

/** The rows that some work adds or changes, by their table. */
async function changedRows(ctx: Context, work: () => Promise<unknown>): Promise<Record<string, Row[]>> {
  const before = await everyRow(ctx)
  await work()
  const after = await everyRow(ctx)
  const changed = Object.entries(after).map(([table, rows]): [string, Row[]] => {
    const known = new Set(before[table])
    return [table, rows.filter((row) => !known.has(row)).map((row) => JSON.parse(row))]
  })
  return Object.fromEntries(changed.filter(([, rows]) => rows.length > 0))
}

/** The same without what no two requests have in common. */
const rowsOf = async (ctx: Context, work: () => Promise<unknown>): Promise<Record<string, Row[]>> =>
  comparable(await changedRows(ctx, work))

/** Counts ids from the first new one of their table. */
function comparable(changed: Record<string, Row[]>): Record<string, Row[]> {
  const idsOf = (table: string) =>
    (changed[table] ?? []).map(({ id }) => id as string).sort((a, b) => (a < b ? -1 : 1))
  const places = new Map<unknown, string>()
  const [leads, notes, events] = ['entities', 'notes', 'events'].map(idsOf)
  for (const [i, id] of events?.entries() ?? []) places.set(id, `event ${i}`)
  const place = (ids: unknown[] | undefined, id: unknown) =>
    ids?.includes(id) ? `new ${ids.indexOf(id)}` : id
  const one = (table: string, row: Row): Row => ({
    ...row,
    ...(table === 'entities' && { id: place(leads, row.id) }),
    ...(table === 'notes' && { id: place(notes, row.id) }),
    ...(table === 'events' && {
      id: places.get(row.id),
      request_id: 'a request',
      value_after: String(row.value_after).replace(/(?<="note":\{"id":)\d+/, (id) =>
        String(place(notes, Number(id))),
      ),
    }),
    ...('event_id' in row && { event_id: places.get(row.event_id) }),
    ...('entity_id' in row && { entity_id: place(leads, row.entity_id) }),
  })
  const sorted = Object.entries(changed).map(([table, rows]): [string, Row[]] => [
    table,
    rows.map((row) => one(table, row)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  ])
  return Object.fromEntries(sorted)
}

const drafts = [
  { name: 'Text', type: 'text' },
  { name: 'Number', type: 'numeric' },
  { name: 'Choice', type: 'select', enums: ['a', 'b', 'c'].map((value, sort) => ({ value, sort })) },
  { name: 'Day', type: 'date' },
  { name: 'Yes or no', type: 'checkbox' },
]

/** Where a floor opens the database of a world. */
const addressOf = ({ ctx, folder }: Pick<World, 'ctx' | 'folder'>): string =>
  kindOfRun() === 'postgres' ? ctx.config.database_url : join(folder, 'patchbay.db')

/** An account with fields, a caller with a token, and the floor on the same database. */
async function both() {
  const { ctx, admin, stranger, folder } = await world()
  const { access_token } = await connect(stranger, await register(admin))
  const caller = stranger.as({ token: access_token })
  const made = await admin.browser.post('/web/v4/leads/custom_fields', drafts)
  const fields: Field[] = made.body._embedded.custom_fields.map((field: Field) => ({
    ...field,
    enums: field.enums ?? [],
  }))
  const send = async (method: 'post' | 'patch', path: string, body: object) => {
    const answer = await caller[method](`/api/v4/${path}`, body)
    expect(answer.status).toBe(200)
    return answer.body
  }
  const alike = { name: 'Alike', price: 7 }
  const [first, second] = (await addAll(caller, 'leads', [alike, alike])) as [number, number]
  const row = await ctx.db
    .selectFrom('entities')
    .selectAll()
    .where('id', '=', first)
    .executeTakeFirstOrThrow()
  const { account_id, created_by: user_id, created_by_integration, pipeline_id, status_id } = row
  const constants = {
    account_id,
    user_id,
    pipeline_id: pipeline_id as number,
    status_id: status_id as number,
    fields,
  }
  const store = await openStore(kindOfRun(), addressOf({ ctx, folder }), {
    ...constants,
    integration: created_by_integration as number,
    base: '',
  })
  onTestFinished(() => store.close())
  const compare = async (
    ours: () => Promise<unknown>,
    floor: (store: Store, by: Request) => Promise<unknown>,
  ) => {
    const written = await rowsOf(ctx, ours)
    expect(Object.keys(written).length).toBeGreaterThan(1)
    expect(await rowsOf(ctx, () => floor(store, { id: 'a request', at: ctx.now() }))).toEqual(written)
  }
  return { compare, send, first, second, fields }
}

type Field = Constants['fields'][number]

const valued = (fields: Field[], n: number): LeadDraft => {
  const values = [`text ${n}`, String(n), undefined, 1_700_000_000 + n * 60, n % 2 === 0]
  return {
    name: `Lead ${n}`,
    price: n,
    custom_fields_values: fields.map(({ id, enums }, i) => ({
      field_id: id,
      values: [enums.length > 0 ? { enum_id: enums[n % 3]?.id as number } : { value: values[i] }],
    })),
  }
}

test('the floor of writes leaves the rows that the real program leaves', async () => {
  const { compare, send, first, second, fields } = await both()
  const lead = [{ name: 'Lead 12', price: 12 }]
  await compare(
    () => send('post', 'leads', lead),
    (store, by) => store.addLeads(lead, by),
  )
  await compare(
    () => send('patch', `leads/${first}`, { price: 8 }),
    (store, by) => store.changePrice(second, 8, by),
  )
  const batch = [20, 21, 22].map((n) => valued(fields, n))
  await compare(
    () => send('post', 'leads', batch),
    (store, by) => store.addLeads(batch, by),
  )
  const notes = [1, 2].map((n) => ({
    entity_id: first,
    note_type: 'common' as const,
    params: { text: `Note ${n}` },
  }))
  await compare(
    () => send('post', 'leads/notes', notes),
    (store, by) => store.addNotes(notes, by),
  )
})

/** Columns that count the messages of a conversation. */
const counters = ['position', 'last_position', 'unread_count', 'version']

test('the floor of pushes leaves the rows that the real program leaves', async () => {
  const here = await world()
  const hub = await connected(here)
  await hub.push(textPush('first'))
  /** The rows that the nth push to the conversation changes, without what no two pushes have in common. */
  const rowsOfPush = async (n: number, push: (body: Buffer) => Promise<unknown>) => {
    const body = Buffer.from(JSON.stringify({ event_type: 'new_message', payload: textPush(`push ${n}`) }))
    const changed = await changedRows(here.ctx, () => push(body))
    const [event] = changed.events as [Row]
    const [message] = changed.chat_messages as [Row]
    const own = { [`push ${n}`]: 'msgid', [String(event.request_id)]: 'request' }
    Object.assign(own, { [String(event.id)]: 'event', [String(message.id)]: 'message' })
    const hash = JSON.stringify(message.body_hash)
    expect(JSON.parse(hash).data).toHaveLength(32)
    const text = Object.entries(own).reduce(
      (text, [value, name]) => text.replaceAll(value, name),
      JSON.stringify(changed).replace(hash, '0'),
    )
    return JSON.parse(text, (name, value) => (counters.includes(name) ? value - n : value))
  }
  const { id: account_id } = here.account
  const { id: channel_id, secret } = hub.channel
  const store = await openPushes(kindOfRun(), addressOf(here), { account_id, channel_id, secret })
  onTestFinished(() => store.close())
  const written = await rowsOfPush(1, (body) => hub.call('POST', `/${hub.scope_id}`, body.toString()))
  expect(Object.keys(written).sort()).toEqual(['chat_messages', 'conversations', 'events'])
  const by = { id: 'a request', at: here.ctx.now() }
  expect(await rowsOfPush(2, (body) => store.add(messageOf(body), by))).toEqual(written)
})
