import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startSession } from '../../src/accounts/sessions.ts'
import { buildApp } from '../../src/app.ts'
import { closeContext, openContext } from '../../src/commands/open.ts'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { continueIds } from '../../src/db/dialect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations/migrations.ts'
import { sha256 } from '../../src/secrets.ts'
import { openVault } from '../../src/vault.ts'
import { client } from '../client.ts'
import { copyOf, type Place } from '../databases.ts'
import { olderDatabase } from '../older-database.ts'

/** The schema of the first version. */
const SECOND = '003-event-indexes'
const first = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === SECOND),
)

const KEY = Buffer.alloc(32, 9)
const vault = openVault({ present: KEY, previous: null })
const AT = 1_700_000_000
const INTEGRATION = randomUUID()

/** Rows as the first version wrote them, by table. */
function rowsOfFirst(): Record<string, Record<string, unknown>[]> {
  const made = { created_at: AT, created_by: 1, updated_at: AT, updated_by: 1 }
  const of = { account_id: 1 }
  const record = { ...of, ...made, responsible_user_id: 1, is_deleted: 0 }
  const note = { ...record, is_pinned: 0, entity_type: 'leads', entity_id: 1 }
  const stage = { ...of, pipeline_id: 1, is_editable: 1, descriptions: '[]', color: '#fffeb2', type: 0 }
  return {
    settings: [{ name: 'master_key_check', value: vault.checkOf('newest', vault.state) }],
    accounts: [
      {
        ...{
          id: 1,
          uuid: randomUUID(),
          amojo_id: randomUUID(),
          subdomain: 'demo',
          name: 'Demo',
          country: 'US',
        },
        ...{
          currency: 'USD',
          currency_symbol: '$',
          language: 'en',
          timezone: 'UTC',
          customers_mode: 'unavailable',
        },
        ...{
          contact_name_display_order: 1,
          is_unsorted_on: 1,
          is_loss_reason_enabled: 1,
          is_helpbot_enabled: 0,
        },
        ...{ ...made, paid_until: null },
      },
    ],
    users: [
      {
        ...{
          id: 1,
          uuid: randomUUID(),
          amojo_id: randomUUID(),
          email: 'ada@demo.example',
          name: 'Ada',
          lang: 'en',
        },
        ...{ phone_number: null, password_hash: 'none', created_at: AT, updated_at: AT },
      },
    ],
    members: [
      {
        ...{
          ...of,
          user_id: 1,
          role_id: null,
          group_id: 0,
          rights: '{}',
          is_admin: 1,
          is_free: 0,
          is_active: 1,
        },
        ...{ user_rank: null, epoch: 1, created_at: AT, removed_at: null },
      },
    ],
    integrations: [
      {
        ...{
          ...of,
          ...made,
          id: INTEGRATION,
          name: 'Shop',
          description: '',
          redirect_uri: 'https://shop.example/',
        },
        ...{ disable_hook_url: null, permissions: '["crm"]', access: 'private', duplicate_control: 0 },
        ...{ multiple_sources: 0, has_widget: 0, revoke_on_reuse: 0, secret_hash: sha256('the secret') },
        ...{ secret_sealed: vault.seal(`integrations/secret/${INTEGRATION}`, 'the secret') },
        ...{ redirect_checked_at: AT, redirect_failures: 0, redirect_error: null },
      },
    ],
    pipelines: [{ ...of, id: 1, name: 'Sales', sort: 1, is_main: 1, is_unsorted_on: 0, is_archive: 0 }],
    statuses: [
      { ...stage, id: 10, name: 'New', sort: 10 },
      { ...stage, id: 142, name: 'Won', sort: 10_000 },
      { ...stage, id: 143, name: 'Lost', sort: 11_000 },
    ],
    entities: [
      {
        ...record,
        entity_type: 'leads',
        id: 1,
        name: 'Émile ZOLA',
        price: 1_250,
        pipeline_id: 1,
        status_id: 10,
      },
      { ...record, entity_type: 'contacts', id: 2, name: 'Ann Lee', first_name: 'Ann', last_name: 'Lee' },
    ],
    links: [
      { ...of, entity_id: 1, to_entity_id: 2, entity_type: 'leads', to_entity_type: 'contacts', is_main: 1 },
      { ...of, entity_id: 2, to_entity_id: 1, entity_type: 'contacts', to_entity_type: 'leads', is_main: 0 },
    ],
    tags: [{ ...of, entity_type: 'leads', id: 1, name: 'vip', color: null }],
    entity_tags: [{ ...of, entity_id: 1, tag_id: 1 }],
    notes: [
      { ...note, id: 1, note_type: 'common', params: '{"text":"Calls back"}' },
      {
        ...note,
        id: 2,
        note_type: 'call_in',
        params: '{"uniq":"u1","duration":5,"source":"pbx","phone":"+1 555"}',
      },
    ],
    tasks: [
      {
        ...{
          ...record,
          id: 1,
          entity_type: 'leads',
          entity_id: 1,
          task_type_id: 1,
          text: 'Write',
          result: null,
        },
        ...{ duration: 0, complete_till: AT + 86_400, is_completed: 0 },
      },
    ],
    events: [
      {
        ...{
          ...of,
          id: '01HF7YAT00'.padEnd(26, '0'),
          type: 1,
          entity_type: 'lead',
          entity_id: 1,
          created_by: 1,
        },
        ...{ created_at: AT, value_after: '[]', value_before: '[]', field_id: null, field_name: null },
        ...{ talk_contact_id: null, request_id: 'r' },
      },
    ],
    deliveries: [
      {
        ...{
          ...of,
          id: 1,
          kind: 'disable_hook',
          subject: INTEGRATION,
          lane: null,
          method: 'GET',
          headers: '{}',
        },
        ...{
          url: 'https://shop.example/bye',
          body: null,
          state: 'pending',
          attempts: 0,
          next_attempt_at: AT,
        },
        ...{ leased_until: null, request_id: 'r', created_at: AT, ended_at: null },
      },
    ],
  }
}

/** The database of the first version with data in it. */
async function firstVersion(): Promise<{ place: Place; db: Db }> {
  const { db, place } = await olderDatabase(SECOND)
  const any = (tx: Db) => tx as unknown as Kysely<Record<string, Record<string, unknown>>>
  await db.transaction().execute(async (tx) => {
    for (const [table, rows] of Object.entries(rowsOfFirst()))
      for (const row of rows) await any(tx).insertInto(table).values(row).execute()
    for (const table of first.flatMap(({ counted }) => counted)) await continueIds(tx, table)
  })
  return { place, db }
}

/** A server of this version on the database, and the browser of its administrator. */
async function thisVersion({ data_dir, database_url }: Place) {
  const env = { DATA_DIR: data_dir, DATABASE_URL: database_url, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' }
  const ctx = await openContext({
    mode: 'serve',
    env: { ...env, MASTER_KEY: KEY.toString('base64') },
    create: true,
  })
  const app = await buildApp(ctx)
  const { cookie, csrf_token } = await startSession(ctx, 1, 1)
  return {
    browser: client(app.http, { host: 'demo.localhost:8080', cookie, csrf_token }),
    stop: async () => {
      await app.http.close()
      await closeContext(ctx)
    },
  }
}

test('a database of the first version is upgraded with its data, and the copy from before can be used again', async () => {
  const { place, db } = await firstVersion()
  await db.destroy()
  const before = await copyOf(place)

  const { browser, stop } = await thisVersion(place)
  const read = async (path: string) => (await browser.get(`/web/v4/${path}`)).body
  const lead = await read('leads/1?with=contacts')
  expect(lead).toMatchObject({
    name: 'Émile ZOLA',
    price: 1_250,
    pipeline_id: 1,
    status_id: 10,
    created_at: AT,
  })
  expect(lead._embedded.contacts).toMatchObject([{ id: 2, is_main: true }])
  expect(lead._embedded.tags).toMatchObject([{ id: 1, name: 'vip' }])
  const found = async (path: string, key: string) =>
    (await read(path))._embedded[key].map((one: { id: number }) => one.id)
  expect(await found('leads?order[name]=asc', 'leads')).toEqual([1])
  expect(await found('leads/1/notes', 'notes')).toEqual([1, 2])
  expect(await found('tasks', 'tasks')).toEqual([1])
  expect(await found('events?filter[type]=lead_added', 'events')).toHaveLength(1)
  const keys = await browser.post(`/web/integrations/${INTEGRATION}/keys`)
  expect(keys.body).toMatchObject({ client_secret: 'the secret' })
  const sent = (await browser.get('/web/deliveries')).body.deliveries
  expect(sent).toMatchObject([{ kind: 'disable_hook' }])
  // New rows do not collide with the old ones.
  const added = await browser.post('/web/v4/leads', [{ name: 'Second' }])
  expect(added.body._embedded.leads[0].id).toBeGreaterThan(2)
  await stop()

  // The old version refuses the upgraded database, and continues with the copy.
  const handle = (at: Place) => {
    const opened = openDatabase(at, { onCommitFailure: () => {} })
    onTestFinished(() => opened.destroy())
    return opened
  }
  await expect(migrate(handle(place), AT, first)).rejects.toThrow(
    /^The database is newer than this version: 003-/,
  )
  const back = handle(before)
  expect(await migrate(back, AT, first)).toEqual([])
  const [row] = await back.selectFrom('entities').select('name').where('id', '=', 1).execute()
  expect(row).toEqual({ name: 'Émile ZOLA' })
})
