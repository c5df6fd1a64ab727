import { describe, expect, test } from 'vitest'
import { withHead } from '../../web/data/row-lists.ts'
import type { TimelineItem } from '../../web/data/timeline.ts'
import { buckets } from '../../web/events/buckets.ts'
import { fits, groupOf, withoutMisfits } from '../../web/events/type-groups.ts'
import { secondsOf } from '../../web/timeline/composer/call-length.ts'
import { byDay, newestOfTasks } from '../../web/timeline/rows/by-time.ts'

const NOON = Math.floor(new Date(2026, 2, 10, 12).getTime() / 1000)

interface Made {
  at: number
  kind?: TimelineItem['kind']
  type?: string
  by?: number
  task?: number
}
let made = 0
function item({ at, kind = 'change', type = 'name_field_changed', by = 1, task }: Made): TimelineItem {
  made += 1
  const event = { id: String(made), type, created_by: by, created_at: NOON + at }
  return {
    id: event.id,
    kind,
    event,
    note: null,
    message: null,
    task: task ? { id: task } : null,
  } as TimelineItem
}
const shape = (items: TimelineItem[]) =>
  byDay(items).map(({ groups }) => groups.map((one) => one.items.length))

describe('A timeline by days', () => {
  test('groups the changes of one person within a minute, separated by other items', () => {
    expect(shape([item({ at: 50 }), item({ at: 20 }), item({ at: 0 })])).toEqual([[3]])
    expect(shape([item({ at: 61 }), item({ at: 0 })])).toEqual([[1, 1]])
    expect(shape([item({ at: 9 }), item({ at: 5, kind: 'note' }), item({ at: 0 })])).toEqual([[1, 1, 1]])
    expect(shape([item({ at: 9, by: 2 }), item({ at: 0 })])).toEqual([[1, 1]])
  })

  test('does not group changes without a user, or the addition of a record', () => {
    expect(shape([item({ at: 9, by: 0 }), item({ at: 0, by: 0 })])).toEqual([[1, 1]])
    expect(shape([item({ at: 9 }), item({ at: 0, type: 'lead_added' })])).toEqual([[1, 1]])
    expect(shape([item({ at: 9 }), item({ at: 0, type: 'entity_tag_added' })])).toEqual([[2]])
  })

  test('groups the changes of one task on one day at the latest of them', () => {
    const rows = [
      item({ at: 90, kind: 'task', task: 5, type: 'task_completed' }),
      item({ at: 60, kind: 'task', task: 6, type: 'task_added' }),
      item({ at: 50 }),
      item({ at: 30, kind: 'task', task: 5, type: 'task_added' }),
      item({ at: 20 }),
      item({ at: -13 * 3600, kind: 'task', task: 5, type: 'task_text_changed' }),
    ]
    const groups = byDay(rows).map((day) => day.groups.map(({ items }) => items.map(({ id }) => id)))
    const [completed, other, change, added, before, yesterday] = rows.map(({ id }) => id)
    expect(groups).toEqual([[[completed, added], [other], [change, before]], [[yesterday]]])
  })

  test('keeps the rows of a deleted task together', () => {
    const gone = (at: number, id: number) => {
      const row = item({ at, kind: 'task', type: 'task_deleted' })
      return { ...row, event: { ...row.event, entity_type: 'task', entity_id: id } }
    }
    expect(shape([gone(9, 5), gone(5, 6), gone(0, 5)])).toEqual([[2, 1]])
  })

  test('separates days at midnight', () => {
    expect(shape([item({ at: 12 * 3600 + 5 }), item({ at: 12 * 3600 - 5 })])).toEqual([[1], [1]])
  })

  test('shows the current state of a task on its newest row', () => {
    const rows = [item({ at: 9, task: 5 }), item({ at: 5, task: 6 }), item({ at: 0, task: 5 })]
    expect([...newestOfTasks(rows)]).toEqual([rows[0]?.id, rows[1]?.id])
  })
})

describe('A list that grows at its head', () => {
  const more = { next: 'a' }
  const list = (...ids: string[]) => ({
    pages: [{ rows: ids.map((id) => ({ id, is: 'old' })), next: more as typeof more | undefined }],
    pageParams: [undefined],
  })
  const head = (next: typeof more | undefined, ...ids: string[]) => ({
    rows: ids.map((id) => ({ id, is: 'new' })),
    next,
  })
  const said = (grown: ReturnType<typeof withHead>) =>
    grown?.pages.map(({ rows }) => rows.map((one) => `${one.id}${(one as { is?: string }).is}`).join(' '))

  test('puts new items first, updates known ones, and keeps the rest', () => {
    expect(said(withHead(list('c', 'b', 'a'), head(more, 'd', 'c')))).toEqual(['dnew cnew bold aold'])
    expect(said(withHead(list('c'), head(more, 'c')))).toEqual(['cnew'])
  })

  test('starts again if more items are new than were read', () => {
    expect(withHead(list('a'), head(more, 'd', 'c'))).toBeNull()
    expect(withHead(list(), head(more, 'd', 'c'))).toBeNull()
  })

  test('is complete if its head has no next page', () => {
    expect(said(withHead(list('a'), head(undefined, 'c', 'b')))).toEqual(['cnew bnew'])
  })
})

describe('The chart', () => {
  test('has every day from the first to the last, including empty ones', () => {
    const at = (day: number) => Math.floor(new Date(2026, 2, day).getTime() / 1000)
    const bars = buckets([{ at: at(3), count: 7 }], 'day', { from: at(2), to: at(5) }, at(9))
    expect(bars.map(({ count }) => count)).toEqual([0, 7, 0, 0])
    expect(bars.map((bar) => bar.at)).toEqual([at(2), at(3), at(4), at(5)])
    expect(bars[0]?.end).toBe(at(3) - 1)
    expect(buckets([], 'day', { from: null, to: null }, at(9))).toHaveLength(60)
    expect(buckets([], 'hour', { from: at(2), to: at(3) - 1 }, at(9))).toHaveLength(24)
  })
})

describe('Filters that are combined', () => {
  test('allow a field only as the only type', () => {
    const field = 'custom_field_7_value_changed'
    expect(withoutMisfits(['lead_added', field], ['lead_added'])).toEqual([field])
    expect(withoutMisfits([field, 'lead_added'], [field])).toEqual(['lead_added'])
  })

  test('limit values to matching types, and imply the only possible type', () => {
    expect(fits('leads_statuses', [])).toBe(true)
    expect(fits('value', [])).toBe(false)
    expect(fits('value', ['sale_field_changed', 'name_field_changed'])).toBe(true)
    expect(fits('value', ['sale_field_changed', 'lead_added'])).toBe(false)
    expect(fits('custom_field_values', ['custom_field_7_value_changed'])).toBe(true)
    expect(groupOf('custom_field_7_value_changed')).toBe('field')
    expect(groupOf('message_to_cashier_note_added')).toBe('note')
    expect(groupOf('entity_merged')).toBe('record')
  })
})

test('the length of a call is shown in minutes and seconds', () => {
  expect(['2:05', '125', '1:00:10', '', 'two', '1:2:3:4'].map(secondsOf)).toEqual([
    125,
    125,
    3610,
    0,
    null,
    null,
  ])
})
