import { expect, type Page, test } from '@playwright/test'
import { pushTo } from './callbacks.ts'
import { checkPage } from './check-page.ts'
import { visit } from './navigate.ts'
import { ask } from './own-api.ts'
import { demo, signIn, watch } from './people.ts'
import { addFields, addRecord, administrator, apiOf, personOn } from './record-world.ts'

/** The card of an incoming lead on the board. */
const cardOf = (page: Page, name: string) => page.locator('[data-incoming]').filter({ hasText: name })
const phone = (value: string) => [{ field_code: 'PHONE', values: [{ value }] }]

test('incoming leads are accepted, declined and given to a known contact on the board', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const api = await apiOf(page)
  const known = await addRecord(api, 'contacts', {
    name: 'Mary Known',
    custom_fields_values: phone('+44 113 496 0777'),
  })
  const call = (name: string, contact: object) => ({
    source_name: 'PBX One',
    source_uid: name,
    metadata: { phone: '441134960777', duration: 3, service_code: 'pbx' },
    _embedded: { leads: [{ name }], contacts: [contact] },
  })
  // The newest card comes first. A link that covers more than its own card covers the buttons of those before it.
  await api.post('leads/unsorted/sip', [
    call('Call from Mary', { name: 'Unknown', custom_fields_values: phone('+44 113 496 0777') }),
    call('Call about nothing', { name: 'Ned Nothing' }),
    call('Call about gears', { name: 'Gil Gears' }),
  ])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/leads')
  const gears = cardOf(page, 'Call about gears')
  await expect(gears).toContainText('Call · PBX One')
  await expect(gears).toContainText('Gil Gears')
  await expect(gears).toContainText('441134960777')
  await checkPage(page, '/leads/incoming', 'light')
  await gears.getByRole('button', { name: 'Accept “Call about gears”' }).click()
  await expect(page.getByText('The lead is accepted.')).toBeVisible()
  await expect(gears).toHaveCount(0)
  await expect(page.locator('[data-lead]').filter({ hasText: 'Call about gears' })).toBeVisible()

  const nothing = cardOf(page, 'Call about nothing')
  const declined = await nothing.getAttribute('data-incoming')
  await nothing.getByRole('button', { name: 'Decline “Call about nothing”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await expect(nothing).toHaveCount(0)
  await visit(page, `/leads/${declined}`)
  await expect(page.getByText('This record is in the trash')).toBeVisible()
  await expect(page.locator('[data-incoming]')).toHaveCount(0)
  await visit(page, '/leads')

  await cardOf(page, 'Call from Mary').getByRole('link', { name: 'Call from Mary' }).click()
  const notice = page.locator('[data-incoming]')
  await expect(notice).toContainText('Same phone or email:')
  // The colour of the notice's own icon would hide an icon on a filled button.
  const button = notice.getByRole('button', { name: 'Accept “Call from Mary”' })
  await expect(button).toHaveCSS('color', 'rgb(255, 255, 255)')
  await expect(button.locator('svg')).toHaveCSS('color', 'rgb(255, 255, 255)')
  await notice.getByRole('button', { name: 'Accept and use the contact Mary Known' }).click()
  await expect(notice).toHaveCount(0)
  const { _embedded } = await api.get(`contacts/${known}?with=leads`)
  expect(_embedded.leads).toHaveLength(1)
  expect(seen).toEqual([])
})

test('a new conversation waits in the inbox until it is accepted', async ({ page, baseURL }) => {
  const seen = watch(page)
  await signIn(page)
  if (!demo.channel) throw new Error('no channel')
  await page.goto('/settings/channels')
  await page.getByRole('switch', { name: 'Let new conversations wait as incoming leads' }).click()
  await expect(page.getByText('Saved').first()).toBeVisible()
  const from = { id: `wait-${Date.now()}`, name: 'Wanda Waits' }
  await pushTo(String(baseURL), demo.channel, { from, message: { type: 'text', text: 'Any brakes?' } })
  await ask(page, 'PUT', '/web/new-chats', { are_chats_unsorted: false })
  await visit(page, '/inbox')
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: 'Wanda Waits' })
    .first()
    .click()
  const notice = page.locator('[data-incoming]')
  await expect(notice).toContainText('Any brakes?')
  await expect(notice.getByRole('button', { name: 'Link to a lead' })).toBeVisible()
  await checkPage(page, '/inbox/incoming', 'light')
  await notice.getByRole('button', { name: /^Accept “/ }).click()
  await expect(notice).toHaveCount(0)
  expect(seen).toEqual([])
})

test('a person who cannot delete is offered to accept an incoming lead, and not to decline or link it', async ({
  page,
  request,
  baseURL,
}) => {
  const admin = await administrator({ request })
  const kept = { view: 'A', edit: 'A', add: 'A', delete: 'D', export: 'D' }
  await personOn(page, admin, { name: 'Keeps All', rights: { leads: kept, contacts: kept } })
  if (!demo.channel) throw new Error('no channel')
  const from = { id: `kept-${Date.now()}`, name: 'Karl Kept' }
  await ask({ request }, 'PUT', '/web/new-chats', { are_chats_unsorted: true })
  await pushTo(String(baseURL), demo.channel, { from, message: { type: 'text', text: 'Any bells?' } })
  await ask({ request }, 'PUT', '/web/new-chats', { are_chats_unsorted: false })
  const { _embedded } = await admin.get('chats?query=Karl%20Kept')
  await page.goto(`/inbox/${_embedded.chats[0].id}`)
  const notice = page.locator('[data-incoming]')
  await expect(notice.getByRole('button', { name: /^Accept “/ })).toBeVisible()
  await expect(notice.getByRole('button', { name: /^Decline “/ })).toHaveCount(0)
  await expect(notice.getByRole('button', { name: 'Link to a lead' })).toHaveCount(0)
})

test('a chat cannot be linked to a lead that waits itself', async ({ page, baseURL }) => {
  await signIn(page)
  const api = await apiOf(page)
  if (!demo.channel) throw new Error('no channel')
  const word = `target${Date.now()}`
  const lead = { name: `${word} waits` }
  await api.post('leads/unsorted/forms', [
    {
      source_name: 'Site',
      source_uid: word,
      metadata: {
        form_id: '1',
        form_name: 'Site',
        form_page: 'https://shop.example',
        form_sent_at: 1_700_000_000,
      },
      _embedded: { leads: [lead] },
    },
  ])
  await addRecord(api, 'leads', { name: `${word} accepted` })
  const from = { id: word, name: 'Lena Links' }
  await ask(page, 'PUT', '/web/new-chats', { are_chats_unsorted: true })
  await pushTo(String(baseURL), demo.channel, { from, message: { type: 'text', text: 'Any saddles?' } })
  await ask(page, 'PUT', '/web/new-chats', { are_chats_unsorted: false })
  const { _embedded } = await api.get('chats?query=Lena%20Links')
  await page.goto(`/inbox/${_embedded.chats[0].id}`)
  await page.getByRole('button', { name: 'Link to a lead' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Lead' }).fill(word)
  await expect(page.getByRole('option', { name: `${word} accepted` })).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(1)
})

test('a stage asks for its required field before an incoming lead is accepted into it', async ({ page }) => {
  const api = await administrator(page)
  const word = `asked${Date.now()}`
  const added = await api.post('leads/pipelines', [
    {
      name: word,
      sort: 90,
      is_main: false,
      is_unsorted_on: true,
      _embedded: { statuses: [{ name: 'First look', sort: 10, color: '#fffeb2' }] },
    },
  ])
  const [pipeline] = added._embedded.pipelines
  const stage = pipeline._embedded.statuses.find(({ name }: { name: string }) => name === 'First look')
  const required_statuses = [{ pipeline_id: pipeline.id, status_id: stage.id }]
  await addFields(api, 'leads', [{ name: `Colour ${word}`, type: 'text', required_statuses }])
  await api.post('leads/unsorted/sip', [
    {
      source_name: 'PBX',
      source_uid: word,
      pipeline_id: pipeline.id,
      metadata: { phone: '441134960778', duration: 3, service_code: 'pbx' },
      _embedded: { leads: [{ name: `${word} call` }] },
    },
  ])
  await page.goto(`/leads?shape=board&filter[pipeline_id]=${pipeline.id}`)
  const card = cardOf(page, `${word} call`)
  await card.getByRole('button', { name: /^Accept “/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: `Colour ${word}` }).fill('green')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Save to First look' }).click()
  await expect(page.getByText('The lead is accepted.')).toBeVisible()
  await expect(card).toHaveCount(0)
  await expect(page.locator('[data-lead]').filter({ hasText: `${word} call` })).toBeVisible()
})

test('an administrator makes a form, and a stranger fills it in', async ({ page, browser, baseURL }) => {
  const seen = watch(page)
  await signIn(page)
  await page.goto('/settings/forms')
  await page.getByRole('button', { name: 'New form' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Book a repair')
  await dialog.getByRole('combobox', { name: 'Add a field' }).click()
  await page.getByRole('option', { name: 'Email', exact: true }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Required: Email' })).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Text after sending' }).fill('We call you today.')
  await checkPage(page, '/settings/forms/new', 'light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Link and code of Book a repair' }).click()
  const [url = '', code = ''] = await page.getByRole('dialog').getByRole('code').allTextContents()
  expect(code).toBe(
    `<iframe src="${url}" title="Book a repair" width="100%" height="640" style="border:0"></iframe>`,
  )

  const shown = await browser.newContext({
    baseURL,
    colorScheme: 'dark',
    viewport: { width: 390, height: 800 },
  })
  const visitor = await shown.newPage()
  const seenThere = watch(visitor)
  await visitor.goto(new URL(url).pathname)
  await visitor.getByLabel('Name').fill('Rita Repair')
  await visitor.getByRole('button', { name: 'Send' }).click()
  await expect(visitor.getByText('Please fill in this field.')).toBeVisible()
  await expect(visitor.getByLabel('Name')).toHaveValue('Rita Repair')
  await checkPage(visitor, '/forms', 'dark')
  await visitor.getByLabel('Phone').fill('+44 113 496 0555')
  await visitor.getByLabel('Message').fill('A flat tyre')
  await visitor.getByRole('button', { name: 'Send' }).click()
  await expect(visitor.getByText('We call you today.')).toBeVisible()
  await checkPage(visitor, '/forms/sent', 'dark')
  await shown.close()

  await visit(page, '/leads')
  const waiting = cardOf(page, 'Book a repair')
  await expect(waiting).toContainText('Rita Repair · +44 113 496 0555')
  // The name of the lead can be read after its contact.
  await expect.poll(async () => (await waiting.textContent())?.match(/Book a repair/g)).toHaveLength(2)
  expect([...seen, ...seenThere]).toEqual([])
})
