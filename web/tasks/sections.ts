import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { rowsOf } from '../data/row-lists.ts'
import { type Task, tasksOptions, tasksTotalOptions } from '../data/tasks.ts'
import { useNow } from '../parts/texts/use-now.ts'
import { dayStart, useTimeZone, weekStart } from '../parts/texts/zoned.ts'

const sectionNames = ['overdue', 'today', 'week', 'later'] as const
export type SectionName = (typeof sectionNames)[number]

export interface Section {
  name: SectionName
  tasks: Task[]
  /** The number of tasks, including those not loaded. */
  total: number
  /** False if more tasks match than were counted. */
  isComplete: boolean
  query: ReturnType<typeof useTaskList>
}

type Search = Record<string, string>

/** Returns open tasks by deadline. Days and weeks are in the account's time zone. */
export function useSections(search: Search): Section[] {
  const zone = useTimeZone()
  const now = useNow(30)
  const tomorrow = dayStart(zone, now, 1)
  const nextWeek = weekStart(zone, now, 1)
  const week = usePart(search, tomorrow, nextWeek)
  const later = usePart(search, Math.max(nextWeek, tomorrow))
  return [...useDueSections(search), { ...week, name: 'week' }, { ...later, name: 'later' }]
}

/** Returns overdue tasks and tasks due today. */
export function useDueSections(search: Search): [overdue: Section, today: Section] {
  const zone = useTimeZone()
  const now = useNow(30)
  const today = dayStart(zone, now)
  const tomorrow = dayStart(zone, now, 1)
  const overdue = usePart(search, undefined, today)
  const ofToday = usePart(search, today, tomorrow)
  // A task whose time has passed today is overdue.
  const passed = ofToday.tasks.filter(({ complete_till }) => complete_till < now)
  return [
    {
      ...overdue,
      name: 'overdue',
      tasks: [...overdue.tasks, ...(overdue.query.hasNextPage ? [] : passed)],
      total: overdue.total + passed.length,
    },
    {
      ...ofToday,
      name: 'today',
      tasks: ofToday.tasks.filter((task) => !passed.includes(task)),
      total: ofToday.total - passed.length,
    },
  ]
}

/** Loads open tasks that are due between two times. */
function usePart(search: Search, from: number | undefined, until?: number) {
  const asked = {
    ...search,
    'filter[is_completed]': '0',
    ...(from !== undefined && { 'filter[complete_till][from]': String(from) }),
    ...(until !== undefined && { 'filter[complete_till][to]': String(until - 1) }),
  }
  const query = useTaskList({ ...asked, 'order[complete_till]': 'asc' })
  const tasks = rowsOf(query.data)
  const counted = useQuery({ ...tasksTotalOptions(asked), enabled: query.hasNextPage })
  const { total = 0, is_complete: isComplete = true } = (query.hasNextPage && counted.data) || {}
  return { tasks, total: Math.max(total, tasks.length), isComplete, query }
}

export const useTaskList = (search: Search) => useInfiniteQuery(tasksOptions(search))
