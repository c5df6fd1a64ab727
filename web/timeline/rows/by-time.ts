import { type ChangeName, eventKindOf } from '../../../src/events/event-types.ts'
import type { TimelineItem } from '../../data/timeline.ts'

/** Seconds within which changes of one person are grouped. */
const TOGETHER = 60

/** One item, several changes that a person made at once, or the events of one task on one day; newest first. */
export interface Group {
  items: [TimelineItem, ...TimelineItem[]]
}
export interface Day {
  at: number
  groups: Group[]
}

const dayOf = (at: number) => new Date(at * 1000).toDateString()

/** Groups timeline items by day in the reader's time zone. */
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

/** Events that add one of these, including created records, always have their own row. */
const ownRows: (ChangeName | undefined)[] = ['note', 'nps', 'transaction']
const hasOwnRow = ({ event: { type } }: TimelineItem) => ownRows.includes(eventKindOf(type)?.after)

function isOneGo([newest]: Group['items'], item: TimelineItem): boolean {
  if (newest.kind !== 'change' || item.kind !== 'change' || hasOwnRow(newest) || hasOwnRow(item)) return false
  return (
    isSameActor(newest, item) &&
    item.event.created_by !== 0 &&
    newest.event.created_at - item.event.created_at < TOGETHER
  )
}

/** Whether the same person acted, by themselves or through the same integration. */
export const isSameActor = ({ event: one }: TimelineItem, { event: other }: TimelineItem): boolean =>
  one.created_by === other.created_by && one.created_by_integration?.id === other.created_by_integration?.id

/** A deleted task is not included, but its events contain its id. */
const taskOf = ({ task, event: { entity_type, entity_id } }: TimelineItem): number | undefined =>
  task?.id ?? (entity_type === 'task' ? entity_id : undefined)

const isSameTask = (one: TimelineItem, other: TimelineItem): boolean =>
  one.kind === 'task' && other.kind === 'task' && taskOf(one) !== undefined && taskOf(one) === taskOf(other)

/** Whether the items of two groups are the same. Every page makes new groups. */
export const isSameGroup = ({ items: one }: Group, { items: other }: Group): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at])

/** Returns the newest row of each task, which shows the current task. */
export function newestOfTasks(items: TimelineItem[]): ReadonlySet<string> {
  const newest = new Map<number, string>()
  for (const { id, task } of items) if (task && !newest.has(task.id)) newest.set(task.id, id)
  return new Set(newest.values())
}
