import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { isLong } from '../long.ts'

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Fading elements are pale until the animation ends, which starts within two frames. */
const settled = `new Promise((begun) => requestAnimationFrame(() => requestAnimationFrame(begun))).then(() =>
  Promise.all(document.getAnimations()
    .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    .map(({ finished }) => finished.catch(() => {}))))
  .then(() => {})`

/** Waits until all animations have ended. */
export const settle = (page: Page): Promise<unknown> => page.evaluate(settled)

export type Theme = 'light' | 'dark'

/** Themes in which a page is checked: both in the long form; in the short form one, so that half of the pages get each. */
export const themesOf = (name: string): Theme[] =>
  isLong ? ['light', 'dark'] : [name.length % 2 === 0 ? 'light' : 'dark']

interface Finding {
  id: string
  nodes: string[]
}

/**
 * Runs all rules of axe except those whose findings are moderate or minor: a finding has the impact of its rule. The styles
 * are not loaded a second time, because the rules that need them do not run.
 */
const findGrave = `axe.run(document, {
    resultTypes: ['violations'],
    preload: false,
    rules: Object.fromEntries(axe._audit.rules
      .filter(({ impact }) => !['serious', 'critical'].includes(impact))
      .map(({ id }) => [id, { enabled: false }])),
  }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))`

/** Runs axe on the page; in the long form also saves a screenshot. */
export async function checkPage(page: Page, name: string, scheme: Theme): Promise<void> {
  await settle(page)
  if (isLong) {
    const file = name.replace(/[^a-z]+/gi, '-')
    await page.screenshot({ path: `test-results/pages/${scheme}${file}.png`, fullPage: true })
  }
  // Loading axe takes as long as half a check, and a page is often checked more than once.
  for (const frame of page.frames()) if (!(await frame.evaluate("'axe' in window"))) await frame.evaluate(axe)
  let grave = await page.evaluate<Finding[]>(findGrave)
  if (grave.length > 0) {
    // A message that began to fade since is gone now; what is wrong with the page stays.
    await settle(page)
    grave = await page.evaluate<Finding[]>(findGrave)
  }
  expect(grave.map(({ id, nodes }) => [name, id, nodes])).toEqual([])
}
