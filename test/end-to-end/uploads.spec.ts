import { expect, type Page, test } from '@playwright/test'
import { visit } from './navigate.ts'
import { addFields, addRecord, administrator } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const PART = '**/drive/v1.0/sessions/upload/**'
const unique = (name: string) => `${name} ${Date.now().toString(36)}`
const bytesOf = (size: number) => ({ name: 'c.txt', mimeType: 'text/plain', buffer: Buffer.alloc(size, 'x') })

/** Opens the editor of a new field of files on a new lead. */
async function openField(
  page: Page,
): Promise<{ name: string; card: string; choose: (size: number) => Promise<void> }> {
  const api = await administrator(page)
  const name = unique('Contract')
  await addFields(api, 'leads', [{ name, type: 'file' }])
  const card = unique('Uploads')
  const id = await addRecord(api, 'leads', { name: card })
  await visit(page, `/leads/${id}`)
  await page.getByRole('button', { name: /^Show \d+ empty field/ }).click()
  await page.getByRole('button', { name: `Edit: ${name}`, exact: true }).click()
  const choose = (size: number) => page.locator('input[type=file]').last().setInputFiles(bytesOf(size))
  return { name, card, choose }
}

test('an empty file is refused in words, and a part that was lost is sent again', async ({ page }) => {
  const { choose } = await openField(page)
  await choose(0)
  const fault = page.getByRole('region', { name: 'Details' }).getByRole('alert')
  await expect(fault).toHaveText('An empty file cannot be stored. Choose a file with content.')

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
  const { card, choose } = await openField(page)
  await choose(10)
  await expect(
    page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'c.txt' }),
  ).toBeVisible()
  await visit(page, '/settings/files')
  const rows = page.getByRole('table', { name: 'Files' }).getByRole('row').filter({ hasText: 'c.txt' })
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('C.TX')
  await expect(rows.first()).toContainText('10')
  const before = await rows.count()
  const focused = page.locator(':focus')
  await rows.first().getByRole('button', { name: 'Delete “c.txt”' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText([card])
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

test('an administrator sees how much space the files take, and is warned before it is used up', async ({
  page,
}) => {
  await administrator(page)
  await visit(page, '/settings/files')
  await expect(page.getByText(/^[\d.]+ k?B of 10 GB used$/)).toBeVisible()
  const low = page.getByText('The space is almost used up.')
  await expect(low).toHaveCount(0)
  await page.route('**/web/file-space', (route) =>
    route.fulfill({ json: { used_bytes: 9.5 * 1024 ** 3, limit_bytes: 10 * 1024 ** 3 } }),
  )
  await page.reload()
  await expect(page.getByText('9.5 GB of 10 GB used')).toBeVisible()
  await expect(low).toBeVisible()
})

/** Holds the parts of uploads, and returns the methods of all requests about them. */
async function holdParts(page: Page): Promise<string[]> {
  const methods: string[] = []
  await page.route(PART, (route) => {
    methods.push(route.request().method())
    return route.request().method() === 'DELETE' ? route.continue() : undefined
  })
  return methods
}

const two = ['first.txt', 'second.txt'].map((name) => ({ ...bytesOf(900), name }))
const cancel = (page: Page, name: string) =>
  page.getByRole('button', { name: `Cancel the upload of ${name}` })

test('an empty file is refused when it is chosen for a message, and the others are kept', async ({
  page,
}) => {
  const api = await administrator(page)
  const [chat] = (await api.get('chats?limit=1'))._embedded.chats
  await visit(page, `/inbox/${chat.id}`)
  await page.locator('input[type=file]').setInputFiles([{ ...bytesOf(0), name: 'empty.txt' }, bytesOf(900)])
  await expect(page.getByRole('alert')).toHaveText(
    'An empty file cannot be stored. Choose a file with content.',
  )
  await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveText([
    /^c\.txt/,
  ])
  await page.getByRole('button', { name: 'Remove c.txt' }).click()
})

test('a message whose file is uploading is cancelled, and goes back to the composer with its text', async ({
  page,
}) => {
  const api = await administrator(page)
  const [chat] = (await api.get('chats?limit=1'))._embedded.chats
  await visit(page, `/inbox/${chat.id}`)
  const methods = await holdParts(page)
  const composer = page.getByRole('textbox', { name: /^Message to/ })
  await page.locator('input[type=file]').setInputFiles(two)
  await composer.fill('Both of them')
  await composer.press('Enter')
  await expect(composer).toHaveValue('')
  // The second one waits for the first one, and is cancelled at once all the same.
  await cancel(page, 'second.txt').click()
  await expect(composer).toBeFocused()
  await expect(page.getByRole('button', { name: 'Remove second.txt' })).toBeVisible()
  await expect(composer).toHaveValue('')
  await cancel(page, 'first.txt').click()
  await expect(composer).toHaveValue('Both of them')
  await expect(page.getByRole('button', { name: 'Remove first.txt' })).toBeVisible()
  await expect(page.getByRole('log').getByText(/Uploading|Sending/)).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect.poll(() => methods).toEqual(['POST', 'DELETE'])
  await page.unroute(PART)
  await composer.press('Enter')
  const sent = page.getByRole('log').getByRole('listitem')
  await expect(sent.filter({ hasText: 'first.txt' })).toContainText('Both of them')
  await expect(sent.filter({ hasText: 'second.txt' })).toBeVisible()
})

test('files whose upload to a card is cancelled or refused all go back to the composer', async ({ page }) => {
  const api = await administrator(page)
  const id = await addRecord(api, 'leads', { name: unique('Cancelled') })
  await visit(page, `/leads/${id}`)
  const write = page.getByRole('region', { name: 'Write' })
  const files = write.getByRole('listitem')
  const add = write.getByRole('button', { name: 'Add', exact: true })
  await page.getByRole('button', { name: 'File', exact: true }).click()
  await holdParts(page)
  await page.locator('input[type=file]').setInputFiles(two)
  await add.click()
  await expect(files).toHaveCount(0)
  await cancel(page, 'first.txt').click()
  await cancel(page, 'second.txt').click()
  await expect(files).toContainText(['first.txt', 'second.txt'])
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.unroute(PART)
  let refused = 0
  await page.route(PART, async (route) => {
    await route.fulfill({ status: 500, json: {} })
    refused += 1
  })
  await add.click()
  await expect.poll(() => refused).toBe(2)
  await expect(files).toContainText(['first.txt', 'second.txt'])
})
