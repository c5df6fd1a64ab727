import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What fades in is pale until it is there: two frames until it has begun, and then its end. */
const settled = `new Promise((begun) => requestAnimationFrame(() => requestAnimationFrame(begun))).then(() =>
  Promise.all(document.getAnimations()
    .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    .map(({ finished }) => finished.catch(() => {}))))
  .then(() => {})`

/** Waits until nothing moves any more. */
export const settle = (page: Page): Promise<unknown> => page.evaluate(settled)

/** Keeps a picture of the page as an artefact, and has axe look for barriers. */
export async function checkPage(page: Page, name: string, scheme: string): Promise<void> {
  await settle(page)
  const file = name.replace(/[^a-z]+/gi, '-')
  await page.screenshot({ path: `test-results/pages/${scheme}${file}.png`, fullPage: true })
  // The legacy mode puts the results together in the page itself, which has no frames, and not in an empty one: that takes
  // longer than the check.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await axe.analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(grave.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)])).toEqual([])
}
