import { type Static, Type } from 'typebox'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { loadAccess } from '../entities/entities.ts'
import { invalid } from '../errors.ts'
import { listOf, partsOf, type QueryValue } from '../http/queries/bracket-query.ts'
import { NewTask, type ParentType, type Task, TaskPatch } from '../tasks/schemas.ts'
import { addTasks, editTasks, listTasks, showTasks } from '../tasks/tasks.ts'
import { elementTypes } from '../webhooks/webhooks.ts'
import { filterOf, kindOf, type LegacyQuery, named, pageOf } from './list-parameters.ts'
import { draftOf, flagIn, type Item, numberIn, type Translate, textIn, to, toTime } from './members.ts'
import { type Batch, inBatch, requestIdOf, validated, withId } from './requests.ts'

/** Members that the second API has, too. */
export const ELEMENT_TYPE = 'The kind of the record: 1 contact, 2 lead, 3 company, 12 customer. 0: none.'
export const TASK_TYPE = 'The id of a type: 1 is a follow-up, 2 a meeting.'

/** Tasks in the legacy form (docs/wire/legacy.md#tasks). */
export const LegacyTask = Type.Object(
  {
    id: Type.Integer(),
    element_id: Type.Integer({ description: 'The id of the record. 0: none.' }),
    element_type: Type.Integer({ description: ELEMENT_TYPE }),
    task_type: Type.Integer({ description: TASK_TYPE }),
    date_create: Type.Integer(),
    created_user_id: Type.Integer(),
    last_modified: Type.Integer(),
    text: Type.String(),
    responsible_user_id: Type.Integer(),
    complete_till: Type.Integer(),
    group_id: Type.Integer(),
    account_id: Type.Integer(),
    status: Type.Integer({ description: '1: the task is done.' }),
    result: Type.Union([Type.Object({ text: Type.String() }), Type.Array(Type.Unknown(), { maxItems: 0 })], {
      description: 'An empty array if there is no result.',
    }),
  },
  { title: 'LegacyTask' },
)

/** Types of tasks that older clients name by a code. */
const taskTypes: ReadonlyMap<unknown, number> = new Map([
  ['FOLLOW_UP', 1],
  ['CALL', 1],
  ['MEETING', 2],
  ['LETTER', 3],
])

const members: Record<string, Translate> = {
  id: to('id', numberIn),
  element_id: to('entity_id', numberIn),
  element_type: to('entity_type', entityTypeIn),
  task_type: to('task_type_id', (type) => taskTypes.get(type) ?? numberIn(type)),
  text: to('text', textIn),
  responsible_user_id: to('responsible_user_id', numberIn),
  created_user_id: to('created_by', numberIn),
  date_create: toTime('created_at'),
  complete_till: to('complete_till', numberIn),
  status: to('is_completed', flagIn),
  // The second API.
  created_by: to('created_by', numberIn),
  created_at: toTime('created_at'),
  complete_till_at: to('complete_till', numberIn),
  is_completed: to('is_completed', flagIn),
  result: to('result', resultIn),
}

const kindsByNumber = new Map<unknown, string>(
  Object.entries(elementTypes).map(([kind, number]) => [number, kind]),
)

/** A result. The second API shows none as an empty object, v4 as an empty array. */
function resultIn(result: unknown): unknown {
  return typeof result === 'object' && Object.values(result ?? {}).length === 0 ? [] : result
}

/** A kind of records by its number. */
function entityTypeIn(type: unknown): unknown {
  const number = numberIn(type)
  return kindsByNumber.get(number) ?? number
}

/** Refuses a number that no kind of records has. The rules of tasks would answer with the names of v4. */
function requireKinds({ at, items }: Batch): void {
  for (const [i, { element_id, element_type }] of items.entries()) {
    const isNamed = element_type !== undefined && element_id !== undefined && numberIn(element_id) !== 0
    if (isNamed && !kindsByNumber.has(numberIn(element_type)))
      throw invalid(`${at}.${i}.element_type`, 'NotSupportedChoice', 'This value should be 1, 2, 3 or 12.')
  }
}

/** Adds tasks, all of them or none. */
export async function addLegacyTasks(ctx: Context, actor: Actor, batch: Batch) {
  requireKinds(batch)
  const drafts = batch.items.map((item) => withoutRecordZero({ ...draftOf(item, members), id: undefined }))
  const tasks = validated(NewTask, drafts, batch)
  const rows = await inBatch(batch, () => addTasks(ctx, actor, tasks))
  return rows.map(({ id }, i) => ({ id, request_id: requestIdOf(batch.items[i] as Item, i) }))
}

/** Changes tasks, all of them or none. */
export async function editLegacyTasks(ctx: Context, actor: Actor, batch: Batch) {
  requireKinds(batch)
  const patches = batch.items.map((item) => withoutRecordZero(draftOf(item, members)))
  const named = validated(NAMED_PATCH, patches, batch)
  const rows = await inBatch(batch, () => editTasks(ctx, actor, named, 'item'))
  return rows.map(({ id, updated_at }) => ({ id, last_modified: updated_at }))
}

const NAMED_PATCH = withId(TaskPatch)

/** Record 0 is no record. */
function withoutRecordZero({ entity_id, entity_type, ...draft }: Record<string, unknown>): object {
  return entity_id === undefined || entity_id === 0 ? draft : { ...draft, entity_id, entity_type }
}

const kinds = { lead: 'leads', contact: 'contacts', company: 'companies', customer: 'customers' } as const

/** The visible tasks in the form of v4, by id, at most 500. */
export async function findTasks(
  ctx: Context,
  actor: Actor,
  query: LegacyQuery,
  modified_since: string | undefined,
): Promise<Task[]> {
  const access = await loadAccess(ctx.db, actor)
  const kind = kindOf<ParentType>(kinds, query)
  const filter = {
    ...(await filterOf(ctx, actor, query, modified_since)),
    ...named('entity_id', query.element_id),
    ...(kind !== undefined && { entity_type: listOf(kind) }),
    ...ofTasks(partsOf(query.filter)),
  }
  const options = { page: pageOf(query), after: null, base: '' }
  return (await listTasks(ctx.db, access, { filter }, options, showTasks)).tasks
}

/** Filters of tasks that the second API has: `filter[status]` is 1 for those that are done. */
const ofTasks = ({ status, task_type }: Record<string, QueryValue>): Record<string, QueryValue> => ({
  ...named('is_completed', status),
  ...named('task_type', task_type),
})

/** The visible tasks in the form of the first API. */
export const listLegacyTasks = async (...asked: Parameters<typeof findTasks>) =>
  (await findTasks(...asked)).map(view)

const view = (task: Task): Static<typeof LegacyTask> => ({
  id: task.id,
  element_id: task.entity_id ?? 0,
  element_type: task.entity_type === null ? 0 : elementTypes[task.entity_type as ParentType],
  task_type: task.task_type_id,
  date_create: task.created_at,
  created_user_id: task.created_by,
  last_modified: task.updated_at,
  text: task.text,
  responsible_user_id: task.responsible_user_id,
  complete_till: task.complete_till,
  group_id: task.group_id,
  account_id: task.account_id,
  status: Number(task.is_completed),
  result: task.result,
})
