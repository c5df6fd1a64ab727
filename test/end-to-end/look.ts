import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Keeps a picture of the page as an artefact, and has axe look for what keeps people out. */
export async function look(page: Page, name: string, scheme: string): Promise<void> {
  const file = name.replace(/[^a-z]+/gi, '-')
  await page.screenshot({ path: `test-results/pages/${scheme}${file}.png`, fullPage: true })
  const { violations } = await new AxeBuilder({ page }).analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(grave.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)])).toEqual([])
}
