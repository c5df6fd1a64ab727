import { type Static, Type } from 'typebox'
import { Self } from '../http/hal.ts'
import { Changes } from './bulk-schemas.ts'
import { encodings } from './csv-encoding.ts'
import { duplicateActions, MAX_SHOWN_ROWS, matchKeys, SHOWN_ROWS } from './import-settings.ts'
import { jobStates } from './job-states.ts'
import { importedTypes } from './targets.ts'

export { jobStates }

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Count = Type.Integer()
const Time = Type.Union([Type.Integer(), Type.Null()])

const Mapping = Type.Array(
  Type.Object({
    column: Type.Integer({ minimum: 0, maximum: 249 }),
    target: Type.String({ minLength: 1, maxLength: 100 }),
  }),
  { maxItems: 250 },
)
const Duplicates = Type.Object({
  match: Type.Array(Type.Enum([...matchKeys]), { maxItems: 5 }),
  action: Type.Enum([...duplicateActions]),
})
const Defaults = Type.Object({
  responsible_user_id: Type.Optional(Id),
  pipeline_id: Type.Optional(Id),
  status_id: Type.Optional(Id),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }), { maxItems: 20 }),
  ),
})
const Dates = Type.Enum(['dmy', 'mdy'])

/** What an import knows of its file and does with it. */
export const Import = Type.Object(
  {
    size: Type.Integer(),
    encoding: Type.Enum([...encodings]),
    /** Neither a mark nor the bytes say it for sure: the letters of the first rows tell. */
    is_encoding_guessed: Type.Boolean(),
    delimiter: Type.String(),
    columns: Type.Array(Type.String()),
    rows: Type.Array(Type.Array(Type.String())),
    targets: Type.Array(
      Type.Object({
        target: Type.String(),
        name: Type.Union([Type.String(), Type.Null()]),
        part: Type.Union([Type.String(), Type.Null()]),
        is_repeatable: Type.Boolean(),
      }),
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
  entity_type: Type.String(),
  catalog_id: Type.Union([Type.Integer(), Type.Null()]),
  state: Type.Enum([...jobStates]),
  /** The file's name; of a bulk change null. */
  name: Type.Union([Type.String(), Type.Null()]),
  /** Of a bulk change what it does; of an import null. */
  changes: Type.Union([Changes, Type.Null()]),
  total: Count,
  done: Count,
  added: Count,
  changed: Count,
  skipped: Count,
  failed: Count,
  /** Of what was added and changed: rows in which a value looks wrong. */
  warned: Count,
  undone: Count,
  kept: Count,
  can_undo: Type.Boolean(),
  /** Why it ended before its end: the code of a problem. */
  error: Type.Union([Type.String(), Type.Null()]),
  created_by: Type.Integer(),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
  started_at: Time,
  finished_at: Time,
  _links: Self,
}
export const JobSummary = Type.Object(summary, { title: 'JobSummary' })
export type JobSummary = Static<typeof JobSummary>

export const Job = Type.Object({ ...summary, import: Type.Union([Import, Type.Null()]) }, { title: 'Job' })
export type Job = Static<typeof Job>

export const ImportPatch = Type.Object({
  mapping: Type.Optional(Mapping),
  duplicates: Type.Optional(Duplicates),
  dates: Type.Optional(Dates),
  defaults: Type.Optional(Defaults),
})
export type ImportPatch = Static<typeof ImportPatch>

export const ImportQuery = Type.Object({
  entity_type: Type.Enum([...importedTypes]),
  name: Type.String({ maxLength: 255, default: '', description: 'What the file is called.' }),
})

const Faults = Type.Array(
  Type.Object({
    column: Type.Union([Type.Integer(), Type.Null()]),
    code: Type.String(),
    detail: Type.String(),
  }),
)

export const Preview = Type.Object({
  _links: Self,
  _embedded: Type.Object({
    rows: Type.Array(
      Type.Object({
        row: Type.Integer(),
        outcome: Type.Enum(['added', 'changed', 'skipped', 'failed']),
        entity_id: Type.Union([Type.Integer(), Type.Null()]),
        cells: Type.Array(Type.String()),
        written: Type.Record(Type.String(), Type.String()),
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
    description: 'How many rows, from the first one on.',
  }),
})

/** The outcomes in a report: refused, not undone, skipped, and written although a value looks wrong. */
export const reportedOutcomes = ['failed', 'kept', 'skipped', 'warned'] as const

const ReportedRow = Type.Object({
  row: Type.Integer(),
  outcome: Type.Enum(['failed', 'kept', 'skipped', 'added', 'changed']),
  entity_id: Type.Union([Type.Integer(), Type.Null()]),
  cells: Type.Array(Type.String()),
  /** Why it was refused or skipped; of a row that was written, what looks wrong in it. */
  faults: Faults,
})
export type ReportedRow = Static<typeof ReportedRow>

export const Report = Type.Object({
  _links: Self,
  /** The row after which the next page begins; null when this is the last. */
  next: Type.Union([Type.Integer(), Type.Null()]),
  _embedded: Type.Object({ rows: Type.Array(ReportedRow) }),
})
export type Report = Static<typeof Report>

export const Failures = Type.Object({
  _links: Self,
  /** The row after which the next page begins; null when this is the last. */
  next: Type.Union([Type.Integer(), Type.Null()]),
  _embedded: Type.Object({
    failures: Type.Array(
      Type.Object({
        row: Type.Integer(),
        /** RejectedRows when it was to be done, or kept when it was to be undone. */
        outcome: Type.Enum(['failed', 'kept']),
        entity_id: Type.Union([Type.Integer(), Type.Null()]),
        cells: Type.Array(Type.String()),
        faults: Faults,
      }),
    ),
  }),
})
export type Failures = Static<typeof Failures>

const pageOfRows = {
  format: Type.Optional(Type.Enum(['csv'])),
  after: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'The row behind which the page begins.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
}
export const FailuresQuery = Type.Object(pageOfRows)
export const ReportQuery = Type.Object({ ...pageOfRows, filter: Type.Optional(Type.Unknown()) })

export const JobsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The id before which the page begins.',
    }),
  ),
  filter: Type.Optional(Type.Unknown()),
})

export const Jobs = Type.Object({ _links: Self, _embedded: Type.Object({ jobs: Type.Array(JobSummary) }) })

export const ById = Type.Object({ id: Id })
