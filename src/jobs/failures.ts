import type { Context } from '../context.ts'
import type { JobRow } from '../db/tables.ts'
import { BYTE_ORDER_MARK, csvLine, harmless } from '../http/csv.ts'
import type { ImportSettings } from './import-settings.ts'
import { outcomeOf } from './outcomes.ts'
import { rowsWith } from './queries.ts'
import type { Failures } from './schemas.ts'

type Failure = Failures['_embedded']['failures'][number]

const PAGE = 250

/** Rows that were refused, and those that could not be undone, in the order of the file. */
export async function listFailures(
  ctx: Context,
  job: JobRow,
  { after, limit }: { after: number; limit: number },
): Promise<{ failures: Failure[]; next: number | null }> {
  const page = { direction: 'asc', after, limit: limit + 1 } as const
  const rows = await Promise.all([rowsWith(ctx.db, job, 'failed', page), rowsWith(ctx.db, job, 'kept', page)])
  const all = rows.flat().sort((a, b) => a.position - b.position)
  const failures = all.slice(0, limit).map((row): Failure => {
    const { outcome, entity_id, cells = [], faults } = outcomeOf(row)
    return { row: row.position, outcome: outcome as Failure['outcome'], entity_id, cells, faults }
  })
  return { failures, next: all.length > limit ? (failures.at(-1)?.row ?? null) : null }
}

/** The same as the file that they came from, with a column that says why: it can be mended and imported again. */
export async function* failuresAsCsv(ctx: Context, job: JobRow): AsyncGenerator<string> {
  const { columns = [] } = JSON.parse(job.settings) as Partial<ImportSettings>
  const isImport = job.kind === 'import'
  // Spreadsheets take a file for UTF-8 when it says so.
  yield `${BYTE_ORDER_MARK}${line([...(isImport ? columns : ['id']), 'import_error'])}`
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof listFailures>> = await listFailures(ctx, job, {
      after,
      limit: PAGE,
    })
    for (const { cells, entity_id, faults, outcome } of page.failures) {
      if (isImport && outcome === 'kept') continue
      const own = isImport ? columns.map((_, i) => cells[i] ?? '') : [String(entity_id)]
      yield line([...own, faults.map((fault) => told(fault, columns)).join('; ')])
    }
    after = page.next
  }
}

const told = ({ column, detail }: Failure['faults'][number], columns: readonly string[]): string =>
  column === null || !columns[column] ? detail : `${columns[column]}: ${detail}`

const line = (cells: readonly string[]): string => csvLine(cells.map(harmless))
