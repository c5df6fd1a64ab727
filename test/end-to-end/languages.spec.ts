import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { isLong } from '../long.ts'
import { navigate, visit } from './navigate.ts'
import { demo, watch } from './people.ts'
import { type Answer, type Api, addRecord, administrator, apiOf } from './record-world.ts'
import { Data, finderOf } from './untranslated.ts'
import { type Language, type Say, speaker } from './words.ts'

const languages: Language[] = ['es', 'ru', 'pt', 'en']
const locales = { es: 'es-ES', ru: 'ru-RU', pt: 'pt-BR', en: 'en-GB' }
const now = () => Math.floor(Date.now() / 1000)
const password = 'a-long-enough-password'

/** Signs in an administrator with the given language. */
async function reader(admin: Api, browser: Browser, baseURL: string | undefined, lang: Language) {
  const email = `${lang}-${Math.random().toString(36).slice(2)}@languages.example`
  const made = await admin.post('users', [{ name: `Reader ${lang}`, email, password, lang, is_admin: true }])
  const context = await browser.newContext({
    baseURL,
    locale: locales[lang],
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  return { page, email, id: made._embedded.users[0].id as number, say: speaker(lang) }
}

async function signIn(page: Page, say: Say, email: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel(say('field.email')).fill(email)
  await page.getByLabel(say('field.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: say('sign_in.action') }).click()
  await expect(page).toHaveURL(/^https?:\/\/[^/]+\/$/)
}

const go = (page: Page, say: Say, pageKey: string) =>
  page
    .getByRole('navigation', { name: say('nav.label') })
    .getByRole('link', { name: say(pageKey) })
    .first()
    .click()

/** Adds a lead on the board, opens its card, sets the sale and writes a note. Returns the lead's name. */
async function workOnLead(page: Page, say: Say, api: Api): Promise<string> {
  const name = `Lead ${Math.random().toString(36).slice(2, 9)}`
  const [pipeline] = (await api.get('leads/pipelines'))._embedded.pipelines
  const stage = pipeline._embedded.statuses.find(({ type }: Answer) => type !== 1).name
  await go(page, say, 'nav.leads')
  await page.getByRole('button', { name: say('board.add_to', { stage }) }).click()
  await page.getByRole('textbox', { name: say('board.new_in', { stage }) }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  const price = say('records.price')
  await page.getByRole('button', { name: say('card.edit', { name: price }) }).click()
  await page.getByRole('textbox', { name: price }).fill('1500')
  await page.keyboard.press('Enter')
  const id = Number(page.url().split('/').at(-1))
  await expect.poll(async () => (await api.get(`leads/${id}`)).price).toBe(1500)

  await page.getByRole('textbox', { name: say('timeline.text') }).fill(`Note ${name}`)
  await page.getByRole('button', { name: say('timeline.write.add_note') }).click()
  const timeline = page.getByRole('region', { name: say('card.timeline'), exact: true })
  await expect(timeline.getByText(`Note ${name}`)).toBeVisible()
  await expect(timeline).toContainText(say('events.did.sale_field_changed'))
  return name
}

async function completeTask(page: Page, say: Say, text: string): Promise<void> {
  await go(page, say, 'nav.tasks')
  await page.getByRole('button', { name: say('tasks.complete', { text }) }).click()
  await page.getByRole('textbox', { name: say('tasks.result') }).fill('OK')
  await page.keyboard.press('Enter')
  await expect(page.getByText(say('tasks.completed', { text }))).toBeVisible()
}

/** Filters the list of leads by sale and finds the lead. */
async function filterList(page: Page, say: Say, name: string): Promise<void> {
  await visit(page, `/leads?shape=list&query=${name.split(' ')[1]}`)
  await expect(page.getByRole('link', { name })).toBeVisible()
  await page.getByRole('button', { name: say('filters.add'), exact: true }).click()
  await page.getByRole('textbox', { name: say('filters.search') }).fill(say('list.price'))
  await page.getByRole('option', { name: say('list.price'), exact: true }).click()
  await page.getByRole('textbox', { name: say('filters.from'), exact: true }).fill('2000')
  await expect(page.getByText(say('list.nothing_fits'))).toBeVisible()
  await page.getByRole('textbox', { name: say('filters.from'), exact: true }).fill('1500')
  await expect(page.getByRole('link', { name })).toBeVisible()
}

for (const lang of languages)
  test(`a day's work in ${lang}`, async ({ page: first, browser, baseURL }) => {
    test.setTimeout(180_000)
    const admin = await administrator(first)
    const { page, say, email, id } = await reader(admin, browser, baseURL, lang)
    const seen = watch(page)
    await signIn(page, say, email)
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await expect(page.getByRole('heading', { level: 1, name: /Reader/ })).toBeVisible()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: say('keys.title') })
    for (const cap of ['Enter', 'Shift'])
      await expect(
        keys
          .locator('kbd')
          .getByText(say(`keys.caps.${cap}`), { exact: true })
          .first(),
      ).toBeVisible()
    await page.keyboard.press('Escape')
    const api = await apiOf(page)
    const task = `Call ${Math.random().toString(36).slice(2, 9)}`
    await addRecord(api, 'tasks', { text: task, complete_till: now() + 60, responsible_user_id: id })

    const name = await workOnLead(page, say, api)
    await completeTask(page, say, task)
    await filterList(page, say, name)

    await go(page, say, 'nav.events')
    const log = page.getByRole('list', { name: say('events.list') })
    await expect(log).toContainText(say('events.did.lead_added'))
    await expect(log).toContainText(say('events.did.task_completed'))

    await go(page, say, 'nav.settings')
    await expect(page.getByRole('heading', { level: 1, name: say('profile.title') })).toBeVisible()
    await page.getByRole('textbox', { name: say('field.your_name') }).fill(`Reader of ${lang}`)
    await page
      .getByRole('button', { name: say('act.save') })
      .first()
      .click()
    await expect(page.getByText(say('app.saved'))).toBeVisible()
    expect((await admin.get(`users/${id}`)).name).toBe(`Reader of ${lang}`)
    expect(seen).toEqual([])
    await page.context().close()
  })

/** The ids of one object of each kind, created if the demo has none. */
async function records(api: Api, page: Page) {
  const first = async (path: string, list: string) => (await api.get(path))._embedded[list][0]
  const catalog = (await api.post('catalogs', [{ name: 'Wares' }]))._embedded.catalogs[0].id
  const customers = await addRecord(api, 'customers', { name: 'Cora', next_price: 100 })
  const contacts = await addRecord(api, 'contacts', { name: 'Cleo' })
  const webhook = await api.post('webhooks', {
    destination: 'http://127.0.0.1:59998/hook',
    settings: ['add_lead'],
  })
  const leads = await addRecord(api, 'leads', {
    name: 'Trailer',
    price: 900,
    _embedded: { contacts: [{ id: contacts }] },
  })
  await addRecord(api, 'tasks', {
    text: 'Call',
    complete_till: now() + 600,
    entity_type: 'leads',
    entity_id: leads,
  })
  await api.post(`leads/${leads}/notes`, [{ note_type: 'common', params: { text: 'Wants it red' } }])
  const job = await api.post('jobs/bulk_changes', {
    entity_type: 'leads',
    ids: [leads],
    changes: { tags_to_add: ['walked'] },
  })
  const { user } = await (await page.request.get('/web/session')).json()
  const sent = async () =>
    (await (await page.request.get(`/web/webhooks/${webhook.id}/deliveries`)).json()).deliveries
  // The announced change becomes a delivery a moment after its commit.
  await expect.poll(async () => (await sent()).length).toBeGreaterThan(0)
  const role = (await api.post('roles', [{ name: 'Sellers' }]))._embedded.roles[0].id
  return {
    catalog,
    element: await addRecord(api, `catalogs/${catalog}/elements`, { name: 'Pump' }),
    customers,
    contacts,
    leads,
    companies: await addRecord(api, 'companies', { name: 'Cycle Works' }),
    job: job.id,
    role,
    user: user.id,
    webhook: webhook.id,
    delivery: (await sent())[0].id,
    pipeline: (await first('leads/pipelines', 'pipelines')).id,
    event: (await first('events?limit=1', 'events')).id,
    chat: (await api.get('chats?limit=1'))?._embedded.chats[0]?.id,
  }
}

/** All pages of the application. */
function pagesWith(ids: Awaited<ReturnType<typeof records>>): string[] {
  const { client_id } = demo.integration
  const channel = `/settings/channels/${demo.channel?.id}`
  const records = (['leads', 'contacts', 'companies', 'customers'] as const).map(
    (kind) => `/${kind}/${ids[kind]}`,
  )
  return [
    '/',
    '/tasks',
    '/events',
    `/events/${ids.event}`,
    '/inbox',
    ...(ids.chat ? [`/inbox/${ids.chat}`] : []),
    '/leads?shape=board',
    '/leads?shape=list',
    '/leads?shape=list&query=nobody-is-called-this',
    '/contacts',
    '/companies',
    '/customers',
    '/lists',
    `/lists/${ids.catalog}`,
    ...records,
    `/lists/${ids.catalog}/${ids.element}`,
    '/leads/999999999',
    '/import',
    `/import/${ids.job}`,
    ...['leads', 'contacts', 'companies'].map((kind) => `/import/new/${kind}`),
    ...'profile account files people people/new roles roles/new groups pipelines fields lists channels channels/new bot webhooks webhooks/new audiences audit'
      .split(' ')
      .map((name) => `/settings/${name}`),
    `/settings/people/${ids.user}`,
    `/settings/roles/${ids.role}`,
    `/settings/pipelines/${ids.pipeline}`,
    `/settings/fields?of=catalogs/${ids.catalog}`,
    ...['', '/keys', '/connections', '/health', '/log'].map((tab) => channel + tab),
    ...['', '/settings', '/signing', `/deliveries/${ids.delivery}`].map(
      (tab) => `/settings/webhooks/${ids.webhook}${tab}`,
    ),
    '/integrations',
    '/integrations/built',
    '/integrations/new',
    ...['', '/activity'].map((tab) => `/integrations/installed/${client_id}${tab}`),
    ...['', '/keys', '/widget', '/activity', '/log'].map((tab) => `/integrations/built/${client_id}${tab}`),
    '/developers/requests',
    '/developers/deliveries',
    `/oauth?client_id=${client_id}&state=1`,
    '/oauth/refused',
    '/nowhere',
  ]
}

/** Dialogs and menus: their page and the control that opens them. */
const above: [string, (page: Page, say: Say) => Locator[]][] = [
  ['/', (page, say) => [page.getByRole('button', { name: say('search.open') }).first()]],
  ['/', (page, say) => [page.getByRole('button', { name: say('nav.user_menu') }).first()]],
  ['/tasks', (page, say) => [page.getByRole('button', { name: say('tasks.new') }).first()]],
  ['/leads?shape=list', (page, say) => [page.getByRole('button', { name: say('record.new_leads') }).first()]],
  ['/leads?shape=list', (page, say) => [page.getByRole('button', { name: say('filters.add'), exact: true })]],
  ['/leads?shape=list', (page, say) => [page.getByRole('button', { name: say('list.columns') })]],
  ['/leads?shape=list', (page, say) => [page.getByRole('button', { name: say('list.more'), exact: true })]],
  [
    '/leads?shape=list',
    (page, say) => [
      page.getByRole('checkbox', { name: say('list.choose_all') }),
      page.getByRole('button', { name: say('list.change') }),
    ],
  ],
  ['/events', (page, say) => [page.getByRole('button', { name: say('events.export.open') })]],
  ['/events', (page, say) => [page.getByRole('button', { name: say('events.api.open') })]],
  [
    '/developers/requests',
    (page, say) => [page.getByRole('button', { name: say('developers.recording.settings') })],
  ],
  ['/settings/fields', (page, say) => [page.getByRole('button', { name: say('fields.add') }).first()]],
  ['/settings/forms', (page, say) => [page.getByRole('button', { name: say('siteForms.add') }).first()]],
  ['/settings/bot', (page, say) => [page.getByRole('button', { name: say('bot.add') }).first()]],
  [
    '/settings/audiences',
    (page, say) => [page.getByRole('button', { name: say('marketing.audience.add') }).first()],
  ],
]

/** A text in the code is the same in every language, and most visible beside Cyrillic ones. */
const SEARCHED = isLong ? (['es', 'ru', 'pt'] as const) : (['ru'] as const)
for (const lang of SEARCHED)
  test(`no page shows another language than ${lang}`, async ({ page: first, browser, baseURL }) => {
    test.setTimeout(600_000)
    const admin = await administrator(first)
    const ids = await records(admin, first)
    const { page, say, email } = await reader(admin, browser, baseURL, lang)
    const data = new Data()
    data.listen(page)
    const find = finderOf(lang, data)
    await page.goto('/sign-in')
    const found = await find(page)
    await signIn(page, say, email)
    for (const path of pagesWith(ids)) {
      await navigate(page, path)
      found.push(...(await find(page)))
    }
    await page.goto('/')
    for (const [path, steps] of above) {
      await navigate(page, path)
      for (const step of steps(page, say)) await step.click()
      await page.waitForTimeout(400)
      found.push(...(await find(page)))
      await page.keyboard.press('Escape')
      // A page with little on it, so that the next step begins without the state of this one.
      await navigate(page, '/nowhere')
    }
    for (const mode of ['call', 'sms', 'task', 'file']) {
      await navigate(page, `/leads/${ids.leads}`)
      await page.getByRole('button', { name: say(`timeline.write.${mode}`), exact: true }).click()
      found.push(...(await find(page)))
    }
    expect([...new Set(found)]).toEqual([])
    await page.context().close()
  })

test('the search for untranslated texts finds them', async ({ page, browser, baseURL }) => {
  const admin = await administrator(page)
  const reads = await reader(admin, browser, baseURL, 'ru')
  const find = finderOf('ru', new Data())
  await reads.page.goto('/sign-in')
  await expect(reads.page.getByRole('button', { name: reads.say('sign_in.action') })).toBeVisible()
  expect(await find(reads.page)).toEqual([])
  // An element, its attribute (or its text), the text, and the expected finding.
  const broken: [tag: string, attribute: string | null, text: string, fault: string][] = [
    ['p', null, 'Sign in', 'English'],
    ['p', null, 'You can try again in 5 minutes.', 'English'],
    ['p', null, 'list.empty.leads', 'a key'],
    ['p', null, 'Готово {{done}} из {{all}}', 'a value that is missing'],
    ['p', null, 'Something nobody has translated', 'Latin letters alone'],
    ['button', 'aria-label', 'Leads', 'English'],
    ['input', 'placeholder', 'Type here, please', 'Latin letters alone'],
    ['img', 'alt', 'A picture of it', 'Latin letters alone'],
    ['span', 'title', 'Export as CSV', 'English'],
  ]
  for (const [tag, attribute, text, fault] of broken) {
    // The page's policy does not allow adding it as HTML.
    const said = attribute
      ? `one.setAttribute(${JSON.stringify(attribute)}, ${JSON.stringify(text)}); one.append('я')`
      : `one.append(${JSON.stringify(text)})`
    await reads.page.evaluate(
      `(() => { const one = document.createElement('${tag}'); one.id = 'added'; ${said}; document.body.append(one) })()`,
    )
    expect((await find(reads.page)).join(), text).toContain(fault)
    await reads.page.evaluate(`document.querySelector('#added').remove()`)
  }
  await reads.page.evaluate(`document.title = 'Tasks · Patchbay'`)
  expect((await find(reads.page)).join()).toContain('title of the page')
  await reads.page.context().close()
})
