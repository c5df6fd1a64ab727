import { expect, type Page, test } from '@playwright/test'
import { clickLikeSafari } from './click-like-safari.ts'
import { visit } from './navigate.ts'
import { signIn, watch } from './people.ts'
import { addFields, addRecord, administrator, apiOf } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const unique = (name: string) => `${name} ${Math.random().toString(36).slice(2, 8)}`
const dialog = (page: Page) => page.getByRole('dialog')

/** Opens a dialog by a button and closes it with Escape. The button has the focus again. */
async function comesBack(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name }).first()
  await expect(button).toBeEnabled()
  await button.press('Enter')
  await expect(dialog(page).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(button).toBeFocused()
}

test('a dialog gives the focus back to the button that opened it', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const api = await apiOf(page)
  await page.goto('/settings/profile')
  await addFields(api, 'leads', [{ name: unique('Field'), type: 'text' }])
  const pages: [path: string, buttons: (string | RegExp)[]][] = [
    ['/settings/fields', ['Add field']],
    ['/settings/forms', ['New form', 'New website button']],
    ['/settings/templates', [/template/]],
    ['/settings/bot', ['Add topic', 'Settings']],
    ['/settings/groups', [/^Rename/]],
  ]
  for (const [path, buttons] of pages) {
    await visit(page, path)
    for (const name of buttons) await comesBack(page, name)
  }
  expect(seen).toEqual([])
})

test('the focus returns from the dialogs of a pipeline, also to the button of a menu, and in Safari', async ({
  page,
}) => {
  await signIn(page)
  const api = await apiOf(page)
  const statuses = [
    { name: 'Asked', sort: 10, color: '#fffeb2' },
    { name: 'Paid', sort: 20, color: '#fffeb2' },
  ]
  const draft = {
    name: unique('Repairs'),
    sort: 900,
    is_main: false,
    is_unsorted_on: false,
    _embedded: { statuses },
  }
  const id = await addRecord(api, 'leads/pipelines', draft)
  await visit(page, `/settings/pipelines/${id}`)
  for (const name of ['Rename', 'Edit “Asked”', 'Delete “Asked”']) await comesBack(page, name)
  await clickLikeSafari(page)
  const more = page.getByRole('button', { name: 'More actions' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
})

test('pickers and the name of a card give the focus back, and losing a lead begins with the first reason', async ({
  page,
}) => {
  const api = await administrator(page)
  await api.post('leads/loss_reasons', [{ name: unique('Too far') }])
  const id = await addRecord(api, 'leads', { name: unique('Bicycle') })
  await page.goto(`/leads/${id}`)
  for (const name of ['Link contact', 'Link company', 'Edit: Name']) {
    const button = page.getByRole('button', { name, exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-editor] :focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
  }
  const lost = page.getByRole('button', { name: 'Lost', exact: true })
  await lost.click()
  await expect(dialog(page).getByRole('radio').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(lost).toBeFocused()

  // The stage has the focus after the buttons, and shows its list on request only.
  await page.getByRole('button', { name: 'Won', exact: true }).click()
  const stage = page.getByRole('combobox', { name: 'Stage' })
  await expect(stage).toBeFocused()
  await expect(stage).toHaveValue(/Closed - won$/)
  await expect(stage).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowDown')
  await expect(stage).toHaveAttribute('aria-expanded', 'true')
})

// A menu without a transition disappears before what its item removes.
for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(`the focus stays near what disappears from a card, and in the main part with the card: ${reducedMotion}`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion })
    const api = await administrator(page)
    const names = [unique('Ann'), unique('Bob')]
    const contacts = await Promise.all(names.map((name) => addRecord(api, 'contacts', { name })))
    const _embedded = { contacts: contacts.map((id, i) => ({ id, is_main: i === 0 })) }
    const id = await addRecord(api, 'leads', { name: unique('Bicycle'), _embedded })
    await visit(page, `/leads/${id}`)
    const choose = async (button: string, item: string) => {
      await page.getByRole('button', { name: button }).press('Enter')
      await page.getByRole('menuitem', { name: item }).press('Enter')
    }
    await choose(`Actions for ${names[0]}`, 'Unlink')
    await expect(page.locator('main a:focus')).toHaveText(names[1] as string)
    await choose(`Actions for ${names[1]}`, 'Unlink')
    await expect(page.getByRole('button', { name: 'Link contact' })).toBeFocused()
    await page.getByRole('button', { name: 'Won', exact: true }).press('Enter')
    await expect(page.getByRole('combobox', { name: 'Stage' })).toBeFocused()
    await choose('More actions', 'Move to trash')
    await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })

test('the focus stays on the board after an incoming lead is declined', async ({ page }) => {
  const api = await administrator(page)
  const names = [unique('Call one'), unique('Call two')]
  const calls = names.map((name) => ({
    source_name: 'PBX',
    source_uid: name,
    metadata: { phone: '441134960777', duration: 3, service_code: 'pbx' },
    _embedded: { leads: [{ name }] },
  }))
  await api.post('leads/unsorted/sip', calls)
  await page.goto('/leads')
  for (const name of names) {
    await page.getByRole('button', { name: `Decline “${name}”` }).click()
    await dialog(page).getByRole('button', { name: 'Decline' }).click()
    await expect(page.locator('[data-incoming]').filter({ hasText: name })).toHaveCount(0)
    await expect(page.locator('main :focus')).toHaveCount(1)
  }
})

test('the focus stays at a stage that collapses and expands', async ({ page }) => {
  await administrator(page)
  await page.goto('/leads')
  const collapse = page.getByRole('button', { name: 'Collapse Initial contact' })
  const expand = page.getByRole('button', { name: /^Initial contact .*expand$/ })
  await collapse.click()
  await expect(expand).toBeFocused()
  await expand.press('Enter')
  await expect(collapse).toBeFocused()
})

test('the keyboard removes the value of a select, and the field keeps the focus', async ({ page }) => {
  const api = await administrator(page)
  const name = unique('Colour')
  const [field] = await addFields(api, 'leads', [
    { name, type: 'select', enums: [{ value: 'Red', sort: 0 }] },
  ])
  const values = [{ field_id: field?.id, values: [{ value: 'Red' }] }]
  const id = await addRecord(api, 'leads', { name: unique('Bicycle'), custom_fields_values: values })
  await visit(page, `/leads/${id}`)
  const edit = page.getByRole('button', { name: `Edit: ${name}` })
  await edit.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: `Clear: ${name}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await api.get(`leads/${id}`)).custom_fields_values).toBeNull()
  await expect(edit).toBeFocused()
})

test('the focus begins at a page that is opened, and is at the opened row again after Back', async ({
  page,
}) => {
  const api = await administrator(page)
  const word = unique('Back').replace(' ', '')
  const contacts = Array.from({ length: 60 }, (_, i) => ({ name: `${word} ${i + 1}` }))
  await api.post('contacts', contacts.slice(0, 30))
  await api.post('contacts', contacts.slice(30))
  await visit(page, `/contacts?query=${word}`)
  const link = (i: number) => page.getByRole('link', { name: `${word} ${i}`, exact: true })
  await link(60).focus()
  for (let i = 0; i < 3; i++) await page.keyboard.press('PageDown')
  const opened = page.locator('[data-row-link]:focus')
  const href = String(await opened.getAttribute('href'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${href}$`))
  await expect(page.locator('#main')).toBeFocused()
  await expect(page.getByRole('main').getByRole('button').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.locator('main :focus')).toHaveCount(1)
  await page.goBack()
  await expect(opened).toHaveAttribute('href', href)
  await page.keyboard.press('ArrowUp')
  await expect(opened).not.toHaveAttribute('href', href)
})

test('the button that sends a message gives the focus back to the composer', async ({ page }) => {
  await signIn(page)
  await visit(page, '/inbox')
  await page.locator('[data-chat-row]').first().click()
  const composer = page.getByPlaceholder('Write a message')
  await composer.fill('Sent with the mouse')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(composer).toHaveValue('')
  await expect(composer).toBeFocused()
})

test('only the page itself is called the current one, not the list that its links lead back to', async ({
  page,
}) => {
  await signIn(page)
  const api = await apiOf(page)
  const lead = await addRecord(api, 'leads', { name: unique('Lead') })
  await page.goto('/settings/profile')
  for (const [path, link] of [
    [`/leads/${lead}`, 'Back to leads'],
    ['/settings/people/new', 'People'],
    ['/settings/people/new', 'Cancel'],
    ['/settings/channels/new', 'Cancel'],
  ] as const) {
    await visit(page, path)
    const back = page.getByRole('main').getByRole('link', { name: link, exact: true })
    await expect(back).toBeVisible()
    expect([path, link, await back.getAttribute('aria-current')]).toEqual([path, link, null])
  }
})

test('a chosen option is visible in forced colors', async ({ page }) => {
  await signIn(page)
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/settings/channels/new')
  await expect(page.getByRole('radio', { name: 'Retry' })).toBeChecked()
  const fills = () =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('[type=radio]')].slice(0, 2).map((radio) => getComputedStyle(radio).backgroundColor)",
    )
  await expect.poll(async () => new Set(await fills()).size).toBe(2)
  await page.emulateMedia({ forcedColors: null })
})

test('a task that is added on a card is typed at once', async ({ page }) => {
  await signIn(page)
  const id = await addRecord(await apiOf(page), 'companies', { name: unique('Typed') })
  await page.goto(`/companies/${id}`)
  await page.getByRole('button', { name: 'Add task' }).click()
  await expect(page.getByRole('textbox', { name: 'Task description' })).toBeFocused()
})
