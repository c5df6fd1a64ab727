import { expect, type Page, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { visit } from './navigate.ts'
import { watch } from './people.ts'
import { addRecord, administrator, personOn } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const unique = (name: string) => `${name} ${Math.random().toString(36).slice(2, 8)}`
const now = () => Math.floor(Date.now() / 1000)
/** The tests have no types of the browser. */
interface Pixels {
  scrollWidth: number
  clientWidth: number
}
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('a person sees their open work: tasks that can be completed in place, and leads by stage', async ({
  page,
  request,
}) => {
  const admin = await administrator({ request })
  const { page: there, id } = await personOn(page, admin, { name: 'Pia Home' })
  const seen = watch(there)
  const [pipeline] = (await admin.get('leads/pipelines'))._embedded.pipelines
  const stage = pipeline._embedded.statuses[2]
  const own = { responsible_user_id: id, pipeline_id: pipeline.id, status_id: stage.id }
  const name = unique('Tandem')
  await addRecord(admin, 'leads', { ...own, name, price: 700 })
  await addRecord(admin, 'leads', { ...own, name: unique('Trailer'), price: 300 })
  const text = unique('Promised call')
  await addRecord(admin, 'tasks', { text, complete_till: now() - 90_000, responsible_user_id: id })

  await there.goto('/')
  await expect(there.getByRole('heading', { level: 1, name: /Pia Home$/ })).toBeVisible()
  await expect(there.getByRole('link', { name: '1 task overdue' })).toBeVisible()
  const stages = part(there, 'My leads').getByRole('listitem').filter({ hasText: stage.name })
  await expect(stages.first()).toContainText('$1,000')
  const due = part(there, 'Due today')
  await expect(due).toContainText('Nothing is due today.')
  await due.getByRole('button', { name: `Complete: ${text}` }).click()
  await there.getByRole('textbox', { name: 'Result' }).fill('Reached')
  await there.keyboard.press('Enter')
  await expect(due).not.toContainText(text)
  await expect(there.getByRole('link', { name: '1 task overdue' })).toHaveCount(0)
  // Events appear live, with the values before and after.
  const since = part(there, 'Since yesterday')
  await expect(since).toContainText('Pia Home completed a task')
  await expect(since.getByRole('list', { name: 'Events by hour' })).toBeVisible()
  await addRecord(admin, 'leads', { ...own, name: unique('Newest') })
  await expect(since).toContainText('Newest')
  await stages.first().getByRole('link').click()
  await expect(there).toHaveURL(/\/leads\?.*responsible_user_id/)
  await expect(there.getByText(name)).toBeVisible()
  expect(seen).toEqual([])
})

test('an administrator sees the state of integrations and channels, and a developer the API reference', async ({
  page,
}) => {
  await administrator(page)
  await page.goto('/')
  // Failing ones come first, so the demo's own may not be shown.
  const first = (name: string) => part(page, name).getByRole('listitem').first()
  await expect(first('Integrations')).toContainText(/Disabled|Waiting for its first token|Connected/)
  await expect(first('Channels')).toContainText(/Stopped|Not responding|Failing|Not called yet|Responding/)
  const dev = part(page, 'Development mode')
  await expect(dev).toContainText('The server’s console')
  await expect(dev.getByRole('link', { name: 'API reference' })).toHaveAttribute('href', '/api/reference')
})

test('no label of the chart makes the page wider than a phone, at any hour', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await administrator(page)
  const main = page.getByRole('main')
  for (const hour of [13, 15, 20, 22]) {
    await page.clock.setFixedTime(new Date().setHours(hour, 30))
    await page.goto('/')
    await expect(part(page, 'Since yesterday').getByRole('list', { name: 'Events by hour' })).toBeVisible()
    const [needed, given] = await main.evaluate((it: Pixels) => [it.scrollWidth, it.clientWidth])
    expect(needed, `at ${hour}:30`).toBe(given)
  }
})

test('an empty account shows the first steps with buttons and progress', async ({ page }) => {
  // The demo is not empty, so the responses are faked.
  const nothing = { total: 0, sum: 0, _embedded: { statuses: [] } }
  for (const kind of ['leads', 'contacts'])
    await page.route(`**/web/v4/${kind}/totals*`, (route) => route.fulfill({ json: nothing }))
  await administrator(page)
  await page.goto('/')
  const steps = part(page, 'First steps')
  await expect(steps).toContainText('3 of 5 done')
  await expect(steps.getByRole('img', { name: 'Done' })).toHaveCount(3)
  await expect(steps.getByRole('link', { name: 'Import' })).toHaveAttribute('href', '/import/new/contacts')
  await steps.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await steps.getByRole('button', { name: 'Hide first steps' }).click()
  await expect(steps).toHaveCount(0)
})

test('an account without customers has no customers page, in the navigation or by shortcut', async ({
  page,
}) => {
  const api = await administrator(page)
  await page.goto('/')
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect(nav.getByRole('link', { name: 'Customers' })).toBeVisible()
  const account = await api.get('account?with=datetime_settings,task_types')
  await page.route('**/web/v4/account?*', (route) =>
    route.fulfill({ json: { ...account, customers_mode: 'disabled' } }),
  )
  await page.reload()
  await expect(nav.getByRole('link', { name: 'Companies' })).toBeVisible()
  await expect(nav.getByRole('link', { name: 'Customers' })).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Companies')
  await expect(page.getByRole('dialog')).not.toContainText('Customers')
  // An old link explains this and links to the setting.
  await visit(page, '/customers')
  await expect(page.getByRole('link', { name: /settings|pipelines/i }).last()).toBeVisible()
})

for (const colorScheme of themesOf('home')) {
  test(`the page in ${colorScheme} and on a phone, with long names`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    const api = await administrator(page)
    const long = unique('').trim() + 'Rhabarberbarbara'.repeat(13)
    const lead = await addRecord(api, 'leads', { name: long })
    await addRecord(api, 'tasks', { text: long, complete_till: now(), entity_type: 'leads', entity_id: lead })
    await page.goto('/')
    await expect(page.getByText(long).first()).toBeVisible()
    await expect(page.getByRole('list', { name: 'Events by hour' })).toBeVisible()
    await checkPage(page, 'home', colorScheme)
    await page.setViewportSize({ width: 390, height: 844 })
    await checkPage(page, 'home-telephone', colorScheme)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  })
}
