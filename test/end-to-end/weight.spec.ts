import { statSync } from 'node:fs'
import { expect, type Page, type Response, test } from '@playwright/test'
import { signIn } from './people.ts'

const built = new URL('../../dist/web', import.meta.url).pathname

/** The gzipped sizes of a page's scripts in bytes, by path. */
async function scriptsOf(page: Page, path: string): Promise<Map<string, number>> {
  const weights = new Map<string, number>()
  const onResponse = (response: Response) => {
    const { pathname } = new URL(response.url())
    if (/^\/assets\/.*\.js$/.test(pathname)) weights.set(pathname, statSync(`${built}${pathname}.gz`).size)
  }
  page.on('response', onResponse)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  page.off('response', onResponse)
  return weights
}

const sum = (weights: Map<string, number>) => [...weights.values()].reduce((all, one) => all + one, 0)

test('the first page is less than 250 kB compressed, other pages are separate chunks, and a page has few of them', async ({
  page,
}) => {
  const first = await scriptsOf(page, '/sign-in')
  expect(sum(first)).toBeGreaterThan(50_000)
  expect(sum(first)).toBeLessThan(250_000)
  await signIn(page)
  const board = await scriptsOf(page, '/leads')
  const pageChunk = /leads-page|card-page|events-page/
  expect([...first.keys()].filter((url) => pageChunk.test(url))).toEqual([])
  expect([...board.keys()].filter((url) => pageChunk.test(url))).toEqual([
    expect.stringContaining('leads-page'),
  ])
  // Modules that pages share are in few chunks: a browser asks for six at a time.
  expect(first.size).toBeLessThanOrEqual(8)
  expect(board.size).toBeLessThanOrEqual(12)
})
