import { type Dialog, expect, type Page, test } from '@playwright/test'
import { visit } from './navigate.ts'
import { watch } from './people.ts'
import { addFields, addRecord, administrator } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const unique = (name: string) => `${name} ${Math.random().toString(36).slice(2, 8)}`
const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' })
const keep = (page: Page) => question(page).getByRole('button', { name: 'Keep editing' }).click()
const discard = (page: Page) => question(page).getByRole('button', { name: 'Discard' }).click()

/** Reloads the page and refuses to lose input. Returns the questions of the browser. */
async function refuseReload(page: Page): Promise<string[]> {
  const asked: string[] = []
  const refuse = (dialog: Dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  }
  page.on('dialog', refuse)
  await page.evaluate('void setTimeout(() => location.reload())')
  await expect.poll(() => asked).toHaveLength(1)
  page.off('dialog', refuse)
  return asked
}

test('a settings form with changes asks before it is left by a link, by Back and by a reload', async ({
  page,
}) => {
  const seen = watch(page)
  await administrator(page)
  await page.goto('/settings/roles')
  await visit(page, '/settings/profile')
  const name = page.getByRole('textbox', { name: 'Your name' })
  const before = await name.inputValue()
  await name.fill('Somebody else')

  await page.getByRole('link', { name: 'Contacts' }).click()
  await expect(question(page)).toBeVisible()
  await keep(page)
  await expect(page).toHaveURL(/\/settings\/profile$/)
  await expect(name).toHaveValue('Somebody else')

  await page.goBack()
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/settings\/profile$/)
  await expect(name).toHaveValue('Somebody else')
  expect(await refuseReload(page)).toEqual(['beforeunload'])

  await page.goBack()
  await discard(page)
  await expect(page.getByRole('heading', { name: 'Roles', level: 1 })).toBeVisible()
  await visit(page, '/settings/profile')
  await expect(name).toHaveValue(before)
  expect(seen).toEqual([])
})

test('a form that was saved or discarded asks nothing', async ({ page }) => {
  await administrator(page)
  await page.goto('/settings/roles/new')
  const role = unique('Packer')
  await page.getByRole('textbox', { name: 'Role name' }).fill(role)
  await page.getByRole('button', { name: 'Add role' }).click()
  await page.getByRole('link', { name: role }).click()
  const name = page.getByRole('textbox', { name: 'Role name' })
  await name.fill(`${role} 2`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await name.fill(`${role} 3`)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('link', { name: 'Contacts' }).click()
  await expect(page).toHaveURL(/\/contacts/)
  await expect(question(page)).toHaveCount(0)
})

test('a dialog with input does not close by a click outside, and asks after Escape', async ({ page }) => {
  await administrator(page)
  await page.goto('/leads?shape=list')
  await page.getByRole('button', { name: 'New lead' }).click()
  const form = page.getByRole('dialog', { name: 'New lead' })
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.mouse.click(20, 20)
  await expect(form).toHaveCount(0)

  await page.getByRole('button', { name: 'New lead' }).click()
  const name = form.getByRole('textbox', { name: 'Name' })
  const typed = unique('Bicycle')
  await name.fill(typed)
  await page.mouse.click(20, 20)
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeVisible()
  await expect(form).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(name).toBeFocused()
  await expect(name).toHaveValue(typed)
  await form.getByRole('button', { name: 'Close' }).click()
  await discard(page)
  await expect(form).toHaveCount(0)

  await page.getByRole('button', { name: 'New lead' }).click()
  await expect(name).toHaveValue('')
  await name.fill(typed)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: typed })).toBeVisible()
  await expect(question(page)).toHaveCount(0)
})

test('an open editor of a card asks before a reload; a click on a link and Back save, unless the value has a fault', async ({
  page,
}) => {
  const api = await administrator(page)
  const id = await addRecord(api, 'leads', { name: unique('Bicycle'), price: 100 })
  await page.goto('/settings/roles')
  await visit(page, `/leads/${id}`)
  await page.getByRole('button', { name: 'Edit: Sale' }).click()
  const price = page.getByRole('textbox', { name: 'Sale' })
  await price.fill('250')
  expect(await refuseReload(page)).toEqual(['beforeunload'])
  await expect(price).toHaveValue('250')
  await page.getByRole('link', { name: 'Contacts' }).click()
  await expect(page).toHaveURL(/\/contacts/)
  await expect.poll(async () => (await api.get(`leads/${id}`)).price).toBe(250)

  await page.goBack()
  await page.getByRole('button', { name: 'Edit: Sale' }).click()
  await price.fill('much')
  await page.goBack()
  await keep(page)
  await expect(price).toHaveValue('much')
  await price.fill('300')
  await page.goBack()
  await expect(page).toHaveURL(/\/settings\/roles$/)
  await expect.poll(async () => (await api.get(`leads/${id}`)).price).toBe(300)
})

test('an incomplete date and a year with two digits are not saved, and the editor says why', async ({
  page,
}) => {
  const api = await administrator(page)
  const [day, birthday] = await addFields(api, 'contacts', [
    { name: unique('Delivery'), type: 'date' },
    { name: unique('Born'), type: 'birthday' },
  ])
  const id = await addRecord(api, 'contacts', { name: unique('Anna') })
  await page.goto(`/contacts/${id}`)
  await page.getByRole('button', { name: /^Show \d+ empty fields/ }).click()
  await page.getByRole('button', { name: `Edit: ${day?.name}` }).click()
  await page.keyboard.type('1201')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Complete the date.')
  await page.keyboard.type('2030')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Dec 1, 2030').first()).toBeVisible()

  await page.getByRole('button', { name: `Edit: ${birthday?.name}` }).click()
  await page.keyboard.type('01011985')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Jan 1, 1985').first()).toBeVisible()
  await page.getByRole('button', { name: `Edit: ${birthday?.name}` }).click()
  await page.keyboard.type('010185')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Enter the year with four digits.')
  await page.keyboard.press('Escape')
  // A value is shown before the server has it.
  const stored = async () => (await api.get(`contacts/${id}`)).custom_fields_values
  await expect.poll(stored).toHaveLength(2)
  await expect(page.getByText('Jan 1, 1985').first()).toBeVisible()
})

test('the result of a task is in its form again after the server refused it', async ({ page }) => {
  const api = await administrator(page)
  const text = unique('Call')
  const id = await addRecord(api, 'tasks', { text, complete_till: Math.floor(Date.now() / 1000) + 3_600 })
  await page.goto(`/tasks?filter[text]=${encodeURIComponent(text)}`)
  await page.route(/\/web\/v4\/tasks\/\d+$/, (route) => route.abort())
  const row = page.locator('[data-task]').filter({ hasText: text })
  await row.getByRole('button', { name: /^Complete: / }).click()
  await page.getByRole('textbox', { name: 'Result' }).fill('Reached her')
  await page.keyboard.press('Enter')
  const result = row.getByRole('textbox', { name: 'Result' })
  await expect(result).toHaveValue('Reached her')
  await page.unrouteAll()
  await result.press('Enter')
  await expect.poll(async () => (await api.get(`tasks/${id}`)).result.text).toBe('Reached her')
  await expect(page.getByRole('textbox', { name: 'Result' })).toHaveCount(0)
})

test('a message whose file is still uploading is not lost by a reload without a question', async ({
  page,
}) => {
  const api = await administrator(page)
  const [chat] = (await api.get('chats?limit=1'))._embedded.chats
  await visit(page, `/inbox/${chat.id}`)
  await page.route('**/drive/v1.0/sessions/upload/**', () => {})
  const composer = page.getByRole('textbox', { name: /^Message to/ })
  await page.locator('input[type=file]').setInputFiles({
    name: 'film.txt',
    mimeType: 'text/plain',
    buffer: Buffer.alloc(900, 'x'),
  })
  await composer.fill('The film')
  await composer.press('Enter')
  await expect(page.getByRole('log').getByText('Uploading 0%')).toBeVisible()
  expect(await refuseReload(page)).toEqual(['beforeunload'])
  await page.getByRole('button', { name: 'Cancel the upload of film.txt' }).click()
  await expect(composer).toHaveValue('The film')
  await composer.fill('')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('what is entered before a late response is neither lost nor called saved', async ({ page }) => {
  const api = await administrator(page)
  const [role, other, third] = [unique('Role'), unique('Role'), unique('Role')]
  const id = await addRecord(api, 'roles', { name: role, rights: {} })
  let answer = Promise.withResolvers<void>()
  await page.route(/\/web\/v4\/(roles|tasks|leads\/\d+\/notes)/, async (route) => {
    if (route.request().method() !== 'GET') await answer.promise
    await route.continue()
  })
  await page.goto(`/settings/roles/${id}`)
  const name = page.getByRole('textbox', { name: 'Name' })
  const save = page.getByRole('button', { name: 'Save' })
  await name.fill(other)
  await save.click()
  await name.fill(third)
  answer.resolve()
  await expect(page.getByText('Saved').first()).toBeVisible()
  await expect(name).toHaveValue(third)
  expect((await api.get(`roles/${id}`)).name).toBe(other)
  await page.getByRole('link', { name: 'Tasks' }).click()
  await keep(page)
  await save.click()
  await expect.poll(async () => (await api.get(`roles/${id}`)).name).toBe(third)
  await expect(save).toBeHidden()
  await api.remove(`roles/${id}`)

  answer = Promise.withResolvers()
  const lead = await addRecord(api, 'leads', { name: unique('Bicycle') })
  await visit(page, `/leads/${lead}`)
  await page.getByRole('region', { name: 'Write' }).getByRole('button', { name: 'Task' }).click()
  const text = page.getByRole('textbox', { name: 'Task' })
  await text.fill('The first one')
  await page.getByRole('button', { name: 'Add task' }).last().click()
  await text.fill('The second one')
  answer.resolve()
  await expect(page.locator('[data-task]').filter({ hasText: 'The first one' }).first()).toBeVisible()
  await expect(text).toHaveValue('The second one')

  answer = Promise.withResolvers()
  await api.post(`leads/${lead}/notes`, [{ note_type: 'common', params: { text: 'Before' } }])
  await page.getByRole('button', { name: 'More: Before' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const note = page.getByRole('textbox', { name: 'Note text' }).last()
  await note.fill('Saved late')
  await note.press('Control+Enter')
  await note.fill('Typed since')
  answer.resolve()
  await expect
    .poll(async () => (await api.get(`leads/${lead}/notes?order[id]=desc`))._embedded.notes[0].params.text)
    .toBe('Saved late')
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled()
  await expect(note).toHaveValue('Typed since')
})

test('a dialog takes no input while it is saved, and gives the focus back if it is refused', async ({
  page,
}) => {
  await administrator(page)
  await page.goto('/settings/pipelines')
  await page.getByRole('button', { name: /^Edit .*No need any more/ }).click()
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  const { promise: sent, resolve: send } = Promise.withResolvers<void>()
  const { promise: over, resolve: refuse } = Promise.withResolvers<void>()
  await page.route('**/leads/loss_reasons/**', async (route) => {
    send()
    await over
    await route.fulfill({ status: 403, contentType: 'application/problem+json', body: '{"status":403}' })
  })
  await name.fill('Too far')
  await page.keyboard.press('Enter')
  await sent
  await page.keyboard.type(' away')
  await expect(name).toHaveValue('Too far')
  refuse()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await expect(name).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type(' away')
  await expect(name).toHaveValue('Too far away')
})
