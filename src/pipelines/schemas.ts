import { type Static, Type } from 'typebox'
import { Id, Name } from '../accounts/members/schemas.ts'
import { Self } from '../http/hal.ts'
import { WrittenColor } from './stage-colors.ts'

const RequestId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])
/** An item of a change of several. */
export const Named = Type.Object({ id: Id, request_id: Type.Optional(RequestId) })
export type Named = Static<typeof Named>

/** The application shows names of stages and reasons in narrow columns. */
const Title = Name(255)
const Sort = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const levels = ['newbie', 'candidate', 'master'] as const
const Level = Type.Enum([...levels], { description: 'The experience of the people whom the text is for.' })

/** The meaning of a stage for people of one level of experience. */
export const Description = Type.Object({
  id: Type.Integer(),
  account_id: Type.Integer(),
  created_at: Type.String({ description: '`2026-03-01 12:00:00`, in UTC.' }),
  created_by: Type.Integer(),
  updated_at: Type.String({ description: '`2026-03-01 12:00:00`, in UTC.' }),
  updated_by: Type.Integer(),
  pipeline_id: Type.Integer(),
  status_id: Type.Integer(),
  level: Level,
  description: Type.String({ description: 'What the stage means to them.' }),
})
export type Description = Static<typeof Description>
const WrittenDescriptions = Type.Union(
  [
    Type.Array(
      Type.Object({
        level: Level,
        description: Type.String({
          minLength: 1,
          maxLength: 1000,
          description: 'What the stage means to them.',
        }),
      }),
      { maxItems: levels.length },
    ),
    Type.Null(),
  ],
  { description: 'What the stage means to people. Replaces all of them; null removes them.' },
)
export type WrittenDescriptions = Static<typeof WrittenDescriptions>

export const Status = Type.Object(
  {
    id: Type.Integer({ description: '142 is won and 143 is lost, in every pipeline.' }),
    name: Type.String(),
    sort: Type.Integer(),
    is_editable: Type.Boolean(),
    pipeline_id: Type.Integer(),
    color: Type.String({ description: 'For example `#99ccff`.' }),
    type: Type.Integer({ description: '1 is the stage of unsorted leads, 0 any other.' }),
    account_id: Type.Integer(),
    request_id: Type.Optional(RequestId),
    descriptions: Type.Optional(Type.Array(Description, { description: 'With `with=descriptions`.' })),
    _links: Self,
  },
  { title: 'Status' },
)
export type Status = Static<typeof Status>

export const NewStatus = Type.Object({
  name: Title,
  sort: Type.Optional(Sort),
  color: Type.Optional(WrittenColor),
  descriptions: Type.Optional(WrittenDescriptions),
  request_id: Type.Optional(RequestId),
})
export type NewStatus = Static<typeof NewStatus>

export const StatusPatch = Type.Partial(Type.Omit(NewStatus, ['request_id']))
export type StatusPatch = Static<typeof StatusPatch>

export const Pipeline = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    sort: Type.Integer(),
    is_main: Type.Boolean(),
    is_unsorted_on: Type.Boolean(),
    is_archive: Type.Boolean(),
    account_id: Type.Integer(),
    request_id: Type.Optional(RequestId),
    _links: Self,
    _embedded: Type.Object({ statuses: Type.Array(Status) }),
  },
  { title: 'Pipeline' },
)
export type Pipeline = Static<typeof Pipeline>

/**
 * `id` 142 or 143 names a closing stage. Any other id belongs to another pipeline, and the stage is new
 * (docs/wire/pipelines.md).
 */
const StatusInPipeline = Type.Object({
  id: Type.Optional(Id),
  type: Type.Optional(
    Type.Integer({ description: '1 is the unsorted stage of another pipeline. It is ignored.' }),
  ),
  ...Type.Omit(NewStatus, ['request_id']).properties,
})

export const NewPipeline = Type.Object({
  name: Title,
  sort: Sort,
  is_main: Type.Boolean(),
  is_unsorted_on: Type.Boolean(),
  request_id: Type.Optional(RequestId),
  _embedded: Type.Optional(
    Type.Object({ statuses: Type.Optional(Type.Array(StatusInPipeline, { maxItems: 100 })) }),
  ),
})
export type NewPipeline = Static<typeof NewPipeline>

export const PipelinePatch = Type.Partial(
  Type.Object({
    name: Title,
    sort: Sort,
    is_main: Type.Boolean(),
    is_unsorted_on: Type.Boolean(),
    is_archive: Type.Boolean(),
  }),
)
export type PipelinePatch = Static<typeof PipelinePatch>

export const LossReason = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    sort: Type.Integer(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    request_id: Type.Optional(RequestId),
    _links: Self,
  },
  { title: 'LossReason' },
)
export type LossReason = Static<typeof LossReason>

export const NewLossReason = Type.Object({
  name: Title,
  sort: Type.Optional(Sort),
  request_id: Type.Optional(RequestId),
})
export type NewLossReason = Static<typeof NewLossReason>
export const LossReasonPatch = Type.Partial(Type.Omit(NewLossReason, ['request_id']))
export type LossReasonPatch = Static<typeof LossReasonPatch>

export const CustomerStatus = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    sort: Type.Integer(),
    is_default: Type.Boolean({ description: 'Whether new customers are in this stage.' }),
    conditions: Type.Array(Type.Unknown(), { description: 'Always empty.' }),
    color: Type.String({ description: 'For example `#99ccff`.' }),
    type: Type.Integer({ description: 'Always 0.' }),
    account_id: Type.Integer(),
    request_id: Type.Optional(RequestId),
    _links: Self,
  },
  { title: 'CustomerStatus' },
)
export type CustomerStatus = Static<typeof CustomerStatus>

export const NewCustomerStatus = Type.Object({
  name: Title,
  sort: Sort,
  color: Type.Optional(WrittenColor),
  request_id: Type.Optional(RequestId),
})
export type NewCustomerStatus = Static<typeof NewCustomerStatus>
export const CustomerStatusPatch = Type.Partial(Type.Omit(NewCustomerStatus, ['request_id']))
export type CustomerStatusPatch = Static<typeof CustomerStatusPatch>

/** Whether the account has customers, and how it groups them. */
export const CustomersMode = Type.Object(
  {
    mode: Type.Enum(['segments', 'periodicity'], {
      description: 'Whether customers are tracked by segments, or by the period between purchases.',
    }),
    is_enabled: Type.Boolean({ description: 'Whether the account has customers.' }),
  },
  { title: 'CustomersMode' },
)
export type CustomersMode = Static<typeof CustomersMode>
