import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { type Page, pagesOf, type Query, readAllRows } from '../../web/api/lists.ts'

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

test('rows that are added and changed while the next page is read stay', async () => {
  const client = new QueryClient()
  const pages = ['first', 'second', 'third'].map((row, at, all) => {
    const { promise, resolve } = Promise.withResolvers<Page<string>>()
    const next = at + 1 < all.length ? { page: String(at + 1) } : undefined
    return { promise, answer: () => resolve({ rows: [row], next }) }
  })
  const queryKey = ['rows']
  const read = (next?: Query) => pages[Number(next?.page ?? 0)]?.promise as Promise<Page<string>>
  const list = new InfiniteQueryObserver(client, { queryKey, staleTime: Infinity, ...pagesOf(read) })
  const shown = () => list.getCurrentResult().data?.pages.map(({ rows }) => rows)
  const hide = list.subscribe(() => {})
  pages[0]?.answer()
  await list.fetchOptimistic(list.options)
  for (const at of [1, 2]) {
    const more = list.fetchNextPage()
    client.setQueryData<{ pages: Page<string>[] }>(queryKey, (now) => ({
      ...now,
      pages: (now?.pages ?? []).map((page, i) =>
        i === 0 ? { ...page, rows: [`new ${at}`, ...page.rows] } : page,
      ),
    }))
    pages[at]?.answer()
    await more
  }
  expect(shown()).toEqual([['new 2', 'new 1', 'first'], ['second'], ['third']])
  hide()
})
