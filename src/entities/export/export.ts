import { setImmediate } from 'node:timers/promises'
import { accountTimezone } from '../../accounts/accounts.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { type Replicated, readsFor } from '../../db/postgres/replica.ts'
import type { FileForm } from '../../http/bodies/forms.ts'
import { localTimes, utcTimes } from '../../http/bodies/table-times.ts'
import type { ValuePosition } from '../../http/queries/paging.ts'
import { type ListQuery, readRecordFilter } from '../lists/conditions.ts'
import { readPage } from '../lists/list.ts'
import { recordTexts, type Showing } from '../lists/show.ts'
import { type Access, coversNothing, insufficientRights } from '../records/access.ts'
import { entityTypes } from '../records/entity-types.ts'
import { readOrder } from '../records/orders.ts'
import { headOf, lineOf, namesFor, type Table } from './export-columns.ts'

/** Short enough that its text is not a large object, which would stay in memory until a full garbage collection. */
const PAGE = 100

export interface Export extends Showing, Omit<Table, 'times'> {
  form: FileForm
  query: ListQuery
  catalog_id?: number | undefined
}

/** Export is a separate right. Refuses an actor who cannot export any record of the kind. */
export function requireExport(
  access: Access,
  { type, catalog_id }: Pick<Export, 'type' | 'catalog_id'>,
): void {
  if (coversNothing(access, 'export', type, catalog_id)) throw insufficientRights()
}

/**
 * Yields the text of all records of a list that the reader can export, in its order, one page at a time. `current`
 * returns the reader's current rights, and throws if they have lost access. The records come from the replica, if there is
 * one.
 */
export async function exportRecords(
  ctx: Replicated,
  access: Access,
  asked: Export,
): Promise<(current: () => Promise<Access>, signal: AbortSignal) => AsyncGenerator<string>> {
  const { type, form, query, catalog_id, headings } = asked
  const { account_id } = access.actor
  const fields = await findFields(ctx.db, account_id, entityTypes[type].fields, catalog_id ?? null)
  const order = readOrder(type, query.order)
  const found = await readRecordFilter(ctx.db, account_id, type, query, fields)
  const times = headings === null ? utcTimes : localTimes(await accountTimezone(ctx.db, account_id))
  const table: Table = { ...asked, times }
  const db = await readsFor(ctx)
  const in_trash = asked.with.has('only_deleted')
  return async function* (current, signal) {
    if (form === 'csv') yield headOf(table, fields)
    for (let after: ValuePosition | null = null; found && !signal.aborted; ) {
      const access = await current()
      requireExport(access, asked)
      const reader = { db, access, type }
      const list = { ...reader, catalog_id, in_trash, rights: ['view', 'export'] as const }
      const page = { page: 1, limit: PAGE, offset: 0 }
      const { rows, next } = await readPage(list, { ...found, order }, fields, { page, after })
      if (rows.length > 0)
        yield form === 'csv'
          ? await linesOf(db, access, table, fields, rows)
          : `${(await recordTexts(reader, rows, fields, asked)).join('\n')}\n`
      if (next === null) return
      after = next
      // Yields to other requests between two pages.
      await setImmediate()
    }
  }
}

async function linesOf(
  db: Db,
  { actor }: Access,
  table: Table,
  fields: Awaited<ReturnType<typeof findFields>>,
  rows: Awaited<ReturnType<typeof readPage>>['rows'],
): Promise<string> {
  const names = await namesFor(db, actor.account_id, table.type, rows)
  return rows.map((row) => lineOf(table, fields, names, row)).join('')
}
