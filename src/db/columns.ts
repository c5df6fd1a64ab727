import { migrations } from './migrations/migrations.ts'
import type { Tables } from './tables.ts'

/** The columns of each table with their PostgreSQL types, as in the migrations. */
let stated: Map<string, Map<string, string>> | undefined

/** Read on first use, because migrations write rows too and are loaded before this module. */
function readStatements(): Map<string, Map<string, string>> {
  const statements = migrations.flatMap((migration) => migration.statements)
  const types = new Map(
    statements.flatMap((statement) => {
      const [, table, columns] = /^create table (\w+) \(([\s\S]*)\)$/.exec(statement) ?? []
      return table && columns ? [[table, typesIn(columns)] as const] : []
    }),
  )
  for (const statement of statements) {
    const [, table = '', column, type] =
      /^alter table (\w+) add column (\w+) (bigint|text|bytea|double precision)/.exec(statement) ?? []
    if (column && type) types.get(table)?.set(column, type)
    const [, of = '', before = '', after] =
      /^alter table (\w+) rename column (\w+) to (\w+)/.exec(statement) ?? []
    if (after) renameColumn(types.get(of) as Map<string, string>, before, after)
  }
  return types
}

function renameColumn(types: Map<string, string>, before: string, after: string): void {
  types.set(after, types.get(before) as string)
  types.delete(before)
}

function typesIn(columns: string): Map<string, string> {
  const found = columns.matchAll(/(?:^|,)\s*(\w+) (bigint|text|bytea|double precision)\b/g)
  return new Map([...found].map(([, column, type]) => [column as string, type as string]))
}

export function columnTypes(table: keyof Tables): Map<string, string> {
  stated ??= readStatements()
  const types = stated.get(table)
  if (!types) throw new Error(`no migration makes the table ${table}`)
  return types
}
