import type { Page } from '@playwright/test'

/** Milliseconds: longer than the live stream and the reload after it. */
const LATE = 2_000

const late = () => new Promise((resolve) => setTimeout(resolve, LATE))

/** Delays the responses of writes, so that the live stream overtakes them. */
export async function answerLate(page: Page, addresses: RegExp): Promise<void> {
  await page.route(addresses, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    await late()
    await route.fulfill({ response })
  })
}

/**
 * Delays the first write, so that everything that does not wait for it overtakes it. Returns the number of
 * writes that did.
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

/** Watches the elements with a text. Returns the maximum number that existed at the same time. */
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
