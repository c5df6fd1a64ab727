/**
 * Some requests of one account, written together (Q4). One row for many requests costs a fifth of a row for each. The number of
 * a request is that of its batch and its place in it.
 */
export interface RequestBatchRow {
  id: number
  account_id: number
  /** How many requests it contains. */
  count: number
  /** When the last of them began, in milliseconds. */
  at: number
  /** A list of what is filtered and listed, compressed. */
  heads: Uint8Array
  /** A list of the headers and bodies, in the same order, compressed. A scan of the heads does not read them. */
  messages: Uint8Array
}

export interface RequestLogTables {
  request_batches: RequestBatchRow
}

/** Counts the forms of the table. A file of another form is emptied, because its rows are not worth a migration. */
export const REQUEST_LOG_FORM = 2

/** The statements that create the table. An unlogged table is not written ahead, and is empty after a crash. */
export function requestLogStatements(kind: 'sqlite' | 'postgres'): string[] {
  const [id, number, bytes, unlogged] =
    kind === 'sqlite'
      ? ['integer primary key autoincrement', 'integer', 'blob', '']
      : ['bigserial primary key', 'bigint', 'bytea', 'unlogged ']
  return [
    `create ${unlogged}table request_batches (id ${id}, account_id ${number} not null, count ${number} not null,
      at ${number} not null, heads ${bytes} not null, messages ${bytes} not null)`,
    'create index request_batches_by_account on request_batches (account_id, id, count, at)',
    // They are compressed already.
    ...(kind === 'postgres' ? ['heads', 'messages'] : []).map(
      (column) => `alter table request_batches alter column ${column} set storage external`,
    ),
  ]
}
