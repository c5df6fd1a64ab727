import { expect, type Page, test } from '@playwright/test'
import { visit } from './navigate.ts'
import { watch } from './people.ts'
import { type Answer, addRecord } from './record-world.ts'
import { addChat, nameOf, type Scene, setScene } from './rights-scene.ts'

test.use({ viewport: { width: 1440, height: 900 } })
// Each test signs in two people.
test.beforeEach(() => test.setTimeout(180_000))

const now = () => Math.floor(Date.now() / 1000)
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const rows = (page: Page) => page.getByRole('list', { name: 'Events, newest first' })

test('the log, its chart and live events show only visible records', async ({ page, request }) => {
  const { admin, me, word, mine, theirs } = await setScene(page, request, 'own')
  const errors = watch(me.page)
  const from = now() - 3_600
  const narrowed = `filter[created_at][from]=${from}`
  const said = await me.api.get(`events?${narrowed}&limit=100`)
  const about = said._embedded.events.map(({ entity_id }: Answer) => entity_id)
  for (const id of Object.values(mine)) expect(about).toContain(id)
  for (const id of Object.values(theirs)) expect(about).not.toContain(id)

  await visit(me.page, `/events?${narrowed}`)
  await expect(rows(me.page)).toContainText(nameOf(word, 'mine', 'leads'))
  await expect(rows(me.page).locator('[data-log-row]')).toHaveCount(about.length)
  await expect(me.page.locator('body')).not.toContainText(`${word} theirs`)
  // The bars count only visible events.
  const counts = await me.api.get(`events/counts?${narrowed}&by=day`)
  const counted = counts._embedded.counts.reduce((sum: number, { count }: Answer) => sum + count, 0)
  expect(counted).toBe(about.length)
  const bars = me.page.getByRole('region', { name: /^Events by/ })
  await expect(bars.locator(`[aria-label$=": ${counted} events"]`)).toHaveCount(1)

  // Live: of two new leads only the second is theirs; the first would have arrived before it.
  const add = (name: string, responsible_user_id: number) =>
    addRecord(admin, 'leads', { name: `${word} ${name}`, responsible_user_id })
  await add('theirs live', 1)
  await add('mine live', me.id)
  await expect(rows(me.page)).toContainText(`${word} mine live`)
  await expect(me.page.locator('body')).not.toContainText(`${word} theirs`)

  // A hidden event cannot be opened by its address either.
  const hidden = await admin.get(`events?filter[entity]=lead&filter[entity_id]=${theirs.leads}`)
  const [{ id }] = hidden._embedded.events
  await visit(me.page, `/events/${id}`)
  await expect(
    me.page.getByText('This no longer exists, or you do not have permission to see it.'),
  ).toBeVisible()
  await expect(me.page.locator('body')).not.toContainText(`${word} theirs`)
  expect(errors).toEqual([])
})

test('the timeline of their lead shows changes of others, without hidden records', async ({
  page,
  request,
}) => {
  const { admin, me, word, mine, theirs } = await setScene(page, request, 'own')
  await admin.post(`leads/${mine.leads}/notes`, [{ note_type: 'common', params: { text: `${word} note` } }])
  await admin.post(`leads/${mine.leads}/link`, [
    { to_entity_id: theirs.contacts, to_entity_type: 'contacts' },
    { to_entity_id: mine.contacts, to_entity_type: 'contacts' },
  ])
  await visit(me.page, `/leads/${mine.leads}`)
  const timeline = me.page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText(`${word} note`)
  await expect(timeline).toContainText(nameOf(word, 'mine', 'contacts'))
  await me.page.waitForLoadState('networkidle')
  await expect(me.page.locator('body')).not.toContainText(`${word} theirs`)
  const answer = await me.page.request.get(`/web/v4/leads/${theirs.leads}/timeline`)
  expect([403, 404]).toContain(answer.status())
})

/** Tasks of the person and of others, on the person's lead and on another. */
async function addTasks({ admin, me, word, mine, theirs }: Scene): Promise<void> {
  const task = (text: string, responsible_user_id: number, entity_id?: number) =>
    addRecord(admin, 'tasks', {
      text: `${word} ${text}`,
      complete_till: now() + 86_400 * 40,
      responsible_user_id,
      ...(entity_id && { entity_type: 'leads', entity_id }),
    })
  await task('my own', me.id)
  await task('mine, about theirs', me.id, theirs.leads)
  await task('of others, about mine', 1, mine.leads)
  await task('of others', 1)
  await task('of others, about theirs', 1, theirs.leads)
}

test('tasks: their own and those on their records; only their own can be completed', async ({
  page,
  request,
}) => {
  const scene = await setScene(page, request, 'own')
  const { me, word } = scene
  await addTasks(scene)
  const said = await me.api.get(`tasks?filter[text]=${word}&limit=250`)
  const texts = (said?._embedded.tasks ?? []).map(({ text }: Answer) => text).toSorted()
  const wanted = ['mine, about theirs', 'my own', 'of others, about mine'].map((text) => `${word} ${text}`)
  expect(texts).toEqual(wanted)
  await visit(me.page, `/tasks?view=all&filter[text]=${word}`)
  const task = (text: string) =>
    me.page.locator('[data-task]').filter({ has: me.page.getByText(`${word} ${text}`, { exact: true }) })
  await expect(me.page.locator('[data-task]')).toHaveCount(3)
  for (const text of ['my own', 'mine, about theirs'])
    await expect(task(text).getByRole('button', { name: /^Complete: / })).toBeEnabled()
  const foreign = task('of others, about mine')
  await expect(foreign.getByRole('button', { name: /^Complete: / })).toBeDisabled()
  await expect(foreign.getByRole('button', { name: /^Due: / })).toHaveCount(0)
  await foreign.getByRole('button', { name: /^More: / }).click()
  await expect(me.page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  // A task does not reveal its record.
  await expect(task('mine, about theirs').getByRole('link')).toHaveCount(0)
  await expect(me.page.locator('body')).not.toContainText(nameOf(word, 'theirs', 'leads'))
})

test('the inbox has the conversations of their records; others cannot be opened', async ({
  page,
  request,
}) => {
  const scene = await setScene(page, request, 'own')
  const { me, word } = scene
  const mine = await addChat(scene, 'mine', me.id)
  const theirs = await addChat(scene, 'theirs', 1)
  const said = await me.api.get('chats?limit=50')
  expect((said?._embedded.chats ?? []).map(({ id }: Answer) => id)).toEqual([mine.id])
  await visit(me.page, '/inbox')
  await expect(me.page.locator('[data-chat-row]')).toHaveCount(1)
  await me.page.getByRole('link', { name: mine.name }).click()
  await expect(me.page.getByRole('textbox', { name: /^Message to/ })).toBeVisible()
  await visit(me.page, `/inbox/${theirs.id}`)
  await expect(
    me.page.getByText('This no longer exists, or you do not have permission to see it.'),
  ).toBeVisible()
  await expect(me.page.locator('body')).not.toContainText(`${word} theirs`)
  await expect(me.page.getByRole('textbox', { name: /^Message to/ })).toHaveCount(0)

  // Live messages arrive only for their own conversation.
  await visit(me.page, '/inbox')
  await expect(me.page.locator('[data-chat-row]')).toHaveCount(1)
  await addChat(scene, 'theirs', 1)
  await addChat(scene, 'mine', me.id)
  await expect(me.page.locator('[data-chat-row]')).toContainText('unread')
  await expect(me.page.locator('body')).not.toContainText(`${word} theirs`)
})

test('people who can only read their group’s conversations see that they cannot reply', async ({
  page,
  request,
}) => {
  const scene = await setScene(page, request, "group's, only to read")
  const { admin, me } = scene
  const peer = (await admin.get(`leads/${scene.mine.leads}`)).responsible_user_id
  const chat = await addChat(scene, 'mine', peer)
  await visit(me.page, `/inbox/${chat.id}`)
  await expect(me.page.getByText('You can read this conversation but not reply')).toBeVisible()
  await expect(me.page.getByRole('textbox', { name: /^Message to/ })).toHaveCount(0)
  await expect(me.page.getByRole('button', { name: 'Close', exact: true })).toHaveCount(0)
  const answer = await me.page.request.get(`/web/v4/chats/${chat.id}`)
  expect((await answer.json()).can_write).toBe(false)
})

test('home shows only their own records, and nothing for administrators', async ({ page, request }) => {
  const scene = await setScene(page, request, 'own')
  const { me, word, stage } = scene
  await visit(me.page, '/')
  const leads = me.page.getByRole('region', { name: 'My leads', exact: true })
  await expect(leads.getByRole('listitem').filter({ hasText: stage.name })).toContainText('$300')
  await expect(me.page.getByRole('region', { name: 'Since yesterday' })).toContainText(`${word} mine`)
  await expect(me.page.locator('body')).not.toContainText(`${word} theirs`)
  for (const name of ['Integrations', 'Channels', 'First steps'])
    await expect(me.page.getByRole('region', { name, exact: true })).toHaveCount(0)
})

test('hidden pages are not in the navigation, and their addresses show a message', async ({
  page,
  request,
}) => {
  const { admin, me } = await setScene(page, request, 'own')
  const none = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' }
  await admin.patch(`users/${me.id}`, { rights: { leads: none } })
  await visit(me.page, '/')
  const nav = me.page.getByRole('navigation', { name: 'Main' })
  await expect(nav.getByRole('link', { name: 'Contacts' })).toBeVisible()
  for (const name of ['Leads', 'Customers', 'Lists'])
    await expect(nav.getByRole('link', { name, exact: true })).toHaveCount(0)
  for (const path of ['/leads', '/leads?shape=list', '/customers', '/lists']) {
    await visit(me.page, path)
    await expect(me.page.getByRole('main')).toContainText(
      /You do not have permission to do this|No lists yet/,
    )
    await expect(me.page.getByRole('button', { name: /^New / })).toHaveCount(0)
  }
  await expect(me.page.getByRole('region', { name: 'My leads' })).toHaveCount(0)
})

/** The pages of administrators, and the API's response for others. */
const pages: Record<string, string | null> = {
  '/settings/account': null,
  '/settings/people': '/web/v4/users',
  '/settings/people/new': null,
  '/settings/roles': '/web/v4/roles',
  '/settings/groups': null,
  '/settings/pipelines': null,
  '/settings/fields': null,
  '/settings/lists': null,
  '/settings/channels': '/web/channels',
  '/settings/channels/nothing/saved': null,
  '/settings/bot': '/web/v4/chats/intents',
  '/settings/templates': null,
  '/settings/forms': '/web/forms',
  '/settings/webhooks': '/web/webhooks',
  '/settings/webhooks/new': null,
  '/settings/audiences': null,
  '/settings/audit': '/web/audit',
  '/settings/retention': '/web/retention',
  '/settings/files': null,
  '/integrations': '/web/installations',
  '/integrations/built': '/web/integrations',
  '/integrations/new': null,
  '/integrations/built/nothing/saved': null,
  '/developers/requests': '/web/requests',
  '/developers/tokens': '/web/tokens',
  '/developers/deliveries': '/web/deliveries',
  '/developers/traces/nothing': '/web/traces/nothing',
  '/developers/signatures': null,
}

test('pages of administrators are hidden, their addresses show a message, and the API responds 403', async ({
  page,
  request,
}) => {
  const { me } = await setScene(page, request, 'own')
  const errors = watch(me.page)
  await visit(me.page, '/settings')
  await expect(heading(me.page)).toHaveText('My profile')
  const nav = me.page.getByRole('navigation', { name: 'Main' })
  const hrefs = await nav
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname))
  for (const path of Object.keys(pages)) expect(hrefs).not.toContain(path)
  for (const [path, address] of Object.entries(pages)) {
    await visit(me.page, path)
    await expect(
      me.page.getByText(/^You do not have permission to do this\. Ask an administrator/),
    ).toBeVisible()
    await expect(me.page.getByRole('main').getByRole('textbox'), path).toHaveCount(0)
    await expect(nav, path).toBeVisible()
    if (!address) continue
    const answer = await me.page.request.get(address)
    expect(answer.status(), address).toBe(403)
  }
  expect(errors).toEqual([])
})

test('views: their own and shared ones, which they cannot change; a view reveals no record', async ({
  page,
  request,
}) => {
  const { me, word } = await setScene(page, request, 'own')
  const session = await (await request.get('/web/session')).json()
  const headers = { 'x-csrf-token': session.csrf_token, 'sec-fetch-site': 'same-origin' }
  const keep = async (name: string, is_shared: boolean) => {
    const data = { page: 'leads', name: `${word} ${name}`, search: `query=${word}&shape=list`, is_shared }
    const answer = await request.post('/web/views', { data, headers })
    expect(answer.status()).toBe(201)
    return (await answer.json()).id
  }
  const shared = await keep('for all', true)
  await keep('of the administrator', false)
  await visit(me.page, '/leads?shape=list')
  const views = me.page.getByRole('navigation', { name: 'Saved views' })
  await views.getByRole('link', { name: `${word} for all` }).click()
  await expect(me.page.getByRole('grid').locator('[data-row-link]')).toHaveText([
    nameOf(word, 'mine', 'leads'),
  ])
  await expect(views).not.toContainText('of the administrator')
  await expect(views.getByRole('button', { name: /^View “/ })).toHaveCount(0)
  const own = await (await me.page.request.get('/web/session')).json()
  const answer = await me.page.request.delete(`/web/views/${shared}`, {
    headers: { 'x-csrf-token': own.csrf_token, 'sec-fetch-site': 'same-origin' },
  })
  expect(answer.status()).toBe(403)
})
