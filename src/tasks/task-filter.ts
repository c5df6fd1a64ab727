/**
 * The filters and orders of a list of tasks that depend on the task alone. The server evaluates them in SQL, the web
 * application in memory for a task that it has just changed. Not among them: `text`, and what the reader may see.
 */

/** Keys of `filter` that take ids, with their columns. The type of a task has two names. */
export const idFilters = {
  id: 'id',
  responsible_user_id: 'responsible_user_id',
  created_by: 'created_by',
  task_type: 'task_type_id',
  task_type_id: 'task_type_id',
  entity_id: 'entity_id',
} as const

/** Keys of `filter` that take a range of time: `from,to`, or `[from]` and `[to]`, both ends included. */
export const timeFilters = ['updated_at', 'created_at', 'complete_till'] as const

/** The values of `filter[is_completed]`. */
export const completedValues = { 0: 0, 1: 1, false: 0, true: 1 } as const

export const taskOrders = ['created_at', 'complete_till', 'id'] as const

type Filtered = Record<
  (typeof idFilters)[keyof typeof idFilters] | (typeof timeFilters)[number],
  number | null
> & {
  entity_type: string | null
  is_completed: boolean
  /** With `with=integration`. */
  created_by_integration?: { id: string } | null
}
type Search = Readonly<Record<string, string>>

/** Whether a task belongs to the list of a search: the parameters of an address, such as `filter[is_completed]`. */
export function fitsTask(task: Filtered, search: Search): boolean {
  return [...filtersIn(search)].every(([name, parts]) => {
    const values = Object.values(parts).join().split(',')
    if (name in idFilters) return values.includes(String(task[idFilters[name as keyof typeof idFilters]]))
    if (name === 'entity_type') return values.includes(String(task.entity_type))
    if (name === 'is_completed')
      return values.some((value) => completedValues[value as 'true'] === Number(task.is_completed))
    if (name === 'integration') return values.includes(task.created_by_integration?.id ?? '')
    const time = timeFilters.find((one) => one === name)
    return !time || isWithin(task[time] ?? 0, parts)
  })
}

function filtersIn(search: Search): Map<string, Search> {
  const filters = new Map<string, Search>()
  for (const [parameter, value] of Object.entries(search)) {
    const [, name, part = ''] = /^filter\[(\w+)\](?:\[(\w*)\])?$/.exec(parameter) ?? []
    if (name) filters.set(name, { ...filters.get(name), [part]: value })
  }
  return filters
}

function isWithin(at: number, { '': range, ...ends }: Search): boolean {
  const [from, to] = range === undefined ? [ends.from, ends.to] : range.split(',')
  return (!from || at >= Number(from)) && (!to || at <= Number(to))
}

/** Compares two tasks as the list of a search orders them. */
export function compareTasks(search: Search): (one: Filtered, other: Filtered) => number {
  const column = taskOrders.find((name) => `order[${name}]` in search) ?? 'id'
  const sign = search[`order[${column}]`] === 'desc' ? -1 : 1
  const difference = (one: Filtered, other: Filtered, by: typeof column) =>
    Number(one[by]) - Number(other[by])
  return (one, other) => sign * (difference(one, other, column) || difference(one, other, 'id'))
}
