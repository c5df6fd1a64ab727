import type { Context } from '../../context.ts'
import type { JobRow } from '../../db/tables.ts'
import type { Language } from '../../events/event-types.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../http/bodies/csv.ts'
import type { ReportedRow } from '../imports/schemas.ts'
import type { ImportSettings } from '../rows/import-settings.ts'
import { wholeReport } from './report.ts'
import { columnText, faultText } from './report-words.ts'

/** Outcomes that count as failures: when a row was processed, or when it was undone. */
export const failed = ['failed', 'kept'] as const

/**
 * The failed rows in the original columns, with a column for the reason, so that they can be corrected and imported
 * again.
 */
export async function* failuresAsCsv(
  ctx: Context,
  job: JobRow,
  headings: Language | null,
): AsyncGenerator<string> {
  const { columns = [], file } = JSON.parse(job.settings) as Partial<ImportSettings>
  // The cells are those of the file, whose numbers are read by its delimiter.
  const delimiter = file?.delimiter === ';' ? 'semicolon' : 'comma'
  const isImport = job.kind === 'import'
  // Spreadsheets need the mark to detect UTF-8.
  yield `${BYTE_ORDER_MARK}${csvLine([...(isImport ? columns : ['id']), columnText('import_error', headings)], delimiter)}`
  for await (const { cells, entity_id, faults, outcome } of wholeReport(ctx, job, failed)) {
    if (isImport && outcome === 'kept') continue
    const own = isImport ? columns.map((_, i) => cells[i] ?? '') : [String(entity_id)]
    yield csvLine([...own, faults.map((fault) => namedFault(fault, columns, headings)).join('; ')], delimiter)
  }
}

function namedFault(
  fault: ReportedRow['faults'][number],
  columns: readonly string[],
  headings: Language | null,
): string {
  const text = faultText(fault, headings)
  return fault.column === null || !columns[fault.column] ? text : `${columns[fault.column]}: ${text}`
}
