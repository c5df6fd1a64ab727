import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import type { Task, TaskPage } from './tasks.ts'

type List = InfiniteData<TaskPage, string | undefined>
type Search = Record<string, string>

const lists = ['tasks', 'list']

/**
 * Puts a task as it is now into every list in which it belongs, and takes it out of the others. The answer puts back
 * what was there before.
 */
export function showTask(task: Task, isGone = false): () => void {
  queryClient.cancelQueries({ queryKey: lists })
  const before = queryClient.getQueriesData<List>({ queryKey: lists })
  for (const [key, list] of before) {
    const search = key[2] as Search
    if (list) queryClient.setQueryData(key, withTask(list, search, task, !isGone && fits(task, search)))
  }
  return () => {
    for (const [key, list] of before) queryClient.setQueryData(key, list)
  }
}

/** The server has the last word on what belongs where. */
export const settleTasks = () =>
  Promise.all(
    [['tasks'], ['home'], ['timeline']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )

function withTask(list: List, search: Search, task: Task, belongs: boolean): List {
  const isThere = list.pages.some((page) => page._embedded.tasks.some(({ id }) => id === task.id))
  if (!isThere && !belongs) return list
  const pages = list.pages.map((page) => {
    const tasks = page._embedded.tasks.flatMap((one) =>
      one.id === task.id ? (belongs ? [task] : []) : [one],
    )
    return { ...page, _embedded: { tasks } }
  })
  const [first] = pages
  if (!isThere && first) first._embedded.tasks.push(task)
  if (search['order[complete_till]'] === 'asc')
    for (const page of pages)
      page._embedded.tasks.sort((a, b) => a.complete_till - b.complete_till || a.id - b.id)
  return { ...list, pages }
}

/** Whether a task is among those of a filter, as far as that can be told here. */
function fits(task: Task, search: Search): boolean {
  const named = new Map<string, Record<string, string>>()
  for (const [name, value] of Object.entries(search)) {
    const [, member, part = ''] = /^filter\[(\w+)\](?:\[(\w*)\])?$/.exec(name) ?? []
    if (member) named.set(member, { ...named.get(member), [part]: value })
  }
  return [...named].every(([member, parts]) => {
    const column = columns[member]
    if (column) return Object.values(parts).join().split(',').includes(String(task[column]))
    if (member === 'is_completed') return Object.values(parts).includes(task.is_completed ? '1' : '0')
    return member !== 'complete_till' || isWithin(task.complete_till, parts)
  })
}

const columns: Record<string, keyof Task> = {
  responsible_user_id: 'responsible_user_id',
  task_type: 'task_type_id',
  entity_type: 'entity_type',
  entity_id: 'entity_id',
}

const isWithin = (at: number, { from, to }: Record<string, string>) =>
  at >= Number(from ?? 0) && at <= Number(to ?? Number.POSITIVE_INFINITY)
