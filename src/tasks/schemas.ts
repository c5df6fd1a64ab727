import { type Static, Type } from 'typebox'
import { ByIntegration } from '../accounts/members/schemas.ts'
import { Self } from '../http/hal.ts'
import { OneOf } from '../http/published.ts'
import { Time } from '../http/times.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const UserId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const RequestId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** The kinds of records that a task can have. */
export const parentTypes = ['leads', 'contacts', 'companies', 'customers'] as const
export type ParentType = (typeof parentTypes)[number]

const RECORD = 'The kind of the record. Null: the task has no record.'

const MAX_LENGTH = 10_000

/** A task in responses, with the members in the platform's order (docs/wire/tasks.md). */
export const Task = Type.Object(
  {
    id: Type.Integer(),
    created_by: Type.Integer(),
    updated_by: Type.Integer(),
    created_by_integration: Type.Optional(ByIntegration),
    updated_by_integration: Type.Optional(ByIntegration),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    responsible_user_id: Type.Integer(),
    group_id: Type.Integer(),
    entity_id: nullable(Type.Integer({ description: 'Null: the task has no record.' })),
    entity_type: Type.Union([OneOf(parentTypes), Type.Null()], { description: RECORD }),
    duration: Type.Integer({ description: 'Seconds.' }),
    is_completed: Type.Boolean(),
    task_type_id: Type.Integer(),
    text: Type.String(),
    result: Type.Union([Type.Array(Type.Unknown(), { maxItems: 0 }), Type.Object({ text: Type.String() })], {
      description: 'An empty array if there is no result, as on the platform.',
    }),
    complete_till: Type.Integer(),
    account_id: Type.Integer(),
    _links: Self,
  },
  { title: 'Task' },
)
export type Task = Static<typeof Task>

export const TaskQuerystring = Type.Object({ with: Type.Optional(Type.Unknown()) })

/** A filter alone: what is counted has no pages. */
export const TasksQuery = Type.Object({ filter: Type.Optional(Type.Unknown()) })
export const TaskTotals = Type.Object(
  {
    total: Type.Integer({ description: 'The number of tasks.' }),
    is_complete: Type.Boolean({
      description:
        'Whether all tasks are counted. If too many match to be counted for a page, there are at least these.',
    }),
  },
  { title: 'TaskTotals' },
)

/** A written result. An empty text, null, and the empty array of answers stand for no result. */
const WrittenResult = Type.Union(
  [
    Type.Object({ text: Type.String({ maxLength: MAX_LENGTH }) }),
    Type.Null(),
    Type.Array(Type.Unknown(), { maxItems: 0 }),
  ],
  { description: 'What came of the task. An empty text, null and an empty array are no result.' },
)

const written = {
  entity_id: Type.Optional(nullable(Id)),
  entity_type: Type.Optional(Type.Union([Type.Enum([...parentTypes]), Type.Null()], { description: RECORD })),
  responsible_user_id: Type.Optional(UserId),
  task_type_id: Type.Optional(Id),
  duration: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Seconds.' }),
  ),
  is_completed: Type.Optional(Type.Boolean()),
  result: Type.Optional(WrittenResult),
  created_by: Type.Optional(UserId),
  updated_by: Type.Optional(UserId),
  created_at: Type.Optional(Time),
  updated_at: Type.Optional(Time),
  request_id: Type.Optional(RequestId),
}
const Text = Type.String({ minLength: 1, maxLength: MAX_LENGTH, pattern: '\\S' })

export const NewTask = Type.Object({ text: Text, complete_till: Time, ...written }, { title: 'NewTask' })
export const TaskPatch = Type.Object(
  {
    text: Type.Optional(Text),
    complete_till: Type.Optional(Time),
    ...written,
  },
  { title: 'TaskPatch' },
)
/** The members of a task in a body; a new one requires a text and a time. */
export type TaskDraft = Static<typeof TaskPatch>

export const WithId = Type.Object({ id: Id })
export const ById = WithId
export type NamedPatch = TaskDraft & { id: number }

const batchOf = { minItems: 1, maxItems: 250 }
export const NewTasks = Type.Array(NewTask, batchOf)
export const TaskPatches = Type.Array(Type.Intersect([TaskPatch, WithId]), batchOf)
export const NamedTasks = Type.Array(
  Type.Object({ id: Id, request_id: Type.Optional(RequestId) }, { title: 'NamedTask' }),
  batchOf,
)

const Added = Type.Object({ id: Type.Integer(), request_id: RequestId, _links: Self })
export const Edited = Type.Object({
  id: Type.Integer(),
  updated_at: Type.Integer(),
  request_id: RequestId,
  _links: Self,
})
export const AddedTasks = Type.Object({ _links: Self, _embedded: Type.Object({ tasks: Type.Array(Added) }) })
export const EditedTasks = Type.Object({
  _links: Self,
  _embedded: Type.Object({ tasks: Type.Array(Edited) }),
})
