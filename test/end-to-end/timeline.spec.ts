import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { type Callbacks, pushTo, takeCallbacks } from './callbacks.ts'
import { checkPage } from './check-page.ts'
import { answerLate, countMost } from './delayed-writes.ts'
import { mouseListeners } from './listeners.ts'
import { ask } from './own-api.ts'
import { demo, watch } from './people.ts'
import { type Api, addRecord, administrator, personOn } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

interface Saved {
  channel: { id: string }
  keys: { secret: string }
}

const timeline = (page: Page) => page.getByRole('region', { name: 'Timeline' })
const rowWith = (page: Page, text: string | RegExp) =>
  timeline(page).getByRole('listitem').filter({ hasText: text }).first()
const mode = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Write' }).getByRole('button', { name, exact: true })
const unique = (name: string) => `${name} ${Date.now().toString(36)}`

async function newLead(api: Api, name = 'Tricycle'): Promise<number> {
  const contact = await addRecord(api, 'contacts', {
    name: unique('Dora'),
    custom_fields_values: [{ field_code: 'PHONE', values: [{ value: '+442079460055', enum_code: 'WORK' }] }],
  })
  return addRecord(api, 'leads', { name: unique(name), _embedded: { contacts: [{ id: contact }] } })
}

async function openTimeline(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(timeline(page).getByRole('heading', { name: 'Today' })).toBeVisible()
}

test('changes that a person made at once are grouped, each with before and after, live', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const lead = await newLead(api)
  await openTimeline(page, `/leads/${lead}`)
  const { name } = await api.get(`leads/${lead}`)
  await api.patch(`leads/${lead}`, { name: `${name} II`, price: 90, tags_to_add: [{ name: 'blue' }] })
  const group = rowWith(page, /made \d changes/)
  await expect(group).toBeVisible()
  await expect(group).toContainText(`before${name}→after${name} II`)
  await expect(group).toContainText('before$0→after$90')
  await expect(group).toContainText('added tags blue')

  await timeline(page).getByRole('button', { name: 'Notes', exact: true }).click()
  await expect(timeline(page).getByText('No entries match')).toBeVisible()
  await timeline(page).getByRole('button', { name: 'Everything' }).first().click()
  await rowWith(page, 'added the lead').getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: 'New lead' })).toBeVisible()
  expect(seen).toEqual([])
})

test('a note that arrives live before the response to its write is never shown twice', async ({ page }) => {
  const api = await administrator(page)
  const lead = await newLead(api)
  await openTimeline(page, `/leads/${lead}`)
  const most = await countMost(page, '[data-kind], [data-writing]', 'Once only')
  await answerLate(page, /\/notes$/)
  await page.getByRole('textbox', { name: 'Note text' }).fill('Once only')
  await page.getByRole('textbox', { name: 'Note text' }).press('Control+Enter')
  await expect(rowWith(page, 'Once only')).toContainText('Adding')
  await expect(rowWith(page, 'Once only')).toContainText('added a note')
  expect(await most()).toBe(1)
})

test('new rows move nothing that is read further down, also without the scroll anchoring of the browser', async ({
  page,
}) => {
  const api = await administrator(page)
  const lead = await newLead(api)
  const note = (text: string) => ({ note_type: 'common', params: { text } })
  const notes = Array.from({ length: 40 }, (_, at) => note(`Read ${at}.`))
  await api.post(`leads/${lead}/notes`, notes)
  // Safari has none.
  await page.addInitScript(`{
    CSS.supports = () => false
    const none = new CSSStyleSheet()
    none.replaceSync('* { overflow-anchor: none }')
    document.adoptedStyleSheets.push(none)
  }`)
  await openTimeline(page, `/leads/${lead}`)
  const read = rowWith(page, 'Read 20.')
  await read.scrollIntoViewIfNeeded()
  const top = async () => (await read.boundingBox())?.y
  const before = Number(await top())
  await api.post(`leads/${lead}/notes`, [note('New, with\ntwo lines')])
  await expect(rowWith(page, 'New, with')).toBeAttached()
  await expect.poll(top).toBeCloseTo(before, 0)
})

/** The server does the next write of a note, and its response does not arrive. */
const loseNextNote = (page: Page) =>
  page.route(
    /\/notes$/,
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )

test('a note whose response was lost is not added again, with and without a file', async ({ page }) => {
  const api = await administrator(page)
  const lead = await newLead(api)
  await openTimeline(page, `/leads/${lead}`)
  await loseNextNote(page)
  const field = page.getByRole('textbox', { name: 'Note text' })
  await field.fill('Said once')
  await field.press('Control+Enter')
  const lost = page.getByRole('alert').filter({ hasText: 'The server does not respond.' })
  await expect(lost).toBeVisible()
  await expect(field).toHaveValue('Said once')
  await field.press('Control+Enter')
  await expect(field).toHaveValue('')
  await expect(rowWith(page, 'Said once')).not.toContainText('Adding')
  const notes = async (type: string) =>
    (await api.get(`leads/${lead}/notes?filter[note_type]=${type}`))._embedded.notes
  expect(await notes('common')).toHaveLength(1)

  await loseNextNote(page)
  await mode(page, 'File').click()
  const file = { name: 'once.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
  await page.locator('input[type=file]').first().setInputFiles(file)
  const add = page.getByRole('region', { name: 'Write' }).getByRole('button', { name: 'Add', exact: true })
  const fails = page.waitForEvent('requestfailed')
  await add.click()
  await fails
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('once.txt')
  await expect(add).toBeEnabled()
  await add.click()
  await expect(rowWith(page, 'once.txt')).toBeVisible()
  await expect(rowWith(page, 'once.txt')).not.toContainText('Adding')
  expect(await notes('attachment')).toHaveLength(1)
})

test('a note is written, changed, pinned and deleted; a draft is kept on its card', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const lead = await newLead(api)
  await openTimeline(page, `/leads/${lead}`)
  const field = page.getByRole('textbox', { name: 'Note text' })
  await field.fill('Wants a bell. See https://bells.example/loud')
  await field.press('Control+Enter')
  await expect(field).toHaveValue('')
  const note = rowWith(page, 'Wants a bell')
  await expect(note).toContainText('added a note')
  await expect(note.getByRole('link', { name: 'https://bells.example/loud' })).toHaveAttribute(
    'rel',
    /noopener/,
  )

  const choose = async (name: string) => {
    await note.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Edit')
  const editor = note.getByRole('textbox')
  await expect(editor).toBeFocused()
  await page.keyboard.type(' and another one')
  await expect(editor).toHaveValue(/loud and another one$/)
  await editor.fill('Wants a bell and a basket')
  await page.route(/\/notes\/\d+$/, (route) => route.abort(), { times: 1 })
  await editor.press('Control+Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'The server does not respond.' })).toBeVisible()
  await expect(editor).toHaveValue('Wants a bell and a basket')
  await editor.press('Control+Enter')
  await expect(editor).toHaveCount(0)
  await expect(note).toContainText('and a basket')
  await expect(note.getByRole('button', { name: /^More/ })).toBeFocused()
  await choose('Pin to the card')
  await expect(timeline(page).getByRole('list', { name: 'Pinned' })).toContainText('and a basket')
  await checkPage(page, '/timeline/notes', 'light')
  await page.reload()
  await expect(timeline(page).getByRole('list', { name: 'Pinned' })).toContainText('and a basket')
  await rowWith(page, 'added a note').getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(rowWith(page, 'deleted a note')).toBeVisible()
  await expect(rowWith(page, 'Deleted note')).toBeVisible()
  await expect(timeline(page).getByRole('list', { name: 'Pinned' })).toBeHidden()

  await field.fill('Half a thought')
  await page
    .getByRole('link', { name: /^Tasks/ })
    .first()
    .click()
  await expect(field).toBeHidden()
  await page.goBack()
  await expect(field).toHaveValue('Half a thought')
  expect(seen).toEqual([])
})

test('a card is printed with all of its timeline', async ({ page }) => {
  const api = await administrator(page)
  const lead = await newLead(api)
  const notes = Array.from({ length: 25 }, (_, i) => ({
    note_type: 'common',
    params: { text: `Note ${i + 1}\n`.repeat(12) },
  }))
  await api.post(`leads/${lead}/notes`, notes)
  await openTimeline(page, `/leads/${lead}`)
  await expect(rowWith(page, 'Note 1')).not.toHaveCount(0)
  expect(await mouseListeners(page)).toBeLessThan(notes.length)
  // Another note renders none of the others again.
  await page.evaluate(`self.timers = 0
    const { setTimeout } = self
    self.setTimeout = (...of) => { self.timers += 1; return setTimeout(...of) }`)
  await api.post(`leads/${lead}/notes`, [{ note_type: 'common', params: { text: 'Another' } }])
  await expect(rowWith(page, 'Another')).toBeVisible()
  expect(await page.evaluate('self.timers')).toBeLessThan(2 * notes.length)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeHidden()
  // 25 notes of 12 lines.
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeGreaterThan(25 * 12 * 15)
  await page.emulateMedia({ media: null })
})

test('a long text is collapsed after ten lines; a short one is not', async ({ page }) => {
  const api = await administrator(page)
  const lead = await newLead(api)
  const long = Array.from({ length: 40 }, (_, i) => `Line ${i + 1} of the order`).join('\n')
  await api.post(`leads/${lead}/notes`, [
    { note_type: 'service_message', params: { service: 'Shop', text: long } },
    { note_type: 'common', params: { text: 'W'.repeat(4_000) } },
    { note_type: 'common', params: { text: 'A short one\nof two lines' } },
  ])
  await openTimeline(page, `/leads/${lead}`)
  const linesOf = async (text: string) => {
    const shown = rowWith(page, text).locator('[data-folded], [data-long]')
    const { height, line } = await shown.evaluate((element: never) => {
      const { offsetHeight, ownerDocument } = element as { offsetHeight: number; ownerDocument: never }
      const view = (
        ownerDocument as { defaultView: { getComputedStyle: (of: unknown) => { lineHeight: string } } }
      ).defaultView
      return { height: offsetHeight, line: Number.parseFloat(view.getComputedStyle(element).lineHeight) }
    })
    return Math.round(height / line)
  }
  for (const text of ['Line 1 of the order', 'WWW']) {
    const row = rowWith(page, text)
    expect(await linesOf(text)).toBe(10)
    await row.getByRole('button', { name: 'Show all' }).click()
    expect(await linesOf(text)).toBeGreaterThan(20)
    await row.getByRole('button', { name: 'Show less' }).click()
    expect(await linesOf(text)).toBe(10)
    await expect(row.getByRole('button', { name: 'Show all' })).toBeInViewport()
  }
  await expect(rowWith(page, 'A short one').getByRole('button', { name: 'Show all' })).toBeHidden()
  await checkPage(page, '/timeline/folded', 'light')
})

test('a call, an SMS, files and a task are added on the card, and the task is completed in place', async ({
  page,
}) => {
  const seen = watch(page)
  const api = await administrator(page)
  const lead = await newLead(api)
  await openTimeline(page, `/leads/${lead}`)
  await mode(page, 'Call').click()
  await page.getByRole('combobox', { name: 'Phone' }).click()
  await page.getByRole('option', { name: '+442079460055' }).click()
  await page.getByRole('textbox', { name: 'Duration' }).fill('two')
  await page.getByRole('button', { name: 'Log call' }).click()
  await expect(page.getByText('Enter it as 2:05.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Duration' }).fill('2:05')
  await page.getByRole('textbox', { name: 'Summary' }).fill('Comes on Friday')
  await page.getByRole('button', { name: 'Log call' }).click()
  await expect(rowWith(page, 'made a call')).toContainText('+4420794600552:05')
  await expect(rowWith(page, 'made a call')).toContainText('Comes on Friday')
  const [call] = (await api.get(`leads/${lead}/notes?filter[note_type]=call_out`))._embedded.notes
  expect(call.params).toMatchObject({ phone: '+442079460055', duration: 125, call_result: 'Comes on Friday' })

  await mode(page, 'SMS').click()
  await page.getByRole('combobox', { name: 'Phone' }).fill('+442079460055')
  await page.getByRole('textbox', { name: 'SMS text' }).fill('See you on Friday')
  await page.getByRole('button', { name: 'Add SMS' }).click()
  await expect(rowWith(page, 'sent an SMS')).toContainText('See you on Friday')

  await mode(page, 'File').click()
  const buffer = await sharp({ create: { width: 480, height: 300, channels: 3, background: '#0f6b78' } })
    .png()
    .toBuffer()
  await page.locator('input[type=file]').setInputFiles([{ name: 'offer.png', mimeType: 'image/png', buffer }])
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const file = rowWith(page, 'added a file')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    file.getByRole('link', { name: 'Download offer.png' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('offer.png')
  await file.getByRole('button', { name: 'Enlarge offer.png' }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'offer.png' })).toBeVisible()
  await page.keyboard.press('Escape')

  await mode(page, 'Task').click()
  await page.getByRole('region', { name: 'Write' }).getByRole('textbox').first().fill('Pack it')
  await page.getByRole('region', { name: 'Write' }).getByRole('button', { name: 'Add task' }).click()
  const task = rowWith(page, 'added a task')
  await expect(task).toContainText('Pack it')
  await checkPage(page, '/timeline/written', 'light')
  await task.getByRole('button', { name: 'Complete: Pack it' }).click()
  await task.getByRole('textbox').fill('Packed')
  await task.getByRole('textbox').press('Enter')
  // All events of the task are one row with the current task.
  const block = rowWith(page, 'completed a task')
  await expect(block).toContainText('Pack it')
  await expect(block.getByText('Packed', { exact: true })).toHaveCount(1)
  await expect(block.getByRole('list').getByRole('listitem')).toHaveText([
    /^added a task/,
    /^added the result of a task/,
  ])
  await expect(block.getByTitle(/Open this event$/)).toHaveCount(3)
  await expect(timeline(page).locator('[data-kind=task]')).toHaveCount(1)
  await checkPage(page, '/timeline/task', 'light')
  expect(seen).toEqual([])
})

test('a chat reply is sent from the card, and its row shows the delivery state', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  await page.goto('/')
  let secret = ''
  const provider: Callbacks = await takeCallbacks(() => secret)
  try {
    const made = { name: unique('Wire'), callback_url: provider.url }
    const { channel, keys: given } = await ask<Saved>(page, 'POST', '/web/channels', made)
    secret = given.secret
    await ask(page, 'POST', `/web/channels/${channel.id}/connect`)
    const keys = { id: channel.id, secret, scope_id: `${channel.id}_${demo.account.amojo_id}` }
    const from = { id: unique('ed'), name: unique('Ed') }
    await pushTo(demo.base_url, keys, { from, message: { type: 'text', text: 'Is it ready?' } })
    const found = await api.get(`chats?query=${encodeURIComponent(from.name)}`)
    const [chat] = found?._embedded.chats ?? []
    await openTimeline(page, `/leads/${chat.lead_id}`)
    await expect(rowWith(page, 'Is it ready?')).toContainText('Client sent a chat message')
    await mode(page, 'Chat reply').click()
    const field = page.getByRole('textbox', { name: `Message to ${from.name}` })
    await field.fill('On Friday.')
    await field.press('Enter')
    const answer = rowWith(page, 'On Friday.')
    await expect(answer).toContainText('replied in the chat')
    await expect(answer).toContainText('Delivered')
    expect(provider.taken.map(({ text }) => text)).toEqual(['On Friday.'])
    await answer.getByRole('link', { name: 'Open conversation' }).click()
    await expect(page).toHaveURL(new RegExp(`/inbox/${chat.id}`))
  } finally {
    provider.stop()
  }
  expect(seen).toEqual([])
})

test('a read-only person sees the timeline and why they cannot add to it', async ({ page, request }) => {
  const api = await administrator({ request })
  const lead = await newLead(api, 'W'.repeat(200))
  await api.post(`leads/${lead}/notes`, [{ note_type: 'common', params: { text: 'L'.repeat(400) } }])
  const view = { view: 'A', edit: 'D', add: 'D', delete: 'D', export: 'D' }
  const reader = await personOn(page, api, {
    name: 'Rita Reader',
    rights: { leads: view, contacts: view, companies: view },
  })
  await openTimeline(reader.page, `/leads/${lead}`)
  await expect(timeline(reader.page)).toContainText('You can view this timeline but not add to it.')
  await expect(reader.page.getByRole('region', { name: 'Write' })).toBeHidden()
  await expect(rowWith(reader.page, 'added a note')).toBeVisible()
  await expect(rowWith(reader.page, 'added a note').getByRole('button', { name: /^More/ })).toBeHidden()
})
