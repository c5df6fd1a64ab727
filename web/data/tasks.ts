import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Task as TaskSchema } from '../../src/tasks/schemas.ts'
import { compareTasks, fitsTask } from '../../src/tasks/task-filter.ts'
import { query, request } from '../api/client.ts'
import { pagesOf, readPage } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { type CardKind, type Collection, cardKinds } from './records.ts'
import { changeLists, insertRow, withoutRows } from './row-lists.ts'

export type Task = TaskSchema
/** What a form says of a task; a result is text, and none is null. */
export type TaskPatch = Partial<
  Pick<
    Task,
    'text' | 'complete_till' | 'is_completed' | 'task_type_id' | 'responsible_user_id' | 'entity_id'
  > & { entity_type: CardKind | null; result: { text: string } | null }
>
type Search = Record<string, string>

const taskKeys = { lists: ['tasks', 'list'], totals: ['tasks', 'total'] }
const path = '/web/v4/tasks'
const PAGE = 50

/** The tasks of a search, which has the parameters of the API. */
export const tasksOptions = (search: Search) =>
  infiniteQueryOptions({
    queryKey: [...taskKeys.lists, search],
    ...pagesOf((next) => readPage<Task>(next ?? `${path}${query({ ...search, limit: PAGE })}`, 'tasks')),
  })

/** The number of tasks of a filter. */
export const tasksTotalOptions = (search: Search) =>
  queryOptions({
    queryKey: [...taskKeys.totals, search],
    queryFn: async () => (await request<{ total: number }>('GET', `${path}/totals${query(search)}`)).total,
  })

/** The open tasks of a record, in the order in which they are due. */
export const tasksOfRecord = (collection: Collection, id: number) =>
  tasksOptions({
    'filter[entity_type]': collection,
    'filter[entity_id]': String(id),
    'filter[is_completed]': '0',
    'order[complete_till]': 'asc',
  })

/** The record that a task is about, if there is one and the reader may see it. */
export const recordOf = ({ entity_type, entity_id }: Task) => {
  const collection = cardKinds.find((kind) => kind === entity_type)
  return collection && entity_id !== null ? { collection, id: entity_id } : null
}

/** Puts a task into the lists that it fits and takes it out of the others. The result undoes this. */
async function showTask(task: Task, isRemoved = false): Promise<() => void> {
  // A list that is being read would bring the task back as it was.
  await queryClient.cancelQueries({ queryKey: taskKeys.lists })
  return changeLists<Task>(taskKeys.lists, (list, key) => {
    const search = key[2] as Search
    const rest = withoutRows(list, ({ id }) => id === task.id)
    if (isRemoved || !fitsTask(task, search)) return rest
    const compare = compareTasks(search)
    return insertRow(rest, task, (other) => compare(task, other) < 0)
  })
}

/** Reads everything that shows tasks again. */
const settleTasks = () =>
  Promise.all(
    [['tasks'], ['home'], ['timeline']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )

export const addTask = mutationOptions({
  mutationFn: (draft: TaskPatch) => request<void>('POST', path, [draft]),
  onSettled: settleTasks,
})

/** Changes a task. Lists show the change before the server confirms it, and the old task if the server refuses it. */
export const patchTask = mutationOptions({
  mutationFn: ({ task, patch }: { task: Task; patch: TaskPatch }) =>
    request<void>('PATCH', `${path}/${task.id}`, patch),
  onMutate: ({ task, patch }) =>
    showTask({ ...task, ...patch, result: patch.result ?? (patch.result === null ? [] : task.result) }),
  onError: (_error, _input, undo) => undo?.(),
  onSettled: settleTasks,
})

export const removeTask = mutationOptions({
  mutationFn: (task: Task) => request<void>('DELETE', `${path}/${task.id}`),
  onMutate: (task) => showTask(task, true),
  onError: (_error, _input, undo) => undo?.(),
  onSettled: settleTasks,
})
