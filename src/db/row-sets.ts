import { type CompiledQuery, createQueryId, RawNode, type Selectable } from 'kysely'
import { inParts } from '../fair-turns.ts'
import { everyColumnType } from './columns.ts'
import type { Tx } from './database.ts'
import { isPostgres } from './dialect.ts'
import { holdBack } from './held-statements.ts'
import { keepPrepared } from './prepared.ts'
import { answer, combined, takeStarted, type Waiting } from './query-batches.ts'
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

/** A resolved promise: most writes have no rows for some of their tables. */
const nothingToDo = Promise.resolve()

/** Drivers read the text of a statement, not its syntax tree. */
const nothing = RawNode.createWithSql('')

/** A statement about rows, with the columns that its parameters have. */
interface RowStatement {
  number: number
  /** The members of the rows for which it was built. */
  members: readonly string[]
  columns: readonly string[]
  sql: string
}
type Built = Pick<RowStatement, 'columns' | 'sql'>

interface CollectedSet {
  statement: RowStatement
  parameters: readonly unknown[]
  /** The number of rows, more for long texts. */
  weight: number
}

/** Row sets that a transaction has collected and not sent yet. */
const pending = new WeakMap<Tx, CollectedSet[]>()

/**
 * Sends all row sets of `write` to PostgreSQL as one statement when `write` is done, or as several if they are large,
 * because a round trip costs more than the writes. Therefore `write` must not read its own writes or write a row twice.
 * The batched queries that `beside` starts at once travel with the last statement, and do not see its writes. One statement
 * without them waits for the next of the transaction, see `holdBack` about its errors. SQLite has no round trips. Returns the
 * result of `beside`.
 */
export async function writeTogether<T = void>(
  tx: Tx,
  write: () => Promise<void>,
  beside: () => Promise<T> = async () => undefined as T,
): Promise<T> {
  if (!isPostgres(tx)) {
    await write()
    return beside()
  }
  const sets: CollectedSet[] = []
  pending.set(tx, sets)
  try {
    await write()
  } finally {
    pending.delete(tx)
  }
  const groups = groupsOf(sets)
  const last = groups.pop()
  if (!last) return beside()
  for (const group of groups) await sendGroup(tx, group)
  const result = beside()
  const queries = takeStarted(tx)
  const canWait = groups.length === 0 && queries.length === 0
  const [answered] = await Promise.all([result, sendGroup(tx, last, { queries, canWait })])
  return answered
}

interface Travelling {
  queries?: Waiting<CompiledQuery>[]
  /** Whether the statement waits for the next one. */
  canWait?: boolean
}

/** Sends the sets of a group, and the queries that travel with it. */
async function sendGroup(
  tx: Tx,
  group: CollectedSet[],
  { queries = [], canWait = false }: Travelling = {},
): Promise<void> {
  const statements = group.map(({ statement }) => statement)
  const written = group.flatMap(({ parameters }) => parameters)
  try {
    const { key, sql, parameters } = queries.length > 0 ? combined(queries, written) : noQueries(written)
    if (canWait) holdBack(parameters)
    const [row] = await send(tx, { sql: withWrites(statements, key, sql), parameters })
    answer(queries, row)
  } catch (error) {
    for (const { reject } of queries) reject(error)
    throw error
  }
}

const noQueries = (parameters: unknown[]) => ({ key: '', sql: '', parameters })

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

/** The combined statements that were built, by the numbers of their parts and the key of the query. */
const combinations = new Map<string, string>()

/** Combines statements and a query into one with consecutive parameters. They do not see each other's writes. */
function withWrites(statements: readonly RowStatement[], key: string, query: string): string {
  const name = `${statements.map(({ number }) => number)} ${key}`
  let text = combinations.get(name)
  if (text === undefined) {
    const parts = renumbered(statements.map(({ sql }) => sql))
    const last = query || (parts.pop() as string)
    const named = parts.map((part, i) => `written_${i} as (${part})`)
    text = named.length > 0 ? `with ${named.join(', ')} ${last}` : last
    combinations.set(name, text)
  }
  return text
}

/** The texts with consecutive parameters. */
function renumbered(texts: readonly string[]): string[] {
  let before = 0
  return texts.map((text) => {
    const from = before
    return text.replace(/\$(\d+)/g, (_, n) => {
      before = Math.max(before, from + Number(n))
      return `$${from + Number(n)}`
    })
  })
}

export const isRowSet = (query: object): query is RowSetQuery => 'rowSet' in query

type Row<T extends keyof Tables> = Selectable<Tables[T]>
type Column<T extends keyof Tables> = keyof Row<T> & string

/** Inserts rows that have the same members. */
export function insertRows<T extends keyof Tables>(tx: Tx, table: T, rows: readonly Row<T>[]): Promise<void> {
  return run(tx, table, rows, 'insert', () => '')
}

/** Inserts rows, and skips existing ones. */
export function insertMissingRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly Row<T>[],
): Promise<void> {
  return run(tx, table, rows, 'insert missing', () => ' on conflict do nothing')
}

/** Inserts or replaces complete rows by key. */
export function replaceRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  key: readonly Column<T>[],
  rows: readonly Row<T>[],
): Promise<void> {
  return run(tx, table, rows, `replace by ${key.join()}`, (columns) => {
    const changed = columns.filter((column) => !key.includes(column as Column<T>))
    const sets = changed.map((column) => `${quoted(column)} = excluded.${quoted(column)}`)
    return ` on conflict (${list(key)}) do update set ${sets.join(', ')}`
  })
}

/**
 * Updates some columns of existing rows. Each of `rows` has the key and the changed columns; all have the same
 * members.
 */
export function updateRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  key: readonly Column<T>[],
  rows: readonly Partial<Row<T>>[],
): Promise<void> {
  if (rows.length === 0) return nothingToDo
  const statement = statementOf(tx, `update by ${key.join()}`, table, rows, (isPostgres, members) => {
    const changed = members.filter((column) => !key.includes(column as Column<T>))
    const target = quoted(table)
    const columns = [...changed, ...key]
    const sql = isPostgres
      ? `update ${target} set ${changed.map((column) => `${quoted(column)} = given.${quoted(column)}`).join(', ')} ` +
        `from ${given(table, columns)} where ${sameKey(target, key, columns)}`
      : `update ${target} set ${changed.map((column) => `${quoted(column)} = ?`).join(', ')} ` +
        `where ${key.map((column) => `${quoted(column)} = ?`).join(' and ')}`
    return { columns, sql }
  })
  return execute(tx, statement, rows, ofAccount(key))
}

/** Deletes rows by key. `keys` have only the key columns. */
export function deleteRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  keys: readonly Partial<Row<T>>[],
): Promise<void> {
  if (keys.length === 0) return nothingToDo
  const statement = statementOf(tx, 'delete', table, keys, (isPostgres, columns) => {
    const target = quoted(table)
    const sql = isPostgres
      ? `delete from ${target} using ${given(table, columns)} where ${sameKey(target, columns, columns)}`
      : `delete from ${target} where ${columns.map((column) => `${quoted(column)} = ?`).join(' and ')}`
    return { columns, sql }
  })
  return execute(tx, statement, keys, ofAccount(statement.columns))
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

function run<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly Row<T>[],
  what: string,
  conflictOf: (columns: readonly string[]) => string,
): Promise<void> {
  if (rows.length === 0) return nothingToDo
  const statement = statementOf(tx, what, table, rows, (isPostgres, columns) => {
    const names = list(columns)
    const into = `insert into ${quoted(table)} (${names})`
    const values = isPostgres
      ? `select ${names} from ${given(table, columns)}`
      : `values (${columns.map(() => '?').join(', ')})`
    return { columns, sql: `${into} ${values}${conflictOf(columns)}` }
  })
  return execute(tx, statement, rows)
}

/** The statements that were built, for each database, by what they do with which table. */
const built = { sqlite: new Map<string, RowStatement[]>(), postgres: new Map<string, RowStatement[]>() }
let statements = 0

/** The statement for rows with the members of these, built once. `what` and the table say which one. */
function statementOf(
  tx: Tx,
  what: string,
  table: keyof Tables,
  rows: readonly object[],
  build: (isPostgres: boolean, members: readonly string[]) => Built,
): RowStatement {
  const members = Object.keys(rows[0] as object)
  const onPostgres = isPostgres(tx)
  const all = built[onPostgres ? 'postgres' : 'sqlite']
  const name = `${what} ${table}`
  const known = all.get(name) ?? []
  const found = known.find((statement) => isSame(statement.members, members))
  if (found) return found
  const statement = { number: ++statements, members, ...build(onPostgres, members) }
  all.set(name, [...known, statement])
  return statement
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, i) => name === other[i])

const execute = (
  tx: Tx,
  statement: RowStatement,
  rows: readonly object[],
  isOfAccount = false,
): Promise<void> =>
  isPostgres(tx) ? executeArrays(tx, statement, rows, isOfAccount) : executeEach(tx, statement, rows)

async function executeEach(tx: Tx, { sql, columns }: RowStatement, rows: readonly object[]): Promise<void> {
  for (const part of inParts(rows, ROWS_AT_ONCE)) {
    const rowSet = part.map((row) => columns.map((column) => memberOf(row, column)))
    await send(tx, { sql, parameters: [], rowSet })
  }
}

async function executeArrays(
  tx: Tx,
  statement: RowStatement,
  rows: readonly object[],
  isOfAccount: boolean,
): Promise<void> {
  const groups = isOfAccount
    ? Map.groupBy(rows, (row) => memberOf(row, 'account_id'))
    : [[null, rows] as const]
  for (const [account, group] of groups)
    for (const { part, weight } of weighedParts(group)) {
      const arrays = statement.columns.map((column) => part.map((row) => memberOf(row, column)))
      const parameters = isOfAccount ? [...arrays, account] : arrays
      const others = pending.get(tx)
      if (others) others.push({ statement, parameters, weight })
      else await send(tx, { sql: statement.sql, parameters })
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
): Promise<unknown[]> {
  keepPrepared(set.sql)
  const query = { ...set, query: nothing, queryId: createQueryId() }
  const executor = tx.getExecutor()
  const sent = executor instanceof TransactionExecutor ? executor.run(query) : tx.executeQuery(query)
  const { rows } = sent instanceof Promise ? await sent : sent
  return rows
}

/** The rows in PostgreSQL: an array per column. Migrations and restores write columns by earlier names. */
function given(table: keyof Tables, columns: readonly string[]): string {
  const types = everyColumnType(table)
  const arrays = columns.map((column, i) => `$${i + 1}::${types.get(column)}[]`)
  return `unnest(${arrays.join(', ')}) as given (${list(columns)})`
}

const quoted = (name: string): string => `"${name}"`
const list = (names: readonly string[]): string => names.map(quoted).join(', ')
