import { type CompiledQuery, createQueryId, RawNode, type Selectable } from 'kysely'
import { inParts } from '../fair-turns.ts'
import { everyColumnType } from './columns.ts'
import type { Tx } from './database.ts'
import { isPostgres } from './dialect.ts'
import { holdBack } from './held-statements.ts'
import { keepPrepared } from './prepared.ts'
import type { Tables } from './tables.ts'
import { TransactionExecutor } from './transactions.ts'

/**
 * A batch of rows as one statement whose text does not depend on their number, so that it is prepared once.
 * PostgreSQL reads the rows from one array per column. SQLite runs one prepared statement per row in a loop.
 */
export interface RowSetQuery extends CompiledQuery {
  rowSet: readonly (readonly unknown[])[]
}

/** The most rows of a statement: converting more into parameters would block the event loop for too long. */
const ROWS_AT_ONCE = 2_000
/** On PostgreSQL, so many characters count as a row: they are escaped. */
const CHARACTERS_OF_ROW = 500

/** Drivers read the text of a statement, not its syntax tree. */
const nothing = RawNode.createWithSql('')

interface CollectedSet {
  sql: string
  parameters: readonly unknown[]
  /** The number of rows, more for long texts. */
  weight: number
}

/** Row sets that a transaction has collected and not sent yet. */
const pending = new WeakMap<Tx, CollectedSet[]>()

/**
 * Sends all row sets of `write` to PostgreSQL as one statement when `write` is done, or as several if they are large,
 * because a round trip costs more than the writes. Therefore `write` must not read its own writes or write a row twice.
 * One statement waits for the next of the transaction, see `holdBack` about its errors. SQLite has no round trips.
 */
export async function writeTogether(tx: Tx, write: () => Promise<void>): Promise<void> {
  if (!isPostgres(tx)) return write()
  const sets: CollectedSet[] = []
  pending.set(tx, sets)
  try {
    await write()
  } finally {
    pending.delete(tx)
  }
  const groups = groupsOf(sets)
  for (const group of groups) {
    const parameters = group.flatMap((set) => set.parameters)
    await send(tx, {
      sql: combined(group.map(({ sql }) => sql)),
      parameters: groups.length === 1 ? holdBack(parameters) : parameters,
    })
  }
}

/** The sets in their order, in groups that weigh at most ROWS_AT_ONCE. */
function groupsOf(sets: readonly CollectedSet[]): CollectedSet[][] {
  const groups: CollectedSet[][] = []
  let left = 0
  for (const set of sets) {
    if (set.weight > left) {
      groups.push([])
      left = ROWS_AT_ONCE
    }
    groups.at(-1)?.push(set)
    left -= set.weight
  }
  return groups
}

/** Combines statements into one with consecutive parameters. They do not see each other's writes. */
function combined(texts: readonly string[]): string {
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

/** Inserts rows that have the same members. */
export function insertRows<T extends keyof Tables>(tx: Tx, table: T, rows: readonly Row<T>[]): Promise<void> {
  return run(tx, table, rows, '')
}

/** Inserts rows, and skips existing ones. */
export function insertMissingRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly Row<T>[],
): Promise<void> {
  return run(tx, table, rows, ' on conflict do nothing')
}

/** Inserts or replaces complete rows by key. */
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

/**
 * Updates some columns of existing rows. Each of `rows` has the key and the changed columns; all have the same
 * members.
 */
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
  const text = textOf(tx, ['update', table, ...columns], (isPostgres) =>
    isPostgres
      ? `update ${target} set ${changed.map((column) => `${quoted(column)} = given.${quoted(column)}`).join(', ')} ` +
        `from ${given(table, columns)} where ${sameKey(target, key, columns)}`
      : `update ${target} set ${changed.map((column) => `${quoted(column)} = ?`).join(', ')} ` +
        `where ${key.map((column) => `${quoted(column)} = ?`).join(' and ')}`,
  )
  await execute(tx, text, columns, rows, ofAccount(key))
}

/** Deletes rows by key. `keys` have only the key columns. */
export async function deleteRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  keys: readonly Partial<Row<T>>[],
): Promise<void> {
  if (keys.length === 0) return
  const columns = columnsOf(keys)
  const target = quoted(table)
  const text = isPostgres(tx)
    ? `delete from ${target} using ${given(table, columns)} where ${sameKey(target, columns, columns)}`
    : `delete from ${target} where ${columns.map((column) => `${quoted(column)} = ?`).join(' and ')}`
  await execute(tx, text, columns, keys, ofAccount(columns))
}

/**
 * The condition of PostgreSQL for the rows of a set. It has their account as a constant too, so that the statement reads
 * only the partition of that account.
 */
function sameKey(target: string, key: readonly string[], columns: readonly string[]): string {
  const same = key.map((column) => `${target}.${quoted(column)} = given.${quoted(column)}`)
  if (ofAccount(key)) same.push(`${target}."account_id" = $${columns.length + 1}`)
  return same.join(' and ')
}

/** Whether a statement with this key is about one account at a time. */
const ofAccount = (key: readonly string[]): boolean => key.includes('account_id')

async function run<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly Row<T>[],
  conflict: string,
): Promise<void> {
  if (rows.length === 0) return
  const columns = columnsOf(rows)
  const text = textOf(tx, [conflict, table, ...columns], (isPostgres) => {
    const names = list(columns)
    const into = `insert into ${quoted(table)} (${names})`
    return isPostgres
      ? `${into} select ${names} from ${given(table, columns)}${conflict}`
      : `${into} values (${columns.map(() => '?').join(', ')})${conflict}`
  })
  await execute(tx, text, columns, rows)
}

/** The texts of statements: for each database, by what they do, with which table and columns. */
const texts = { sqlite: new Map<string, string>(), postgres: new Map<string, string>() }

function textOf(tx: Tx, parts: string[], build: (isPostgres: boolean) => string): string {
  const known = texts[isPostgres(tx) ? 'postgres' : 'sqlite']
  const key = parts.join(' ')
  let text = known.get(key)
  if (text === undefined) {
    text = build(isPostgres(tx))
    known.set(key, text)
  }
  return text
}

async function execute(
  tx: Tx,
  sql: string,
  columns: string[],
  rows: readonly object[],
  isOfAccount = false,
): Promise<void> {
  if (isPostgres(tx)) return executeArrays(tx, sql, columns, rows, isOfAccount)
  for (const part of inParts(rows, ROWS_AT_ONCE)) {
    const rowSet = part.map((row) => columns.map((column) => memberOf(row, column)))
    await send(tx, { sql, parameters: [], rowSet })
  }
}

async function executeArrays(
  tx: Tx,
  sql: string,
  columns: string[],
  rows: readonly object[],
  isOfAccount: boolean,
): Promise<void> {
  const groups = isOfAccount
    ? Map.groupBy(rows, (row) => memberOf(row, 'account_id'))
    : [[null, rows] as const]
  for (const [account, group] of groups)
    for (const { part, weight } of weighedParts(group)) {
      const arrays = columns.map((column) => part.map((row) => memberOf(row, column)))
      const set = { sql, parameters: isOfAccount ? [...arrays, account] : arrays }
      const others = pending.get(tx)
      if (others) others.push({ ...set, weight })
      else await send(tx, set)
    }
}

/** The rows in their order, in parts that weigh at most ROWS_AT_ONCE, or have one row. */
function* weighedParts(rows: readonly object[]): Generator<{ part: object[]; weight: number }> {
  let part: object[] = []
  let weight = 0
  for (const row of rows) {
    const own = weightOf(row)
    if (part.length > 0 && weight + own > ROWS_AT_ONCE) {
      yield { part, weight }
      part = []
      weight = 0
    }
    part.push(row)
    weight += own
  }
  if (part.length > 0) yield { part, weight }
}

function weightOf(row: object): number {
  let characters = 0
  for (const value of Object.values(row)) if (typeof value === 'string') characters += value.length
  return 1 + Math.floor(characters / CHARACTERS_OF_ROW)
}

const memberOf = (row: object, column: string): unknown => row[column as keyof object]

async function send(
  tx: Tx,
  set: Pick<RowSetQuery, 'sql' | 'parameters'> & Partial<RowSetQuery>,
): Promise<void> {
  keepPrepared(set.sql)
  const query = { ...set, query: nothing, queryId: createQueryId() }
  const executor = tx.getExecutor()
  if (executor instanceof TransactionExecutor) await executor.run(query)
  else await tx.executeQuery(query)
}

/** The rows in PostgreSQL: an array per column. Migrations and restores write columns by earlier names. */
function given(table: keyof Tables, columns: string[]): string {
  const types = everyColumnType(table)
  const arrays = columns.map((column, i) => `$${i + 1}::${types.get(column)}[]`)
  return `unnest(${arrays.join(', ')}) as given (${list(columns)})`
}

const columnsOf = (rows: readonly object[]): string[] => Object.keys(rows[0] ?? {})
const quoted = (name: string): string => `"${name}"`
const list = (names: readonly string[]): string => names.map(quoted).join(', ')
