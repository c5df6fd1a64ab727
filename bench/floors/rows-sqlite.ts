import Sqlite from 'better-sqlite3'
import { eventStatements } from './event-pages.ts'
import { type Dialect, pageStatements, type Read } from './pages.ts'
import {
  describing,
  newId,
  noteChange,
  priceChange,
  priceKeys,
  storedText,
  types,
  wordsOf,
} from './row-values.ts'
import type { Constants, Request, Store } from './rows.ts'
import { sharedCommits } from './shared-commits.ts'

/** The statements, with the constants as literals. */
const statementsFor = ({ account_id, user_id, integration, pipeline_id, status_id }: Constants) => ({
  ids: 'update sequences set last = last + ? where name = ? returning last',
  lead: `insert into entities (account_id, entity_type, id, name, name_key, price, pipeline_id, status_id, responsible_user_id,
      created_by, updated_by, created_by_integration, updated_by_integration, created_at, updated_at, is_deleted, is_unsorted)
    values (${account_id}, 'leads', ?, ?, ?, ?, ${pipeline_id}, ${status_id}, ${user_id},
      ${user_id}, ${user_id}, ${integration}, ${integration}, ?, ?, 0, 0)`,
  values: `insert into field_values (account_id, entity_id, field_values) values (${account_id}, ?, ?)`,
  key: `insert into field_keys (account_id, field_id, key, entity_id) values (${account_id}, ?, ?, ?)`,
  word: `insert into search_words (account_id, entity_type, word, entity_id) values (${account_id}, 'leads', ?, ?)`,
  note: `insert into notes (account_id, entity_type, id, entity_id, note_type, params, responsible_user_id,
      created_by, updated_by, created_by_integration, updated_by_integration, created_at, updated_at, is_pinned, is_deleted)
    values (${account_id}, 'leads', ?, ?, ?, ?, ${user_id}, ${user_id}, ${user_id}, ${integration}, ${integration}, ?, ?, 0, 0)`,
  event: `insert into events (account_id, id, type, entity_type, entity_id, created_by, created_by_integration, created_at,
      value_after, value_before, field_id, field_name, request_id)
    values (${account_id}, ?, ?, 'lead', ?, ${user_id}, ${integration}, ?, ?, ?, ?, ?, ?)`,
  event_key: `insert into event_keys (account_id, key, event_id) values (${account_id}, ?, ?)`,
  price: `select price from entities where account_id = ${account_id} and entity_type = 'leads' and id = ?`,
  set_price: `update entities set price = ?, price_with_minor_units = null, updated_by = ${user_id},
      updated_by_integration = ${integration}, updated_at = ?
    where account_id = ${account_id} and entity_type = 'leads' and id = ?`,
})

const dialect: Dialect = {
  is: (column) => `${column} = ?`,
  isIn: (column) => `${column} in (select value from json_each(?))`,
}

/** Opens the copy with the settings of the real program. */
export function openCopy(file: string): Sqlite.Database {
  const db = new Sqlite(file, { timeout: 5_000 })
  const settings = [
    'synchronous = FULL',
    'cache_size = -65536',
    'wal_autocheckpoint = 16384',
    'temp_store = memory',
  ]
  for (const setting of settings) db.pragma(setting)
  return db
}

/** Transactions of one turn of the event loop share a commit. */
export async function openSqlite(file: string, constants: Constants): Promise<Store> {
  const db = openCopy(file)
  const run = preparedIn(db, statementsFor(constants))
  const transaction = sharedCommits(db)
  const describe = describing(constants)

  const firstOf = (table: string, count: number) =>
    (run.ids.get(count, table) as { last: number }).last - count + 1
  const addEvent = (
    type: number,
    entity_id: number,
    by: Request,
    { after, before = '[]', field_id = null, field_name = null, keys = [] }: EventParts,
  ) => {
    const id = newId()
    run.event.run(id, type, entity_id, by.at, after, before, field_id, field_name, by.id)
    for (const key of keys) run.event_key.run(key, id)
  }

  return {
    read: reading(db, constants),
    addLeads: (drafts, by) =>
      transaction(() => {
        const [first, first_note] = [firstOf('entities', drafts.length), firstOf('notes', drafts.length)]
        return drafts.map((draft, i) => {
          const [id, note_id, { name, price }] = [first + i, first_note + i, draft]
          run.lead.run(id, name, name.toLowerCase(), price, by.at, by.at)
          for (const word of wordsOf(draft)) run.word.run(word, id)
          run.note.run(note_id, id, 'lead_created', JSON.stringify({ text: name }), by.at, by.at)
          addEvent(types.lead, id, by, { after: noteChange(note_id) })
          const values = describe(draft)
          if (values.length > 0) run.values.run(id, storedText(values))
          for (const { field_id, field_name, key, after, event_keys: keys } of values) {
            run.key.run(field_id, key, id)
            addEvent(types.value, id, by, { after, field_id, field_name, keys })
          }
          return id
        })
      }),
    changePrice: (id, price, by) =>
      transaction(() => {
        const { price: before } = run.price.get(id) as { price: number }
        run.set_price.run(price, by.at, id)
        addEvent(types.price, id, by, {
          after: priceChange(price),
          before: priceChange(before),
          keys: priceKeys(before, price),
        })
      }),
    addNotes: (drafts, by) =>
      transaction(() => {
        const first = firstOf('notes', drafts.length)
        return drafts.map(({ entity_id, note_type, params }, i) => {
          run.note.run(first + i, entity_id, note_type, JSON.stringify(params), by.at, by.at)
          addEvent(types.note, entity_id, by, { after: noteChange(first + i) })
          return first + i
        })
      }),
    close: async () => void db.close(),
  }
}

function reading(db: Sqlite.Database, constants: Constants): Read {
  const statements = { ...pageStatements(constants, dialect), ...eventStatements(constants, dialect) }
  const run = preparedIn(db, statements)
  return (name, ...values) =>
    run[name].all(...values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value))) as never[]
}

const preparedIn = <Name extends string>(db: Sqlite.Database, statements: Record<Name, string>) =>
  Object.fromEntries(
    Object.entries<string>(statements).map(([name, sql]) => [name, db.prepare(sql)]),
  ) as Record<Name, Sqlite.Statement>

interface EventParts {
  after: string
  before?: string
  field_id?: number | null
  field_name?: string | null
  keys?: string[]
}
