import { expect, type Page, test } from '@playwright/test'
import { visit } from './navigate.ts'
import { ask } from './own-api.ts'
import { bringIn, signIn, watch } from './people.ts'

interface Role {
  id: number
  name: string
  rights: Record<'leads' | 'contacts', Record<string, string>>
}

const mark = () => Date.now().toString(36)
const addRole = (page: Page) => ask<Role>(page, 'POST', '/web/v4/roles', { name: `Role ${mark()}` })

async function addPerson(page: Page, role_id: number) {
  const name = `Uma ${mark()}`
  const person = { name, email: `${mark()}@example.com`, password: 'blue otter sings 9', role_id }
  const { _embedded } = await ask<{ _embedded: { users: { id: number }[] } }>(page, 'POST', '/web/v4/users', [
    person,
  ])
  return { ...person, id: Number(_embedded.users[0]?.id) }
}

test('a role that people have is not deleted, and a person is deactivated after a question', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const role = await addRole(page)
  const person = await addPerson(page, role.id)
  const dialog = page.getByRole('dialog')
  await page.goto(`/settings/roles/${role.id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog).toContainText('People still have this role. Give them another role first.')
  await dialog.getByRole('link', { name: 'People' }).click()
  await page.getByRole('link', { name: person.name }).click()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await expect(dialog).toContainText('these integrations have to be authorized again')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('This person is inactive')).toBeHidden()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('This person is inactive')).toBeVisible()
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(page.getByText('This person is inactive')).toBeHidden()
  await page.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page).toHaveURL(/\/settings\/people$/)
  await page.goto(`/settings/roles/${role.id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog).toContainText('Nobody has this role.')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page).toHaveURL(/\/settings\/roles$/)
  expect(seen).toEqual([])
})

test('before a person is removed, their records and open tasks are counted and can be opened', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const person = await addPerson(page, (await addRole(page)).id)
  const name = `Left behind ${person.id}`
  const their = { responsible_user_id: person.id }
  await ask(page, 'POST', '/web/v4/leads', [
    { name, ...their },
    { name: `${name}, too`, ...their },
  ])
  await ask(page, 'POST', '/web/v4/customers', [{ name, ...their }])
  const task = { text: `${name}: call`, complete_till: Math.floor(Date.now() / 1000) + 86_400, ...their }
  await ask(page, 'POST', '/web/v4/tasks', [task, { ...task, is_completed: true }])
  await page.goto(`/settings/people/${person.id}`)
  await page.getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('The person stays responsible for these records.')
  await expect(dialog.getByRole('listitem')).toHaveText(['Leads 2', 'Customers 1', 'Open tasks 1'])
  await dialog.getByRole('link', { name: 'Leads' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await visit(page, `/settings/people/${person.id}`)
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByRole('link', { name: 'Open tasks' }).click()
  await expect(page.getByText(task.text)).toHaveCount(1)
  expect(seen).toEqual([])
})

test('a saved role keeps the rights that another administrator changed meanwhile', async ({ page }) => {
  await signIn(page)
  const role = await addRole(page)
  await page.goto(`/settings/roles/${role.id}`)
  await page.getByLabel('Contacts: View').selectOption('M')
  const leads = { view: 'A', edit: 'A', add: 'A', delete: 'D', export: 'D' }
  await ask(page, 'PATCH', `/web/v4/roles/${role.id}`, { rights: { leads } })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved').first()).toBeVisible()
  const { rights } = await ask<Role>(page, 'GET', `/web/v4/roles/${role.id}`)
  expect([rights.leads, rights.contacts.view]).toEqual([leads, 'M'])
  await ask(page, 'DELETE', `/web/v4/roles/${role.id}`)
})

test('the administrator keeps their own access, and UTC is among the time zones', async ({ page }) => {
  await signIn(page)
  const { user } = await ask<{ user: { id: number } }>(page, 'GET', '/web/session')
  await page.goto(`/settings/people/${user.id}`)
  await expect(page.getByRole('switch', { name: 'Administrator' })).toBeDisabled()
  await page.goto('/settings/account')
  await page.getByLabel('Time zone').and(page.locator('input')).fill('UTC')
  await expect(page.getByRole('option', { name: 'UTC', exact: true })).toBeVisible()
})

test('customers are turned off and on in the way that was chosen', async ({ page }) => {
  await signIn(page)
  const mode = async () =>
    (await ask<{ customers_mode: string }>(page, 'GET', '/web/v4/account')).customers_mode
  await page.goto('/settings/pipelines')
  const customers = page.getByRole('combobox', { name: 'Customers' })
  for (const [label, expected] of [
    ['On', 'segments'],
    ['Off', 'disabled'],
    ['On, with purchase dates', 'periodicity'],
  ] as const) {
    await customers.click()
    await page.getByRole('option', { name: label, exact: true }).click()
    await expect.poll(mode).toBe(expected)
    await expect(customers).toHaveValue(label)
  }
})

test('a pasted text that does not fit is announced', async ({ page }) => {
  await signIn(page)
  await page.goto('/settings/groups')
  const name = page.getByRole('textbox', { name: 'Group name' })
  const paste = (length: number) =>
    page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'x'.repeat(${length}))
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    }`)
  await name.fill('Group')
  const notice = page.getByText('Only 255 characters fit here.')
  await paste(250)
  await expect(notice).toBeHidden()
  await paste(251)
  await expect(notice).toBeVisible()
})

test('the time from which deliveries are sent again is in the time zone of the list', async ({
  browser,
  baseURL,
}) => {
  const timezoneId = 'America/Los_Angeles'
  const context = await browser.newContext({ baseURL, timezoneId })
  const page = await context.newPage()
  await signIn(page)
  const hook = { destination: 'http://127.0.0.1:4997/hook', settings: ['add_lead'] }
  const { id } = await ask<{ id: number }>(page, 'POST', '/web/v4/webhooks', hook)
  await page.goto(`/developers/deliveries?receiver=webhook:${id}`)
  await page.getByRole('button', { name: 'Send again since…' }).click()
  const typed = await page.getByRole('dialog').getByLabel('Queued since').inputValue()
  const written = new Date(Date.now() - 86_400_000).toLocaleString('sv', { timeZone: timezoneId })
  expect(Math.abs(Date.parse(`${typed}Z`) - Date.parse(`${written.replace(' ', 'T')}Z`))).toBeLessThan(
    10 * 60_000,
  )
  await context.close()
})

test('a page without permission says so and leads to the start', async ({ page, browser, baseURL }) => {
  await signIn(page)
  const { email, password } = await addPerson(page, (await addRole(page)).id)
  const context = await browser.newContext({ baseURL })
  await bringIn(context, email, password)
  const theirs = await context.newPage()
  for (const path of ['/settings/people', '/import/new/contacts']) {
    await theirs.goto(path)
    await expect(theirs.getByRole('heading', { name: 'You cannot open this page' })).toBeVisible()
    await expect(theirs.getByRole('alert')).toHaveCount(0)
  }
  await theirs.getByRole('link', { name: 'Go to home page' }).click()
  await expect(theirs).toHaveURL(/\/$/)
  await context.close()
})
