import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { JobRow } from '../../db/tables.ts'
import { beginWrite } from '../../entities/entities.ts'
import { Refusal } from '../../errors.ts'
import { createFairQueue } from '../../fair-queue.ts'
import { type DoneRow, writeRows } from '../batches/import-batch.ts'
import { type CsvRow, dataRows } from '../rows/csv-rows.ts'
import { loadImportLookup } from '../rows/import-lookup.ts'
import type { ImportSettings } from '../rows/import-settings.ts'
import type { ImportedType } from '../rows/targets.ts'

/** The rows of one preview can have 20 MiB, so one is made at a time, with turns among the accounts. */
const turns = createFairQueue({ at_once: 1, most_waiting: 50 })

/**
 * Shows what an import would do with the first rows. The same functions write them, and the transaction is rolled back,
 * because only a real write finds every fault. Throws Refusal('too_many') if the account waits for too many previews.
 */
export async function previewRows(...asked: Parameters<typeof makePreview>): Promise<DoneRow[]> {
  const [, { account_id }] = asked
  const done = await turns.take(account_id, () => makePreview(...asked))
  if (done) return done
  throw new Refusal('too_many', 'The account waits for too many previews of imports.', { retry_after: 1 })
}

async function makePreview(ctx: Context, actor: Actor, job: JobRow, limit: number): Promise<DoneRow[]> {
  const settings = JSON.parse(job.settings) as ImportSettings
  const lookup = await loadImportLookup(ctx, actor, job.entity_type as ImportedType, settings)
  const rows: CsvRow[] = []
  for await (const row of dataRows(ctx.files, settings.file)) {
    rows.push(row)
    if (rows.length === limit) break
  }
  let done: DoneRow[] = []
  await ctx.db
    .transaction()
    .execute(async (tx) => {
      done = await writeRows(await beginWrite(ctx, tx, actor), rows, lookup)
      throw new TakenBack()
    })
    .catch((error) => {
      if (!(error instanceof TakenBack)) throw error
    })
  return done
}

class TakenBack extends Error {}
