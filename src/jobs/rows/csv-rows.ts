import { Readable, type TransformOptions } from 'node:stream'
import { type CsvError, type Options, parse } from 'csv-parse'
import { parse as parseWhole } from 'csv-parse/sync'
import { Refusal } from '../../errors.ts'
import { createTurns } from '../../fair-turns.ts'
import { ContentMissing, type FileStore, type StoredBlob } from '../../files/files.ts'
import { unescapedFormula } from '../../http/bodies/csv.ts'
import type { Encoding } from './csv-encoding.ts'
import { MAX_COLUMNS } from './import-settings.ts'

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

/** A CSV file and its detected format. */
export interface CsvFile {
  blobs: readonly StoredBlob[]
  encoding: Encoding
  /** The encoding is uncertain, so letters can be wrong. */
  is_encoding_guessed: boolean
  delimiter: Delimiter
  /** There are quotes inside unquoted cells, so quotes cannot be parsed strictly. */
  has_loose_quotes: boolean
}

/** A row below the header, numbered from 1. */
export interface CsvRow {
  position: number
  cells: string[]
}

/** The maximum length of a row. A longer one has an unclosed quote, or the file is not a table. */
const LONGEST_ROW = 262_144
const SAMPLE_ROWS = 30
/** Bytes that are parsed without a pause: they can be a thousand rows. */
const PIECE_BYTES = 2_048
/** At the end of a file, the parser takes all that it has buffered without a pause. */
const BUFFERING: Options & TransformOptions = { writableHighWaterMark: PIECE_BYTES }

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
 * The rows of a file, including the header. A row with too many cells keeps one more than allowed, to show the error.
 * Throws Refusal if the file is not CSV.
 */
export async function* rowsOf(files: FileStore, file: CsvFile): AsyncGenerator<string[]> {
  const parser = parse({ ...reading(file), ...BUFFERING })
  const bytes = await files.open(file.blobs).catch((error) => {
    throw asRefusal(error)
  })
  const source = Readable.from(inPieces(decoded(bytes, file.encoding)))
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    const nextTurn = createTurns()
    for await (const cells of parser as AsyncIterable<string[]>) {
      yield cells.slice(0, MAX_COLUMNS + 1).map((cell) => cleaned(cell, file.delimiter))
      const turn = nextTurn()
      if (turn) await turn
    }
  } catch (error) {
    throw asRefusal(error)
  } finally {
    source.destroy()
    bytes.destroy()
  }
}

/** The rows below the header, after a position, to resume a job. */
export async function* dataRows(files: FileStore, file: CsvFile, after = 0): AsyncGenerator<CsvRow> {
  let position = -1
  for await (const cells of rowsOf(files, file)) {
    position++
    if (position > after) yield { position, cells }
  }
}

/** The delimiter that splits most of the first rows into the same number of columns, at least two. */
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

/** Decodes the bytes, without the byte order mark. */
export async function* decoded(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** The parser works on bytes, so a piece can end within a character. */
async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
  }
}

/** Spreadsheets write texts of digits like this: `="007"`. */
const AS_FORMULA = /^="([^"]*)"$/

/** Removes NUL, which databases cannot store, and surrounding white space. */
function cleaned(cell: string, delimiter: Delimiter): string {
  const text = cell.replaceAll('\0', '').toWellFormed()
  const [, digits] = AS_FORMULA.exec(text.trim()) ?? []
  return digits ?? unescapedFormula(text, delimiter === ';' ? 'semicolon' : 'comma').trim()
}

const LOOSE_QUOTE = 'INVALID_OPENING_QUOTE'

function asRefusal(error: unknown): unknown {
  // An old draft loses its file before its row, and a server can be restored without its files.
  if (error instanceof ContentMissing)
    return new Refusal('not_found', 'The file of this import is no longer on the server.', {
      code: 'import_file_missing',
      cause: error,
    })
  const { code, lines } = Object(error) as Partial<CsvError>
  if (typeof code !== 'string' || !/^(CSV_|INVALID_)/.test(code)) return error
  return new Refusal(
    'invalid',
    `Line ${lines ?? 1} is not valid CSV: it has an unclosed quote or is too long.`,
    {
      code: code === LOOSE_QUOTE ? 'csv_loose_quotes' : 'csv_malformed',
      members: { line: lines ?? 1 },
      cause: error,
    },
  )
}
