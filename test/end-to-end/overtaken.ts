import type { Page } from '@playwright/test'

/** Milliseconds: longer than the live stream and the reading that follows it take. */
const LATE = 2_000

const late = () => new Promise((resolve) => setTimeout(resolve, LATE))

/** Has the answers of writes to these addresses come so late that the live stream overtakes them. */
export async function answerLate(page: Page, addresses: RegExp): Promise<void> {
  await page.route(addresses, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    await late()
    await route.fulfill({ response })
  })
}

/**
 * Has the first write to these addresses arrive so late that whatever does not wait for it overtakes it. The answer
 * waits for it, and tells how many did.
 */
export async function writeLate(page: Page, addresses: RegExp): Promise<() => Promise<number>> {
  let others = -1
  const { promise, resolve } = Promise.withResolvers<number>()
  await page.route(addresses, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    others++
    if (others > 0) return route.continue()
    await late()
    resolve(others)
    await route.continue()
  })
  return () => promise
}

/** Counts from now on what a selector finds and says a text; the answer tells the most that there ever were at once. */
export async function countMost(page: Page, selector: string, text: string): Promise<() => Promise<number>> {
  await page.evaluate(`(() => {
    const count = () => [...document.querySelectorAll(${JSON.stringify(selector)})]
      .filter((item) => item.textContent.includes(${JSON.stringify(text)})).length
    window.most = count()
    new MutationObserver(() => { window.most = Math.max(window.most, count()) })
      .observe(document.body, { childList: true, subtree: true, characterData: true })
  })()`)
  return () => page.evaluate<number>('window.most')
}
