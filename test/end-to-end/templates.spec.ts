import { randomUUID } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { pushTo } from './callbacks.ts'
import { checkPage } from './check-page.ts'
import { visit } from './navigate.ts'
import { demo, signIn, watch } from './people.ts'

test('an administrator writes a template with a file, and sends it with the values of the conversation', async ({
  page,
  baseURL,
}) => {
  const seen = watch(page)
  if (!demo.channel) throw new Error('the demo has no channel')
  const from = { id: 'tom', name: 'Tom Template' }
  // Its name is new, so that an attempt that failed leaves nothing that the next one finds.
  const name = `Offer ${randomUUID().slice(0, 8)}`
  await pushTo(String(baseURL), demo.channel, { from, message: { type: 'text', text: 'What does it cost?' } })
  await signIn(page)
  await page.goto('/settings/templates')
  await page.getByRole('button', { name: 'Add template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add template' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Hello, {{contact.name}}! {{lead.unknown}}')
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'offer.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Two wheels'),
  })
  await checkPage(page, '/settings/templates/new', 'light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('table', { name: 'Message templates' })).toContainText(name)
  await checkPage(page, '/settings/templates/list', 'dark')

  await visit(page, '/inbox')
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: from.name }).click()
  await page.getByRole('button', { name: 'Message templates' }).click()
  const search = page.getByRole('textbox', { name: 'Search templates' })
  await search.fill(name.toLowerCase())
  await expect(page.getByRole('option')).toHaveCount(1)
  await checkPage(page, '/inbox/templates', 'light')
  // Enter waits for the results of the new text, which has none, and takes no earlier one.
  await search.fill('nothing is called so')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(0)
  await search.fill(name)
  await page.keyboard.press('Enter')
  const composer = page.getByRole('textbox', { name: /^Message to/ })
  await expect(composer).toHaveValue(`Hello, ${from.name}! {{lead.unknown}}`)
  await expect(composer).toBeFocused()
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('offer.txt')
  await composer.press('Enter')
  const sent = page
    .getByRole('log')
    .getByRole('listitem')
    .filter({ hasText: `Hello, ${from.name}!` })
  await expect(sent.getByRole('link', { name: /offer\.txt/ })).toBeVisible()

  await visit(page, '/settings/templates')
  await page
    .getByRole('button', { name: new RegExp(name) })
    .last()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete template' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText(name)).toHaveCount(0)
  expect(seen).toEqual([])
})
