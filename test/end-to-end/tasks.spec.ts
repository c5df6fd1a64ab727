import { expect, type Page, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { mouseListeners } from './listeners.ts'
import { visit } from './navigate.ts'
import { watch } from './people.ts'
import { type Api, addRecord, administrator, personOn } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const unique = (name: string) => `${name} ${Math.random().toString(36).slice(2, 8)}`
const now = () => Math.floor(Date.now() / 1000)
const HOUR = 3_600
const DAY = 86_400

const addTask = (api: Api, text: string, due: number, more: object = {}) =>
  addRecord(api, 'tasks', { text, complete_till: due, ...more })
const row = (page: Page, text: string) => page.locator('[data-task]').filter({ hasText: text })
/** The section of a heading. */
const section = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) })
/** Searches for the tasks of one test only. */
const openTasks = async (page: Page, text: string, more = '') => {
  await visit(page, `/tasks?filter[text]=${encodeURIComponent(text)}${more}`)
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible()
}

test('tasks are grouped by deadline; one is completed with a result in place, reopened by undo, and postponed', async ({
  page,
}) => {
  const seen = watch(page)
  const api = await administrator(page)
  const mark = unique('invoice')
  const lead = await addRecord(api, 'leads', { name: unique('Bicycle') })
  const late = await addTask(api, `Old ${mark}`, now() - 2 * DAY, { entity_type: 'leads', entity_id: lead })
  await addTask(api, `Later ${mark}`, now() + 40 * DAY)
  await openTasks(page, mark)
  await expect(section(page, 'Overdue')).toContainText(`Old ${mark}`)
  await expect(section(page, 'Later')).toContainText(`Later ${mark}`)
  await expect(row(page, 'Old ').getByRole('link', { name: /Bicycle/ })).toBeVisible()

  await row(page, 'Old ')
    .getByRole('button', { name: /^Complete: / })
    .click()
  await page.getByRole('textbox', { name: 'Result' }).fill('Paid in cash')
  await page.keyboard.press('Enter')
  await expect(row(page, `Old ${mark}`)).toHaveCount(0)
  await expect.poll(async () => (await api.get(`tasks/${late}`)).result.text).toBe('Paid in cash')
  // The focus moves to the next task.
  await expect(row(page, 'Later ').getByRole('button').first()).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(section(page, 'Overdue')).toContainText(`Old ${mark}`)
  await expect.poll(async () => (await api.get(`tasks/${late}`)).is_completed).toBe(false)

  await row(page, 'Old ')
    .getByRole('button', { name: /^Due: / })
    .click()
  await page.getByRole('button', { name: /^In a month/ }).click()
  await expect(section(page, 'Overdue')).toHaveCount(0)
  await expect(section(page, 'Later')).toContainText(`Old ${mark}`)
  await expect
    .poll(async () => (await api.get(`tasks/${late}`)).complete_till)
    .toBeGreaterThan(now() + 28 * DAY)
  expect(seen).toEqual([])
})

test('a task is added to a record that is found by name', async ({ page }) => {
  const api = await administrator(page)
  const name = unique('Velomondo')
  const company = await addRecord(api, 'companies', { name })
  await page.goto('/tasks')
  await page.getByRole('button', { name: 'New task' }).click()
  const text = unique('Send the catalogue')
  await page.getByRole('textbox', { name: 'Task description' }).fill(text)
  await page.getByPlaceholder(/^Link to a record/).fill(name.slice(0, 12))
  await page.getByRole('option', { name }).click()
  await page.getByRole('button', { name: 'Add task' }).click()
  await expect(row(page, text)).toContainText(name)
  const found = await api.get(`tasks?filter[entity_type]=companies&filter[entity_id]=${company}`)
  expect(found._embedded.tasks.map((task: { text: string }) => task.text)).toEqual([text])
})

test('filters and the search are in the address, and a filter shows completed tasks', async ({ page }) => {
  const api = await administrator(page)
  const mark = unique('order')
  const contact = await addRecord(api, 'contacts', { name: unique('Rosa') })
  await addTask(api, `Ask ${mark}`, now() + HOUR, { entity_type: 'contacts', entity_id: contact })
  await addTask(api, `Meet ${mark}`, now() + HOUR, { task_type_id: 2 })
  await addTask(api, `Done ${mark}`, now() - HOUR, { is_completed: true, result: { text: 'All sent' } })
  await openTasks(page, mark)
  await expect(row(page, mark)).toHaveCount(2)
  await openTasks(page, mark, '&filter[task_type]=2')
  await expect(row(page, mark)).toHaveCount(1)
  await openTasks(page, mark, `&filter[entity_type]=contacts&filter[entity_id]=${contact}`)
  await expect(row(page, mark)).toContainText(`Ask ${mark}`)
  await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Rosa')
  await openTasks(page, mark, '&filter[is_completed]=1')
  await expect(row(page, mark)).toContainText('All sent')
  await page.getByRole('searchbox').fill(`nothing of ${mark}`)
  await expect(page).toHaveURL(/nothing/)
  await expect(page.getByText('No tasks match these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await expect(page).toHaveURL(/\/tasks$/)
})

test('arrow keys move between tasks, x completes, and the menus of a row are mounted when they are opened', async ({
  page,
}) => {
  const api = await administrator(page)
  const mark = unique('keys')
  await addTask(api, `First ${mark}`, now() - 3 * DAY)
  const second = await addTask(api, `Second ${mark}`, now() + 40 * DAY)
  await openTasks(page, `nothing of ${mark}`)
  await expect(page.getByText('No tasks match these filters')).toBeVisible()
  const listeners = await mouseListeners(page)
  await openTasks(page, mark)
  await expect(row(page, mark)).toHaveCount(2)
  expect(await mouseListeners(page)).toBe(listeners)
  const more = row(page, 'First ').getByRole('button', { name: /^More: / })
  await more.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
  await more.click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await more.click()
  await expect(page.locator('[role="menu"]:focus-within')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await row(page, 'First ').getByText('First').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Second ')).toHaveCount(0)
  await expect.poll(async () => (await api.get(`tasks/${second}`)).is_completed).toBe(true)
})

test('a person sees their own tasks and completes those that their permissions allow', async ({
  page,
  request,
}) => {
  const admin = await administrator({ request })
  const mark = unique('rights')
  const rights = { tasks: { edit: 'M', delete: 'D' } }
  const colleague = await personOn(page, admin, { name: 'Mia Quiet', rights })
  await addTask(admin, `Hers ${mark}`, now() + HOUR, { responsible_user_id: colleague.id })
  const lead = await addRecord(admin, 'leads', { name: unique('Seen') })
  await addTask(admin, `Mine ${mark}`, now() + HOUR, { entity_type: 'leads', entity_id: lead })
  await openTasks(colleague.page, mark)
  await expect(row(colleague.page, mark)).toHaveCount(1)
  await colleague.page.getByText('Everyone’s').click()
  await expect(row(colleague.page, mark)).toHaveCount(2)
  await expect(row(colleague.page, 'Mine ').getByRole('button', { name: /^Complete: / })).toBeDisabled()
  await row(colleague.page, 'Hers ')
    .getByRole('button', { name: /^Complete: / })
    .click()
  await colleague.page.getByRole('button', { name: 'Complete', exact: true }).click()
  await expect(row(colleague.page, mark)).toHaveCount(1)
})

test('two browsers stay in sync, and a rejected change is reverted', async ({ page, browser, baseURL }) => {
  const api = await administrator(page)
  const mark = unique('live')
  const id = await addTask(api, `Together ${mark}`, now() + HOUR)
  const other = await browser.newContext({ baseURL })
  const there = await other.newPage()
  await administrator(there)
  await openTasks(page, mark)
  await openTasks(there, mark)
  await expect(row(there, mark)).toHaveCount(1)
  await page.route(`**/web/v4/tasks/${id}`, (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"type":"#unavailable"}' }),
  )
  const complete = async () => {
    await row(page, mark)
      .getByRole('button', { name: /^Complete: / })
      .click()
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
  }
  await complete()
  await expect(page.getByText('The server is not available right now')).toBeVisible()
  await expect(row(page, mark)).toHaveCount(1)
  await page.unroute(`**/web/v4/tasks/${id}`)
  await complete()
  await expect(row(there, mark)).toHaveCount(0)
  await other.close()
})

test('the error of a rejected change is shown although its row has moved to another day', async ({
  page,
}) => {
  const api = await administrator(page)
  const mark = unique('refused')
  const id = await addTask(api, `Once ${mark}`, now() - 2 * DAY)
  await openTasks(page, mark)
  await row(page, mark).getByText('Once').click()
  const dialog = page.getByRole('dialog', { name: 'Task' })
  await dialog.getByRole('button', { name: /^Due: / }).click()
  await page.getByRole('button', { name: /^In a month/ }).click()
  const refusal = Promise.withResolvers<void>()
  await page.route(`**/web/v4/tasks/${id}`, async (route) => {
    await refusal.promise
    await route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"type":"#unavailable"}',
    })
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(section(page, 'Later')).toContainText(`Once ${mark}`)
  refusal.resolve()
  await expect(page.getByText('The server is not available right now')).toBeVisible()
  await expect(section(page, 'Overdue')).toContainText(`Once ${mark}`)
})

test('the dialog of a task stays open when somebody completes the task, and a double click saves once', async ({
  page,
}) => {
  const api = await administrator(page)
  const mark = unique('completed')
  const id = await addTask(api, `Typed ${mark}`, now() + HOUR)
  await addTask(api, `Next ${mark}`, now() + HOUR)
  await openTasks(page, mark)
  await row(page, 'Typed').getByText('Typed').click()
  const dialog = page.getByRole('dialog', { name: 'Task' })
  const text = `Typed ${mark} with care`
  await dialog.getByRole('textbox', { name: 'Task' }).fill(text)
  await api.patch(`tasks/${id}`, { is_completed: true, result: { text: 'Done by somebody else' } })
  await expect(row(page, 'Typed')).toHaveCount(0)
  await expect(dialog.getByRole('textbox', { name: 'Task' })).toHaveValue(text)
  let writes = 0
  page.on('request', (request) => {
    writes += Number(request.method() === 'PATCH')
  })
  await dialog.getByRole('button', { name: 'Save' }).dblclick()
  await expect(dialog).toHaveCount(0)
  await expect.poll(async () => (await api.get(`tasks/${id}`)).text).toBe(text)
  expect(writes).toBe(1)
  await expect(row(page, 'Next').locator(':focus')).toHaveCount(1)
  await row(page, 'Next')
    .getByRole('button', { name: /^More: / })
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await expect(row(page, 'Next')).toHaveCount(0)
  await expect(page.locator('main:focus, main :focus')).toHaveCount(1)
})

for (const colorScheme of themesOf('tasks')) {
  test(`the page in ${colorScheme} and on a phone, with a long text`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    const api = await administrator(page)
    const long = unique('').trim() + 'Rindfleischetikettierung'.repeat(9)
    await addTask(api, long, now() - HOUR, { result: null })
    await openTasks(page, long.slice(0, 30))
    await expect(row(page, long)).toBeVisible()
    await checkPage(page, 'tasks', colorScheme)
    await page.setViewportSize({ width: 390, height: 844 })
    await row(page, long)
      .first()
      .getByRole('button', { name: /^Complete: / })
      .click()
    await checkPage(page, 'tasks-telephone', colorScheme)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: 'New task' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await checkPage(page, 'tasks-new', colorScheme)
  })
}
