import { type Static, Type } from 'typebox'
import { kindNames, MOST_DAYS } from './kind-types.ts'
import { sizeGroups } from './size-groups.ts'

const Days = Type.Union([Type.Integer({ minimum: 1, maximum: MOST_DAYS }), Type.Null()], {
  description: 'The days for which rows are kept; null: for ever.',
})
const Kind = Type.Enum([...kindNames])

/** The periods of some kinds. The others stay as they are. */
export const Periods = Type.Object(
  Object.fromEntries(kindNames.map((kind) => [kind, Type.Optional(Days)])) as Record<
    (typeof kindNames)[number],
    ReturnType<typeof Type.Optional<typeof Days>>
  >,
  { title: 'RetentionPeriods', additionalProperties: false },
)
export type Periods = Static<typeof Periods>

export const PeriodsDraft = Type.Object({ days: Periods }, { title: 'RetentionDraft' })

export const Retention = Type.Object(
  {
    kinds: Type.Array(
      Type.Object({
        kind: Kind,
        days: Days,
        default_days: Days,
        least_days: Type.Integer(),
      }),
    ),
    run: Type.Object({
      state: Type.Enum(['none', 'waiting', 'running', 'ended']),
      kind: Type.Union([Kind, Type.Null()], { description: 'What is being deleted.' }),
      deleted: Type.Record(Type.String(), Type.Integer()),
      kept: Type.Record(Type.String(), Type.Integer()),
      started_at: Type.Union([Type.Integer(), Type.Null()]),
      ended_at: Type.Union([Type.Integer(), Type.Null()]),
      due_at: Type.Union([Type.Integer(), Type.Null()], { description: 'When the next deletion begins.' }),
    }),
  },
  { title: 'Retention' },
)
export type Retention = Static<typeof Retention>

export const Forecasts = Type.Object(
  {
    kinds: Type.Array(
      Type.Object({
        kind: Kind,
        days: Type.Integer(),
        rows: Type.Integer({ description: 'How many rows would go.' }),
        is_more: Type.Boolean({ description: 'Counting ended before the last one.' }),
        kept: Type.Integer({ description: 'Old rows that stay because others need them.' }),
        oldest_at: Type.Union([Type.Integer(), Type.Null()]),
        bytes: Type.Integer({ description: 'An estimate from the mean size of these rows.' }),
      }),
    ),
  },
  { title: 'RetentionForecast' },
)

export const Sizes = Type.Object(
  {
    groups: Type.Array(
      Type.Object({ group: Type.Enum([...sizeGroups]), bytes: Type.Number(), rows: Type.Number() }),
    ),
    bytes: Type.Number({ description: 'The whole database.' }),
    free_bytes: Type.Number({ description: 'Free space in its file.' }),
    file_bytes: Type.Number({ description: 'Contents of the files of the account, outside the database.' }),
    measured_at: Type.Integer(),
  },
  { title: 'DatabaseSizes' },
)
export type Sizes = Static<typeof Sizes>
