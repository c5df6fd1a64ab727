import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { isLong } from '../long.ts'

/** Fading elements are pale until the animation ends, which starts within two frames. */
const settled = `new Promise((begun) => requestAnimationFrame(() => requestAnimationFrame(begun))).then(() =>
  Promise.all(document.getAnimations()
    .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    .map(({ finished }) => finished.catch(() => {}))))
  .then(() => {})`

/** Waits until all animations have ended. */
export const settle = (page: Page): Promise<unknown> => page.evaluate(settled)

/**
 * Runs axe on the page; in the long form also saves a screenshot. Only contrast depends on the theme, so the other rules
 * run on the light one, and on both in the long form.
 */
export async function checkPage(page: Page, name: string, scheme: string): Promise<void> {
  await settle(page)
  if (isLong) {
    const file = name.replace(/[^a-z]+/gi, '-')
    await page.screenshot({ path: `test-results/pages/${scheme}${file}.png`, fullPage: true })
  }
  // Legacy mode collects the results in the page, which has no frames; a blank page for them takes longer than the check.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(scheme === 'dark' && !isLong && { runOnly: ['color-contrast'] }),
  })
  const { violations } = await axe.analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(grave.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)])).toEqual([])
}
