import { expect, type Page, test } from '@playwright/test'
import { visit } from './navigate.ts'
import { addFields, addRecord, administrator } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const PART = '**/drive/v1.0/sessions/upload/**'
const unique = (name: string) => `${name} ${Date.now().toString(36)}`
const bytesOf = (size: number) => ({ name: 'c.txt', mimeType: 'text/plain', buffer: Buffer.alloc(size, 'x') })

/** Opens the editor of a new field of files on a new lead. */
async function openField(page: Page): Promise<{ name: string; choose: (size: number) => Promise<void> }> {
  const api = await administrator(page)
  const name = unique('Contract')
  await addFields(api, 'leads', [{ name, type: 'file' }])
  const id = await addRecord(api, 'leads', { name: unique('Uploads') })
  await visit(page, `/leads/${id}`)
  await page.getByRole('button', { name: /^Show \d+ empty field/ }).click()
  await page.getByRole('button', { name: `Edit: ${name}`, exact: true }).click()
  const choose = (size: number) => page.locator('input[type=file]').last().setInputFiles(bytesOf(size))
  return { name, choose }
}

test('an empty file is refused in words, and a part that was lost is sent again', async ({ page }) => {
  const { choose } = await openField(page)
  await choose(0)
  const fault = page.getByRole('region', { name: 'Details' }).getByRole('alert')
  await expect(fault).toHaveText('The file is empty, or larger than the server allows.')

  let sent = 0
  await page.route(PART, (route) => {
    sent += 1
    return sent === 1 ? route.abort('connectionreset') : route.continue()
  })
  await choose(600_000)
  await expect(
    page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'c.txt' }),
  ).toBeVisible()
  expect(sent).toBe(3)
})

test('an upload that a person cancels ends, and gives its space back', async ({ page }) => {
  const { name, choose } = await openField(page)
  const started = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  const methods: string[] = []
  await page.route(PART, async (route) => {
    methods.push(route.request().method())
    started.resolve()
    if (route.request().method() === 'POST') await cancelled.promise
    await route.continue()
  })
  await choose(1_200_000)
  await started.promise
  const ended = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  cancelled.resolve()
  expect((await ended).status()).toBe(204)
  expect(methods).toEqual(['POST', 'DELETE'])
  await expect(page.getByRole('button', { name: `Edit: ${name}`, exact: true })).toBeVisible()
})

test('an administrator finds a file by its name, moves it to the trash, restores it and deletes it permanently', async ({
  page,
}) => {
  const { choose } = await openField(page)
  await choose(10)
  await expect(
    page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'c.txt' }),
  ).toBeVisible()
  await visit(page, '/settings/files')
  const rows = page.getByRole('table', { name: 'Files' }).getByRole('row').filter({ hasText: 'c.txt' })
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('C.TX')
  const before = await rows.count()
  const focused = page.locator(':focus')
  await expect(rows.first()).toContainText('10')
  await rows.first().getByRole('button', { name: 'Delete “c.txt”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
  await expect(page.getByText('The file is in the trash.')).toBeVisible()
  await expect(rows).toHaveCount(before - 1)
  // The focus does not go with the row.
  await expect(focused).toHaveCount(1)
  await page.getByText('Trash', { exact: true }).click()
  await expect(rows).toHaveCount(1)
  await rows.getByRole('button', { name: 'Restore c.txt' }).click()
  await expect(page.getByText('The file was restored.')).toBeVisible()
  await expect(page.getByText('Nothing matches “C.TX”')).toBeVisible()
  await expect(focused).toHaveCount(1)

  await page.getByText('Files', { exact: true }).last().click()
  await rows.first().getByRole('button', { name: 'Delete “c.txt”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
  await expect(rows).toHaveCount(before - 1)
  await page.getByText('Trash', { exact: true }).click()
  await rows.getByRole('button', { name: 'Delete “c.txt”' }).click()
  const asked = page.getByRole('dialog', { name: 'Delete c.txt permanently?' })
  await asked.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('The file was deleted.')).toBeVisible()
  await expect(page.getByText('Nothing matches “C.TX”')).toBeVisible()
})
