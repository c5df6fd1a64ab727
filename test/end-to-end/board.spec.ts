import { type Browser, expect, type Locator, type Page, type Route, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { followsLive } from './live.ts'
import { visit } from './navigate.ts'
import { ask } from './own-api.ts'
import { signIn, watch } from './people.ts'

interface Way {
  id: number
  stages: { id: number; name: string }[]
}

let made = 0

/** Creates a pipeline for one test: four stages, won and lost. */
async function newPipeline(page: Page): Promise<Way> {
  made += 1
  const answer = await ask<{
    _embedded: { pipelines: { id: number; _embedded: { statuses: Way['stages'] } }[] }
  }>(page, 'POST', '/web/v4/leads/pipelines', [
    {
      name: `Board ${Date.now()} ${made}`,
      sort: 1000 + made,
      is_main: false,
      is_unsorted_on: false,
      _embedded: { statuses: ['First', 'Second', 'Third', 'Fourth'].map((name) => ({ name })) },
    },
  ])
  const [pipeline] = answer._embedded.pipelines
  return { id: Number(pipeline?.id), stages: pipeline?._embedded.statuses ?? [] }
}

const stageOf = ({ stages }: Way, name: string) => Number(stages.find((one) => one.name === name)?.id)

async function addLeads(page: Page, way: Way, drafts: Record<string, unknown>[], stage = 'First') {
  const place = { pipeline_id: way.id, status_id: stageOf(way, stage) }
  const answer = await ask<{ _embedded: { leads: { id: number }[] } }>(
    page,
    'POST',
    '/web/v4/leads',
    drafts.map((draft) => ({ ...place, ...draft })),
  )
  return answer._embedded.leads.map(({ id }) => id)
}

const boardOf = (way: Way) => `/leads?filter[pipeline_id]=${way.id}&shape=board`
const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const card = (page: Page | Locator, name: string) => page.getByRole('article').filter({ hasText: name })
const refusal = (detail: string) => ({
  status: 403,
  contentType: 'application/problem+json',
  body: JSON.stringify({ status: 403, title: 'Forbidden', type: 'https://x.example/#forbidden', detail }),
})

/** Drags with the mouse, using the browser's drag and drop. */
async function drag(page: Page, what: Locator, to: Locator): Promise<void> {
  const from = await what.boundingBox()
  const target = await to.boundingBox()
  if (!from || !target) throw new Error('nothing to drag')
  await page.mouse.move(from.x + 40, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(from.x + 60, from.y + 24, { steps: 4 })
  await page.mouse.move(target.x + target.width / 2, target.y + 140, { steps: 8 })
  await page.mouse.move(target.x + target.width / 2, target.y + 150, { steps: 2 })
  await page.mouse.up()
}

/** Waits for the columns, which load after the totals: the first one has leads, the other three have none. */
async function isRead(page: Page): Promise<void> {
  await expect(column(page, 'First').getByRole('article').first()).toBeVisible()
  await expect(page.getByText('No leads here')).toHaveCount(3)
}

/** Opens a second browser with a new session of the same person. */
async function another(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signIn(page)
  return page
}

test.use({ viewport: { width: 1440, height: 900 } })

test('a dragged lead moves between stages, both totals change, and another browser sees it live', async ({
  page,
  browser,
}) => {
  const seen = watch(page)
  await signIn(page)
  const way = await newPipeline(page)
  const [id] = await addLeads(page, way, [
    { name: 'Ten city bikes', price: 4200 },
    { name: 'Repair contract', price: 800 },
  ])
  await page.goto(boardOf(way))
  await expect(column(page, 'First')).toContainText('2 leads')
  await expect(column(page, 'First')).toContainText('$5,000')
  const other = await another(browser)
  const follows = followsLive(other)
  await other.goto(boardOf(way))
  await follows
  await isRead(other)
  await isRead(page)
  const lists: string[] = []
  other.on('request', (request) => {
    if (/\/leads\?.*filter%5Bstatuses%5D/.test(request.url())) lists.push(request.url())
  })

  await drag(page, card(page, 'Ten city bikes'), column(page, 'Second'))
  await expect(card(column(page, 'Second'), 'Ten city bikes')).toBeVisible()
  await expect(column(page, 'First')).toContainText('1 lead$800')
  await expect(column(page, 'Second')).toContainText('1 lead$4,200')
  await expect(page.getByText('Ten city bikes is now in Second')).toBeAttached()

  await expect(card(column(other, 'Second'), 'Ten city bikes')).toBeVisible()
  await expect(column(other, 'Second')).toContainText('1 lead$4,200')
  await expect(card(column(other, 'First'), 'Ten city bikes')).toBeHidden()
  // The card moved without reloading a column.
  expect(lists).toEqual([])
  const lead = await ask<{ status_id: number }>(page, 'GET', `/web/v4/leads/${id}`)
  expect(lead.status_id).toBe(stageOf(way, 'Second'))
  await page.reload()
  await expect(card(column(page, 'Second'), 'Ten city bikes')).toBeVisible()
  expect(seen).toEqual([])
})

test('the keyboard and the menu move a lead and keep its focus', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const way = await newPipeline(page)
  await addLeads(page, way, [{ name: 'By keys', price: 10 }, { name: 'Stays here' }])
  await page.goto(boardOf(way))
  const link = page.getByRole('link', { name: 'By keys' })
  await link.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(card(column(page, 'Second'), 'By keys')).toBeVisible()
  await expect(link).toBeFocused()
  await expect(page.getByText('By keys is now in Second')).toBeAttached()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(card(column(page, 'Fourth'), 'By keys')).toBeVisible()
  await expect(link).toBeFocused()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(card(column(page, 'Third'), 'By keys')).toBeVisible()
  await expect(link).toBeFocused()
  // The writes of two leads do not wait for each other, and one announcement replaces the other.
  await expect(page.getByText('By keys is now in Third')).toBeAttached()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('link', { name: 'Stays here' })).toBeFocused()

  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Move “Stays here” to another stage' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Second' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card(column(page, 'Second'), 'Stays here')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Stays here' })).toBeFocused()
  await expect(page.getByText('Stays here is now in Second')).toBeAttached()
  await expect
    .poll(async () => (await placesOf(page, way)).sort())
    .toEqual(['By keys Third', 'Stays here Second'])
  expect(seen).toEqual([])
})

test('the next card gets the focus of a card that somebody else moves or deletes', async ({ page }) => {
  await signIn(page)
  const way = await newPipeline(page)
  const names = ['Last of all', 'After it', 'Moved away', 'Deleted']
  const ids = await addLeads(
    page,
    way,
    names.map((name) => ({ name })),
  )
  const link = (name: string) => page.getByRole('link', { name })
  const live = followsLive(page)
  await page.goto(boardOf(way))
  await live
  await link('Deleted').focus()
  await ask(page, 'DELETE', `/web/v4/leads/${ids[3]}`)
  await expect(link('Moved away')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Second' })).toBeFocused()
  await ask(page, 'PATCH', `/web/v4/leads/${ids[2]}`, { status_id: stageOf(way, 'Third') })
  await expect(card(column(page, 'Third'), 'Moved away')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(link('After it')).toBeFocused()
})

/** Delays the response of a column until the test releases it. */
async function holdRead(page: Page, stage: number, isWanted: (search: URLSearchParams) => boolean) {
  const read = Promise.withResolvers<void>()
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  const isHeld = ({ pathname, searchParams }: URL) =>
    pathname === '/web/v4/leads' &&
    searchParams.get('filter[statuses][0][status_id]') === String(stage) &&
    isWanted(searchParams)
  const hold = async (route: Route) => {
    const response = await route.fetch()
    read.resolve()
    await promise
    await route.fulfill({ response })
  }
  await page.route(isHeld, hold, { times: 1 })
  return { read: read.promise, answer }
}

test('a lead that moves before its new column loads is in it', async ({ page }) => {
  await signIn(page)
  const way = await newPipeline(page)
  await addLeads(page, way, [{ name: 'Early bird' }, { name: 'Stays here' }])
  const { read, answer } = await holdRead(page, stageOf(way, 'Second'), () => true)
  await page.goto(boardOf(way))
  await read
  const link = page.getByRole('link', { name: 'Early bird' })
  await link.focus()
  // The live stream also announces the move, and the lead is reloaded.
  const reloaded = page.waitForResponse((response) => response.url().includes('filter%5Bid%5D'))
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByText('Early bird is now in Second')).toBeAttached()
  await reloaded
  await expect(card(column(page, 'Second'), 'Early bird')).toBeVisible()
  await expect(column(page, 'Second')).toContainText('1 lead')
  answer()
  await expect(page.getByText('No leads here')).toHaveCount(2)
  await expect(card(column(page, 'Second'), 'Early bird')).toBeVisible()
  await expect(card(page, 'Early bird')).toHaveCount(1)
  await expect(link).toBeFocused()
})

test('a lead that moves while its new column loads more is in it', async ({ page }) => {
  await signIn(page)
  const way = await newPipeline(page)
  await addLeads(page, way, [{ name: 'Comes between' }])
  const many = Array.from({ length: 120 }, (_, i) => ({ name: `Of many ${i + 1}` }))
  await addLeads(page, way, many, 'Second')
  const { read, answer } = await holdRead(page, stageOf(way, 'Second'), (search) => search.has('page'))
  await page.goto(boardOf(way))
  await expect(card(column(page, 'Second'), 'Of many').first()).toBeVisible()
  await column(page, 'Second').hover()
  await page.mouse.wheel(0, 20_000)
  await read
  await page.getByRole('link', { name: 'Comes between' }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByText('Comes between is now in Second')).toBeAttached()
  answer()
  await page.mouse.wheel(0, -20_000)
  await expect(card(column(page, 'Second'), 'Comes between')).toBeVisible()
  await expect(column(page, 'Second').getByRole('listitem').first()).toHaveAttribute('aria-setsize', '121')
})

async function placesOf(page: Page, way: Way): Promise<string[]> {
  const { _embedded } = await ask<{ _embedded: { leads: { name: string; status_id: number }[] } }>(
    page,
    'GET',
    `/web/v4/leads?filter[pipeline_id]=${way.id}`,
  )
  return _embedded.leads.map(
    ({ name, status_id }) => `${name} ${way.stages.find(({ id }) => id === status_id)?.name}`,
  )
}

test('a rejected move is reverted with a reason', async ({ page }) => {
  await signIn(page)
  const way = await newPipeline(page)
  const [id] = await addLeads(page, way, [{ name: 'Not yours', price: 300 }])
  await page.goto(boardOf(way))
  await isRead(page)
  let answer: (() => void) | undefined
  await page.route(`**/web/v4/leads/${id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    await route.fulfill(refusal('No.'))
  })
  await drag(page, card(page, 'Not yours'), column(page, 'Third'))
  await expect(card(column(page, 'Third'), 'Not yours')).toBeVisible()
  await expect(column(page, 'Third')).toContainText('1 lead$300')
  await expect(column(page, 'First')).toContainText('0 leads')
  await expect.poll(() => answer !== undefined).toBe(true)
  answer?.()
  await expect(card(column(page, 'First'), 'Not yours')).toBeVisible()
  await expect(column(page, 'First')).toContainText('1 lead$300')
  await expect(column(page, 'Third')).toContainText('0 leads')
  await expect(
    page.getByRole('alert').filter({ hasText: 'You do not have permission to do this.' }),
  ).toBeVisible()
  await expect(page.getByText('Not yours stays in First')).toBeAttached()

  // The name of a lead that was refused is in its box again.
  await page.route('**/web/v4/leads', (route) => route.fulfill(refusal('No.')), { times: 1 })
  await page.getByRole('button', { name: 'Add a lead to First' }).click()
  const box = page.getByRole('textbox', { name: 'New lead in First' })
  await box.fill('Refused at first')
  await box.press('Enter')
  await expect(box).toHaveValue('Refused at first')
  await box.press('Enter')
  await expect(card(column(page, 'First'), 'Refused at first')).toBeVisible()
  await expect(box).toHaveValue('')
})

test('a stage asks only for its required fields', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const way = await newPipeline(page)
  const place = { pipeline_id: way.id, status_id: stageOf(way, 'Second') }
  const field = (name: string, more = {}) => ({ name, type: 'text', required_statuses: [place], ...more })
  const budget = `Budget ${Date.now()}`
  const shop = `Shop ${Date.now()}`
  const { _embedded } = await ask<{ _embedded: { custom_fields: { id: number }[] } }>(
    page,
    'POST',
    '/web/v4/leads/custom_fields',
    [field(budget, { type: 'numeric' }), field(shop)],
  )
  const ids = _embedded.custom_fields.map((one) => one.id)
  const [id] = await addLeads(page, way, [{ name: 'Wants to be known' }])
  await page.goto(boardOf(way))
  await isRead(page)
  await drag(page, card(page, 'Wants to be known'), column(page, 'Second'))
  const dialog = page.getByRole('dialog', { name: 'Move “Wants to be known”' })
  await expect(dialog).toContainText(budget)
  await expect(dialog).toContainText(shop)
  await checkPage(page, '/leads/board/required', 'light')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(card(column(page, 'First'), 'Wants to be known')).toBeVisible()

  await page.getByRole('link', { name: 'Wants to be known' }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await dialog.getByRole('textbox', { name: budget }).fill('1200')
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: shop }).fill('Lisbon')
  await dialog.getByRole('button', { name: 'Save to Second' }).click()
  await expect(dialog).toBeHidden()
  await expect(card(column(page, 'Second'), 'Wants to be known')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Wants to be known' })).toBeFocused()
  const lead = await ask<{
    status_id: number
    custom_fields_values: { field_id: number; values: { value: unknown }[] }[]
  }>(page, 'GET', `/web/v4/leads/${id}`)
  expect(lead.status_id).toBe(place.status_id)
  expect(lead.custom_fields_values.map(({ values }) => String(values[0]?.value))).toEqual(['1200', 'Lisbon'])

  await page.getByRole('button', { name: 'Add a lead to Second' }).click()
  await page.getByRole('textbox', { name: 'New lead in Second' }).fill('Quick one')
  await page.keyboard.press('Enter')
  const asks = page.getByRole('dialog', { name: 'Add “Quick one”' })
  await asks.getByRole('textbox', { name: budget }).fill('5')
  await page.keyboard.press('Enter')
  await asks.getByRole('textbox', { name: shop }).fill('Porto')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(card(column(page, 'Second'), 'Quick one')).toBeVisible()
  for (const one of ids) await ask(page, 'DELETE', `/web/v4/leads/custom_fields/${one}`)
  expect(seen).toEqual([])
})

test('closed stages are collapsed, and closing a lead as lost asks for the reason', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const way = await newPipeline(page)
  const reason = `Too far away ${Date.now()}`
  const { _embedded } = await ask<{ _embedded: { loss_reasons: { id: number }[] } }>(
    page,
    'POST',
    '/web/v4/leads/loss_reasons',
    [{ name: reason }],
  )
  const [id] = await addLeads(page, way, [{ name: 'Will be lost' }, { name: 'Will be won' }])
  await page.goto(boardOf(way))
  await isRead(page)
  const lost = page.getByRole('button', { name: /lost \d+ leads?: expand/ })
  const won = page.getByRole('button', { name: /won \d+ leads?: expand/ })
  await drag(page, card(page, 'Will be lost'), lost)
  const dialog = page.getByRole('dialog', { name: 'Close as lost' })
  await expect(lost).toHaveAccessibleName(/ 1 lead:/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(card(column(page, 'First'), 'Will be lost')).toBeVisible()
  await drag(page, card(page, 'Will be lost'), lost)
  await dialog.getByRole('radio', { name: reason }).check()
  await checkPage(page, '/leads/board/lost', 'light')
  await dialog.getByRole('button', { name: 'Close lead' }).click()
  await expect(page.getByText(/Will be lost is now in/)).toBeAttached()
  const read = await ask<{ status_id: number; loss_reason_id: number }>(page, 'GET', `/web/v4/leads/${id}`)
  expect(read).toMatchObject({ status_id: 143, loss_reason_id: _embedded.loss_reasons[0]?.id })

  await page.getByRole('link', { name: 'Will be won' }).focus()
  for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowRight')
  await expect(won).toHaveAccessibleName(/ 1 lead:/)
  await expect(won).toBeFocused()
  await won.click()
  await expect(card(page, 'Will be won')).toBeVisible()
  await page.reload()
  await expect(card(page, 'Will be won')).toBeVisible()
  await page.getByRole('button', { name: /^Collapse .*won/ }).click()
  await expect(card(page, 'Will be won')).toBeHidden()
  expect(seen).toEqual([])
})

test('leads are added by name; filters apply to columns and totals; a column with hundreds of leads scrolls', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const way = await newPipeline(page)
  await page.goto(boardOf(way))
  await expect(column(page, 'First')).toContainText('No leads here')
  await page.getByRole('button', { name: 'Add a lead to First' }).click()
  const box = page.getByRole('textbox', { name: 'New lead in First' })
  for (const name of ['One', 'Two']) {
    await box.fill(`${name} by hand`)
    await box.press('Enter')
    await expect(card(column(page, 'First'), `${name} by hand`)).toBeVisible()
    await expect(box).toHaveValue('')
  }
  await box.press('Escape')
  await expect(box).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add a lead to First' })).toBeFocused()
  await expect(column(page, 'First')).toContainText('2 leads')

  const many = Array.from({ length: 240 }, (_, i) => ({ name: `Of many ${i + 1}`, price: i }))
  await addLeads(page, way, many, 'Second')
  await expect(column(page, 'Second')).toContainText('240 leads')
  const cards = column(page, 'Second').getByRole('article')
  await expect(cards.first()).toBeVisible()
  expect(await cards.count()).toBeLessThan(40)
  await column(page, 'Second').hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4_000)
      return card(page, 'Of many 1')
        .filter({ hasNotText: /Of many 1\d/ })
        .count()
    })
    .toBe(1)
  expect(await cards.count()).toBeLessThan(40)

  await visit(page, `${boardOf(way)}&filter[price][from]=230`)
  await expect(column(page, 'Second')).toContainText('10 leads')
  await expect(column(page, 'First')).toContainText('0 leads')
  expect(seen).toEqual([])
})

test('a phone shows one stage at a time and moves leads by the menu', async ({ page }) => {
  const seen = watch(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  const way = await newPipeline(page)
  await addLeads(page, way, [{ name: 'W'.repeat(200), price: 123_456_789 }, { name: 'On the road' }])
  await page.goto(boardOf(way))
  await expect(column(page, 'First')).toContainText('2 leads')
  await expect(column(page, 'Second')).toBeHidden()
  await card(page, 'On the road').hover()
  await page.getByRole('button', { name: 'Move “On the road” to another stage' }).click()
  await page.getByRole('menuitem', { name: 'Second' }).click()
  await expect(card(page, 'On the road')).toBeHidden()
  await page.getByRole('button', { name: 'Next stage' }).click()
  await expect(card(column(page, 'Second'), 'On the road')).toBeVisible()
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(width).toBe(390)
  await checkPage(page, '/leads/board/telephone', 'light')
  expect(seen).toEqual([])
})

test('tasks for a day have no time, in the zone of the account, and leads without a name have one', async ({
  browser,
  baseURL,
}) => {
  // The account is in UTC.
  const context = await browser.newContext({ baseURL, timezoneId: 'America/Los_Angeles' })
  const page = await context.newPage()
  await signIn(page)
  const way = await newPipeline(page)
  const ids = await addLeads(page, way, [{ name: 'Today' }, { name: 'Yesterday' }, { name: 'Nameless' }])
  const today = new Date().setUTCHours(23, 59, 0, 0) / 1000
  const due = [today, today - 86_400].map((complete_till, i) => ({ entity_id: ids[i], complete_till }))
  await ask(
    page,
    'POST',
    '/web/v4/tasks',
    due.map((one) => ({ ...one, entity_type: 'leads', text: 'Call', task_type_id: 1 })),
  )
  await page.route(/\/web\/v4\/leads\?/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('"Nameless"', '""') })
  })
  await page.goto(boardOf(way))
  await expect(card(page, 'Today').getByText(/^Task/)).toHaveText('Task today')
  await expect(card(page, 'Yesterday').getByText(/^Task/)).toHaveText('Task overdue: Yesterday')
  const name = `No name, #${ids[2]}`
  await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', `/leads/${ids[2]}`)
  await card(page, name).hover()
  await expect(page.getByRole('button', { name: `Move “${name}” to another stage` })).toBeVisible()
  await context.close()
})

for (const scheme of themesOf('/leads/board'))
  test(`the board is accessible: ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await signIn(page)
    const way = await newPipeline(page)
    const late = Math.floor(Date.now() / 1000) - 86_400
    const ids = await addLeads(page, way, [
      {
        name: 'With everything',
        price: 9,
        _embedded: { tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      },
      { name: 'Plain' },
    ])
    await ask(page, 'POST', '/web/v4/tasks', [
      { entity_type: 'leads', entity_id: ids[0], text: 'Call', complete_till: late, task_type_id: 1 },
    ])
    await page.goto(boardOf(way))
    await expect(card(page, 'With everything')).toContainText(/Task overdue: Yesterday, /)
    await checkPage(page, '/leads/board', scheme)
    await card(page, 'Plain').hover()
    await page.getByRole('button', { name: 'Move “Plain” to another stage' }).click()
    await expect(page.getByRole('menuitem', { name: 'Third' })).toBeVisible()
    await checkPage(page, '/leads/board/menu', scheme)
  })
