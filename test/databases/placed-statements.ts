import { loadModule, parseSync } from 'libpg-query'
import { type Placement, placements } from '../../src/db/distribution/distribution.ts'
import type { Sent } from './sent-statements.ts'

/** A table that a statement names, with the account that the statement states for it: a constant, or undefined. */
interface Named {
  table: string
  placement: Placement
  account: unknown
}

/** A part of a parsed statement, with the names of PostgreSQL's own syntax tree. */
// biome-ignore lint/suspicious/noExplicitAny: which members exist depends on the kind of the part.
type Tree = Record<string, any>

/** The tables of one `select`, `update` or `delete`, their names in its conditions, and what all its rows fulfil. */
interface Level {
  tables: { table: string; alias: string }[]
  functions: Tree[]
  conditions: Tree[]
}

type Values = readonly unknown[]

await loadModule()

/**
 * Says why Citus would not carry out a statement as one task on one server: a distributed table beside a plain one, one
 * without its account as a constant, or those of several accounts. Undefined if it would. With `isOfAll`, a statement can be
 * about all accounts, unless it locks rows.
 */
export function misplaced(sent: Sent, { isOfAll = false } = {}): string | undefined {
  const named = tablesOf(sent)
  const distributed = named.filter(({ placement }) => placement === 'distributed')
  const [first] = distributed
  if (!first) return undefined
  const plain = named.find(({ placement }) => placement === 'plain')
  if (plain) return `${first.table} is distributed and ${plain.table} is plain`
  // Citus locks rows of one server only.
  if (isOfAll && !/\bfor (no key )?(update|share|key share)\b/.test(sent.text)) return undefined
  const open = distributed.find(({ account }) => account === undefined)
  if (open) return `${open.table} has no constant account`
  const other = distributed.find(({ account }) => account !== first.account)
  return other && `${first.table} and ${other.table} have different accounts`
}

/** The tables that a statement names, with those of its sub-queries. */
function tablesOf({ text, values }: Sent): Named[] {
  return within(parseSync(text), new Set(), values)
}

const STATEMENT = /^(?:Select|Update|Delete|Insert)Stmt$/

/** `ctes` are names of queries, so they are not tables. */
function within(node: unknown, ctes: ReadonlySet<string>, values: Values): Named[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([kind, part]) =>
    STATEMENT.test(kind) ? ofStatement(part, ctes, values) : within(part, ctes, values),
  )
}

function ofStatement(statement: Tree, outer: ReadonlySet<string>, values: Values): Named[] {
  const queries: Tree[] = statement.withClause?.ctes ?? []
  const ctes = new Set([...outer, ...queries.map(({ CommonTableExpr }) => CommonTableExpr.ctename)])
  // The branches of a union are statements without the name of their kind.
  const { larg, rarg, ...rest } = statement
  const branches = [larg, rarg].filter(Boolean).flatMap((branch) => ofStatement(branch, ctes, values))
  const level = levelOf(statement)
  const own = level.tables
    .filter(({ table }) => !ctes.has(table))
    .map(({ table, alias }) => named(table, accountOf(alias, level, values)))
  return [...branches, ...own, ...insertedInto(statement, values), ...within(rest, ctes, values)]
}

const named = (table: string, account: unknown): Named => ({
  table,
  // Catalogues of PostgreSQL are on the coordinator.
  placement: placements[table as keyof typeof placements] ?? 'plain',
  account,
})

function levelOf({ cols, relation, fromClause = [], usingClause = [], whereClause }: Tree): Level {
  const level: Level = { tables: [], functions: [], conditions: conjuncts(whereClause) }
  if (relation && !cols) addSource({ RangeVar: relation }, level)
  for (const source of [...fromClause, ...usingClause]) addSource(source, level)
  return level
}

function addSource({ RangeVar, JoinExpr, RangeFunction }: Tree, level: Level): void {
  if (RangeVar)
    level.tables.push({ table: RangeVar.relname, alias: RangeVar.alias?.aliasname ?? RangeVar.relname })
  if (RangeFunction) level.functions.push(RangeFunction)
  if (!JoinExpr) return
  level.conditions.push(...conjuncts(JoinExpr.quals))
  addSource(JoinExpr.larg, level)
  addSource(JoinExpr.rarg, level)
}

/** The conditions that a condition joins with `and`. */
function conjuncts(condition: Tree | undefined): Tree[] {
  if (!condition) return []
  const { boolop, args = [] } = condition.BoolExpr ?? {}
  return boolop === 'AND_EXPR' ? args.flatMap((part: Tree) => conjuncts(part)) : [condition]
}

/** The constant to which a condition compares the account of a table; undefined if none does. */
function accountOf(alias: string, { tables, conditions }: Level, values: Values): unknown {
  const isAccount = (side: Tree) => {
    const path = pathOf(side)
    return path.at(-1) === 'account_id' && (path.length > 1 ? path.at(-2) === alias : tables.length === 1)
  }
  return conditions
    .map(({ A_Expr }) => A_Expr)
    .filter((compared) => compared?.kind === 'AEXPR_OP' && textOf(compared.name[0]) === '=')
    .flatMap(({ lexpr, rexpr }) => [
      ...(isAccount(lexpr) ? [constantOf(rexpr, values)] : []),
      ...(isAccount(rexpr) ? [constantOf(lexpr, values)] : []),
    ])
    .find((account) => account !== undefined)
}

const textOf = (node: Tree | undefined): string => node?.String?.sval ?? ''
const pathOf = ({ ColumnRef }: Tree): string[] => (ColumnRef?.fields ?? []).map(textOf)

function constantOf(node: Tree, values: Values): unknown {
  if (node.TypeCast) return constantOf(node.TypeCast.arg, values)
  if (node.ParamRef) return values[node.ParamRef.number - 1]
  return node.A_Const?.ival?.ival
}

/** The table of an `insert`. Its account is a constant if all rows have the same. */
function insertedInto({ cols, relation, selectStmt }: Tree, values: Values): Named[] {
  if (!cols) return []
  const at = cols.findIndex(({ ResTarget }: Tree) => ResTarget.name === 'account_id')
  const accounts = new Set(at < 0 ? [] : insertedAccounts(selectStmt.SelectStmt, at, values))
  return [named(relation.relname, accounts.size === 1 ? [...accounts][0] : undefined)]
}

function insertedAccounts(select: Tree, at: number, values: Values): unknown[] {
  if (select.valuesLists)
    return select.valuesLists.map(({ List }: Tree) => constantOf(List.items[at], values))
  const value: Tree = select.targetList[at].ResTarget.val
  const path = pathOf(value)
  if (path.length === 0) return [constantOf(value, values)]
  const level = levelOf(select)
  for (const { alias, functions } of level.functions) {
    const place = (alias?.colnames ?? []).map(textOf).indexOf(path.at(-1) as string)
    const [call] = functions[0].List.items
    if (place >= 0) return [constantOf(call.FuncCall.args[place], values)].flat()
  }
  return [accountOf(path.at(-2) ?? level.tables[0]?.alias ?? '', level, values)]
}
