import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, type Page, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { followsLive } from './live.ts'
import { visit } from './navigate.ts'
import { demo, watch } from './people.ts'
import { type Api, addFields, addRecord, administrator } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const run = promisify(execFile)
const log = (page: Page) => page.getByRole('list', { name: 'Events, newest first' })
const row = (page: Page, text: string | RegExp) => log(page).getByRole('listitem').filter({ hasText: text })
const ofLead = (id: number) => `/events?filter[entity]=lead&filter[entity_id]=${id}`
const unique = (name: string) => `${name} ${Date.now().toString(36)}`

/** Creates a lead with a changed name, stage, sale and field. Returns its names. */
async function changedLead(api: Api) {
  const name = unique('Tandem')
  const [field] = await addFields(api, 'leads', [{ name: `Hand-over of ${name}`, type: 'date' }])
  const id = await addRecord(api, 'leads', { name, price: 500 })
  const { _embedded } = await api.get('leads/pipelines')
  const [, , first, second] = _embedded.pipelines[0]._embedded.statuses
  await api.patch(`leads/${id}`, { status_id: first.id })
  await api.patch(`leads/${id}`, { status_id: second.id, name: `${name} II`, price: 750 })
  await api.patch(`leads/${id}`, {
    custom_fields_values: [{ field_id: field?.id, values: [{ value: 1_798_070_400 }] }],
    tags_to_add: [{ name: 'two seats' }],
  })
  return { id, name, stages: [first, second], field }
}

/** Adds a lead with a value of each formatted type, and the same value after it. */
async function leadWithValues(api: Api, mark: string) {
  const fields = await addFields(api, 'leads', [
    { name: `day ${mark}`, type: 'date' },
    { name: `money ${mark}`, type: 'monetary', currency: 'EUR' },
    { name: `ratio ${mark}`, type: 'numeric' },
    { name: `agreed ${mark}`, type: 'checkbox' },
  ])
  const values = [1_798_070_400, '1234.5', '12.34567', true]
  const custom_fields_values = fields.map(({ id }, i) => ({ field_id: id, values: [{ value: values[i] }] }))
  const id = await addRecord(api, 'leads', { name: unique('Values') })
  await api.patch(`leads/${id}`, { custom_fields_values })
  return id
}

test('values in the log are those of the card, west of UTC as well', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, timezoneId: 'America/Los_Angeles' })
  const page = await context.newPage()
  const api = await administrator(page)
  const mark = unique('v')
  const id = await leadWithValues(api, mark)
  const today = new Date().setUTCHours(23, 59, 0, 0) / 1000
  const task = { entity_id: id, entity_type: 'leads', text: mark, complete_till: today, task_type_id: 1 }
  const { tasks } = (await api.post('tasks', [task]))._embedded
  await api.patch(`tasks/${tasks[0].id}`, { complete_till: today + 86_400 })
  const texts = [/day .*Dec 24, 2026/, /money .*€1,234\.50/, /ratio .*12\.34567/, /agreed .*Yes/]
  await page.goto(ofLead(id))
  for (const text of texts) await expect(row(page, text)).toBeVisible()
  await page.goto(`/events?filter[entity]=task&filter[entity_id]=${tasks[0].id}`)
  await expect(row(page, 'Today→afterTomorrow')).toBeVisible()
  await page.goto(`/leads/${id}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  for (const text of texts)
    await expect(timeline.getByRole('listitem').filter({ hasText: text }).last()).toBeVisible()

  const contact = await addRecord(api, 'contacts', { name: mark })
  await api.patch(`contacts/${contact}`, { name: '' })
  await page.goto(`/events?filter[entity]=contact&filter[entity_id]=${contact}`)
  await expect(row(page, 'changed the name')).toContainText(`${mark}→afternothing`)
  await context.close()
})

test('every change shows the values before and after, its JSON, and its own page', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const { id, name, stages } = await changedLead(api)
  const contact = await addRecord(api, 'contacts', { name: unique('Cleo') })
  const { name: contactName } = await api.get(`contacts/${contact}`)
  await api.post(`leads/${id}/link`, [{ to_entity_id: contact, to_entity_type: 'contacts' }])
  await page.goto(ofLead(id))
  await expect(row(page, `${stages[0].name}→after${stages[1].name}`)).toContainText('moved the lead')
  await expect(row(page, 'changed the name')).toContainText(name)
  await expect(row(page, 'changed the sale')).toContainText('$500→after$750')
  await expect(row(page, `changed “Hand-over of ${name}”`)).toContainText('Dec 24, 2026')
  await expect(row(page, 'added tags')).toContainText('two seats')
  await expect(row(page, 'linked the contact').getByRole('link', { name: contactName })).toHaveAttribute(
    'href',
    `/contacts/${contact}`,
  )
  await checkPage(page, '/events/of-a-lead', 'light')

  const sale = row(page, 'changed the sale')
  const toggle = sale.getByRole('button', { name: 'Show event JSON' })
  // The arrow keys move between these buttons, so each one has the event as its description.
  await expect(toggle).toHaveAccessibleDescription(/^Ada Demo changed the sale before \$500/)
  await toggle.click()
  await expect(sale.getByRole('region', { name: 'JSON' })).toContainText('"sale": 750')
  await sale.getByRole('link', { name: 'Open event' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Field “Sale” changed' })).toBeVisible()
  const around = page.getByRole('list', { name: 'Around this event' })
  await expect(around.getByRole('link', { name: 'Field “Name” changed' })).toBeVisible()
  await expect(around.getByRole('link', { name: 'New lead' })).toBeVisible()
  const event = await api.get(`events/${page.url().split('/').at(-1)}?with=request_id`)
  expect(event.request_id).toMatch(/\S{8}/)
  await expect(page.getByText(event.request_id).first()).toBeVisible()
  await expect(page.getByRole('link', { name: `${name} II` }).first()).toHaveAttribute('href', `/leads/${id}`)
  await checkPage(page, '/events/one', 'light')
  expect(seen).toEqual([])
})

test('people and types of events have no wrong names while the names load', async ({ page }) => {
  const api = await administrator(page)
  const [before, after] = (await api.get('users'))._embedded.users
  const id = await addRecord(api, 'leads', { name: unique('Names'), responsible_user_id: before.id })
  await api.patch(`leads/${id}`, { responsible_user_id: after.id })
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/web\/colleagues|\/events\/types/, async (route) => {
    await promise
    await route.continue()
  })
  await page.goto(`${ofLead(id)}&filter[type]=entity_responsible_changed`)
  const change = row(page, '…→after…')
  await expect(change).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('entity_responsible_changed')
  await change.getByRole('link', { name: 'Open event' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Event', exact: true })).toBeVisible()
  resolve()
  await expect(page.getByRole('heading', { level: 1, name: 'Responsible user changed' })).toBeVisible()
  await expect(page.getByText(`${before.name}→after${after.name}`).first()).toBeVisible()
})

test('the conversations of a page of messages are read with one request', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.includes('/talks')) asked.push(pathname)
  })
  await administrator(page)
  await page.goto('/events?filter[type]=incoming_chat_message')
  const links = log(page).getByRole('link', { name: 'Conversation' })
  await expect.poll(() => links.count()).toBeGreaterThan(2)
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual(['/web/v4/talks'])
  await links.first().click()
  await expect(page).toHaveURL(/\/inbox\/[\w-]+$/)
})

test('filters by type and value are in the address, and a filter that does not fit is removed', async ({
  page,
}) => {
  const api = await administrator(page)
  const { id, stages } = await changedLead(api)
  await page.goto(ofLead(id))
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Type' }).click()
  await page.getByRole('textbox', { name: 'Find' }).fill('stage')
  await page.getByRole('checkbox', { name: 'Lead stage changed' }).check()
  await page.keyboard.press('Escape')
  await expect(log(page).getByRole('listitem').filter({ hasText: 'moved the lead' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Lead stage: after' }).click()
  await page.getByRole('checkbox', { name: stages[1].name }).first().check()
  await page.keyboard.press('Escape')
  await expect(row(page, 'moved the lead')).toHaveCount(1)

  await page.reload()
  await expect(row(page, 'moved the lead')).toHaveCount(1)
  expect(new URL(page.url()).searchParams.get('filter[value_after][leads_statuses][0][status_id]')).toBe(
    String(stages[1].id),
  )
  // The value filter does not fit the new type.
  await page.getByRole('button', { name: /^Type/ }).click()
  await page.getByRole('checkbox', { name: 'Lead stage changed' }).uncheck()
  await page.getByRole('checkbox', { name: 'New lead' }).check()
  await page.keyboard.press('Escape')
  await expect(row(page, 'added the lead')).toHaveCount(1)
  expect(page.url()).not.toContain('leads_statuses')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/events$/)
})

test('the exports and the copied API call return exactly the shown list', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const api = await administrator(page)
  const { id } = await changedLead(api)
  await page.goto(`${ofLead(id)}&filter[type]=lead_status_changed,sale_field_changed`)
  await expect(row(page, /moved|sale/)).toHaveCount(3)
  const asked = new URL(page.url()).search
  const saved = async (format: string, name: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`events.${format}`)
    return readFile(await download.path(), 'utf8')
  }
  const names =
    'contact_name,lead_name,company_name,customer_name,catalog_element_name,catalog_name,integration'
  const answered = async (accept: string) =>
    (
      await page.request.get(`/web/v4/events${asked}&with=${names}&headings=en`, { headers: { accept } })
    ).text()
  const csv = await saved('csv', 'CSV table')
  // A byte order mark tells spreadsheets the encoding.
  expect(csv.replace(/^\uFEFF/, '')).toBe(await answered('text/csv'))
  expect(csv.trim().split('\r\n')).toHaveLength(4)
  expect(csv).toMatch(/"Who","When \([\w/]+\)",[\s\S]*"Ada Demo","\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/)
  const ndjson = await saved('ndjson', 'NDJSON, one event per line')
  expect(ndjson).toBe(await answered('application/x-ndjson'))

  await page.getByRole('button', { name: 'API call' }).click()
  const copied = async (label: string) => {
    await page.getByRole('button', { name: `Copy ${label}` }).click()
    return page.evaluate<string>('navigator.clipboard.readText()')
  }
  const address = await copied('Address')
  expect(address).toBe(
    `${demo.account.url}/api/v4/events?filter[entity]=lead&filter[entity_id]=${id}&filter[type]=lead_status_changed,sale_field_changed`,
  )
  const { stdout } = await run('sh', ['-c', `${await copied('curl')} -s`], {
    env: { ...process.env, TOKEN: demo.tokens.access_token },
  })
  const ids = (text: string) => JSON.parse(text)._embedded.events.map((event: { id: string }) => event.id)
  const shown = ndjson
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  expect(ids(stdout)).toEqual(shown)
})

test('live mode adds events at the top, keeps the scroll position, and pauses', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const follows = followsLive(page)
  await page.goto('/events')
  await expect(log(page).getByRole('listitem').nth(8)).toBeVisible()
  await follows
  const first = unique('First')
  await addRecord(api, 'companies', { name: first })
  await expect(row(page, first)).toBeVisible()

  const read = log(page).getByRole('listitem').filter({ hasText: first })
  await page.mouse.move(700, 600)
  const top = (await read.boundingBox())?.y ?? 0
  await page.mouse.wheel(0, 20)
  await expect.poll(async () => (await read.boundingBox())?.y).toBeCloseTo(top - 20, 0)
  const before = await read.boundingBox()
  const second = unique('Second')
  await addRecord(api, 'companies', { name: second })
  await expect(page.getByRole('button', { name: '1 new event' })).toBeVisible()
  expect((await read.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
  await page.getByRole('button', { name: '1 new event' }).click()
  await expect(row(page, second)).toBeInViewport()

  await page.getByRole('switch', { name: 'Live' }).click()
  const third = unique('Third')
  await addRecord(api, 'companies', { name: third })
  await page.waitForTimeout(800)
  await expect(row(page, third)).toBeHidden()
  await page.getByRole('switch', { name: 'Paused' }).click()
  await expect(row(page, third)).toBeVisible()
  expect(seen).toEqual([])
})

test('the chart works by keyboard and filters the list by day', async ({ page }) => {
  const api = await administrator(page)
  await addRecord(api, 'leads', { name: unique('Counted') })
  await page.goto('/events')
  const chart = page.getByRole('region', { name: 'Events by day' })
  const today = chart.getByRole('button', { name: /: \d+ events?$/ }).last()
  await expect(today).toHaveAccessibleName(/: [1-9]\d* events?$/)
  await today.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect(today).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Events by hour' })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('filter[created_at][from]')).toMatch(/^\d+$/)
  await expect(page.getByRole('button', { name: /^When/ })).toContainText('Today')
  await page.getByRole('button', { name: 'Show all days' }).click()
  await expect(chart).toBeVisible()
})

test('an empty result shows a message; on a phone in dark mode nothing overflows', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  const api = await administrator(page)
  const id = await addRecord(api, 'leads', { name: 'W'.repeat(200) })
  for (const path of [ofLead(id), '/events']) {
    await visit(page, path)
    await expect(log(page).getByRole('listitem').nth(1)).toBeVisible()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390)
    await checkPage(page, `/events/narrow${path === '/events' ? '' : '/long'}`, 'dark')
  }
  await visit(page, `${ofLead(id)}&filter[type]=lead_deleted`)
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await expect(page).toHaveURL(/\/events$/)
})
