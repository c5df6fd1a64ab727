import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Fading elements are pale until the animation ends, which starts within two frames. */
const settled = `new Promise((begun) => requestAnimationFrame(() => requestAnimationFrame(begun))).then(() =>
  Promise.all(document.getAnimations()
    .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    .map(({ finished }) => finished.catch(() => {}))))
  .then(() => {})`

/** Waits until all animations have ended. */
export const settle = (page: Page): Promise<unknown> => page.evaluate(settled)

/** Saves a screenshot of the page as an artefact, and runs axe. */
export async function checkPage(page: Page, name: string, scheme: string): Promise<void> {
  await settle(page)
  const file = name.replace(/[^a-z]+/gi, '-')
  await page.screenshot({ path: `test-results/pages/${scheme}${file}.png`, fullPage: true })
  // Legacy mode collects the results in the page itself, which has no frames. The default opens an empty page,
  // which takes longer than the check.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await axe.analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(grave.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)])).toEqual([])
}
