import { sql } from 'kysely'
import type { Vault } from '../vault.ts'
import type { Db, Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** A table with encrypted columns. Each slice declares its own beside its queries. */
export interface SealedTable {
  table: keyof Tables
  /** The columns of its key. */
  key: readonly string[]
  /** The encrypted columns, which can be null. */
  columns: readonly string[]
  /** The place with which the columns of a row are authenticated. */
  placeOf(row: Record<string, unknown>): string
}

/** The outcome for some rows. */
export interface Resealed {
  /** Values that have the key in use now. */
  changed: number
  /** Values that were changed by others meanwhile. */
  missed: number
  /** Places of values that no known key opens. */
  unopened: string[]
  /** The key of the last row; undefined after the last one. */
  last: unknown[] | undefined
}

/** Encrypts the values of the next `limit` rows with the key in use, in one transaction. */
export async function resealRows(
  db: Db,
  vault: Vault,
  sealed: SealedTable,
  after: unknown[] | undefined,
  limit: number,
): Promise<Resealed> {
  const rows = await nextRows(db, sealed, after, limit)
  const done: Resealed = { changed: 0, missed: 0, unopened: [], last: undefined }
  const changes = rows.flatMap((row) => changesOf(vault, sealed, row, done))
  if (changes.length > 0)
    await db.transaction().execute(async (tx) => {
      for (const change of changes) {
        if (await replace(tx, sealed, change)) done.changed++
        else done.missed++
      }
    })
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { ...done, last: last && sealed.key.map((column) => last[column]) }
}

type Row = Record<string, unknown>

interface Change {
  row: Row
  column: string
  before: Buffer
  after: Buffer
}

function changesOf(vault: Vault, sealed: SealedTable, row: Row, done: Resealed): Change[] {
  const place = sealed.placeOf(row)
  return sealed.columns.flatMap((column) => {
    const before = row[column] as Buffer | null
    if (before === null) return []
    try {
      const after = vault.reseal(place, before)
      return after ? [{ row, column, before, after }] : []
    } catch {
      done.unopened.push(place)
      return []
    }
  })
}

async function nextRows(
  db: Db,
  { table, key, columns }: SealedTable,
  after: unknown[] | undefined,
  limit: number,
): Promise<Row[]> {
  const order = sql.join(key.map((column) => sql.ref(column)))
  const later = after ? sql`(${order}) > (${sql.join(after)})` : sql`true`
  const filled = sql.join(
    columns.map((column) => sql`${sql.ref(column)} is not null`),
    sql` or `,
  )
  const { rows } = await sql<Row>`
    select ${sql.join([...key, ...columns].map((column) => sql.ref(column)))} from ${sql.table(table)}
    where ${later} and (${filled}) order by ${order} limit ${limit}`.execute(db)
  return rows
}

/** False if the value is no longer the one that was read. */
async function replace(tx: Tx, { table, key }: SealedTable, change: Change): Promise<boolean> {
  const { row, column, before, after } = change
  const at = sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  )
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${after} where ${at} and ${sql.ref(column)} = ${before}`.execute(
    tx,
  )
  return numAffectedRows === 1n
}
