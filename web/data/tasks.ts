import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { compareTasks, fitsTask } from '../../src/tasks/task-filter.ts'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { pagesOf, readPage } from '../api/lists.ts'
import { onlyOnce } from '../api/only-once.ts'
import { Problem } from '../api/problem.ts'
import { queryClient } from './query-client.ts'
import { type Collection, cardKinds } from './records.ts'
import { changeLists, insertRow, withoutRows } from './row-lists.ts'

export type Task = Schemas['Task']
export type NewTask = Schemas['NewTask']
/** A change of a task. The result is a text; null removes it. */
export type TaskPatch = Omit<Schemas['TaskPatch'], 'result'> & { result?: { text: string } | null }
type Search = Record<string, string>

const taskKeys = { lists: ['tasks', 'list'], totals: ['tasks', 'total'] }
const PAGE = 50

/** The tasks of a search with parameters of the API. */
export const tasksOptions = (search: Search) =>
  infiniteQueryOptions({
    queryKey: [...taskKeys.lists, search],
    ...pagesOf((next) =>
      readPage(
        api.GET('/web/v4/tasks', {
          params: { query: next ?? { ...search, with: ['integration'], limit: PAGE } },
        }),
        ({ tasks }) => tasks,
      ),
    ),
  })

/** The number of tasks of a filter. */
export const tasksTotalOptions = (search: Search) =>
  queryOptions({
    queryKey: [...taskKeys.totals, search],
    queryFn: () => dataOf(api.GET('/web/v4/tasks/totals', { params: { query: search } })),
  })

export const taskOptions = (id: number) =>
  queryOptions({ queryKey: ['tasks', 'one', id], queryFn: () => readTask(id) })

/** Keeps a task as a list shows it, so that it need not be read. */
export const keepTask = (task: Task): unknown => queryClient.setQueryData(taskOptions(task.id).queryKey, task)

async function readTask(id: number): Promise<Task> {
  const task = await dataOf(
    api.GET('/web/v4/tasks/{id}', { params: { path: { id }, query: { with: ['integration'] } } }),
  )
  if (task === undefined) throw new Problem(404, { type: '#not_found' })
  return task
}

/** The open tasks of a record, in the order in which they are due. */
export const tasksOfRecord = (collection: Collection, id: number) =>
  tasksOptions({
    'filter[entity_type]': collection,
    'filter[entity_id]': String(id),
    'filter[is_completed]': '0',
    'order[complete_till]': 'asc',
  })

/** The record of a task; undefined if it has none or the reader cannot see it. */
export const recordOf = ({ entity_type, entity_id }: Task) => {
  const collection = cardKinds.find((kind) => kind === entity_type)
  return collection && entity_id !== null ? { collection, id: entity_id } : null
}

/** Puts a task into the lists that it fits and takes it out of the others. The result undoes this. */
async function showTask(task: Task, isRemoved = false): Promise<() => void> {
  // A read in progress would return the old task.
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
  mutationFn: (draft: NewTask) =>
    onlyOnce(['task', draft], [draft], (body, header) =>
      api.POST('/web/v4/tasks', { params: { header }, body }),
    ),
  onSettled: settleTasks,
})

/** Changes a task. Lists show the change before the server confirms it, and the old task if the server refuses it. */
export const patchTask = mutationOptions({
  mutationFn: ({ task, patch }: { task: Task; patch: TaskPatch }) =>
    api.PATCH('/web/v4/tasks/{id}', { params: { path: { id: task.id } }, body: patch }),
  onMutate: ({ task, patch }) =>
    showTask({ ...task, ...patch, result: patch.result ?? (patch.result === null ? [] : task.result) }),
  onError: (_error, _input, undo) => undo?.(),
  onSettled: settleTasks,
})

export const removeTask = mutationOptions({
  mutationFn: ({ id }: Task) => api.DELETE('/web/v4/tasks/{id}', { params: { path: { id } } }),
  onMutate: (task) => showTask(task, true),
  onError: (_error, _input, undo) => undo?.(),
  onSettled: settleTasks,
})
