import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Task as TaskSchema } from '../../src/tasks/schemas.ts'
import { pathOf, query, request } from '../api/client.ts'
import { readPage } from '../api/lists.ts'
import { type CardKind, type Collection, cardKinds } from './records.ts'
import { settleTasks, showTask } from './task-cache.ts'

export type Task = TaskSchema
/** What a form says of a task; a result is text, and none is null. */
export type TaskPatch = Partial<
  Pick<
    Task,
    'text' | 'complete_till' | 'is_completed' | 'task_type_id' | 'responsible_user_id' | 'entity_id'
  > & { entity_type: CardKind | null; result: { text: string } | null }
>
export interface TaskPage {
  _links: { next?: { href: string } }
  _embedded: { tasks: Task[] }
}

export const taskKeys = {
  all: ['tasks'] as const,
  lists: ['tasks', 'list'] as const,
  totals: ['tasks', 'total'] as const,
}
const path = '/web/v4/tasks'
const PAGE = 50

/** Tasks as the API gives them: `search` holds members of its query. */
export const tasksOptions = (search: Record<string, string>) =>
  infiniteQueryOptions({
    queryKey: [...taskKeys.lists, search],
    queryFn: ({ pageParam }) =>
      readPage<TaskPage>(pageParam ?? `${path}${query({ ...search, limit: PAGE })}`, 'tasks'),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ _links }) => pathOf(_links.next),
  })

/** How many tasks there are of a filter. */
export const tasksTotalOptions = (search: Record<string, string>) =>
  queryOptions({
    queryKey: [...taskKeys.totals, search],
    queryFn: async () => (await request<{ total: number }>('GET', `${path}/totals${query(search)}`)).total,
  })

/** What is still to be done with a record, first what is due first. */
export const tasksOfRecord = (collection: Collection, id: number) =>
  tasksOptions({
    'filter[entity_type]': collection,
    'filter[entity_id]': String(id),
    'filter[is_completed]': '0',
    'order[complete_till]': 'asc',
  })

/** The record that a task is about, where there is one that may be seen. */
export const recordOf = ({ entity_type, entity_id }: Task) => {
  const collection = cardKinds.find((kind) => kind === entity_type)
  return collection && entity_id !== null ? { collection, id: entity_id } : null
}

export const addTask = mutationOptions({
  mutationFn: (draft: TaskPatch) => request<void>('POST', path, [draft]),
  onSettled: settleTasks,
})

/** Changes a task; it is shown changed at once, and as it was when the change is refused. */
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
