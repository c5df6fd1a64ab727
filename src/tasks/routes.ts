import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { actingOf, withActing } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { TaskRow } from '../db/tables.ts'
import { loadAccess } from '../entities/entities.ts'
import { answersTexts } from '../http/bodies/json-text.ts'
import { self } from '../http/hal.ts'
import type { RequestOf } from '../http/operation.ts'
import { baseOf, KeysetList, KeysetPaged, keysetPage, pageOf, positionOf } from '../http/queries/paging.ts'
import {
  choices,
  createdByIntegration,
  ids,
  one,
  orders,
  spans,
  withAny,
} from '../http/queries/query-parameters.ts'
import { countTasks, listTasks, readTask, type TaskQuery } from './list.ts'
import {
  AddedTasks,
  ById,
  Edited,
  EditedTasks,
  NamedTasks,
  NewTasks,
  parentTypes,
  Task,
  TaskPatch,
  TaskPatches,
  TaskQuerystring,
  TasksQuery,
  TaskTotals,
} from './schemas.ts'
import { taskTexts } from './view.ts'
import { addTasks, deleteTasks, editTasks } from './write.ts'

/** Largest body of a batch, in bytes. */
const BATCH_BODY = 2 * 1024 * 1024

const taskFilters = [
  ...ids('id', 'responsible_user_id', 'created_by', 'task_type', 'task_type_id', 'entity_id'),
  ...choices('entity_type', parentTypes),
  ...choices('is_completed', ['0', '1']),
  ...one('filter[lead_statuses][0][pipeline_id]', { type: 'integer' }, 'Without it, every pipeline.'),
  ...one('filter[lead_statuses][0][status_id]', { type: 'integer' }, 'The stage of the lead of the task.'),
  ...one('filter[text]', { type: 'string' }, 'Words that the text contains, in any case.'),
  ...spans('updated_at', 'created_at', 'complete_till'),
  ...createdByIntegration,
]

const operations = {
  list: {
    operationId: 'tasks.list',
    summary: 'Lists tasks, filtered and sorted, one page at a time.',
    returns: 'One page of tasks.',
    tags: ['Tasks'],
    parameters: [...withAny('integration'), ...taskFilters, ...orders('created_at', 'complete_till', 'id')],
    querystring: KeysetPaged,
    response: { 200: KeysetList('tasks', Task) },
  },
  totals: {
    operationId: 'tasks.totals.get',
    summary: 'Counts the tasks that match a filter.',
    returns: 'The number of tasks.',
    tags: ['Tasks'],
    parameters: taskFilters,
    querystring: TasksQuery,
    response: { 200: TaskTotals },
  },
  get: {
    operationId: 'tasks.get',
    summary: 'Shows one task.',
    returns: 'The task.',
    tags: ['Tasks'],
    parameters: withAny('integration'),
    params: ById,
    querystring: TaskQuerystring,
    response: { 200: Task },
  },
  create: {
    operationId: 'tasks.create',
    summary: 'Adds tasks, all of the batch or none.',
    returns: 'The ids of the new tasks.',
    tags: ['Tasks'],
    body: NewTasks,
    response: { 200: AddedTasks },
  },
  updateMany: {
    operationId: 'tasks.update_many',
    summary: 'Changes tasks, all of the batch or none.',
    returns: 'The ids of the changed tasks.',
    tags: ['Tasks'],
    body: TaskPatches,
    response: { 200: EditedTasks },
  },
  update: {
    operationId: 'tasks.update',
    summary: 'Changes or completes one task.',
    returns: 'The id of the changed task.',
    tags: ['Tasks'],
    params: ById,
    body: TaskPatch,
    response: { 200: Edited },
  },
  remove: {
    operationId: 'tasks.delete',
    summary: 'Deletes one task.',
    returns: 'The task was deleted.',
    tags: ['Tasks'],
    params: ById,
  },
  deleteMany: {
    operationId: 'tasks.delete_many',
    summary: 'Deletes tasks, all of the batch or none.',
    returns: 'The tasks were deleted.',
    tags: ['Tasks'],
    body: NamedTasks,
  },
}

/** `/tasks`. */
export function taskRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get('/tasks', { schema: operations.list }, (request, reply) =>
      list(ctx, request, reply, base(request)),
    )
    v4.get('/tasks/totals', { schema: operations.totals }, (request) => totals(ctx, request))
    v4.get('/tasks/:id', { schema: operations.get }, (request) => get(ctx, request, base(request)))
    v4.post('/tasks', { bodyLimit: BATCH_BODY, schema: operations.create }, (request) =>
      create(ctx, request, base(request)),
    )
    v4.patch('/tasks', { bodyLimit: BATCH_BODY, schema: operations.updateMany }, (request) =>
      updateMany(ctx, request, base(request)),
    )
    // The text of one task can be longer than the default limit.
    v4.patch('/tasks/:id', { bodyLimit: BATCH_BODY, schema: operations.update }, (request) =>
      update(ctx, request, base(request)),
    )
    // The platform's v4 cannot delete tasks. This is ours (V8).
    v4.delete('/tasks/:id', { schema: operations.remove }, async ({ actor, params }, reply) => {
      await deleteTasks(ctx, actor, [params], 'path')
      return reply.code(204).send()
    })
    v4.delete('/tasks', { schema: operations.deleteMany }, async ({ actor, body }, reply) => {
      await deleteTasks(ctx, actor, body, 'item')
      return reply.code(204).send()
    })
  }
}

async function list(
  ctx: Context,
  request: RequestOf<typeof operations.list>,
  reply: FastifyReply,
  base: string,
) {
  const access = await loadAccess(ctx.db, request.actor)
  const page = pageOf(request.query)
  const query = await withActing(ctx, request.query as TaskQuery)
  const options = { page, after: positionOf(request.query), base, acting: actingOf(ctx, request) }
  const { tasks, next } = await listTasks(ctx.db, access, query, options, taskTexts)
  answersTexts(reply)
  return { ...keysetPage(request, page, next), _embedded: { tasks } } as never
}

async function totals(ctx: Context, { actor, query }: RequestOf<typeof operations.totals>) {
  const access = await loadAccess(ctx.db, actor)
  return countTasks(ctx.db, access, await withActing(ctx, query as TaskQuery))
}

async function get(ctx: Context, request: RequestOf<typeof operations.get>, base: string) {
  const { actor, params } = request
  const showing = { base, acting: actingOf(ctx, request) }
  return readTask(ctx.db, await loadAccess(ctx.db, actor), params.id, showing)
}

async function create(ctx: Context, { actor, body }: RequestOf<typeof operations.create>, base: string) {
  const rows = await addTasks(ctx, actor, body)
  const items = rows.map(({ id }, i) => ({
    id,
    request_id: body[i]?.request_id ?? String(i),
    _links: linkOf(base, id),
  }))
  return collection(base, items)
}

async function updateMany(
  ctx: Context,
  { actor, body }: RequestOf<typeof operations.updateMany>,
  base: string,
) {
  const rows = await editTasks(ctx, actor, body, 'item')
  const items = rows.map((row, i) => edited(base, row, body[i]?.request_id ?? String(i)))
  return collection(base, items)
}

async function update(
  ctx: Context,
  { actor, body, params }: RequestOf<typeof operations.update>,
  base: string,
) {
  const patch = { ...body, id: params.id }
  const [row] = (await editTasks(ctx, actor, [patch], 'path')) as [TaskRow]
  return edited(base, row, patch.request_id ?? '0')
}

const linkOf = (base: string, id: number) => self(`${base}/tasks/${id}`)

const collection = <Item>(base: string, tasks: Item[]) => ({
  _links: self(`${base}/tasks`),
  _embedded: { tasks },
})

const edited = (base: string, { id, updated_at }: TaskRow, request_id: string | number) => ({
  id,
  updated_at,
  request_id,
  _links: linkOf(base, id),
})
