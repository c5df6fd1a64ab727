import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { JobRow } from '../db/tables.ts'
import { loadAccess } from '../entities/entities.ts'
import { type CsvRow, dataRows } from './csv-rows.ts'
import { type DoneRow, writeRows } from './import-batch.ts'
import { type ImportSettings, SHOWN_ROWS } from './import-settings.ts'
import { surroundingsOf } from './surroundings.ts'
import type { ImportedType } from './targets.ts'

/**
 * What would become of the first rows: they are written as they will be, by the same doors, and all of it is taken back.
 * No other way would find every fault.
 */
export async function previewRows(ctx: Context, actor: Actor, job: JobRow): Promise<DoneRow[]> {
  const settings = JSON.parse(job.settings) as ImportSettings
  const around = await surroundingsOf(ctx, actor, job.entity_type as ImportedType, settings)
  const rows: CsvRow[] = []
  for await (const row of dataRows(ctx.files, settings.file)) {
    rows.push(row)
    if (rows.length === SHOWN_ROWS) break
  }
  let done: DoneRow[] = []
  await ctx.db
    .transaction()
    .execute(async (tx) => {
      done = await writeRows(ctx, tx, await loadAccess(tx, actor), rows, around)
      throw new TakenBack()
    })
    .catch((error) => {
      if (!(error instanceof TakenBack)) throw error
    })
  return done
}

class TakenBack extends Error {}
