import { type Static, Type } from 'typebox'
import { ActingIntegration } from '../../accounts/members/schemas.ts'
import { CsvDelimiter, CsvHeadings } from '../../http/bodies/forms.ts'
import { Self } from '../../http/hal.ts'
import { OneOf } from '../../http/published.ts'
import { Changes } from '../batches/bulk-schemas.ts'
import { encodings } from '../rows/csv-encoding.ts'
import { duplicateActions, MAX_SHOWN_ROWS, matchKeys, SHOWN_ROWS } from '../rows/import-settings.ts'
import { rowErrorReasons } from '../rows/row-error-types.ts'
import { importedTypes } from '../rows/targets.ts'
import { jobStates } from './job-states.ts'

export { jobStates }

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const records = (description: string) => Type.Integer({ description })
const Time = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

const Mapping = Type.Array(
  Type.Object({
    column: Type.Integer({ minimum: 0, maximum: 249, description: 'The number of the column, from 0.' }),
    target: Type.String({ minLength: 1, maxLength: 100, description: 'One of `targets`.' }),
  }),
  { maxItems: 250, description: 'The target of each column. Columns without an entry are not imported.' },
)
const Duplicates = Type.Object(
  {
    match: Type.Array(Type.Enum([...matchKeys]), {
      maxItems: 5,
      description: 'The keys by which a row can match an existing record.',
    }),
    action: Type.Enum([...duplicateActions], { description: 'What happens to a row that matches.' }),
  },
  { description: 'How the import treats rows of existing records.' },
)
const Defaults = Type.Object(
  {
    responsible_user_id: Type.Optional(Id),
    pipeline_id: Type.Optional(Id),
    status_id: Type.Optional(Id),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }), {
        maxItems: 20,
        description: 'Tags of every written record.',
      }),
    ),
  },
  { description: 'Values of new records that the file does not have.' },
)
const Dates = Type.Enum(['dmy', 'mdy'], { description: 'The order of day, month and year in dates.' })

/** The file of an import and its settings. */
export const Import = Type.Object(
  {
    size: Type.Integer(),
    encoding: Type.Enum([...encodings], { description: 'The detected encoding.' }),
    is_encoding_guessed: Type.Boolean({
      description: 'The encoding is an assumption from the letters of the first rows.',
    }),
    delimiter: Type.String({ description: 'The detected character between cells.' }),
    columns: Type.Array(Type.String(), { description: 'The names in the first row.' }),
    rows: Type.Array(Type.Array(Type.String()), { description: 'The first rows after it.' }),
    targets: Type.Array(
      Type.Object({
        target: Type.String({ description: 'The name of the target in `mapping`.' }),
        name: Type.Union([Type.String(), Type.Null()], { description: 'The name of a custom field.' }),
        part: Type.Union([Type.String(), Type.Null()], {
          description: 'The part of the value, if the field has several.',
        }),
        is_repeatable: Type.Boolean({ description: 'Whether several columns can have this target.' }),
      }),
      { description: 'The properties and fields that a column can be imported into.' },
    ),
    mapping: Mapping,
    duplicates: Duplicates,
    dates: Dates,
    defaults: Defaults,
  },
  { title: 'Import' },
)
export type Import = Static<typeof Import>

const summary = {
  id: Type.Integer(),
  kind: Type.Enum(['import', 'bulk_change']),
  entity_type: Type.String({ description: 'The kind of the records.' }),
  catalog_id: Type.Union([Type.Integer(), Type.Null()]),
  state: Type.Enum([...jobStates], {
    description: 'A draft is not started yet. `done`, `failed`, `cancelled` and `undone` are final.',
  }),
  name: Type.Union([Type.String(), Type.Null()], { description: 'The name of the file of an import.' }),
  changes: Type.Union([Changes, Type.Null()], { description: 'The changes of a bulk change.' }),
  total: records('Rows of the file, or records of the bulk change.'),
  done: records('Processed rows or records.'),
  added: records('Added records.'),
  changed: records('Changed records.'),
  skipped: records('Rows or records that needed no change.'),
  failed: records('Refused rows or records.'),
  warned: records('Written rows with a value that looks wrong.'),
  undone: records('Records that the undo has restored.'),
  kept: records('Records that the undo could not restore.'),
  can_undo: Type.Boolean({ description: 'Whether it can be undone now.' }),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the job failed: the code of a problem.',
  }),
  created_by: Type.Integer(),
  created_by_integration: Type.Union([ActingIntegration, Type.Null()], {
    description: 'The integration that started it with the rights of this user; null for none.',
  }),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
  started_at: Time('Unix seconds. Null: not started.'),
  finished_at: Time('Unix seconds. Null: not finished.'),
  _links: Self,
}
export const JobSummary = Type.Object(summary, { title: 'JobSummary' })
export type JobSummary = Static<typeof JobSummary>

export const Job = Type.Object(
  {
    ...summary,
    import: Type.Union([Import, Type.Null()], {
      description: 'The settings of an import. Null: a bulk change.',
    }),
  },
  { title: 'Job' },
)
export type Job = Static<typeof Job>

export const ImportPatch = Type.Object({
  mapping: Type.Optional(Mapping),
  duplicates: Type.Optional(Duplicates),
  dates: Type.Optional(Dates),
  defaults: Type.Optional(Defaults),
})
export type ImportPatch = Static<typeof ImportPatch>

export const ImportQuery = Type.Object({
  entity_type: Type.Enum([...importedTypes], { description: 'The kind of the records.' }),
  name: Type.String({ maxLength: 255, default: '', description: 'The name of the file.' }),
})

const Faults = Type.Array(
  Type.Object({
    column: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The number of the column, from 0. Null: the whole row.',
    }),
    /** Missing if a rule outside of jobs found the fault. */
    reason: Type.Optional(OneOf(rowErrorReasons)),
    code: Type.String({ description: 'The stable code, as in `validation-errors`.' }),
    detail: Type.String({ description: 'What is wrong, in a sentence.' }),
  }),
  { description: 'Why the row was refused or skipped, or which values look wrong.' },
)
const Row = Type.Integer({ description: 'The number of the row, from 1.' })
const Cells = Type.Array(Type.String(), {
  description: 'The cells of the row in the file, at most 200 characters of each.',
})

export const Preview = Type.Object({
  _links: Self,
  _embedded: Type.Object({
    rows: Type.Array(
      Type.Object({
        row: Row,
        outcome: Type.Enum(['added', 'changed', 'skipped', 'failed'], {
          description: 'What the import would do with the row.',
        }),
        entity_id: Type.Union([Type.Integer(), Type.Null()]),
        cells: Cells,
        written: Type.Record(Type.String(), Type.String(), {
          description: 'The values that the import would write, by target, at most 200 characters of each.',
        }),
        faults: Faults,
      }),
    ),
  }),
})
export type Preview = Static<typeof Preview>

export const PreviewQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_SHOWN_ROWS,
    default: SHOWN_ROWS,
    description: 'The number of rows.',
  }),
})

/** The outcomes in a report: refused, not undone, skipped, and written although a value looks wrong. */
export const reportedOutcomes = ['failed', 'kept', 'skipped', 'warned'] as const

const ReportedRow = Type.Object({
  row: Row,
  outcome: Type.Enum(['failed', 'kept', 'skipped', 'added', 'changed'], {
    description: 'What became of the row. `kept`: the undo left it as it is.',
  }),
  entity_id: Type.Union([Type.Integer(), Type.Null()]),
  cells: Cells,
  faults: Faults,
})
export type ReportedRow = Static<typeof ReportedRow>

const NextRow = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The `after` of the next page. Null: this is the last page.',
})

export const Report = Type.Object({
  _links: Self,
  next: NextRow,
  _embedded: Type.Object({ rows: Type.Array(ReportedRow) }),
})
export type Report = Static<typeof Report>

export const Failures = Type.Object({
  _links: Self,
  next: NextRow,
  _embedded: Type.Object({
    failures: Type.Array(
      Type.Object({
        row: Row,
        outcome: Type.Enum(['failed', 'kept'], {
          description: '`failed`: the row was refused. `kept`: it could not be undone.',
        }),
        entity_id: Type.Union([Type.Integer(), Type.Null()]),
        cells: Cells,
        faults: Faults,
      }),
    ),
  }),
})
export type Failures = Static<typeof Failures>

const pageOfRows = {
  format: Type.Optional(Type.Enum(['csv'], { description: 'All rows as a file.' })),
  after: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'The page begins after this row.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
}
export const FailuresQuery = Type.Object({ ...pageOfRows, headings: CsvHeadings })
export const ReportQuery = Type.Object({
  ...pageOfRows,
  delimiter: CsvDelimiter,
  headings: CsvHeadings,
  filter: Type.Optional(Type.Unknown()),
})

export const JobsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The page begins before this id.',
    }),
  ),
  filter: Type.Optional(Type.Unknown()),
})

export const Jobs = Type.Object({ _links: Self, _embedded: Type.Object({ jobs: Type.Array(JobSummary) }) })

export const ById = Type.Object({ id: Id })
