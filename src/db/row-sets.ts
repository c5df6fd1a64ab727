import { type CompiledQuery, createQueryId, RawNode, type Selectable } from 'kysely'
import { inParts } from '../fair-turns.ts'
import { columnTypes } from './columns.ts'
import type { Tx } from './database.ts'
import { isPostgres } from './dialect.ts'
import { keepPrepared } from './prepared.ts'
import type { Tables } from './tables.ts'

/**
 * Batches of rows as one statement whose text does not depend on how many they are, so that it is prepared once.
 * PostgreSQL reads all of them from one array a column; the embedded database runs one prepared statement for each,
 * without leaving it in between.
 */
export interface RowSetQuery extends CompiledQuery {
  rowSet: readonly (readonly unknown[])[]
}

/** Rows in one statement: more would hold the event loop for too long while they are turned into parameters. */
const ROWS_AT_ONCE = 2_000

/** Row sets that a transaction has gathered and not sent yet. */
const gathered = new WeakMap<Tx, { sql: string; parameters: readonly unknown[] }[]>()

/**
 * Has PostgreSQL take what `write` writes by row sets as one statement, when `write` is done: each way there costs more
 * than the writing. So nothing in it may read what it wrote, or write a row twice. The embedded database is not far away.
 */
export async function writeTogether(tx: Tx, write: () => Promise<void>): Promise<void> {
  if (!isPostgres(tx)) return write()
  const sets: { sql: string; parameters: readonly unknown[] }[] = []
  gathered.set(tx, sets)
  try {
    await write()
  } finally {
    gathered.delete(tx)
  }
  if (sets.length > 0)
    await send(tx, {
      sql: inOne(sets.map(({ sql }) => sql)),
      parameters: sets.flatMap(({ parameters }) => parameters),
    })
}

/** Statements as one, whose parameters follow one another; none of them sees what another one writes. */
function inOne(texts: readonly string[]): string {
  let before = 0
  const parts = texts.map((text) => {
    const from = before
    return text.replace(/\$(\d+)/g, (_, n) => {
      before = Math.max(before, from + Number(n))
      return `$${from + Number(n)}`
    })
  })
  const last = parts.pop() as string
  const named = parts.map((part, i) => `written_${i} as (${part})`)
  return named.length > 0 ? `with ${named.join(', ')} ${last}` : last
}

export const isRowSet = (query: object): query is RowSetQuery => 'rowSet' in query

type Row<T extends keyof Tables> = Selectable<Tables[T]>
type Column<T extends keyof Tables> = keyof Row<T> & string

/** Inserts rows that all have the same members. */
export function insertRows<T extends keyof Tables>(tx: Tx, table: T, rows: readonly Row<T>[]): Promise<void> {
  return run(tx, table, rows, '')
}

/** Inserts rows, and leaves those that are there already as they are. */
export function insertMissingRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly Row<T>[],
): Promise<void> {
  return run(tx, table, rows, ' on conflict do nothing')
}

/** Writes whole rows over those that have the same key. */
export function replaceRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  key: readonly Column<T>[],
  rows: readonly Row<T>[],
): Promise<void> {
  const changed = columnsOf(rows).filter((column) => !key.includes(column as Column<T>))
  const sets = changed.map((column) => `${quoted(column)} = excluded.${quoted(column)}`)
  return run(tx, table, rows, ` on conflict (${list(key)}) do update set ${sets.join(', ')}`)
}

/** Changes some columns of rows that exist: each of `rows` holds the key and what is changed, and all the same members. */
export async function updateRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  key: readonly Column<T>[],
  rows: readonly Partial<Row<T>>[],
): Promise<void> {
  if (rows.length === 0) return
  const changed = columnsOf(rows).filter((column) => !key.includes(column as Column<T>))
  const target = quoted(table)
  const columns = [...changed, ...key]
  const text = isPostgres(tx)
    ? `update ${target} set ${changed.map((column) => `${quoted(column)} = given.${quoted(column)}`).join(', ')} ` +
      `from ${given(table, columns)} ` +
      `where ${key.map((column) => `${target}.${quoted(column)} = given.${quoted(column)}`).join(' and ')}`
    : `update ${target} set ${changed.map((column) => `${quoted(column)} = ?`).join(', ')} ` +
      `where ${key.map((column) => `${quoted(column)} = ?`).join(' and ')}`
  await execute(tx, text, columns, rows)
}

/** Deletes the rows that have these keys; each of `keys` holds the members that name a row, and no other. */
export async function deleteRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  keys: readonly Partial<Row<T>>[],
): Promise<void> {
  if (keys.length === 0) return
  const columns = columnsOf(keys)
  const target = quoted(table)
  const same = columns.map((column) => `${target}.${quoted(column)} = given.${quoted(column)}`).join(' and ')
  const text = isPostgres(tx)
    ? `delete from ${target} using ${given(table, columns)} where ${same}`
    : `delete from ${target} where ${columns.map((column) => `${quoted(column)} = ?`).join(' and ')}`
  await execute(tx, text, columns, keys)
}

async function run<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly Row<T>[],
  conflict: string,
): Promise<void> {
  if (rows.length === 0) return
  const columns = columnsOf(rows)
  const names = list(columns)
  const into = `insert into ${quoted(table)} (${names})`
  const text = isPostgres(tx)
    ? `${into} select ${names} from ${given(table, columns)}${conflict}`
    : `${into} values (${columns.map(() => '?').join(', ')})${conflict}`
  await execute(tx, text, columns, rows)
}

async function execute(tx: Tx, sql: string, columns: string[], rows: readonly object[]): Promise<void> {
  const value = (row: object, column: string): unknown => row[column as keyof object]
  for (const part of inParts(rows, ROWS_AT_ONCE)) {
    if (!isPostgres(tx)) {
      const rowSet = part.map((row) => columns.map((column) => value(row, column)))
      await send(tx, { sql, parameters: [], rowSet })
      continue
    }
    const set = { sql, parameters: columns.map((column) => part.map((row) => value(row, column))) }
    const others = gathered.get(tx)
    if (others) others.push(set)
    else await send(tx, set)
  }
}

async function send(
  tx: Tx,
  set: Pick<RowSetQuery, 'sql' | 'parameters'> & Partial<RowSetQuery>,
): Promise<void> {
  keepPrepared(set.sql)
  await tx.executeQuery({ ...set, query: RawNode.createWithSql(set.sql), queryId: createQueryId() })
}

/** The rows as PostgreSQL reads them: an array for each column. */
function given(table: keyof Tables, columns: string[]): string {
  const types = columnTypes(table)
  const arrays = columns.map((column, i) => `$${i + 1}::${types.get(column)}[]`)
  return `unnest(${arrays.join(', ')}) as given (${list(columns)})`
}

const columnsOf = (rows: readonly object[]): string[] => Object.keys(rows[0] ?? {})
const quoted = (name: string): string => `"${name}"`
const list = (names: readonly string[]): string => names.map(quoted).join(', ')
