import { sql } from 'kysely'
import type { Context } from '../src/context.ts'
import { findFields } from '../src/custom-fields/custom-fields.ts'
import { saveValues } from '../src/custom-fields/values/value-store.ts'
import { columnTypes } from '../src/db/columns.ts'
import type { Tx } from '../src/db/database.ts'
import { continueIds, isPostgres, liftTimeLimits } from '../src/db/dialect.ts'
import { insertMissingRows, insertRows } from '../src/db/row-sets.ts'
import type { LinkRow, Tables } from '../src/db/tables.ts'
import { wordsOf } from '../src/entities/records/search.ts'
import { makeTags } from '../src/entities/tags/tags.ts'
import { type EventAccount, fillAccount, type Settled, settle } from './event-account.ts'

/** An account with records of every kind, their values, tags, links, tasks and notes, and a log. */
export interface ScaleAccount extends EventAccount {
  tags: { many: number; rare: number }
}

/** Events of the history that is copied: about 10,000 leads. */
const HISTORY = 180_000
/** The log is copied less often than the records, because its growth has a benchmark of its own. */
const LOG_COPIES = 5
const BATCH = 500
/** Between the ids of a row and of its copy. */
const SHIFT = 1_000_000
/** In the id of an event, a ULID: it follows the time, and a number of three digits follows it. */
const COPY_MARK = 'z'
/** For pages of the embedded database while rows are copied. */
const CACHE_KIB = 4_000_000

/** One of 50 records is in the trash. */
const TRASH = { of: 50, rest: 3 }
export const isInTrash = (id: number): boolean => id % TRASH.of === TRASH.rest

/** The smallest account. */
export async function fillScaleAccount(ctx: Context): Promise<ScaleAccount> {
  const account = await fillAccount(ctx, HISTORY)
  const { account_id, fields, select } = account.fixtures
  const known = await findFields(ctx.db, account_id, 'leads')
  const records = await ctx.db
    .selectFrom('entities')
    .select(['id', 'entity_type'])
    .where('account_id', '=', account_id)
    .where('entity_type', 'in', ['leads', 'contacts'])
    .orderBy('id')
    .execute()
  const idsOf = (type: string) => records.filter((row) => row.entity_type === type).map(({ id }) => id)
  const [leads, contacts] = [idsOf('leads'), idsOf('contacts')]
  const [text, number, , day, flag] = fields.map(({ id }) => id)
  const valuesOf = (n: number) => ({
    [text as number]: [`text ${n}`],
    [number as number]: [n],
    [select.id]: [select.enums[n % 4]?.id as number],
    [day as number]: [1_700_000_000 + n * 86_400],
    [flag as number]: [n % 2 === 0],
  })
  const draft = (name: string) => ({ name, color: null })
  const tags = await ctx.db
    .transaction()
    .execute((tx) => makeTags(tx, account_id, 'leads', [draft('many'), draft('rare')]))
  const [many = 0, rare = 0] = tags.map(({ id }) => id)
  for (let from = 0; from < leads.length; from += BATCH) {
    const some = leads.slice(from, from + BATCH)
    await ctx.db.transaction().execute(async (tx) => {
      const changed = some.map((entity_id, i) => ({ entity_id, before: {}, after: valuesOf(from + i) }))
      await saveValues(tx, account_id, known, changed)
      const words = changed.flatMap(({ entity_id, after }) =>
        [...wordsOf('', known, after)].map((word) => ({ account_id, entity_type: 'leads', word, entity_id })),
      )
      await insertMissingRows(tx, 'search_words', words)
      const tagged = some.flatMap((entity_id, i) => [
        ...(i % 5 === 0 ? [{ account_id, entity_id, tag_id: many }] : []),
        ...(from + i === 7 ? [{ account_id, entity_id, tag_id: rare }] : []),
      ])
      await insertRows(tx, 'entity_tags', tagged)
      const pairs = some.map((lead, i): [number, number] => [
        lead,
        contacts[from + i] ?? (contacts[0] as number),
      ])
      await insertRows(
        tx,
        'links',
        pairs.flatMap(([lead, contact]) => linksOf(account_id, lead, contact)),
      )
    })
  }
  await ctx.db.transaction().execute((tx) =>
    tx
      .updateTable('entities')
      .set({ is_deleted: 1 })
      .where('account_id', '=', account_id)
      .where(sql<number>`id % ${sql.lit(TRASH.of)}`, '=', TRASH.rest)
      .execute(),
  )
  return { ...account, tags: { many, rare } }
}

function linksOf(account_id: number, lead: number, contact: number): LinkRow[] {
  const plain = { account_id, is_main: 1 as const, quantity: null, catalog_id: null, price_id: null }
  return [
    { ...plain, entity_id: lead, to_entity_id: contact, entity_type: 'leads', to_entity_type: 'contacts' },
    { ...plain, entity_id: contact, to_entity_id: lead, entity_type: 'contacts', to_entity_type: 'leads' },
  ]
}

/** Columns that name a row, by table. All other columns of a copy are equal. */
const shifted: Partial<Record<keyof Tables, readonly string[]>> = {
  entities: ['id'],
  search_words: ['entity_id'],
  field_values: ['entity_id'],
  field_keys: ['entity_id'],
  entity_tags: ['entity_id'],
  links: ['entity_id', 'to_entity_id'],
  tasks: ['id', 'entity_id'],
  notes: ['id', 'entity_id'],
}
const shiftedLog: typeof shifted = { events: ['entity_id', 'card_id'], event_keys: [] }

interface CopyOptions {
  /** Copies of the log. */
  log?: number
  /** The columns of a table; none if the schema does not have it. */
  columnsOf?: (table: keyof Tables) => readonly string[]
}

/** Copies everything until there are `to` times the rows of the smallest account, of which there are `from` times now. */
export async function copyAccount(
  ctx: Settled,
  from: number,
  to: number,
  { log = LOG_COPIES, columnsOf = (table) => [...columnTypes(table).keys()] }: CopyOptions = {},
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await liftTimeLimits(tx)
    // Each index gets its rows in another order, so pages would be written many times.
    if (!isPostgres(tx)) await sql.raw(`pragma cache_size = -${CACHE_KIB}`).execute(tx)
    const copy = async (tables: typeof shifted, last: number) => {
      for (const [table, ids] of Object.entries(tables) as [keyof Tables, readonly string[]][])
        await copyRows(tx, table, columnsOf(table), ids, { from, to: last })
    }
    await copy(shifted, to)
    await copy(shiftedLog, Math.min(to, log))
    for (const table of ['entities', 'notes', 'tasks'] as const) await continueIds(tx, table)
  })
  await settle(ctx)
}

async function copyRows(
  tx: Tx,
  table: keyof Tables,
  columns: readonly string[],
  ids: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  if (from >= to || columns.length === 0) return
  const values = columns.map((column) => {
    const value = sql.ref(column)
    if (ids.includes(column)) return sql`${value} + n * ${sql.lit(SHIFT)}`
    if (column === 'event_id' || (table === 'events' && column === 'id'))
      return sql`substr(${value}, 1, 10) || ${sql.lit(COPY_MARK)} || cast(100 + n as text) || substr(${value}, 15)`
    // The copies were changed one after the other.
    if (column === 'updated_at') return sql`${value} - n`
    return value
  })
  const isOriginal =
    table === 'event_keys'
      ? sql`substr(event_id, 11, 1) <> ${sql.lit(COPY_MARK)}`
      : sql`${sql.ref(ids[0] as string)} < ${sql.lit(SHIFT)}`
  await sql`with recursive copies (n) as
      (select ${sql.lit(from)} union all select n + 1 from copies where n + 1 < ${sql.lit(to)})
    insert into ${sql.table(table)} (${sql.join(columns.map((one) => sql.ref(one)))})
    select ${sql.join(values)} from copies cross join ${sql.table(table)} where ${isOriginal}
    on conflict do nothing`.execute(tx)
}
