import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { addIncoming, call, form, UNSORTED } from '../../test/fixtures/incoming-leads.ts'
import { addPipelines, faultsOf, mainPipeline, PIPELINES, wholesale } from '../../test/fixtures/pipelines.ts'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../test/world.ts'

const HEX = /^[0-9a-f]{60}$/
const at = (id: number | string, path: string) => ({
  id,
  _links: { self: { href: `http://demo.localhost:8080/web/v4/${path}/${id}` } },
})

describe('An incoming lead that an integration adds', () => {
  test('is a lead in the incoming stage with its contact and company', async () => {
    const { admin, account, ...here } = await world()
    const main = await mainPipeline({ admin, account, ...here } as never)
    const [stage] = main._embedded.statuses
    const added = await admin.browser.post(`${UNSORTED}/forms`, [
      { ...form, request_id: 'a', created_at: 1_700_000_000 },
    ])
    const [{ uid, _embedded: records }] = added.body._embedded.unsorted
    expect(uid).toMatch(HEX)
    const [lead, contact, company] = ['leads', 'contacts', 'companies'].map((type) => records[type][0].id)
    const _embedded = {
      contacts: [at(contact, 'contacts')],
      leads: [at(lead, 'leads')],
      companies: [at(company, 'companies')],
    }
    const _links = { self: { href: `http://demo.localhost:8080/web/v4/leads/unsorted/${uid}` } }
    expect(added.body).toEqual({
      _total_items: 1,
      _embedded: { unsorted: [{ uid, account_id: account.id, request_id: 'a', _links, _embedded }] },
    })
    const shown = {
      uid,
      source_uid: 'site',
      source_name: 'Our site',
      category: 'forms',
      pipeline_id: main.id,
      created_at: 1_700_000_000,
      metadata: {
        form_id: 'f1',
        form_name: 'Ask us',
        form_page: 'https://shop.example',
        ip: '192.0.2.1',
        form_sent_at: BEGINNING,
        referer: null,
        visitor_uid: null,
      },
      account_id: account.id,
      _links,
      _embedded,
    }
    expect((await admin.browser.get(`${UNSORTED}/${uid}`)).body).toEqual(shown)
    expect((await admin.browser.get(UNSORTED)).body).toEqual({
      _page: 1,
      _links: { self: { href: `http://demo.localhost:8080${UNSORTED}?page=1&limit=50` } },
      _embedded: { unsorted: [shown] },
    })
    const { body } = await admin.browser.get(`/web/v4/leads/${lead}?with=contacts`)
    expect([body.name, body.pipeline_id, body.status_id, body.created_at]).toEqual([
      'Ask us',
      main.id,
      stage?.id,
      1_700_000_000,
    ])
    expect(body._embedded.contacts.map(({ id }: { id: number }) => id)).toEqual([contact])
    const linked = await admin.browser.get(`/web/v4/contacts/${contact}`)
    expect(linked.body._embedded.companies.map(({ id }: { id: number }) => id)).toEqual([company])
    expect((await log(here.ctx, { entity_id: lead })).map(({ type }) => type)).toContain('lead_added')
  })

  test('of a call shows its metadata, and writes the call into the card if it is asked to', async () => {
    const { admin, ctx } = await world()
    const metadata = { ...call.metadata, phone: 441134960000, duration: '54', is_call_event_needed: true }
    const { uid, lead } = await addIncoming(admin.browser, 'sip', { metadata })
    const { body } = await admin.browser.get(`${UNSORTED}/${uid}`)
    expect(body.metadata).toEqual({ ...call.metadata, link: null })
    const notes = (await admin.browser.get(`/web/v4/leads/${lead}/notes?filter[note_type]=call_in`)).body
    expect(notes._embedded.notes.map(({ params }: { params: object }) => params)).toEqual([
      { uniq: 'c-1', duration: 54, source: 'PBX One', phone: '441134960000' },
    ])
    expect((await log(ctx, { entity_id: lead })).map(({ type }) => type)).toContain('incoming_call')
  })

  onEmbedded('of a call names who answered by an id or a name, and nothing else', async () => {
    const { admin } = await world()
    const answered = async (call_responsible: unknown) => {
      const metadata = { ...call.metadata, uniq: String(call_responsible), call_responsible }
      const draft = { ...call, source_uid: `pbx ${call_responsible}`, metadata }
      return (await admin.browser.post(`${UNSORTED}/sip`, [draft])).status
    }
    expect(await Promise.all([1.5, -1, 'x'.repeat(256), true].map(answered))).toEqual([400, 400, 400, 400])
    expect(await Promise.all([admin.id, 'Ann', null].map(answered))).toEqual([200, 200, 200])
    const { unsorted } = (await admin.browser.get(UNSORTED)).body._embedded
    const shown = unsorted.map(({ metadata }: { metadata: object }) => metadata)
    expect(shown.map(({ call_responsible }: { call_responsible?: unknown }) => call_responsible)).toEqual(
      expect.arrayContaining([admin.id, 'Ann', undefined]),
    )
  })

  test('of a call that a note has already is refused, if it is to be in the card (N9)', async () => {
    const { admin, ctx } = await world()
    const lead = await add(admin.browser, 'leads')
    const params = { uniq: 'c-1', duration: 5, source: 'pbx', phone: '1' }
    await admin.browser.post(`/web/v4/leads/${lead}/notes`, [{ note_type: 'call_in', params }])
    const before = await traces(ctx)
    const metadata = { ...call.metadata, is_call_event_needed: true }
    const other = { ...call, source_uid: 'other', request_id: 'b', metadata: { ...metadata, uniq: 'c-2' } }
    expect(faultsOf(await admin.browser.post(`${UNSORTED}/sip`, [other, { ...call, metadata }]))).toEqual([
      400,
      [['1', ['NotUnique', 'metadata.uniq']]],
    ])
    const complex = { _embedded: { metadata: { category: 'sip', ...metadata } } }
    expect(faultsOf(await admin.browser.post('/web/v4/leads/complex', [{}, complex]))).toEqual([
      400,
      [['1', ['NotUnique', '_embedded.metadata.uniq']]],
    ])
    expect(await traces(ctx)).toEqual(before)
    expect((await admin.browser.post(`${UNSORTED}/sip`, [other, call])).status).toBe(200)
    const again = await admin.browser.post(`/web/v4/leads/${lead}/notes`, [
      { note_type: 'call_in', params: { ...params, uniq: 'c-2' } },
    ])
    expect(faultsOf(again)).toEqual([400, [['0', ['NotUnique', 'params.uniq']]]])
  })

  test('has existing contacts by their ids, names that are numbers, and tags by name', async () => {
    const { admin } = await world()
    const known = await add(admin.browser, 'contacts', { name: 'Known' })
    const { lead, contact, company } = await addIncoming(admin.browser, 'sip', {
      _embedded: {
        leads: [{ name: 7, _embedded: { tags: [{ name: 'hot' }] } }],
        contacts: [{ id: known }],
        companies: [{ name: 12 }],
      },
    })
    const { body } = await admin.browser.get(`/web/v4/leads/${lead}`)
    expect([body.name, body._embedded.tags[0].name, contact]).toEqual(['7', 'hot', known])
    expect((await admin.browser.get(`/web/v4/companies/${company}`)).body.name).toBe('12')
    const listed = (await admin.browser.get('/web/v4/contacts')).body._embedded.contacts
    expect(listed.map(({ id }: { id: number }) => id)).toEqual([known])
  })

  onEmbedded('is refused with its faults, and a refusal leaves no trace', async () => {
    const here = await world()
    const { admin, ctx } = here
    const [plain] = await addPipelines(here, { ...wholesale, is_unsorted_on: false })
    await addIncoming(admin.browser)
    const before = await traces(ctx)
    const refused: [object, unknown][] = [
      [{ metadata: undefined }, ['FieldMissing', 'metadata']],
      [{ source_uid: undefined }, ['FieldMissing', 'source_uid']],
      [{}, ['NotUnique', 'source_uid']],
      [{ pipeline_id: plain.id }, ['NotSupportedChoice', 'pipeline_id']],
      [{ pipeline_id: 999_999 }, ['NotSupportedChoice', 'pipeline_id']],
      [
        { _embedded: { leads: [{ responsible_user_id: 999_999 }] } },
        ['NotSupportedChoice', '_embedded.leads.0.responsible_user_id'],
      ],
      [
        { _embedded: { contacts: [{ responsible_user_id: 999_999 }] } },
        ['NotSupportedChoice', '_embedded.contacts.0.responsible_user_id'],
      ],
      [{ _embedded: { contacts: [{ id: 999_999 }] } }, ['NotSupportedChoice', '_embedded.contacts.0.id']],
    ]
    for (const [draft, fault] of refused) {
      const answer = await admin.browser.post(`${UNSORTED}/forms`, [{ ...form, ...draft }])
      expect([draft, faultsOf(answer)]).toEqual([draft, [400, [['0', fault]]]])
    }
    const twice = { ...form, source_uid: 'other' }
    expect(faultsOf(await admin.browser.post(`${UNSORTED}/forms`, [twice, twice]))).toEqual([
      400,
      [['1', ['NotUnique', 'source_uid']]],
    ])
    expect(await traces(ctx)).toEqual(before)
    const bare = await admin.browser.post(UNSORTED, [form])
    expect([bare.status, bare.body.title]).toEqual([405, 'Method Not Allowed'])
    expect((await admin.browser.get(`${UNSORTED}/${'0'.repeat(60)}`)).status).toBe(404)
  })
})

describe('The list of incoming leads', () => {
  test('is filtered, sorted and paged', async () => {
    const here = await world()
    const { browser } = here.admin
    const [side] = await addPipelines(here, wholesale)
    const first = await addIncoming(browser, 'sip', { created_at: 300 })
    const second = await addIncoming(browser, 'forms', { created_at: 100 })
    const third = await addIncoming(browser, 'forms', { created_at: 200, pipeline_id: side.id })
    const uids = async (query: string): Promise<string[]> =>
      (await browser.get(`${UNSORTED}?${query}`)).body._embedded.unsorted.map(
        ({ uid }: { uid: string }) => uid,
      )
    expect(await uids('')).toEqual([first.uid, third.uid, second.uid])
    expect(await uids('order[created_at]=asc')).toEqual([second.uid, third.uid, first.uid])
    expect(await uids('order[updated_at]=asc')).toEqual([first.uid, second.uid, third.uid])
    expect(await uids('filter[category]=sip')).toEqual([first.uid])
    expect(await uids('filter[category][]=forms&filter[category][]=mail')).toEqual([third.uid, second.uid])
    expect(await uids(`filter[pipeline_id]=${side.id}`)).toEqual([third.uid])
    expect(await uids(`filter[uid][]=${second.uid}`)).toEqual([second.uid])
    expect(await uids(`filter[lead_id]=${third.lead}`)).toEqual([third.uid])
    const page = (await browser.get(`${UNSORTED}?limit=2`)).body
    const next = new URL(page._links.next.href)
    const rest = (await browser.get(next.pathname + next.search)).body
    expect(rest._embedded.unsorted.map(({ uid }: { uid: string }) => uid)).toEqual([second.uid])
    expect(rest._links.next).toBeUndefined()
    expect((await browser.get(`${UNSORTED}?filter[category]=mail`)).status).toBe(204)
  })

  test('has those whose leads the person sees, and the summary counts them', async () => {
    const { admin, addPerson, clock } = await world()
    const rights = { leads: { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'D' } }
    const sam = await addPerson({ name: 'Sam', rights: rights as never })
    const mine = await addIncoming(admin.browser, 'sip', {
      _embedded: { leads: [{ responsible_user_id: sam.id }] },
    })
    const other = await addIncoming(admin.browser)
    const { body } = await sam.browser.get(UNSORTED)
    expect(body._embedded.unsorted.map(({ uid }: { uid: string }) => uid)).toEqual([mine.uid])
    expect((await sam.browser.get(`${UNSORTED}/${other.uid}`)).status).toBe(404)
    expect((await sam.browser.post(`${UNSORTED}/${other.uid}/accept`)).status).toBe(404)
    clock.advance(60)
    expect((await sam.browser.post(`${UNSORTED}/${mine.uid}/accept`)).status).toBe(200)
    clock.advance(40)
    await admin.browser.delete(`${UNSORTED}/${other.uid}/decline`)
    await addIncoming(admin.browser)
    const none = { total: 0 }
    const all = { sip: { total: 1 }, mail: none, forms: { total: 2 }, chats: none }
    expect((await admin.browser.get(`${UNSORTED}/summary`)).body).toEqual({
      ...{ total: 3, accepted: 1, declined: 1, average_sort_time: 80, categories: all },
    })
    const since = (await admin.browser.get(`${UNSORTED}/summary?filter[created_at]=${BEGINNING + 70}`)).body
    expect([since.total, since.accepted, since.declined]).toEqual([1, 0, 1])
    expect((await sam.browser.get(`${UNSORTED}/summary`)).body).toMatchObject({ total: 1, accepted: 1 })
  })
})

describe('The stage of incoming leads', () => {
  test('cannot be given to a lead', async () => {
    const here = await world()
    const { browser } = here.admin
    const main = await mainPipeline(here)
    const status_id = main._embedded.statuses[0]?.id
    const lead = await add(browser, 'leads', { name: 'Roof' })
    const fault = [400, [['0', ['NotSupportedChoice', 'status_id']]]]
    expect(faultsOf(await browser.post('/web/v4/leads', [{ status_id }]))).toEqual(fault)
    expect(faultsOf(await browser.patch('/web/v4/leads', [{ id: lead, status_id }]))).toEqual(fault)
    const [side] = await addPipelines(here, wholesale)
    const wrong = { pipeline_id: side.id, status_id: side._embedded.statuses[0]?.id }
    expect(faultsOf(await browser.post('/web/v4/leads', [wrong]))).toEqual(fault)
  })

  test('keeps its contacts and companies out of lists, searches and totals, and shows them on cards', async () => {
    const { admin } = await world()
    const { browser } = admin
    const phone = { field_code: 'PHONE', values: [{ value: '+44 113 496 0001' }] }
    const known = await add(browser, 'contacts', { name: 'Stone', custom_fields_values: [phone] })
    const { uid, lead, contact, company } = await addIncoming(browser, 'forms', {
      _embedded: {
        contacts: [{ name: 'Stone', custom_fields_values: [phone] }],
        companies: [{ name: 'Stone Ltd' }],
      },
    })
    const idsOf = async (path: string, type: string): Promise<number[]> =>
      ((await browser.get(path)).body._embedded[type] ?? []).map(({ id }: { id: number }) => id)
    const seen = async () => [
      await idsOf('/web/v4/contacts', 'contacts'),
      await idsOf('/web/v4/contacts?query=Stone&order[id]=asc', 'contacts'),
      await idsOf('/web/v4/contacts?query=1134960001&order[id]=asc', 'contacts'),
      await idsOf(`/web/v4/contacts?filter[id]=${contact}`, 'contacts'),
      await idsOf('/web/v4/companies', 'companies'),
      (await browser.get('/web/v4/contacts/totals')).body.total,
    ]
    expect(await seen()).toEqual([[known], [known], [known], [contact], [], 1])
    const found = (await browser.get('/web/v4/search?query=Stone')).body._embedded
    expect([found.contacts.length, found.companies.length]).toEqual([1, 0])
    const card = await browser.get(`/web/v4/contacts/${contact}`)
    expect([card.status, card.body.is_unsorted]).toEqual([200, true])
    expect((await browser.get(`/web/v4/companies/${company}`)).status).toBe(200)
    expect(await idsOf('/web/v4/leads', 'leads')).toEqual([lead])
    await browser.post(`${UNSORTED}/${uid}/accept`, {})
    const both = [contact, known]
    expect((await seen()).map((one) => (Array.isArray(one) ? one.toSorted() : one))).toEqual([
      both.toSorted(),
      both.toSorted(),
      both.toSorted(),
      [contact],
      [company],
      2,
    ])
    expect((await browser.get(`/web/v4/contacts/${contact}`)).body.is_unsorted).toBe(false)
  })

  test('is left by a change that gives a stage, and by no other change', async () => {
    const here = await world()
    const { browser } = here.admin
    const main = await mainPipeline(here)
    const [, first, second] = main._embedded.statuses
    const one = await addIncoming(browser, 'sip')
    await browser.patch(`/web/v4/leads/${one.lead}`, { price: 5, pipeline_id: main.id })
    expect((await browser.get(`${UNSORTED}/${one.uid}`)).status).toBe(200)
    await browser.patch('/web/v4/leads', [{ id: one.lead, status_id: second?.id }])
    expect((await browser.get(`${UNSORTED}/${one.uid}`)).status).toBe(404)
    expect((await browser.get(`/web/v4/contacts/${one.contact}`)).body.is_unsorted).toBe(false)
    const [side] = await addPipelines(here, wholesale)
    const two = await addIncoming(browser)
    await browser.patch(`/web/v4/leads/${two.lead}`, { pipeline_id: side.id })
    const moved = (await browser.get(`/web/v4/leads/${two.lead}`)).body
    expect([moved.pipeline_id, moved.status_id]).toEqual([side.id, side._embedded.statuses[1]?.id])
    expect((await browser.get(`${UNSORTED}/${two.uid}`)).status).toBe(404)
    expect(first).toBeDefined()
  })

  test('stays as it is when a client writes the lead back as it was read', async () => {
    const { browser } = (await world()).admin
    const { uid, lead } = await addIncoming(browser)
    const read = async () => (await browser.get(`/web/v4/leads/${lead}?with=contacts`)).body
    const before = await read()
    const { status_id, pipeline_id } = before
    for (const written of [before, { status_id }, { status_id, pipeline_id }])
      expect((await browser.patch(`/web/v4/leads/${lead}`, written)).status).toBe(200)
    expect((await browser.patch('/web/v4/leads', [before])).status).toBe(200)
    expect(await read()).toEqual(before)
    expect((await browser.get(`${UNSORTED}/${uid}`)).status).toBe(200)
  })

  test('cannot be switched off while incoming leads wait', async () => {
    const here = await world()
    const [side] = await addPipelines(here, wholesale)
    const { uid } = await addIncoming(here.admin.browser, 'forms', { pipeline_id: side.id })
    const off = () => here.admin.browser.patch(`${PIPELINES}/${side.id}`, { is_unsorted_on: false })
    expect((await off()).status).toBe(409)
    await here.admin.browser.delete(`${UNSORTED}/${uid}/decline`)
    expect((await off()).status).toBe(200)
  })
})

test('leads/complex puts leads with a category into the incoming stage, and ignores their stage', async () => {
  const here = await world()
  const { browser } = here.admin
  const main = await mainPipeline(here)
  const [stage, , second] = main._embedded.statuses
  const metadata = { category: 'forms', form_id: 123, form_name: 'Ask', form_page: 'https://shop.example' }
  const [plain] = await addPipelines(here, { ...wholesale, is_unsorted_on: false })
  const answer = await browser.post('/web/v4/leads/complex', [
    { name: 'One', status_id: second?.id, _embedded: { metadata, contacts: [{ name: 'Ann' }] } },
    { name: 'Two', status_id: second?.id },
    { name: 'Three', pipeline_id: plain.id, _embedded: { metadata } },
  ])
  const [one, two, three] = answer.body.map(({ id }: { id: number }) => id)
  const stageOf = async (id: number) => (await browser.get(`/web/v4/leads/${id}`)).body.status_id
  expect(await Promise.all([one, two, three].map(stageOf))).toEqual([
    stage?.id,
    second?.id,
    plain._embedded.statuses[0]?.id,
  ])
  const { unsorted } = (await browser.get(UNSORTED)).body._embedded
  expect(unsorted).toMatchObject([
    { category: 'forms', source_uid: null, source_name: 'Ask', metadata: { form_id: '123' } },
  ])
  expect((await browser.get('/web/v4/contacts')).status).toBe(204)
})
