import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { writeLate } from './delayed-writes.ts'
import { ask } from './own-api.ts'
import { signIn, watch } from './people.ts'

/** Uploads a file through the page and waits until it is parsed. */
async function give(page: Page, kind: string, csv: string): Promise<void> {
  await page.goto(`/import/new/${kind}`)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: `${kind} of ours.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(page).toHaveURL(/\/import\/\d+$/)
  await expect(page.getByRole('heading', { name: `${kind} of ours.csv` })).toBeVisible()
}

/** Unique contacts, so that no test has imported them before. */
interface Pipelines {
  _embedded: { pipelines: [{ id: number; _embedded: { statuses: { id: number; name: string }[] } }] }
}

const fresh = () => Math.random().toString(36).slice(2, 10)
const targetOf = (page: Page) => (column: string) =>
  page.getByRole('combobox', { name: `Import “${column}” into` })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' }).getByRole('table')

test('contacts are imported from a file: mapping, preview with faults, start, result, rejected rows, undo', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const word = fresh()
  const csv = [
    'Full name;Work email;Mobile;Boss',
    `Ann ${word};ann-${word}@example.com;+1 555 010 0101;Ada Demo`,
    `Bob ${word};bob-${word}@example.com;;Nobody ${word}`,
    `Cid ${word};cid-${word}@example.com;;`,
  ].join('\n')
  await give(page, 'contacts', csv)
  const target = targetOf(page)
  await expect(target('Full name')).toHaveValue('Name')
  await expect(target('Work email')).toHaveValue('Email')
  await expect(target('Boss')).toHaveValue('')
  await expect(page.getByText('3 will be added')).toBeVisible()
  await target('Boss').click()
  await page.getByRole('option', { name: 'Responsible' }).click()
  await expect(page.getByText('2 will be added · 1 cannot be imported')).toBeVisible()
  await expect(preview(page)).toContainText('Responsible: Nobody has this name or email.')
  await checkPage(page, 'import draft', 'light')

  await page.reload()
  await expect(target('Boss')).toHaveValue('Responsible')
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(page.getByText('Done, 1 rejected')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Rows to review' })).toContainText(
    `Boss “Nobody ${word}”: Nobody has this name or email.`,
  )
  await checkPage(page, 'import done', 'light')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Rejected rows' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^not-done-\d+\.csv$/)

  await page.getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo everything?' })
  await expect(dialog).toContainText('2 added records move to the trash.')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone', { exact: true })).toBeVisible()
  // An empty list has no body (V4).
  expect(await ask(page, 'GET', `/web/v4/contacts?query=${word}`)).toBeUndefined()
  await page.getByRole('main').getByRole('link', { name: 'Imports and bulk changes' }).click()
  await expect(page.getByRole('row', { name: /contacts of ours\.csv.*Undone/ }).first()).toBeVisible()
  expect(seen).toEqual([])
})

test('the preview shows more rows on request, and the result explains each skipped or suspicious row', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const word = fresh()
  const person = (i: number) => `Person ${i} ${word};p${i}-${word}@example.com;`
  const csv = [
    'Full name;Work email;Mobile',
    ...Array.from({ length: 24 }, (_, i) => person(i + 1)),
    `Again ${word};p3-${word}@example.com;`,
    `Nowhere ${word};not-an-email;not a phone`,
  ].join('\n')
  await give(page, 'contacts', csv)
  await expect(page.getByText('20 will be added', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show the first 26 rows' }).click()
  const said = '25 will be added · 1 will be skipped · 1 with a value that looks wrong'
  await expect(page.getByText(said)).toBeVisible()
  await expect(preview(page).getByRole('row', { name: /^25 Skip/ })).toContainText(
    'Email: A record with this email already exists.',
  )
  await expect(preview(page).getByRole('row', { name: /^26 Add/ })).toContainText(
    'Phone: Mobile: This does not look like a phone number.',
  )
  await expect(page.getByRole('button', { name: /^Show the first/ })).toBeHidden()
  await checkPage(page, 'import preview of more rows', 'light')

  await page.getByRole('button', { name: 'Import 26 rows' }).click()
  const report = page.getByRole('table', { name: 'Rows to review' })
  const rows = report.getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText(
    `Work email “p3-${word}@example.com”: A record with this email already exists.`,
  )
  await expect(rows.nth(2)).toContainText('Mobile “not a phone”: This does not look like a phone number.')
  await checkPage(page, 'import report', 'light')
  await page.getByText('Skipped 1', { exact: true }).click()
  await expect(rows).toHaveCount(2)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download list' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^report-\d+\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`"Work email","p3-${word}@example.com"`)
  await rows.nth(1).getByRole('link', { name: '25' }).click()
  await expect(page.getByRole('heading', { name: `Person 3 ${word}` })).toBeVisible()
  expect(seen).toEqual([])
})

test('columns mapped faster than they are saved are all mapped', async ({ page }) => {
  await signIn(page)
  await give(page, 'contacts', `Full name;Boss;Seat\nAnn ${fresh()};Ada Demo;Sales`)
  const target = targetOf(page)
  const choose = async (column: string, member: string) => {
    await target(column).click()
    await page.getByRole('option', { name: member, exact: true }).click()
    await expect(target(column)).toHaveValue(member)
  }
  const overtaking = await writeLate(page, /\/jobs\/\d+$/)
  await choose('Boss', 'Responsible')
  await choose('Seat', 'Position')
  expect(await overtaking()).toBe(0)
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  for (const _ of ['as it is', 'read again']) {
    await expect(target('Boss')).toHaveValue('Responsible')
    await expect(target('Seat')).toHaveValue('Position')
    await page.reload()
  }
})

test('an unreadable file shows the reason, and another one is accepted', async ({ page }) => {
  await signIn(page)
  await page.goto('/import/new/leads')
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('Name,Price\n') })
  await expect(page.getByRole('alert')).toContainText('This file has no rows')
  await file.setInputFiles({ name: 'b.csv', mimeType: 'text/csv', buffer: Buffer.from('Name\n"Ann\nBob\n') })
  await expect(page.getByRole('alert')).toContainText('a quotation mark is not closed')
  await give(page, 'leads', `Deal,Budget\nBig ${fresh()},100\n`)
  await expect(page.getByText('1 will be added')).toBeVisible()
})

test('a file that is uploading is named, and its upload can be cancelled', async ({ page }) => {
  await signIn(page)
  await page.goto('/import/new/leads')
  const uploads = '**/web/v4/jobs/imports?*'
  await page.route(uploads, () => {})
  const file = { name: 'slow.csv', mimeType: 'text/csv', buffer: Buffer.from(`Deal\nSlow ${fresh()}\n`) }
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByRole('status').filter({ hasText: 'Uploading slow.csv' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByText('Uploading slow.csv')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.unroute(uploads)
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByRole('heading', { name: 'slow.csv' })).toBeVisible()
})

test('a draft is in the list and can be discarded', async ({ page }) => {
  await signIn(page)
  await give(page, 'companies', `Company,Website\nAcme ${fresh()},https://example.com\n`)
  await page.getByRole('main').getByRole('link', { name: 'Imports and bulk changes' }).click()
  await page.getByRole('link', { name: 'companies of ours.csv' }).first().click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page
    .getByRole('dialog', { name: 'Discard this import?' })
    .getByRole('button', { name: 'Discard' })
    .click()
  await expect(page).toHaveURL(/\/import$/)
  await expect(page.getByRole('row', { name: /companies of ours\.csv.*Canceled/ }).first()).toBeVisible()
})

test('the pages of an import pass the checks and fit a phone', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  for (const colorScheme of themesOf('import')) {
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.emulateMedia({ colorScheme })
    await page.goto('/import/new/contacts')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await checkPage(page, '/import/new/contacts', colorScheme)
    const long = 'x'.repeat(200)
    await give(page, 'contacts', `Name,${long}\n${long},${long}\n`)
    await expect(preview(page)).toBeVisible()
    await checkPage(page, 'import long', colorScheme)
    await page.setViewportSize({ width: 390, height: 800 })
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(390)
  }
  expect(seen).toEqual([])
})

test('selected rows are deleted in bulk and restored by undo', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const word = fresh()
  const drafts = ['One', 'Two', 'Three'].map((name) => ({ name: `${name} ${word}` }))
  await ask(page, 'POST', '/web/v4/leads', drafts)
  const total = async () =>
    (await ask<{ total: number }>(page, 'GET', `/web/v4/leads/totals?query=${word}`)).total
  await page.goto(`/leads?shape=list&query=${word}`)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 3 records' })
  await checkPage(page, 'bulk dialog', 'light')
  await dialog.getByRole('button', { name: 'Delete…' }).click()
  await expect(dialog).toContainText('3 records move to the trash')
  await dialog.getByRole('button', { name: 'Delete 3' }).click()
  await expect(dialog).toBeHidden()
  const toast = page.getByRole('alert')
  await expect(toast).toHaveText(/^3 records moved to the trash/)
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(toast.filter({ hasText: 'The change was undone' })).toBeVisible()
  expect(await total()).toBe(3)
  expect(seen).toEqual([])
})

test('undo of a bulk change says which records it left as they are', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const word = fresh()
  await ask(page, 'POST', '/web/v4/leads', [{ name: `One ${word}` }, { name: `Two ${word}` }])
  await page.goto(`/leads?shape=list&query=${word}`)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 2 records' })
  await dialog.getByRole('combobox', { name: 'Stage' }).click()
  await page.getByRole('option', { name: 'Decision making' }).click()
  await dialog.getByRole('button', { name: 'Change 2' }).click()
  const toast = page.getByRole('alert')
  await expect(toast).toHaveText(/^2 records changed/)
  const { _embedded } = await ask<{ _embedded: { leads: { id: number; pipeline_id: number }[] } }>(
    page,
    'GET',
    `/web/v4/leads?query=${word}`,
  )
  await ask(page, 'PATCH', `/web/v4/leads/${_embedded.leads[0]?.id}`, { status_id: 142 })
  await toast.getByRole('button', { name: 'Undo' }).click()
  const notice = page.getByRole('alert').filter({ hasText: '1 record could not be undone' })
  await notice.getByRole('link', { name: 'View reasons' }).click()
  await expect(page.getByRole('main')).toContainText('Someone has changed it since.')
  const kept = (await ask<{ name: string }>(page, 'GET', `/web/v4/leads/${_embedded.leads[0]?.id}`)).name
  await expect(page.getByRole('table').getByRole('link', { name: kept, exact: true })).toBeVisible()
  expect(seen).toEqual([])
})

test('a notice tells of records that a bulk change rejected, and leads to the reasons', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const word = fresh()
  const pipeline = await ask<Pipelines>(page, 'POST', '/web/v4/leads/pipelines', [
    {
      name: `Orders ${word}`,
      sort: 900,
      is_main: false,
      is_unsorted_on: false,
      _embedded: { statuses: [{ name: `Ordered ${word}`, sort: 20 }] },
    },
  ])
  const [{ id, _embedded }] = pipeline._embedded.pipelines
  const status = _embedded.statuses.find(({ name }) => name === `Ordered ${word}`)
  await ask(page, 'POST', '/web/v4/leads/custom_fields', [
    { name: `Size ${word}`, type: 'text', required_statuses: [{ pipeline_id: id, status_id: status?.id }] },
  ])
  await ask(page, 'POST', '/web/v4/leads', [{ name: `One ${word}` }, { name: `Two ${word}` }])
  await page.goto(`/leads?shape=list&query=${word}`)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 2 records' })
  await dialog.getByRole('combobox', { name: 'Stage' }).click()
  await page.getByRole('option', { name: `Ordered ${word}` }).click()
  await dialog.getByRole('button', { name: 'Change 2' }).click()
  const notice = page.getByRole('alert').filter({ hasText: '2 records were rejected' })
  await notice.getByRole('link', { name: 'View reasons' }).click()
  await expect(page).toHaveURL(/\/import\/\d+$/)
  await expect(page.getByRole('main')).toContainText(`Size ${word}`)
  expect(seen).toEqual([])
})
