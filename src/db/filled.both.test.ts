import { expect, test } from 'vitest'
import { olderDatabase } from '../../test/databases/older-database.ts'
import { nameKey } from '../entities/records/orders.ts'
import type { Tx } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/migrations.ts'
import { insertRows } from './row-sets.ts'

const BEFORE_LISTS = '007-jobs'
const from = (first: string) => migrations.findIndex(({ name }) => name === first)
const RECORDS = 2_500

const names = ['Émile  ZOLA', ' Ёлка', '\u{1d400}bc', 'a'.repeat(255), '', 'ﬁ', `${'é'.repeat(63)}😀`]

async function fill(tx: Tx): Promise<void> {
  const by = { account_id: 7, created_by: 1, created_at: 1 }
  const written = { ...by, responsible_user_id: 1, updated_by: 1, updated_at: 1, is_deleted: 0 }
  const records = Array.from({ length: RECORDS }, (_, i) => ({
    ...written,
    entity_type: ['leads', 'contacts', 'catalog_elements'][i % 3],
    id: i + 1,
    name: names[i % names.length],
  }))
  await insertRows(tx, 'entities', records as never)
  const task = { ...written, text: 'x', duration: 0, complete_till: 1, is_completed: 0, task_type_id: 1 }
  await insertRows(tx, 'tasks', [
    { ...task, id: 9_001, entity_type: 'leads', entity_id: 1 },
    { ...task, id: 9_002, entity_type: null, entity_id: null },
  ] as never)
  const event = { ...by, type: 1, value_after: '[]', value_before: '[]', request_id: 'r' }
  const stored = (
    id: string,
    entity_type: string,
    entity_id: number,
    talk_contact_id: number | null = null,
  ) => ({
    ...{ ...event, id: id.padEnd(26, '0'), entity_type, entity_id, talk_contact_id },
    ...{ field_id: null, field_name: null },
  })
  await insertRows(tx, 'events', [
    stored('a', 'task', 9_001),
    stored('b', 'task', 9_002),
    stored('c', 'task', 9_999),
    stored('d', 'lead', 1, 2),
    stored('e', 'lead', 1),
  ] as never)
}

test('The first of several calls with one uniq keeps it', async () => {
  const db = (await olderDatabase(BEFORE_LISTS)).db
  const by = { created_by: 1, updated_by: 1, created_at: 1, updated_at: 1, responsible_user_id: 1 }
  const note = (account_id: number, id: number, note_type: string, params: object) => ({
    ...{ ...by, account_id, entity_type: id % 2 ? 'leads' : 'contacts', id, entity_id: 1, note_type },
    ...{ params: JSON.stringify(params), is_pinned: 0, is_deleted: 0 },
  })
  await db
    .transaction()
    .execute((tx) =>
      insertRows(tx, 'notes', [
        note(7, 3, 'call_in', { uniq: 'u-1' }),
        note(7, 2, 'call_out', { uniq: 'u-1' }),
        note(7, 1, 'common', { text: 'u-1', uniq: 'u-1' }),
        note(7, 5, 'call_in', { uniq: "Ü '\\" }),
        note(7, 6, 'call_in', {}),
        note(8, 9, 'call_in', { uniq: 'u-1' }),
      ] as never),
    )
  await migrate(db, 2)
  const rows = await db.selectFrom('call_ids').selectAll().orderBy('note_id').execute()
  expect(rows).toEqual([
    { account_id: 7, uniq: 'u-1', note_id: 2 },
    { account_id: 7, uniq: "Ü '\\", note_id: 5 },
    { account_id: 8, uniq: 'u-1', note_id: 9 },
  ])
})

test('Data of an older version is found by the orders and on the cards of this version', async () => {
  const db = (await olderDatabase(BEFORE_LISTS)).db
  await db.transaction().execute(fill)
  expect(await migrate(db, 2)).toEqual(migrations.slice(from(BEFORE_LISTS)).map(({ name }) => name))
  const records = await db.selectFrom('entities').select(['name', 'name_key']).execute()
  expect(records).toHaveLength(RECORDS)
  expect(records.filter(({ name, name_key }) => name_key !== nameKey(name))).toEqual([])
  const events = await db.selectFrom('events').select('card_id').orderBy('id').execute()
  expect(events.map(({ card_id }) => card_id)).toEqual([1, null, null, 2, null])
})

test('Deliveries and circuits of an older version have the states that their times stood for', async () => {
  const db = (await olderDatabase('019-delivery-states')).db
  const SHOP = 'https://shop.example:8443'
  const usual = {
    ...{ account_id: 7, kind: 'test', subject: 's', lane: 'a', method: 'POST', url: `${SHOP}/hook/1?a=/b` },
    ...{ headers: '{}', body: null, request_id: 'r', attempts: 3, created_at: 100, ended_at: null },
    ...{ state: 'pending', circuit: 'c', next_attempt_at: 200, leased_until: null },
  }
  const before = [
    { ...usual, id: 1 },
    { ...usual, id: 2, next_attempt_at: 160, leased_until: 160, url: 'http://a/' },
    { ...usual, id: 3, next_attempt_at: 9_999_999_999, circuit: null },
    { ...usual, id: 4, next_attempt_at: 9_000_000_003, lane: null },
    { ...usual, id: 5, state: 'delivered', ended_at: 150 },
    { ...usual, id: 6, state: 'failed', ended_at: 150, url: 'not a URL' },
  ]
  const circuit = {
    failing_since: null,
    tries: 0,
    last_success_at: 1,
    last_failure_at: null,
    last_error: null,
  }
  await db.transaction().execute(async (tx) => {
    const texts = {
      uuid: 'a',
      amojo_id: 'a',
      subdomain: 'a',
      name: 'a',
      country: 'ES',
      currency: 'EUR',
      language: 'es',
    }
    const more = {
      currency_symbol: '€',
      timezone: 'UTC',
      customers_mode: 'disabled',
      contact_name_display_order: 1,
    }
    const flags = { is_unsorted_on: 0, is_loss_reason_enabled: 0, is_helpbot_enabled: 0, paid_until: null }
    const written = { created_at: 1, created_by: 1, updated_at: 1, updated_by: 1 }
    await tx
      .insertInto('accounts')
      .values({ id: 7, ...texts, ...more, ...flags, ...written } as never)
      .execute()
    await tx
      .insertInto('deliveries')
      .values(before as never)
      .execute()
    await tx
      .insertInto('circuits')
      .values([
        { ...circuit, name: 'closed', failures: 2, opens_at: null },
        { ...circuit, name: 'open', failures: 7, opens_at: 300 },
        { ...circuit, name: 'recovering', failures: 0, opens_at: 300 },
      ] as never)
      .execute()
  })
  await migrate(db, 2)
  const rows = await db.selectFrom('deliveries').selectAll().orderBy('id').execute()
  expect(
    rows.map(({ state, next_attempt_at, leased_until }) => [state, next_attempt_at, leased_until]),
  ).toEqual([
    ['ready', 200, null],
    ['in_flight', 160, 160],
    ['held', 100, null],
    ['paused', 100, null],
    ['delivered', 200, null],
    ['failed', 200, null],
  ])
  expect(rows.map(({ endpoint }) => endpoint)).toEqual([SHOP, 'http://a', SHOP, SHOP, SHOP, 'not a U'])
  expect(rows.map(({ ordering_key }) => ordering_key)).toEqual(['a', 'a', 'a', null, 'a', 'a'])
  const circuits = await db
    .selectFrom('circuits')
    .select(['name', 'state', 'due_at'])
    .orderBy('name')
    .execute()
  expect(circuits).toEqual([
    { name: 'closed', state: 'closed', due_at: null },
    { name: 'open', state: 'open', due_at: 300 },
    { name: 'recovering', state: 'recovering', due_at: 300 },
  ])
})

test('Integrations of an older version get numbers, which their channels and audit entries have', async () => {
  const db = (await olderDatabase('033-acting-integrations')).db
  const at = { created_at: 1, created_by: 1, updated_at: 1, updated_by: 1 }
  const account = {
    ...{
      id: 7,
      uuid: 'a',
      amojo_id: 'a',
      subdomain: 'a',
      name: 'a',
      country: 'ES',
      currency: 'EUR',
      language: 'es',
    },
    ...{ currency_symbol: '€', timezone: 'UTC', customers_mode: 'disabled', contact_name_display_order: 1 },
    ...{ is_unsorted_on: 0, is_loss_reason_enabled: 0, is_helpbot_enabled: 0, paid_until: null, ...at },
  }
  const integration = (id: string, created_at: number) => ({
    ...{ ...at, id, account_id: 7, name: id, description: '', redirect_uri: 'https://a/', created_at },
    ...{ permissions: '[]', access: 'private', duplicate_control: 0, multiple_sources: 0, has_widget: 0 },
    ...{
      revoke_on_reuse: 0,
      secret_hash: Buffer.from(id),
      secret_sealed: Buffer.from(id),
      redirect_failures: 0,
    },
  })
  const channel = (id: string, integration_id: string | null) => ({
    ...{ ...at, id, account_id: 7, name: id, callback_url: 'https://a/', integration_id, protocol: 'spec' },
    ...{
      delivery: 'retry',
      secret_sealed: Buffer.from(id),
      is_secret_used: 1,
      state: 'active',
      is_deleted: 0,
    },
  })
  const entry = (id: string, action: string, integration_id: string | null) => ({
    ...{ account_id: 7, id, at: 1, user_id: 1, integration_id, action, details: '{}', request_id: 'r' },
  })
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('accounts')
      .values(account as never)
      .execute()
    const integrations = [integration('late', 9), integration('b', 5), integration('a', 5)]
    await tx
      .insertInto('integrations')
      .values(integrations as never)
      .execute()
    await tx
      .insertInto('channels')
      .values([channel('1', 'late'), channel('2', null)] as never)
      .execute()
    const entries = [
      entry('a', 'tag.changed', 'b'),
      entry('b', 'integration.changed', 'b'),
      entry('c', 'tokens.revoked', 'b'),
      entry('d', 'webhook.added', 'late'),
      entry('e', 'tag.changed', null),
    ]
    await tx
      .insertInto('audit_log')
      .values(entries as never)
      .execute()
  })
  await migrate(db, 2)
  const integrations = await db
    .selectFrom('integrations')
    .select(['id', 'number'])
    .orderBy('number')
    .execute()
  expect(integrations.map(({ id, number }) => [id, number])).toEqual([
    ['a', 1],
    ['b', 2],
    ['late', 3],
  ])
  const channels = await db.selectFrom('channels').select('integration_number').orderBy('id').execute()
  expect(channels.map(({ integration_number }) => integration_number)).toEqual([3, null])
  const entries = await db.selectFrom('audit_log').select('by_integration').orderBy('id').execute()
  expect(entries.map(({ by_integration }) => by_integration)).toEqual([2, null, null, 3, null])
})
