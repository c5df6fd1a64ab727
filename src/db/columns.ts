import { migrations } from './migrations/migrations.ts'
import type { Tables } from './tables.ts'

/** The columns of each table with their PostgreSQL types, as in the migrations. */
type Columns = Map<string, Map<string, string>>

/** `ever` also has the names that columns had in earlier versions. */
let stated: Record<'now' | 'ever', Columns> | undefined

/** Read on first use, because migrations write rows too and are loaded before this module. */
function readStatements(): Record<'now' | 'ever', Columns> {
  const statements = migrations.flatMap((migration) => migration.statements)
  const now: Columns = new Map(
    statements.flatMap((statement) => {
      const [, table, columns] = /^create table (\w+) \(([\s\S]*)\)$/.exec(statement) ?? []
      return table && columns ? [[table, typesIn(columns)] as const] : []
    }),
  )
  const former: [table: string, column: string, type: string][] = []
  for (const statement of statements) {
    const [, table = '', column, type] =
      /^alter table (\w+) add column (\w+) (bigint|text|bytea|double precision)/.exec(statement) ?? []
    if (column && type) now.get(table)?.set(column, type)
    const [, of = '', before = '', after] =
      /^alter table (\w+) rename column (\w+) to (\w+)/.exec(statement) ?? []
    const renamed = after ? now.get(of)?.get(before) : undefined
    if (!after || !renamed) continue
    now.get(of)?.set(after, renamed)
    now.get(of)?.delete(before)
    former.push([of, before, renamed])
  }
  const ever: Columns = new Map([...now].map(([table, types]) => [table, new Map(types)]))
  for (const [table, column, type] of former) ever.get(table)?.set(column, type)
  return { now, ever }
}

function typesIn(columns: string): Map<string, string> {
  const found = columns.matchAll(/(?:^|,)\s*(\w+) (bigint|text|bytea|double precision)\b/g)
  return new Map([...found].map(([, column, type]) => [column as string, type as string]))
}

/** The columns of a table. */
export const columnTypes = (table: keyof Tables): Map<string, string> => typesOf(table, 'now')

/** The columns that a table has or had in an earlier version, by all of their names. */
export const everyColumnType = (table: keyof Tables): Map<string, string> => typesOf(table, 'ever')

function typesOf(table: keyof Tables, time: 'now' | 'ever'): Map<string, string> {
  stated ??= readStatements()
  const types = stated[time].get(table)
  if (!types) throw new Error(`no migration makes the table ${table}`)
  return types
}
