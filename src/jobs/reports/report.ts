import type { Context } from '../../context.ts'
import type { JobRecordRow, JobRow } from '../../db/tables.ts'
import type { Language } from '../../events/event-types.ts'
import { BYTE_ORDER_MARK, csvLine, type Delimiter } from '../../http/bodies/csv.ts'
import { outcomeOf } from '../batches/outcomes.ts'
import { rowsWith } from '../batches/queries.ts'
import type { ReportedRow, reportedOutcomes } from '../imports/schemas.ts'
import type { ImportSettings } from '../rows/import-settings.ts'
import { columnText, faultText, outcomeText } from './report-words.ts'

export type Reported = (typeof reportedOutcomes)[number]

const PAGE = 250

const reportColumns = ['row', 'result', 'record', 'column', 'value', 'reason'] as const

/** The reported rows of a job, in the order of the file. */
export async function listReport(
  ctx: Context,
  job: JobRow,
  { of, after, limit }: { of: readonly Reported[]; after: number; limit: number },
): Promise<{ rows: ReportedRow[]; next: number | null }> {
  const page = { direction: 'asc', after, limit: limit + 1 } as const
  const found = await Promise.all(of.map((one) => rowsWith(ctx.db, job, one, page)))
  const all = found.flat().sort((a, b) => a.position - b.position)
  const rows = all.slice(0, limit).map(reportedRow)
  return { rows, next: all.length > limit ? (rows.at(-1)?.row ?? null) : null }
}

function reportedRow(row: JobRecordRow): ReportedRow {
  const { outcome, entity_id, cells = [], faults } = outcomeOf(row)
  return { row: row.position, outcome: outcome as ReportedRow['outcome'], entity_id, cells, faults }
}

/** The complete report, in pages. */
export async function* wholeReport(
  ctx: Context,
  job: JobRow,
  of: readonly Reported[],
): AsyncGenerator<ReportedRow> {
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof listReport>> = await listReport(ctx, job, {
      of,
      after,
      limit: PAGE,
    })
    yield* page.rows
    after = page.next
  }
}

/** One line per reason: row, outcome, record, column and value. */
export async function* reportAsCsv(
  ctx: Context,
  job: JobRow,
  of: readonly Reported[],
  { delimiter, headings }: { delimiter: Delimiter; headings: Language | null },
): AsyncGenerator<string> {
  const { columns = [] } = JSON.parse(job.settings) as Partial<ImportSettings>
  const head = reportColumns.map((column) => columnText(column, headings))
  yield `${BYTE_ORDER_MARK}${csvLine(head, delimiter)}`
  for await (const { row, outcome, entity_id, cells, faults } of wholeReport(ctx, job, of))
    for (const fault of faults) {
      const at = fault.column
      const [name, value] = at === null ? ['', ''] : [columns[at] ?? '', cells[at] ?? '']
      const [result, reason] = [outcomeText(outcome, headings), faultText(fault, headings)]
      yield csvLine([row, result, entity_id ?? '', name, value, reason], delimiter)
    }
}
