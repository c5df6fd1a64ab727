import { Readable } from 'node:stream'
import { type CsvError, type Options, parse } from 'csv-parse'
import { parse as parseWhole } from 'csv-parse/sync'
import { Refusal } from '../errors.ts'
import type { FileStore, StoredBlob } from '../files/files.ts'
import { unescapedFormula } from '../http/csv.ts'
import type { Encoding } from './csv-encoding.ts'
import { MAX_COLUMNS } from './import-settings.ts'

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

/** A CSV file as it was found to be. */
export interface CsvFile {
  blobs: readonly StoredBlob[]
  encoding: Encoding
  /** It is not certain: the letters may be others. */
  is_encoding_guessed: boolean
  delimiter: Delimiter
  /** Quotes stand inside of cells that are not quoted, so they cannot be taken by the letter. */
  has_loose_quotes: boolean
}

/** A row below the names of the columns, counted from 1. */
export interface CsvRow {
  position: number
  cells: string[]
}

/** Letters of a row: beyond that a quote was not closed, or it is no table. */
const LONGEST_ROW = 262_144
const SAMPLE_ROWS = 30

const reading = ({
  delimiter,
  has_loose_quotes,
}: Pick<CsvFile, 'delimiter' | 'has_loose_quotes'>): Options => ({
  delimiter,
  relax_column_count: true,
  relax_quotes: has_loose_quotes,
  skip_empty_lines: true,
  max_record_size: LONGEST_ROW,
})

/**
 * Rows of a file from its first one on, the names of its columns among them. Of a row that has more cells than a file can
 * have columns one cell more is kept, which says so. Throws Refusal where it is no CSV.
 */
export async function* rowsOf(files: FileStore, file: CsvFile): AsyncGenerator<string[]> {
  const parser = parse(reading(file))
  const bytes = await files.open(file.blobs)
  const source = Readable.from(decoded(bytes, file.encoding))
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const cells of parser as AsyncIterable<string[]>)
      yield cells.slice(0, MAX_COLUMNS + 1).map(cleaned)
  } catch (error) {
    throw asRefusal(error)
  } finally {
    source.destroy()
    bytes.destroy()
  }
}

/** The rows below the names, from one on: how a job goes on where it was left. */
export async function* dataRows(files: FileStore, file: CsvFile, after = 0): AsyncGenerator<CsvRow> {
  let position = -1
  for await (const cells of rowsOf(files, file)) {
    position++
    if (position > after) yield { position, cells }
  }
}

/** The delimiter by which the first rows fall into the same number of columns, and most of them. */
export function delimiterOf(sample: string): Delimiter {
  const scores = delimiters.map((delimiter) => {
    const rows = sampleRows(sample, delimiter)
    const width = rows[0]?.length ?? 0
    const alike = rows.filter((row) => row.length === width).length
    return { delimiter, score: width < 2 ? 0 : (alike / rows.length) * 1_000 + width }
  })
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).delimiter
}

function sampleRows(sample: string, delimiter: Delimiter): string[][] {
  try {
    return parseWhole(sample, {
      ...reading({ delimiter, has_loose_quotes: true }),
      to: SAMPLE_ROWS,
      skip_records_with_error: true,
    }) as unknown as string[][]
  } catch {
    return []
  }
}

/** The text of bytes, without the mark at its beginning. */
export async function* decoded(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** As spreadsheets write texts of digits: `="007"`. */
const AS_FORMULA = /^="([^"]*)"$/

/** A cell as it was meant: no database keeps NUL, and nobody means the space around a word. */
function cleaned(cell: string): string {
  const text = cell.replaceAll('\0', '').toWellFormed()
  const [, digits] = AS_FORMULA.exec(text.trim()) ?? []
  return digits ?? unescapedFormula(text).trim()
}

const LOOSE_QUOTE = 'INVALID_OPENING_QUOTE'

function asRefusal(error: unknown): unknown {
  const { code, lines } = Object(error) as Partial<CsvError>
  if (typeof code !== 'string' || !/^(CSV_|INVALID_)/.test(code)) return error
  return new Refusal(
    'invalid',
    `Line ${lines ?? 1} is no CSV: a quote is not closed, or the row is too long.`,
    {
      code: code === LOOSE_QUOTE ? 'csv_loose_quotes' : 'csv_malformed',
      members: { line: lines ?? 1 },
      cause: error,
    },
  )
}
