import { sql } from 'kysely'
import { type Actor, findActor } from '../../src/accounts/accounts.ts'
import { nextId } from '../../src/db/dialect.ts'
import { addEntities, moveToTrash } from '../../src/entities/entities.ts'
import { cardKinds } from '../../src/notes/parents.ts'
import type { Client } from '../client.ts'
import { kindOfRun } from '../databases/databases.ts'
import type { Connected } from '../fixtures/chats.ts'
import { upload } from '../fixtures/files.ts'
import { add, addAll, surfaceOf } from '../fixtures/records.ts'
import type { Person, World } from '../world.ts'
import type { FieldHome, Kind, SettingKind } from './declaration.ts'
import { cards, isNote, isRecord, parentOf, type Resource } from './expected.ts'

/** An account with the prerequisites of its objects. */
export interface Home {
  admin: Person
  actor: Actor
  pipeline_id: number
  /** An ordinary stage, and two with their own rights. */
  stages: [ordinary: number, closed: number, open: number]
  /** A text field per kind. */
  fields: Map<FieldHome, number>
  lists: number[]
  /** The channel of its chats, created with the first one. */
  chats: Promise<Connected> | null
  /** A text field per list. */
  listFields: Map<number, number>
}

/**
 * The marks of a record can be found anywhere in an answer: in names and values, prices, phone numbers, tags and ids.
 */
export const marks = {
  text: /zqx(\d+)x/g,
  price: /\b88(\d{7})\b/g,
  phone: /\b7900(\d{7})\b/g,
  tag: /tgx(\d+)x/g,
  id: /\b(?:[5-9]\d{6}|01[0-9a-z]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g,
}
/** The mark, and a word that all records share. */
export const textOf = (mark: number) => `zqx${mark}x alike`
const priceOf = (mark: number) => 880_000_000 + mark
/** Without an argument, the mark of no record. */
export const phoneOf = (mark = 9_999_999) => `+7900${String(mark).padStart(7, '0')}`

const FIRST_IDS = {
  entities: 5_000_000,
  tasks: 6_000_000,
  transactions: 7_000_000,
  notes: 8_000_000,
  talks: 9_000_000,
}
const NO_ENTITY = 5_999_999
const NO_SETTING = 4_999_999

/** A missing id of this kind. */
export function missingId(kind: Kind): number | string {
  if (kind.startsWith('groups of ')) return `${kind.slice('groups of '.length)}_${NO_SETTING}`
  if (kind === 'tasks' || kind === 'transactions' || kind === 'talks') return FIRST_IDS[kind] + 999_999
  if (kind === 'events') return `01${'z'.repeat(24)}`
  if (kind === 'files' || kind === 'chats' || kind === 'messages')
    return '00000000-0000-4000-8000-000000000000'
  if (isNote(kind)) return FIRST_IDS.notes + 999_999
  return isRecord(kind) && kind !== 'catalogs' ? NO_ENTITY : NO_SETTING
}

/** Starts ids at numbers that do not occur elsewhere in an answer. */
export async function raiseIds({ ctx }: World): Promise<void> {
  for (const [name, last] of Object.entries(FIRST_IDS))
    await ctx.db.transaction().execute(async (tx) => {
      if (kindOfRun() === 'postgres') await sql`select setval(${`${name}_ids`}, ${last})`.execute(tx)
      else await tx.updateTable('sequences').set({ last }).where('name', '=', name).execute()
    })
}

/** Creates the stages of an account and a field per kind. */
export async function createHome({ ctx }: World, admin: Person): Promise<Home> {
  const { browser, account } = admin
  const pipeline = (await browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines[0]
  const statuses: { id: number; type: number }[] = pipeline._embedded.statuses
  const stages = statuses.filter(({ id, type }) => type === 0 && id !== 142 && id !== 143)
  const fields = new Map<FieldHome, number>()
  for (const home of ['leads', 'contacts', 'companies', 'customers'] as const) {
    const answer = await browser.post(`/web/v4/${home}/custom_fields`, [{ name: 'Secret', type: 'text' }])
    fields.set(home, answer.body._embedded.custom_fields[0].id)
  }
  const asking = { request_id: 'r', address: '127.0.0.1', integration: null }
  const actor = (await findActor(ctx, { account_id: account.id, user_id: admin.id }, asking)) as Actor
  const ids = stages.map(({ id }) => id) as Home['stages']
  return {
    admin,
    actor,
    pipeline_id: pipeline.id,
    stages: ids,
    fields,
    lists: [],
    listFields: new Map(),
    chats: null,
  }
}

/** Creates the record of an object and stores its id. `bought` is the element of a purchase. */
export async function makeRecord(
  all: World,
  home: Home,
  resource: Resource,
  mark: number,
  bought: Resource | null,
): Promise<void> {
  if (resource.kind === 'catalogs') resource.catalog_id = resource.id = await makeList(all, home, mark)
  else if (resource.kind === 'events') await makeEvent(home, resource)
  else if (resource.kind === 'catalog_elements') await makeElement(all, home, resource, mark)
  else if (resource.kind === 'tasks') await makeTask(home, resource, mark)
  else if (resource.kind === 'transactions') await makePurchase(home, resource, mark, bought)
  else await makeMany(home, [[resource, mark]])
}

/** Kinds that are created in batches. */
export const isMadeAtOnce = (kind: Kind): boolean => cards.includes(kind) || isNote(kind)

/** Creates objects of one kind in a batch, in order. */
export async function makeMany(home: Home, made: [resource: Resource, mark: number][]): Promise<void> {
  const { browser } = home.admin
  const kind = made[0]?.[0].kind as Kind
  const path = isNote(kind) ? `${parentOf(kind)}/notes` : kind
  const draft = isNote(kind) ? noteDraft : cardDraft
  const ids = await addAll(
    browser,
    path,
    made.map(([resource, mark]) => draft(home, resource, mark)),
  )
  made.forEach(([resource], i) => {
    resource.id = ids[i] as number
  })
  const gone = made.flatMap(([{ id, is_deleted }]) => (is_deleted ? [{ id }] : []))
  if (gone.length > 0) await browser.delete(`/web/v4/${path}`, gone)
}

/** Inserted directly, because an account can have at most ten lists. */
async function makeList(all: World, home: Home, mark: number): Promise<number> {
  const { ctx } = all
  const { admin, listFields } = home
  const now = ctx.now()
  const id = await ctx.db.transaction().execute(async (tx) => {
    const id = await nextId(tx, 'catalogs')
    const flags = {
      can_add_elements: 1,
      can_show_in_cards: 0,
      can_link_multiple: 1,
      can_be_deleted: 1,
      sums_leads: 0,
    } as const
    const about = { created_by: admin.id, updated_by: admin.id, created_at: now, updated_at: now }
    const row = { account_id: admin.account.id, id, name: textOf(mark), type: 'regular', sort: 10 }
    await tx
      .insertInto('catalogs')
      .values({ ...row, ...flags, ...about, sdk_widget_code: null })
      .execute()
    return id
  })
  const field = [{ name: 'Secret', type: 'text' }]
  listFields.set(id, Number(await post(admin.browser, `catalogs/${id}/custom_fields`, field)))
  return id
}

async function makeElement(
  { ctx }: World,
  { actor, lists, listFields }: Home,
  resource: Resource,
  mark: number,
) {
  const catalog_id = resource.catalog_id ?? (lists[0] as number)
  // The addition of an element has no event, but its values have.
  const draft = { name: textOf(mark), custom_fields_values: [valueIn(listFields.get(catalog_id), mark)] }
  const [row] = await addEntities(ctx, actor, 'catalog_elements', [draft], { catalog_id })
  const id = row?.id as number
  Object.assign(resource, { id, catalog_id })
  if (resource.is_deleted) await moveToTrash(ctx, actor, 'catalog_elements', [{ id }], 'path', { catalog_id })
}

async function makeTask({ admin }: Home, resource: Resource, mark: number): Promise<void> {
  const { parent, responsible_user_id } = resource
  const about = parent ? { entity_type: parent.kind, entity_id: parent.id } : {}
  const draft = { text: textOf(mark), complete_till: 1_800_000_000, responsible_user_id, ...about }
  resource.id = await add(admin.browser, 'tasks', draft)
  if (resource.is_deleted) await admin.browser.delete(`/web/v4/tasks/${resource.id}`)
}

async function makePurchase({ admin }: Home, resource: Resource, mark: number, bought: Resource | null) {
  const _embedded = { catalog_elements: [{ id: bought?.id }] }
  const draft = { price: priceOf(mark), comment: textOf(mark), _embedded }
  resource.id = await add(admin.browser, `customers/${resource.parent?.id}/transactions`, draft)
  if (resource.is_deleted) await admin.browser.delete(`/web/v4/customers/transactions/${resource.id}`)
}

/** The name of an event's object in the log. */
export function nameInLog({ kind, catalog_id }: Resource): string {
  if (kind === 'catalog_elements') return `catalog_${catalog_id}`
  return kind === 'tasks' ? 'task' : cardKinds[kind as keyof typeof cardKinds]
}

/** The newest event of the parent. */
async function makeEvent({ admin }: Home, resource: Resource): Promise<void> {
  const parent = resource.parent as Resource
  const query = `filter[entity]=${nameInLog(parent)}&filter[entity_id]=${parent.id}&limit=1`
  const { body } = await admin.browser.get(`/web/v4/events?${query}`)
  resource.id = body._embedded.events[0].id
}

const noteDraft = (_home: Home, { parent }: Resource, mark: number): object => ({
  entity_id: parent?.id,
  note_type: 'common',
  params: { text: textOf(mark) },
})

const valueIn = (field_id: number | undefined, mark: number) => ({
  field_id: field_id as number,
  values: [{ value: `${textOf(mark)} value` }],
})

export function cardDraft({ pipeline_id, stages, fields }: Home, resource: Resource, mark: number): object {
  const { kind, responsible_user_id } = resource
  if (kind === 'leads') resource.stage ??= { pipeline_id, status_id: stages[0] }
  const phone = { field_code: 'PHONE', values: [{ value: phoneOf(mark) }] }
  return {
    name: textOf(mark),
    responsible_user_id,
    ...(kind === 'leads' && { ...resource.stage, price: priceOf(mark) }),
    ...(kind === 'customers' && { next_price: priceOf(mark) }),
    custom_fields_values: [
      valueIn(fields.get(kind as FieldHome), mark),
      ...(kind === 'contacts' || kind === 'companies' ? [phone] : []),
    ],
    _embedded: { tags: [{ name: `tgx${mark}x` }] },
  }
}

/** Creates a setting as an administrator of the account. `token` belongs to an integration. */
export async function makeSetting(
  all: World,
  home: Home,
  kind: SettingKind,
  mark: number,
  token: string,
): Promise<number | string> {
  const { browser, account } = home.admin
  const name = `Setting ${mark}`
  if (kind === 'files') return (await upload(browser, name, { file_name: `${name}.txt` })).uuid
  const [what, of] = kind.split(' of ') as [string, FieldHome | undefined]
  if (what === 'users') return (await all.addPerson({ name: `Person${mark}`, account })).id
  if (what === 'sources') {
    // Sources of another account's integration have no name here.
    if (account !== all.account) return NO_SETTING - 1
    return post(browser.as({ token }), 'sources', [{ name, external_id: `source-${mark}` }])
  }
  // Every account has one.
  if (what === 'bots') return (await browser.get('/web/v4/bots')).body._embedded.items[0].id
  if (what === 'templates')
    // A token sees only those of its integration.
    return post(account === all.account ? browser.as({ token }) : browser, 'chats/templates', [
      { name, content: 'Hello', type: 'waba', is_editable: true },
    ])
  if (what === 'tags') return post(browser, `${of}/tags`, [{ name }])
  if (of) {
    const path = `${placeOfFields(of, home)}/custom_fields`
    return what === 'fields'
      ? post(browser, path, [{ name, type: 'text' }])
      : post(browser, `${path}/groups`, [{ name, sort: 5 }])
  }
  const [path, draft] = simpleSettings[kind as keyof typeof simpleSettings](home)
  const body = { name, ...draft }
  return post(browser, path, AS_OBJECTS.includes(what) ? body : [body])
}

const placeOfFields = (of: FieldHome, { lists }: Home): string =>
  ({ catalog_elements: `catalogs/${lists[0]}`, segments: 'customers/segments' })[of as string] ?? of

/** Settings that are created one at a time. */
const AS_OBJECTS = ['roles', 'groups', 'intents', 'segments']

const simpleSettings = {
  roles: () => ['roles', {}],
  groups: () => ['groups', {}],
  pipelines: () => ['leads/pipelines', { sort: 50, is_main: false, is_unsorted_on: false }],
  statuses: ({ pipeline_id }) => [`leads/pipelines/${pipeline_id}/statuses`, {}],
  loss_reasons: () => ['leads/loss_reasons', {}],
  customer_statuses: () => ['customers/statuses', { sort: 50 }],
  segments: () => ['customers/segments', {}],
  audiences: () => ['audiences', { service: 'ads' }],
  automations: ({ pipeline_id }) => [
    `leads/pipelines/${pipeline_id}/automations`,
    { status_id: 142, action: { type: 'create_task', text: 'Call' } },
  ],
  intents: () => ['chats/intents', { phrases: ['the price'], answer: 'A hundred.' }],
} as const satisfies Record<string, (home: Home) => [path: string, draft: object]>

async function post(browser: Client, path: string, body: object): Promise<number | string> {
  const answer = await browser.post(`${surfaceOf(browser)}/${path}`, body)
  if (answer.status >= 300) throw new Error(`not made: ${path} ${answer.text}`)
  if (!Array.isArray(body)) return answer.body.id
  const [added] = Object.values(answer.body._embedded)[0] as [{ id: number | string }]
  return added.id
}
