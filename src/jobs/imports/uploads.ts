import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import { nextId } from '../../db/dialect.ts'
import { mayBeCommitted } from '../../db/failures.ts'
import type { JobRow } from '../../db/tables.ts'
import { findEntities, loadAccess, requireCanAdd } from '../../entities/entities.ts'
import { Refusal } from '../../errors.ts'
import type { StoredBlob } from '../../files/files.ts'
import { newJob } from '../batches/new-job.ts'
import { insertJob } from '../batches/queries.ts'
import { dateOrderOf } from '../rows/cells.ts'
import { type EncodingSearch, searchEncoding } from '../rows/csv-encoding.ts'
import { type CsvFile, decoded, delimiterOf, rowsOf } from '../rows/csv-rows.ts'
import {
  cut,
  type ImportSettings,
  MAX_BYTES,
  MAX_COLUMNS,
  MAX_ROWS,
  matchKeysOf,
  SHOWN_ROWS,
  shownLetters,
} from '../rows/import-settings.ts'
import { type MappedColumn, proposeMapping } from '../rows/proposals.ts'
import { type ImportedType, targetsOf } from '../rows/targets.ts'
import { folderOf } from './import-files.ts'
import { requireRoom, takeRoom } from './job-states.ts'

/** The size of a blob. */
const PART_BYTES = 4 * 1024 * 1024
/** The length of the sample that determines the delimiter. */
const SAMPLE_LETTERS = 65_536
/** Rows that are examined to propose targets. */
const SAMPLED_ROWS = 200

/** Stores a CSV file as the draft of an import and reads it once. Nothing remains after a refusal. */
export async function takeImport(
  ctx: Context,
  actor: Actor,
  type: ImportedType,
  source: Readable,
  name: string,
): Promise<JobRow> {
  const access = await loadAccess(ctx.db, actor)
  requireCanAdd(access, type)
  // Before the file is stored, and again when the job is added.
  await requireRoom(ctx.db, actor.account_id, 'drafts')
  await ctx.limits.take('job', String(actor.account_id))
  const folder = folderOf(actor.account_id, randomBytes(12).toString('hex'))
  try {
    const { size, has_nul, ...stored } = await store(ctx, folder, source)
    const file = { ...stored, ...(await dialectOf(ctx, stored.blobs, stored.encoding)) }
    const { columns, sample, total } = await scan(ctx, file)
    if (total === 0) throw has_nul ? withNul() : empty()
    const settings = await propose(ctx, actor, type, { columns, sample, file: { ...file, name, size } })
    return await ctx.db.transaction().execute(async (tx) => {
      await takeRoom(tx, actor.account_id, 'drafts')
      const id = await nextId(tx, 'jobs')
      const row = newJob(actor, ctx.now(), {
        ...{ id, kind: 'import', state: 'draft', entity_type: type, total },
        settings: JSON.stringify(settings),
      })
      await insertJob(tx, row)
      return row
    })
  } catch (error) {
    if (!mayBeCommitted(error)) await ctx.files.deleteFolder(folder)
    throw error
  }
}

async function store(
  ctx: Context,
  folder: string,
  source: Readable,
): Promise<
  Pick<CsvFile, 'encoding' | 'is_encoding_guessed'> & { blobs: StoredBlob[]; size: number; has_nul: boolean }
> {
  const search = searchEncoding()
  const blobs: StoredBlob[] = []
  let size = 0
  for await (const part of partsOf(seenBy(search, source))) {
    size += part.length
    if (size > MAX_BYTES)
      throw new Refusal('too_large', `A file can have at most ${MAX_BYTES / 1024 / 1024} MiB.`)
    if (blobs.length === 0 && isWorkbook(part)) throw workbook()
    const key = `${folder}/${blobs.length}`
    const { size: stored } = await ctx.files.put(key, Readable.from([part]), PART_BYTES)
    blobs.push({ key, size: stored })
  }
  if (size === 0) throw empty()
  return {
    blobs,
    size,
    encoding: search.found(),
    is_encoding_guessed: search.isGuessed(),
    has_nul: search.hasNul(),
  }
}

/** Examines the bytes as they arrive: a whole part would take a tenth of a second. */
async function* seenBy(search: EncodingSearch, source: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    search.see(chunk)
    yield chunk
  }
}

/** Splits the bytes into parts of one size, except the last. */
async function* partsOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    for (let rest = chunk; rest.length > 0; ) {
      const piece = rest.subarray(0, PART_BYTES - size)
      rest = rest.subarray(piece.length)
      pieces.push(piece)
      size += piece.length
      if (size < PART_BYTES) continue
      yield Buffer.concat(pieces)
      pieces = []
      size = 0
    }
  }
  if (size > 0) yield Buffer.concat(pieces)
}

/** Detects the delimiter and whether quotes are misplaced. */
async function dialectOf(
  ctx: Context,
  blobs: StoredBlob[],
  encoding: CsvFile['encoding'],
): Promise<Pick<CsvFile, 'delimiter' | 'has_loose_quotes'>> {
  let sample = ''
  const bytes = await ctx.files.open(blobs)
  for await (const text of decoded(bytes, encoding)) {
    sample += text
    if (sample.length >= SAMPLE_LETTERS) break
  }
  bytes.destroy()
  return { delimiter: delimiterOf(sample.slice(0, SAMPLE_LETTERS)), has_loose_quotes: false }
}

interface Scanned {
  columns: string[]
  sample: string[][]
  total: number
}

/** Reads the whole file, so that even a fault in its last line is found before anything is written. */
async function scan(ctx: Context, file: CsvFile): Promise<Scanned> {
  try {
    return await scanAs(ctx, file)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'csv_loose_quotes') throw error
    file.has_loose_quotes = true
    return scanAs(ctx, file)
  }
}

async function scanAs(ctx: Context, file: CsvFile): Promise<Scanned> {
  let columns: string[] | null = null
  const sample: string[][] = []
  let total = 0
  for await (const cells of rowsOf(ctx.files, file)) {
    if (columns === null) columns = namesOf(cells)
    else {
      total++
      if (sample.length < SAMPLED_ROWS) sample.push(cells)
      if (total > MAX_ROWS)
        throw new Refusal('invalid', `A file can have at most ${MAX_ROWS} rows.`, { code: 'csv_rows' })
    }
  }
  return { columns: columns ?? [], sample, total }
}

function namesOf(cells: string[]): string[] {
  if (cells.length > MAX_COLUMNS)
    throw new Refusal('invalid', `A file can have at most ${MAX_COLUMNS} columns.`, { code: 'csv_columns' })
  return cells.map((name) => cut(name, 255))
}

const empty = () => new Refusal('invalid', 'The file has no rows below its header.', { code: 'csv_empty' })

/** How a ZIP archive begins, which new workbooks are, and an old workbook of Excel. */
const workbooks = ['504b0304', 'd0cf11e0'].map((bytes) => Buffer.from(bytes, 'hex'))

/** The bytes of a workbook would be read as rows of signs. */
const isWorkbook = (part: Buffer): boolean => workbooks.some((start) => part.subarray(0, 4).equals(start))

const workbook = () =>
  new Refusal('invalid', 'The file is a workbook or an archive and not text. Save it as CSV.', {
    code: 'csv_workbook',
  })

const withNul = () =>
  new Refusal('invalid', 'The file contains NUL bytes and cannot be read as text. Save it as CSV in UTF-8.', {
    code: 'csv_malformed',
  })

async function propose(
  ctx: Context,
  { account_id }: Actor,
  type: ImportedType,
  { columns, sample, file }: Pick<Scanned, 'columns' | 'sample'> & Pick<ImportSettings, 'file'>,
): Promise<ImportSettings> {
  const fields = await findFields(ctx.db, account_id, type)
  const targets = targetsOf(type, fields)
  const proposed = proposeMapping(type, columns, sample, targets, fields)
  const hasId = await areOurIds(ctx, account_id, type, idsOf(proposed, sample))
  const mapping = proposed.filter(({ target }) => target !== 'id' || hasId)
  const dates = sample.flatMap((row) => row.slice(0, MAX_COLUMNS))
  const most = shownLetters(columns.length)
  return {
    file,
    columns,
    rows: sample.slice(0, SHOWN_ROWS).map((row) => row.slice(0, MAX_COLUMNS).map((cell) => cut(cell, most))),
    mapping,
    duplicates: {
      match: matchKeysOf[type].filter((by) => by !== 'id' || hasId),
      action: 'skip',
    },
    dates: dateOrderOf(dates) ?? 'dmy',
    defaults: {},
  }
}

const idsOf = (mapping: readonly MappedColumn[], sample: readonly string[][]): number[] => {
  const column = mapping.find(({ target }) => target === 'id')?.column ?? -1
  return sample.flatMap((row) => (/^\d{1,15}$/.test(row[column] ?? '') ? Number(row[column]) : []))
}

/** Whether a column of ids contains ids of this account. Otherwise they are ids of another program. */
async function areOurIds(
  ctx: Context,
  account_id: number,
  type: ImportedType,
  ids: number[],
): Promise<boolean> {
  if (ids.length === 0) return false
  return (await findEntities(ctx.db, account_id, type, ids)).length * 2 > ids.length
}
