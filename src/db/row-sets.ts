import { type CompiledQuery, createQueryId, RawNode, type Selectable } from 'kysely'
import type { Tx } from './database.ts'
import { isPostgres } from './dialect.ts'
import type { Tables } from './tables.ts'

/**
 * Batches of rows as one statement whose text does not depend on how many they are, so that it is prepared once.
 * PostgreSQL reads all of them from one JSON parameter; the embedded database runs one prepared statement for each,
 * without leaving it in between.
 */
export interface RowSetQuery extends CompiledQuery {
  rowSet: readonly (readonly unknown[])[]
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
  const text = isPostgres(tx)
    ? `update ${target} set ${changed.map((column) => `${quoted(column)} = given.${quoted(column)}`).join(', ')} ` +
      `from json_populate_recordset(null::${target}, $1::json) as given ` +
      `where ${key.map((column) => `${target}.${quoted(column)} = given.${quoted(column)}`).join(' and ')}`
    : `update ${target} set ${changed.map((column) => `${quoted(column)} = ?`).join(', ')} ` +
      `where ${key.map((column) => `${quoted(column)} = ?`).join(' and ')}`
  await execute(tx, text, [...changed, ...key], rows)
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
    ? `delete from ${target} using json_populate_recordset(null::${target}, $1::json) as given where ${same}`
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
    ? `${into} select ${names} from json_populate_recordset(null::${quoted(table)}, $1::json)${conflict}`
    : `${into} values (${columns.map(() => '?').join(', ')})${conflict}`
  await execute(tx, text, columns, rows)
}

async function execute(tx: Tx, sql: string, columns: string[], rows: readonly object[]): Promise<void> {
  const shared = { sql, query: RawNode.createWithSql(sql), queryId: createQueryId() }
  const query: CompiledQuery | RowSetQuery = isPostgres(tx)
    ? { ...shared, parameters: [JSON.stringify(rows)] }
    : {
        ...shared,
        parameters: [],
        rowSet: rows.map((row) => columns.map((column) => row[column as keyof object])),
      }
  await tx.executeQuery(query)
}

const columnsOf = (rows: readonly object[]): string[] => Object.keys(rows[0] ?? {})
const quoted = (name: string): string => `"${name}"`
const list = (names: readonly string[]): string => names.map(quoted).join(', ')
