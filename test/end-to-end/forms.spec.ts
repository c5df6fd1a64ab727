import { expect, type Page, test } from '@playwright/test'
import { bringIn, demo, watch } from './people.ts'
import { addRecord, administrator, personOn } from './record-world.ts'

test.use({ viewport: { width: 1280, height: 900 } })

const unique = (name: string) => `${name} ${Date.now().toString(36)}`
const dialog = (page: Page) => page.getByRole('dialog')
const note = (page: Page) => page.getByPlaceholder('Write a note')

test('an amount is saved as typed or rejected with a message', async ({ page }) => {
  const api = await administrator(page)
  const name = unique('Priced')
  await page.goto('/leads')
  await page.getByRole('button', { name: 'New lead' }).first().click()
  await dialog(page).getByLabel('Name').fill(name)
  const price = dialog(page).getByLabel('Sale')
  await price.fill('1234.567')
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(price).toBeFocused()
  await expect(price).toHaveAccessibleDescription(/amount/)
  await expect(price).toHaveValue('1234.567')
  await price.fill('1,234')
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  const found = await api.get(`leads?query=${encodeURIComponent(name)}`)
  expect(found._embedded.leads[0].price).toBe(1234)
})

test('an invalid form shows its first fault', async ({ page }) => {
  await administrator(page)
  await page.setViewportSize({ width: 1280, height: 700 })
  await page.goto('/integrations/new')
  const name = page.getByRole('textbox', { name: 'Name' })
  await page.getByRole('button', { name: 'Save and get the keys' }).click()
  await expect(name).toBeFocused()
  await expect(name).toBeInViewport()
  await expect(name).toHaveAccessibleDescription(/.+/)
  await name.fill('Named')
  await page.getByRole('textbox', { name: 'Redirect URI' }).fill('nonsense')
  await page.getByRole('button', { name: 'Save and get the keys' }).click()
  await expect(page.getByRole('textbox', { name: 'Redirect URI' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Redirect URI' })).toBeInViewport()
})

test('Enter selects the first match, or creates a contact', async ({ page }) => {
  const api = await administrator(page)
  const id = await addRecord(api, 'leads', { name: unique('Linked') })
  const name = unique('Maria')
  await page.goto(`/leads/${id}`)
  await page.getByRole('button', { name: 'Link contact' }).click()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Name')).toHaveValue(name)
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('region', { name: 'Contacts' }).getByRole('link', { name })).toBeVisible()
  const other = await addRecord(api, 'leads', { name: unique('Also linked') })
  await page.goto(`/leads/${other}`)
  // The list that is offered before anything is typed comes later than the name.
  const answer = Promise.withResolvers<void>()
  const isList = ({ pathname, searchParams }: URL) =>
    pathname === '/web/v4/contacts' && !searchParams.has('query') && !searchParams.has('filter[id]')
  await page.route(isList, async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Link contact' }).click()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Contacts' }).getByRole('link', { name })).toBeVisible()
  answer.resolve()
})

test('what is typed or pasted into a select with a value replaces it', async ({ page }) => {
  const api = await administrator(page)
  const name = unique('Pasted')
  await api.post('users', [
    { name, email: `${Date.now()}@paste.example`, password: 'a-long-enough-password' },
  ])
  await page.goto('/tasks')
  await page.getByRole('button', { name: 'New task' }).first().click()
  const responsible = dialog(page).getByRole('combobox', { name: 'Responsible' })
  await expect(responsible).not.toHaveValue('')
  await responsible.click()
  await page.keyboard.insertText(name)
  await page.keyboard.press('Enter')
  await expect(responsible).toHaveValue(name)
})

test('the tag list of a bulk change does not cover the button', async ({ page }) => {
  const api = await administrator(page)
  const name = unique('Tagged')
  const tag = unique('tag')
  await addRecord(api, 'leads', { name, _embedded: { tags: [{ name: tag }] } })
  await page.goto(`/leads?shape=list&query=${encodeURIComponent(name)}`)
  await page.getByRole('row', { name }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Change…' }).click()
  const more = dialog(page).getByRole('combobox', { name: 'Add tags' })
  await more.click()
  await page.keyboard.type('blue')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(dialog(page).getByRole('combobox', { name: 'Remove tags' })).toBeFocused()
  await expect(page.getByRole('listbox')).toBeHidden()
  await dialog(page).getByRole('combobox', { name: 'Remove tags' }).click()
  await expect(page.getByRole('listbox')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Change 1', exact: true }).click()
  await expect(dialog(page)).toBeHidden()
})

test('a draft survives a reload and the end of the session, and signing out removes it', async ({ page }) => {
  const api = await administrator(page)
  const id = await addRecord(api, 'leads', { name: unique('Drafted') })
  await page.goto(`/leads/${id}`)
  await note(page).fill('Half a thought')
  await page.reload()
  await expect(note(page)).toHaveValue('Half a thought')
  await page.context().clearCookies()
  // The live stream may have asked for a new session before.
  await note(page)
    .press('Control+Enter', { timeout: 2_000 })
    .catch(() => {})
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
  await signInHere(page)
  await expect(page).toHaveURL(new RegExp(`/leads/${id}$`))
  await expect(note(page)).toHaveValue('Half a thought')
  await page.getByRole('button', { name: demo.user.email }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => /draft/.test(key)))).toEqual(
    [],
  )
})

async function signInHere(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(demo.user.email)
  await page.getByLabel('Password', { exact: true }).fill(demo.user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a page of somebody else’s session writes nothing', async ({ page }) => {
  const api = await administrator(page)
  await page.goto('/settings/profile')
  const name = page.getByRole('textbox', { name: 'Your name' })
  const before = await name.inputValue()
  await name.fill('Somebody')
  // As in another tab of the browser.
  const other = await personOn(page, api, { name: 'Zoe Second' })
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Another user has signed in' })
  await expect(dialog).toContainText('Zoe Second')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Reload page' }).click()
  await page.goto('/settings/profile')
  await expect(name).toHaveValue(other.name)
  await administrator(page)
  await page.goto('/settings/profile')
  await expect(name).toHaveValue(before)
})

test('a person who lost the account reads so when they sign in, and can sign out', async ({
  page,
  request,
}) => {
  const api = await administrator({ request })
  const [email, password] = [`${unique('left').replace(' ', '-')}@forms.example`, 'a-long-enough-password']
  const added = await api.post('users', [{ name: 'Left Person', email, password }])
  await api.remove(`users/${added._embedded.users[0].id}`)
  await bringIn(page, email, password)
  await page.goto('/')
  await expect(page.getByText('You are not a member of this account.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
})

test('a shorter period asks even before what it deletes is counted', async ({ page }) => {
  await administrator(page)
  await page.goto('/settings/retention')
  await page.route('**/web/retention/forecasts', () => {})
  await page.getByLabel('Period: Events', { exact: true }).first().click()
  await page.getByRole('option', { name: '3 months' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  const asked = page.getByRole('dialog', { name: 'Delete old data?' })
  await expect(asked).toContainText('Counting…')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('the page shows that the server does not respond, and recovers automatically', async ({ page }) => {
  const seen = watch(page)
  await administrator(page)
  await page.goto('/leads')
  await expect(page.getByRole('button', { name: 'New lead' })).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Tasks' }).first().click()
  const sign = page.getByText('No connection to the server.')
  await expect(sign).toBeVisible()
  await expect(page.getByText('Something went wrong on the server')).toBeHidden()
  await page.context().setOffline(false)
  await expect(sign).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible()
  expect(seen.filter((line) => !/fetch|module/i.test(line))).toEqual([])
})

test('Ctrl K opens the search while another dialog fades out', async ({ page }) => {
  await administrator(page)
  await page.goto('/leads')
  await page.getByRole('button', { name: 'New lead' }).first().click()
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+K')
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
})

test('the second click of a double click adds nothing, while the dialog fades out', async ({ page }) => {
  const api = await administrator(page)
  const name = unique('Twice')
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'New contact' }).first().click()
  await dialog(page).getByLabel('Name').fill(name)
  const create = dialog(page).getByRole('button', { name: 'Create' })
  const { x = 0, y = 0 } = (await create.boundingBox()) ?? {}
  // The second click comes when the response is there, on the dialog that is about to close.
  const added = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.mouse.click(x + 10, y + 10)
  await added
  await page.mouse.click(x + 10, y + 10, { clickCount: 2 })
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  const found = await api.get(`contacts?query=${encodeURIComponent(name)}`)
  expect(found._embedded.contacts).toHaveLength(1)
})

test('the second click of a double click presses nothing below a dialog that closed without a transition', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await administrator(page)
  const name = unique('Twice')
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'New contact' }).first().click()
  await dialog(page).getByLabel('Name').fill(name)
  await page.evaluate("addEventListener('click', ({ detail }) => (document.body.dataset.lastClick = detail))")
  const lastClick = () => page.locator('body').getAttribute('data-last-click')
  const { x = 0, y = 0 } = (await dialog(page).getByRole('button', { name: 'Create' }).boundingBox()) ?? {}
  await page.mouse.click(x + 10, y + 10)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  expect(await lastClick()).toBe('1')
  await page.mouse.click(x + 10, y + 10, { clickCount: 2 })
  expect(await lastClick()).toBe('2')
})

test('a caller whose number was searched becomes a contact of the lead with that number', async ({
  page,
}) => {
  const api = await administrator(page)
  const lead = await addRecord(api, 'leads', { name: unique('Caller') })
  const name = unique('Nuno')
  await page.goto(`/leads/${lead}`)
  await page.getByRole('button', { name: 'Link contact' }).click()
  await page.getByRole('combobox', { name: 'Link contact' }).fill('+351 910 555 777')
  await page.getByRole('option', { name: 'Create: +351 910 555 777' }).click()
  await expect(dialog(page).getByLabel('Phone')).toHaveValue('+351 910 555 777')
  await expect(dialog(page).getByLabel('Name')).toHaveValue('')
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('Email').fill('nuno@mail.example')
  await page.keyboard.press('Enter')
  // Its events appear beside it and name it, too.
  const contacts = page.getByRole('region', { name: 'Contacts' })
  await expect(contacts.getByRole('link', { name })).toBeVisible()
  await expect(contacts.getByRole('link', { name: '+351 910 555 777' })).toBeVisible()
  const found = await api.get(`contacts?query=${encodeURIComponent(name)}`)
  expect(found._embedded.contacts[0].custom_fields_values).toMatchObject([
    { field_code: 'PHONE', values: [{ value: '+351 910 555 777', enum_code: 'WORK' }] },
    { field_code: 'EMAIL', values: [{ value: 'nuno@mail.example', enum_code: 'WORK' }] },
  ])
})

test('a form is sent once, however often it is submitted at once', async ({ page }) => {
  const api = await administrator(page)
  const name = unique('Group')
  await page.goto('/settings/groups')
  const input = page.getByRole('textbox', { name: 'Group name' })
  await input.fill(name)
  await page.getByRole('button', { name: 'Add group' }).evaluate((button) => {
    for (let times = 0; times < 3; times++) (button as unknown as { click: () => void }).click()
  })
  await expect(input).toHaveValue('')
  const groups = (await api.get('groups?limit=250'))._embedded.groups
  expect(groups.filter((group: { name: string }) => group.name === name)).toHaveLength(1)
})

test('what was added although the response was lost is not added again', async ({ page }) => {
  const api = await administrator(page)
  await page.goto('/settings/pipelines')
  const name = unique('Lost')
  await page.route(
    '**/web/v4/leads/loss_reasons',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await page.getByPlaceholder('New reason').fill(name)
  const add = page.getByRole('button', { name: 'Add reason' })
  await add.click()
  await expect(page.getByText('The server does not respond.')).toBeVisible()
  await expect(page.getByPlaceholder('New reason')).toHaveValue(name)
  await add.click()
  await expect(page.getByPlaceholder('New reason')).toHaveValue('')
  const { loss_reasons } = (await api.get('leads/loss_reasons?limit=250'))._embedded
  expect(loss_reasons.filter((reason: { name: string }) => reason.name === name)).toHaveLength(1)
})

test('an integration whose response was lost is saved once, and its page of new keys is that of the integration when it is loaded again', async ({
  page,
}) => {
  await administrator(page)
  const name = unique('Reloaded')
  await page.goto('/integrations')
  await page.getByRole('link', { name: 'New integration' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Redirect URI' }).fill('https://example.com/callback')
  await page.route(
    '**/web/integrations',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  const save = page.getByRole('button', { name: 'Save and get the keys' })
  await save.click()
  await expect(page.getByText('The server does not respond.')).toBeVisible()
  await save.click()
  await expect(page.getByRole('heading', { name: `${name} is saved` })).toBeFocused()
  const { integrations } = await (await page.request.get('/web/integrations')).json()
  expect(integrations.filter((one: { name: string }) => one.name === name)).toHaveLength(1)
  await page.reload()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/integrations\/built\/[^/]+$/)
  // Neither the form nor the keys are behind it.
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Integrations' })).toBeVisible()
})

test('the page of new keys is that of the channel when it is loaded again', async ({ page }) => {
  await administrator(page)
  const name = unique('Reloaded')
  await page.goto('/settings/channels/new')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Callback URL' }).fill('https://example.com/callback')
  await page.getByRole('button', { name: 'Save and get the keys' }).click()
  await expect(page.getByRole('heading', { name: `${name} is saved` })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
})

test('a set-up page says that another tab was faster', async ({ page }) => {
  await page.route('**/web/session', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), user: null, setup_needed: true } })
  })
  await page.goto('/setup?token=pbf_used')
  await page.getByRole('textbox', { name: 'Account name' }).fill('Late')
  await page.unroute('**/web/session')
  await page.getByRole('textbox', { name: 'Your name' }).fill('Late')
  await page.getByRole('textbox', { name: 'Email' }).fill('late@example.com')
  await page.locator('input[type=password]').fill('a few unrelated words')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('This server is already set up')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
})
