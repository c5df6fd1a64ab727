import { expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { UNSORTED } from '../../test/fixtures/incoming-leads.ts'
import { mainPipeline } from '../../test/fixtures/pipelines.ts'
import { traces } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'
import type { SiteForm } from './form-schemas.ts'

const AT = '/web/v4/website_buttons'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function withButton() {
  const all = await world()
  const { id: pipeline_id } = await mainPipeline(all)
  const { browser } = all.admin
  const added = await browser.post(AT, { pipeline_id, trusted_websites: ['https://Shop.example/contact'] })
  const { source_id } = added.body
  const [form] = (await browser.get('/web/forms')).body.forms
  return { ...all, browser, pipeline_id, added, source_id, form, path: new URL(form.url).pathname }
}

const waiting = async ({ admin }: Pick<World, 'admin'>) =>
  (await admin.browser.get(UNSORTED)).body._embedded.unsorted

test('a website button is added, listed with its script, and given more websites', async () => {
  const { browser, ctx, account, added, source_id, form, path, pipeline_id } = await withButton()
  expect([added.status, added.body]).toEqual([
    202,
    { source_id: expect.any(Number), trusted_websites: ['shop.example'], name: 'Ask us' },
  ])
  const script = `<script async src="http://demo.localhost:8080/website_buttons/${path.split('/').at(-1)}.js"></script>`
  const button = {
    account_id: account.id,
    source_id,
    button_id: form.id,
    is_duplication_control_enabled: false,
    name: 'Ask us',
    creation_status: 'created',
    pipeline_id,
    script: null,
    is_deleted: false,
    _links: { self: { href: `http://demo.localhost:8080${AT}/${source_id}` } },
  }
  expect(form.button).toEqual({
    source_id,
    trusted_websites: ['shop.example'],
    is_used_in_app: false,
    code: script,
  })
  expect((await browser.get(`${AT}?with=scripts`)).body).toEqual({
    _page: 1,
    _links: { self: { href: `http://demo.localhost:8080${AT}?with=scripts&page=1&limit=250` } },
    _embedded: { website_buttons: [{ ...button, script }] },
  })
  expect((await browser.get(`${AT}/${source_id}`)).body).toEqual(button)
  const add = ['*.shop.example', 'localhost:3000', 'shop.example']
  const changed = await browser.patch(`${AT}/${source_id}`, { trusted_websites: { add } })
  expect([changed.status, changed.body]).toEqual([200, button])
  const { body } = await browser.get(`/web/forms/${form.id}`)
  expect(body.button.trusted_websites).toEqual(['shop.example', '*.shop.example', 'localhost:3000'])
  const entries = await ctx.db.selectFrom('audit_log').select('action').orderBy('id').execute()
  expect(entries.map(({ action }) => action).filter((action) => action.startsWith('form.'))).toEqual([
    'form.added',
    'form.changed',
  ])
  expect((await browser.delete(`/web/forms/${form.id}`)).status).toBe(204)
  expect((await browser.get(`${AT}/${source_id}`)).status).toBe(404)
})

test('a website button has the name that it was given, and gets another one', async () => {
  const { browser, pipeline_id } = await withButton()
  const named = { pipeline_id, trusted_websites: ['a.example'], name: 'Repairs' }
  const { source_id, name } = (await browser.post(AT, named)).body
  expect(name).toBe('Repairs')
  const at = `${AT}/${source_id}`
  const both = { trusted_websites: { add: ['b.example'] }, name: 'Spare parts' }
  const changes = [await browser.patch(at, { name: 'Service' }), await browser.patch(at, both)]
  expect(changes.map(({ status, body }) => [status, body.name])).toEqual([
    [200, 'Service'],
    [200, 'Spare parts'],
  ])
  const forms = (await browser.get('/web/forms')).body.forms as SiteForm[]
  const form = forms.find(({ button }) => button?.source_id === source_id)
  expect([form?.name, form?.button?.trusted_websites]).toEqual(['Spare parts', ['a.example', 'b.example']])
  expect(faultsOf(await browser.patch(at, { name: ' ' }))).toEqual([400, '0 InvalidFormat name'])
  expect((await browser.patch(at, {})).body.detail).toBe('The request contains no change.')
  expect((await browser.get(at)).body.name).toBe('Spare parts')
})

onEmbedded('wrong buttons and other callers are refused', async () => {
  const all = await withButton()
  const { browser, source_id, pipeline_id, form } = all
  const before = await traces(all.ctx)
  const hosts = (count: number) => Array.from({ length: count }, (_, i) => `s${i}.example`)
  const post = async (body: object) => faultsOf(await browser.post(AT, { pipeline_id, ...body }))
  const add = async (websites: string[]) =>
    faultsOf(await browser.patch(`${AT}/${source_id}`, { trusted_websites: { add: websites } }))
  expect([
    await post({ trusted_websites: ['a.example'], pipeline_id: 999_999 }),
    await post({}),
    await post({ trusted_websites: [], is_used_in_app: false }),
    await post({ trusted_websites: ['a.example', "x.example; script-src 'unsafe-inline'"] }),
    await post({ trusted_websites: ['a;b'] }),
    await post({ trusted_websites: hosts(11) }),
    await add(hosts(10)),
    await add(['*']),
  ]).toEqual([
    [400, '0 NotSupportedChoice pipeline_id'],
    [400, '0 TooFew trusted_websites'],
    [400, '0 TooFew trusted_websites'],
    [400, '0 InvalidFormat trusted_websites.1'],
    [400, '0 InvalidFormat trusted_websites.0'],
    [400, '0 TooMany trusted_websites'],
    [400, '0 TooMany trusted_websites.add'],
    [400, '0 InvalidFormat trusted_websites.add.0'],
  ])
  const emptied = await browser.patch(`/web/forms/${form.id}`, { button: { trusted_websites: [] } })
  expect(faultsOf(emptied)).toEqual([400, '0 TooFew button.trusted_websites'])
  const chat = await browser.post(`${AT}/${source_id}/online_chat`)
  expect([chat.status, chat.body.detail]).toEqual([
    422,
    'This server has no online chat for websites. The button has a form.',
  ])
  expect(await traces(all.ctx)).toEqual(before)
  const inApp = await browser.post(AT, { pipeline_id, is_used_in_app: true })
  expect([inApp.status, inApp.body.trusted_websites]).toEqual([202, []])
  const sam = (await all.addPerson()).browser
  const other = (await all.addPerson({ account: await all.addAccount('other'), is_admin: true })).browser
  expect([
    (await sam.get(AT)).status,
    (await sam.post(AT, { pipeline_id, trusted_websites: ['a.example'] })).status,
    (await other.get(`${AT}/${source_id}`)).status,
    (await all.stranger.get(AT.replace('/web', '/api'))).status,
  ]).toEqual([403, 403, 404, 401])
})

test('the script of a button has a tag, and its form can be framed by its websites only', async () => {
  const { stranger, browser, path, form, source_id } = await withButton()
  const at = `${path.replace('/forms/', '/website_buttons/')}.js`
  const script = await stranger.get(at)
  expect([script.status, script.headers['content-type'], script.headers['cache-control']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'public, max-age=60',
  ])
  expect(script.text).toContain(`("${form.url}","Ask us","Close",`)
  const etag = String(script.headers.etag)
  expect((await stranger.get(at, { 'if-none-match': etag })).status).toBe(304)
  const policyOf = async (address: string) =>
    String((await stranger.get(address)).headers['content-security-policy'])
  await browser.patch(`${AT}/${source_id}`, { trusted_websites: { add: ['*.shop.example'] } })
  expect(await policyOf(path)).toMatch(
    /; frame-ancestors shop\.example \*\.shop\.example; script-src 'sha256-[\w+/]{43}='$/,
  )
  await browser.patch(`/web/forms/${form.id}`, { name: '</script>"' })
  expect((await stranger.get(at, { 'if-none-match': etag })).text).toContain('"</script>\\""')
  await browser.patch(`/web/forms/${form.id}`, {
    button: { trusted_websites: [], is_used_in_app: true },
  })
  expect(await policyOf(path)).toContain("frame-ancestors 'none'")
  await browser.patch(`/web/forms/${form.id}`, { is_enabled: false })
  expect([(await stranger.get(at)).status, (await stranger.get('/website_buttons/x')).status]).toEqual([
    404, 404,
  ])
})

test('a submission is an incoming lead of the button, from trusted pages only', async () => {
  const all = await withButton()
  const { stranger, path, pipeline_id } = all
  const send = async (name: string, headers: Record<string, string | undefined>) =>
    (await stranger.post(path, new URLSearchParams({ name, phone: '1' }).toString(), { ...FORM, ...headers }))
      .status
  expect([
    await send('Evil', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
    await send('Evil', { origin: 'null', 'sec-fetch-site': 'cross-site' }),
    await send('Evil', { origin: 'https://evil.example', 'sec-fetch-site': undefined }),
    await send('Evil', { origin: 'https://evilshop.example', 'sec-fetch-site': 'cross-site' }),
  ]).toEqual([403, 403, 403, 403])
  const body = new URLSearchParams({ name: 'Evil', phone: '1' }).toString()
  const site = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const shown = await stranger.post(path, body, { ...FORM, ...site, accept: 'text/html' })
  expect([shown.status, shown.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
  expect(shown.text).toContain('This website is not allowed to send the form.')
  expect(await waiting(all)).toEqual([])
  expect([
    await send('Framed', { origin: 'null', 'sec-fetch-site': 'same-origin' }),
    await send('Older browser', { origin: 'null', 'sec-fetch-site': undefined }),
    await send('Own form', { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }),
  ]).toEqual([200, 200, 200])
  const items = await waiting(all)
  expect(
    items.map((item: { category: string; pipeline_id: number }) => [item.category, item.pipeline_id]),
  ).toEqual(items.map(() => ['forms', pipeline_id]))
  expect(items).toHaveLength(3)
})
