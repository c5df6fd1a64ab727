import type { TimelineItem } from '../data/timeline.ts'

/** Seconds: what one person changes within them stands under one line. */
const TOGETHER = 60

/** One item, several changes that one person made in one go, or what one day did to one task; newest first. */
export interface Group {
  items: [TimelineItem, ...TimelineItem[]]
}
export interface Day {
  at: number
  groups: Group[]
}

const dayOf = (at: number) => new Date(at * 1000).toDateString()

/** A timeline by the days of the reader's clock. */
export function byDay(items: TimelineItem[]): Day[] {
  const days: Day[] = []
  for (const item of items) {
    const { created_at } = item.event
    const day = days.at(-1)
    if (!day || dayOf(day.at) !== dayOf(created_at)) {
      days.push({ at: created_at, groups: [{ items: [item] }] })
      continue
    }
    const last = day.groups.at(-1)
    const ofTask = day.groups.find(({ items: [newest] }) => isSameTask(newest, item))
    if (ofTask) ofTask.items.push(item)
    else if (last && isOneGo(last.items, item)) last.items.push(item)
    else day.groups.push({ items: [item] })
  }
  return days
}

/** That a record was added is a line of its own. */
const isFirst = ({ event: { type } }: TimelineItem) => type.endsWith('_added') && type !== 'entity_tag_added'

function isOneGo([newest]: Group['items'], item: TimelineItem): boolean {
  if (newest.kind !== 'change' || item.kind !== 'change' || isFirst(newest) || isFirst(item)) return false
  const isSame = newest.event.created_by === item.event.created_by && item.event.created_by !== 0
  return isSame && newest.event.created_at - item.event.created_at < TOGETHER
}

/** A task is gone when it was deleted; its events still name it. */
const taskOf = ({ task, event: { entity_type, entity_id } }: TimelineItem): number | undefined =>
  task?.id ?? (entity_type === 'task' ? entity_id : undefined)

const isSameTask = (one: TimelineItem, other: TimelineItem): boolean =>
  one.kind === 'task' && other.kind === 'task' && taskOf(one) !== undefined && taskOf(one) === taskOf(other)

/** Of each task the newest row, on which it is shown as it is now. */
export function newestOfTasks(items: TimelineItem[]): ReadonlySet<string> {
  const newest = new Map<number, string>()
  for (const { id, task } of items) if (task && !newest.has(task.id)) newest.set(task.id, id)
  return new Set(newest.values())
}
