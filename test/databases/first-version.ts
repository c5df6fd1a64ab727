import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { continueIds } from '../../src/db/dialect.ts'
import { migrations } from '../../src/db/migrations/migrations.ts'
import { sha256 } from '../../src/secrets.ts'
import { openVault } from '../../src/vault.ts'
import type { Place } from './databases.ts'
import { olderDatabase } from './older-database.ts'

/** The schema of the first version. */
const SECOND = '003-event-indexes'
export const first = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === SECOND),
)

export const KEY = Buffer.alloc(32, 9)
const vault = openVault({ present: KEY, previous: null })
export const AT = 1_700_000_000
export const INTEGRATION = randomUUID()

type RowsByTable = Record<string, Record<string, unknown>[]>

const of = { account_id: 1 }
const made = { created_at: AT, created_by: 1, updated_at: AT, updated_by: 1 }
const record = { ...of, ...made, responsible_user_id: 1, is_deleted: 0 }
const note = { ...record, is_pinned: 0, entity_type: 'leads', entity_id: 1 }
const stage = { ...of, pipeline_id: 1, is_editable: 1, descriptions: '[]', color: '#fffeb2', type: 0 }

/** An account with a person and an integration. */
const owners = (): RowsByTable => ({
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
})

/** Records with what belongs to them. */
const records = (): RowsByTable => ({
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
})

/** The history of the records. */
const history = (): RowsByTable => ({
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
})

/** Rows as the first version wrote them, by table. */
const rowsOfFirst = (): RowsByTable => ({ ...owners(), ...records(), ...history() })

/** The database of the first version with data in it. */
export async function firstVersion(): Promise<{ place: Place; db: Db }> {
  const { db, place } = await olderDatabase(SECOND)
  const any = (tx: Db) => tx as unknown as Kysely<Record<string, Record<string, unknown>>>
  await db.transaction().execute(async (tx) => {
    for (const [table, rows] of Object.entries(rowsOfFirst()))
      for (const row of rows) await any(tx).insertInto(table).values(row).execute()
    for (const table of first.flatMap(({ counted }) => counted)) await continueIds(tx, table)
  })
  return { place, db }
}
