import type { Kysely } from 'kysely'
import { everyColumnType } from '../db/columns.ts'
import type { Db, Tx } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import type { Tables } from '../db/tables.ts'

/** Rows that are read and written together. */
const ROWS_AT_ONCE = 500

/** Characters that are compressed together. Each write is a job of a thread, which costs more than compressing a row. */
const WRITE_LENGTH = 65_536

export const line = (value: unknown) => `${JSON.stringify(value)}\n`

/** A row of a backup: pairs of column and value; bytes are objects with base64. */
export type DumpedRow = [string, unknown][]

/** The lines of all rows of a table, many in each text. `see` gets the rows of each. */
export async function* rowLines(
  tx: Tx,
  table: string,
  see: (rows: readonly Record<string, unknown>[]) => void,
): AsyncGenerator<string> {
  const query = anyTable(tx).selectFrom(table).selectAll().compile()
  // A chunk at a time: a step of an asynchronous iterator for each row costs more than its line.
  for await (const { rows } of tx.getExecutor().stream<Record<string, unknown>>(query, ROWS_AT_ONCE)) {
    let text = ''
    for (const row of rows) {
      text += line({ row: encode(row) })
      if (text.length < WRITE_LENGTH) continue
      yield text
      text = ''
    }
    if (text !== '') yield text
    see(rows)
  }
}

const encode = (row: Record<string, unknown>): DumpedRow =>
  Object.entries(row).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value,
  ])

/** Collects the rows of a table that is restored, and inserts many at once. */
export class RestoredRows {
  readonly #tx: Tx
  readonly #table: keyof Tables
  #columns: string[] = []
  #rows: Record<string, unknown>[] = []

  constructor(tx: Tx, table: keyof Tables) {
    this.#tx = tx
    this.#table = table
  }

  /** Undefined if nothing has to be written yet. Throws for a row that cannot be written, before it writes others. */
  add(row: DumpedRow): Promise<void> | undefined {
    const isSame = this.#hasColumns(row)
    const columns = isSame ? this.#columns : this.#known(row)
    const decoded = decode(row)
    // The rows of a statement have the same columns.
    const written = isSame ? undefined : this.flush()
    this.#columns = columns
    this.#rows.push(decoded)
    return written ?? (this.#rows.length >= ROWS_AT_ONCE ? this.flush() : undefined)
  }

  async flush(): Promise<void> {
    const rows = this.#rows
    if (rows.length === 0) return
    this.#rows = []
    await insertRows(this.#tx, this.#table, rows as never[])
  }

  /** The columns of a row. They become a part of a statement, so the table must have them, or must have had them once. */
  #known(row: DumpedRow): string[] {
    const types = everyColumnType(this.#table)
    return row.map(([name]) => {
      if (!types.has(name)) throw new Error(`there is no column ${name}`)
      return name
    })
  }

  #hasColumns(row: DumpedRow): boolean {
    return row.length === this.#columns.length && row.every(([name], i) => name === this.#columns[i])
  }
}

const decode = (row: DumpedRow): Record<string, unknown> =>
  Object.fromEntries(
    row.map(([name, value]) => [name, isBytes(value) ? Buffer.from(value.base64, 'base64') : value]),
  )

const isBytes = (value: unknown): value is { base64: string } =>
  typeof value === 'object' && value !== null && 'base64' in value

/** A database handle for tables by name. */
const anyTable = (db: Db) => db as unknown as Kysely<Record<string, Record<string, unknown>>>
