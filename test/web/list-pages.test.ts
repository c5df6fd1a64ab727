import { expect, test } from 'vitest'
import { type Query, readAllRows } from '../../web/api/lists.ts'

test('all rows of a list are read page after page', async () => {
  const pages = [
    { rows: [1, 2], next: { page: '2' } },
    { rows: [3], next: { page: '3' } },
    { rows: [4, 5], next: undefined },
  ]
  const asked: (Query | undefined)[] = []
  const rows = await readAllRows(async (next) => {
    asked.push(next)
    return pages[asked.length - 1] as (typeof pages)[number]
  })
  expect([rows, asked]).toEqual([
    [1, 2, 3, 4, 5],
    [undefined, { page: '2' }, { page: '3' }],
  ])
})
