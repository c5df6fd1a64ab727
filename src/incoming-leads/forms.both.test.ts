import { describe, expect, test } from 'vitest'
import type { Answer } from '../../test/client.ts'
import { UNSORTED } from '../../test/fixtures/incoming-leads.ts'
import { addPipelines, mainPipeline, wholesale } from '../../test/fixtures/pipelines.ts'
import { traces } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'

const FORMS = '/web/forms'
const usual = [
  { key: 'name', is_required: true },
  { key: 'phone', is_required: false },
  { key: 'email', is_required: true },
  { key: 'text', is_required: false },
]

/** A form of the main pipeline; `send` fills it in as a stranger. */
async function formOf(here: World, draft: object = {}) {
  const main = await mainPipeline(here)
  const body = { name: 'Ask us', pipeline_id: main.id, fields: usual, ...draft }
  const answer = await here.admin.browser.post(FORMS, body)
  if (answer.status !== 201) throw new Error(`not added: ${answer.text}`)
  const path = new URL(answer.body.url).pathname
  const send = (values: Record<string, string>): Promise<Answer> =>
    here.stranger.post(path, new URLSearchParams(values).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
  return { form: answer.body, path, send, main }
}

const waiting = async ({ admin }: World) => (await admin.browser.get(UNSORTED)).body._embedded.unsorted
const ann = { name: 'Ann Stone', email: 'ann@example.com', phone: '+44 113 496 0000', text: 'A roof' }

describe('A form of the settings', () => {
  test('is added, listed, changed and deleted by administrators, and audited', async () => {
    const here = await world()
    const { admin, ctx, addPerson } = here
    const { form, main } = await formOf(here)
    expect(form).toEqual({
      id: form.id,
      name: 'Ask us',
      pipeline_id: main.id,
      fields: usual,
      thanks: '',
      is_enabled: true,
      url: expect.stringMatching(/^http:\/\/demo\.localhost:8080\/forms\/\w{16}$/),
      button: null,
      created_at: form.created_at,
      updated_at: form.created_at,
    })
    const changed = await admin.browser.patch(`${FORMS}/${form.id}`, { thanks: 'Bye', is_enabled: false })
    expect(changed.body).toEqual({ ...form, thanks: 'Bye', is_enabled: false })
    expect((await admin.browser.get(FORMS)).body).toEqual({ forms: [changed.body] })
    expect((await admin.browser.get(`${FORMS}/${form.id}`)).body).toEqual(changed.body)
    const sam = await addPerson({ name: 'Sam' })
    const other = await addPerson({ account: await here.addAccount('other'), is_admin: true })
    expect((await sam.browser.get(FORMS)).status).toBe(403)
    expect((await sam.browser.delete(`${FORMS}/${form.id}`)).status).toBe(403)
    expect((await other.browser.patch(`${FORMS}/${form.id}`, { thanks: 'x' })).status).toBe(404)
    expect((await admin.browser.delete(`${FORMS}/${form.id}`)).status).toBe(204)
    expect((await admin.browser.get(FORMS)).body).toEqual({ forms: [] })
    const entries = await ctx.db.selectFrom('audit_log').select('action').orderBy('id').execute()
    expect(entries.map(({ action }) => action).filter((action) => action.startsWith('form.'))).toEqual([
      'form.added',
      'form.changed',
      'form.removed',
    ])
  })

  test('keeps its id, its account and its token if a change names others', async () => {
    const here = await world()
    const { form } = await formOf(here)
    const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
    const before = await here.ctx.db.selectFrom('site_forms').selectAll().execute()
    for (const foreign of [
      { account_id: other.account.id },
      { id: 999, token: 'x', created_by: other.id, created_at: 1 },
      { no_such_column: 1, constructor: 'x' },
    ]) {
      const answer = await here.admin.browser.patch(`${FORMS}/${form.id}`, foreign)
      expect([answer.status, answer.body]).toEqual([200, form])
    }
    expect(await here.ctx.db.selectFrom('site_forms').selectAll().execute()).toEqual(before)
    expect((await other.browser.get(FORMS)).body).toEqual({ forms: [] })
  })

  test('has fields that exist, each once', async () => {
    const here = await world()
    const { main } = await formOf(here)
    const post = (fields: object[], pipeline_id = main.id) =>
      here.admin.browser.post(FORMS, { name: 'Two', pipeline_id, fields })
    const one = { key: 'name', is_required: true }
    for (const answer of [
      await post([]),
      await post([one, one]),
      await post([{ key: 'leads.999999', is_required: false }]),
      await post([{ key: 'companies.1', is_required: false }]),
      await post([one], 999_999),
    ])
      expect(answer.status).toBe(400)
  })
})

describe('The page of a form', () => {
  test('can be embedded, has the fields, and is gone when the form is', async () => {
    const here = await world()
    const { form, path } = await formOf(here, { name: 'Ask <us>' })
    const page = await here.stranger.get(path, { referer: 'https://shop.example/"a"' })
    expect([page.status, page.headers['x-frame-options']]).toEqual([200, undefined])
    expect(page.headers['content-security-policy']).toMatch(/frame-ancestors \*/)
    expect(page.headers['set-cookie']).toBeUndefined()
    for (const part of [
      '<h1>Ask &lt;us&gt;</h1>',
      '<input type="text" value="" name="name" required autocomplete="name">',
      '<input type="tel" value="" name="phone" autocomplete="tel">',
      '<textarea name="text"></textarea>',
      'value="https://shop.example/&quot;a&quot;"',
    ])
      expect(page.text).toContain(part)
    await here.admin.browser.patch(`${FORMS}/${form.id}`, { is_enabled: false })
    expect((await here.stranger.get(path)).status).toBe(404)
    expect((await here.stranger.get('/forms/none')).status).toBe(404)
  })

  test('adds an incoming lead with its contact and message', async () => {
    const here = await world()
    const { form, send, path } = await formOf(here, { thanks: 'We call you.\nSoon.' })
    const done = await send({ ...ann, _page: '\0https://shop.example/roofs\0' })
    expect([done.status, done.text.includes('We call you.<br>Soon.')]).toEqual([200, true])
    const [item] = await waiting(here)
    expect(item).toMatchObject({
      category: 'forms',
      source_uid: path.split('/').at(-1),
      source_name: 'Ask us',
      metadata: { form_name: 'Ask us', form_page: form.url, referer: 'https://shop.example/roofs' },
    })
    const { browser } = here.admin
    const contact = (await browser.get(`/web/v4/contacts/${item._embedded.contacts[0].id}`)).body
    expect([contact.name, contact.is_unsorted, contact.responsible_user_id]).toEqual([
      'Ann Stone',
      true,
      here.admin.id,
    ])
    const values = contact.custom_fields_values.map(
      (one: { values: { value: string }[] }) => one.values[0]?.value,
    )
    expect(values.toSorted()).toEqual(['+44 113 496 0000', 'ann@example.com'])
    const lead = item._embedded.leads[0].id
    const notes = (await browser.get(`/web/v4/leads/${lead}/notes?filter[note_type]=common`)).body
    expect(notes._embedded.notes[0].params).toEqual({ text: 'A roof' })
    expect((await send({ ...ann, _page: 'https://shop.example/roofs' })).status).toBe(200)
    expect(await waiting(here)).toHaveLength(1)
  })

  test('adds a lead of the first stage if the pipeline keeps no incoming leads', async () => {
    const here = await world()
    const [plain] = await addPipelines(here, { ...wholesale, is_unsorted_on: false })
    const { send } = await formOf(here, { pipeline_id: plain.id })
    expect((await send(ann)).status).toBe(200)
    const [lead] = (await here.admin.browser.get('/web/v4/leads')).body._embedded.leads
    expect([lead.pipeline_id, lead.status_id]).toEqual([plain.id, plain._embedded.statuses[0]?.id])
    expect((await here.admin.browser.get('/web/v4/contacts')).body._embedded.contacts).toHaveLength(1)
  })

  test('stores fields of leads and contacts, and leaves out those that were deleted', async () => {
    const here = await world()
    const { browser } = here.admin
    const added = async (type: string, drafts: object[]): Promise<number[]> =>
      (await browser.post(`/web/v4/${type}/custom_fields`, drafts)).body._embedded.custom_fields.map(
        ({ id }: { id: number }) => id,
      )
    const enums = [
      { value: 'Oak', sort: 1 },
      { value: 'Pine', sort: 2 },
    ]
    const [wood, area, gone] = await added('leads', [
      { name: 'Wood', type: 'select', enums },
      { name: 'Area', type: 'numeric' },
      { name: 'Gone', type: 'text' },
    ])
    const [vip] = await added('contacts', [{ name: 'VIP', type: 'checkbox' }])
    const fields = [`leads.${wood}`, `leads.${area}`, `leads.${gone}`, `contacts.${vip}`].map((key) => ({
      key,
      is_required: false,
    }))
    const { send, path } = await formOf(here, { fields })
    await browser.delete(`/web/v4/leads/custom_fields/${gone}`)
    const page = (await here.stranger.get(path)).text
    expect([page.includes('Wood'), page.includes('Gone')]).toEqual([true, false])
    const wrong = await send({ [`leads.${wood}`]: 'Steel', [`leads.${area}`]: 'large' })
    const faults = ['Please check this field.', 'Please enter a number.']
    expect([wrong.status, wrong.text.match(/Please (check|enter)[^<]*/g)]).toEqual([400, faults])
    const right = { [`leads.${wood}`]: 'Pine', [`leads.${area}`]: '12.5', [`contacts.${vip}`]: '1' }
    expect((await send(right)).status).toBe(200)
    const [{ _embedded }] = await waiting(here)
    const shown = async (type: 'leads' | 'contacts') =>
      (await browser.get(`/web/v4/${type}/${_embedded[type][0].id}`)).body.custom_fields_values.map(
        (one: { field_id: number; values: { value: unknown }[] }) => [one.field_id, one.values[0]?.value],
      )
    expect(await shown('leads')).toEqual([
      [wood, 'Pine'],
      [area, '12.5'],
    ])
    expect(await shown('contacts')).toEqual([[vip, true]])
  })

  test('shows what is missing or wrong and keeps the rest; programs are thanked and ignored', async () => {
    const here = await world()
    const { send } = await formOf(here)
    const before = await traces(here.ctx)
    const missing = await send({ name: '', email: 'no address', text: '<b>' })
    expect(missing.status).toBe(400)
    for (const part of ['Please fill in this field.', 'Please enter an email address', '&lt;b&gt;'])
      expect(missing.text).toContain(part)
    expect((await send({ ...ann, website: 'https://spam.example' })).status).toBe(200)
    expect((await send({ ...ann, name: 'x'.repeat(300) })).status).toBe(400)
    expect(await traces(here.ctx)).toEqual(before)
  })

  test('says that a text is too long, and accepts the longest one in any script', async () => {
    const here = await world()
    const { send } = await formOf(here)
    const long = await send({ ...ann, text: 'x'.repeat(10_001) })
    expect([long.status, long.text.includes('This text is too long.')]).toEqual([400, true])
    expect((await send({ ...ann, text: 'こ'.repeat(10_000) })).status).toBe(200)
  })

  test('that is too long is refused on a page for browsers, in their language', async () => {
    const here = await world()
    const { path } = await formOf(here)
    const send = (accept: string) =>
      here.stranger.post(path, `text=${'x'.repeat(256 * 1024)}`, {
        'content-type': 'application/x-www-form-urlencoded',
        'accept-language': 'es-MX,es;q=0.9',
        accept,
      })
    const shown = await send('text/html,*/*;q=0.8')
    expect([shown.status, shown.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8'])
    expect(shown.text).toContain('El formulario es demasiado largo')
    expect(shown.headers['content-security-policy']).toContain('frame-ancestors *')
    const plain = await send('application/json')
    expect([plain.status, plain.headers['content-type']]).toEqual([413, 'application/problem+json'])
    expect(await waiting(here)).toEqual([])
  })

  test('reads a decimal comma in the languages that write it', async () => {
    const here = await world()
    const { browser } = here.admin
    const [field] = (await browser.post('/web/v4/leads/custom_fields', [{ name: 'Area', type: 'numeric' }]))
      .body._embedded.custom_fields
    const key = `leads.${field.id}`
    const { send } = await formOf(here, { fields: [{ key, is_required: true }] })
    expect((await send({ [key]: '1,5' })).status).toBe(400)
    await browser.patch('/web/v4/account', { language: 'ru' })
    expect((await send({ [key]: '1\u00a0234,5' })).status).toBe(200)
    const [{ _embedded }] = await waiting(here)
    const lead = (await browser.get(`/web/v4/leads/${_embedded.leads[0].id}`)).body
    expect(lead.custom_fields_values[0].values[0].value).toBe('1234.5')
  })

  test('is limited by network and form', async () => {
    const here = await world({ env: { RATE_LIMITS: 'on' } })
    const { send } = await formOf(here)
    const answers: Answer[] = []
    for (let i = 0; i < 12; i++) answers.push(await send({ ...ann, name: `Ann ${i}` }))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429, 429])
    const last = answers.at(-1) as Answer
    expect([last.headers['content-type'], last.headers['retry-after']]).toEqual([
      'text/html; charset=utf-8',
      '60',
    ])
    for (const part of ['too many forms from your network', 'value="Ann 11"', 'A roof</textarea>'])
      expect(last.text).toContain(part)
  })

  test('is sent from a network whose visits, guesses and other forms are at their limit', async () => {
    const here = await world({ env: { RATE_LIMITS: 'on' } })
    const { path, send } = await formOf(here)
    const other = await formOf(here, { name: 'Other' })
    const button = `/website_buttons/${path.split('/').at(-1)}.js`
    for (let i = 0; i < 110; i++) {
      await here.stranger.get(`/px/v-${i}.gif?url=https://shop.example/&account=demo`)
      await here.stranger.get(other.path)
    }
    expect((await here.stranger.get(`/forms/${'x'.repeat(16)}`)).status).toBe(429)
    expect((await here.stranger.get(other.path)).status).toBe(429)
    expect((await here.stranger.get(path)).status).toBe(200)
    expect((await here.stranger.get(button)).status).toBe(404)
    expect((await send(ann)).status).toBe(200)
    expect(await waiting(here)).toHaveLength(1)
  })
})
