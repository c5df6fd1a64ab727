/**
 * An integration on `amocrm-js`: node:https, and records as objects that save themselves and lists that turn their
 * pages.
 */
import { deepEqual, equal, notEqual, ok, partialDeepStrictEqual, rejects } from 'node:assert/strict'
import { Client } from 'amocrm-js'
import pagination from 'amocrm-js/dist/api/ResourcePagination.js'
import { demo, freshCode, host, part } from '../errand.ts'

const client = new Client({ domain: host, auth: { ...demo.integration, code: await freshCode() } })
const { request } = client
const nothing = 987_654_321
const hour = 3600
const soon = Math.floor(Date.now() / 1000) + hour

type Row = Record<string, unknown> & { id: number }
const idsOf = (rows: { id?: number }[] | undefined = []) => rows.map(({ id }) => id)
const get = async (path: string, query?: object) => (await request.get<Row>(`/api/v4${path}`, query)).data
/** Calls that the client has no names for go through its request: a batch in, the collection that came out. */
const send = async (method: string, path: string, collection: string, body: object) => {
  const { data } = await request.make<{ _embedded: Record<string, Row[]> }>(method, `/api/v4${path}`, body)
  return data._embedded[collection] ?? []
}
/** The record as the server has it. The client answers one of the same class, and its types say less. */
async function read<Kind extends { fetch(criteria?: object): Promise<unknown> }>(
  record: Kind,
  ...names: string[]
): Promise<Kind> {
  return (await record.fetch(names.length > 0 ? { with: names } : undefined)) as Kind
}
/** Its types know fewer queries than it sends. */
const asked = (query: object) => query as Parameters<typeof client.leads.get>[0]
/**
 * A list of what it has no class for, in its own pager: that follows `next`, and sends the filter with it once more.
 */
async function pagerOf(path: string, embedded: string, criteria: object) {
  const params = { url: `/api/v4${path}`, criteria, embedded, factory: { from: (row: Row) => row } }
  const pager = new pagination.default(request, params as never)
  await pager.fetch()
  return { pager, rows: () => pager.getData() as unknown as Row[] }
}
/** The body of a refusal is in the error. */
const withBody = (expected: object) => (error: unknown) => {
  const { message, data } = error as { message: string; data: object }
  equal(message, 'API_RESPONSE_ERROR')
  partialDeepStrictEqual(data, expected)
  return true
}

const faults = (code: string, path: string) =>
  withBody({ status: 400, 'validation-errors': [{ request_id: '0', errors: [{ code, path }] }] })

await part('token', async () => {
  equal(await client.connection.connect(), true)
  const before = client.token.getValue()
  partialDeepStrictEqual(before, { token_type: 'Bearer', expires_in: 24 * hour })
  await client.token.refresh()
  notEqual(client.token.getValue()?.access_token, before?.access_token)
  notEqual(client.token.getValue()?.refresh_token, before?.refresh_token)

  const guessing = new Client({ domain: host, auth: { ...demo.integration, code: 'guessed' } })
  await rejects(guessing.connection.connect(), withBody({ status: 400, error: 'invalid_grant' }))
})

await part('account', async () => {
  partialDeepStrictEqual(await get('/account', { with: 'amojo_id' }), {
    id: demo.account.id,
    subdomain: demo.account.subdomain,
    amojo_id: demo.account.amojo_id,
    _links: { self: { href: `https://${host}/api/v4/account` } },
  })
})

let ada = 0
await part('users', async () => {
  const users = await send('GET', '/users', 'users', { limit: 250 })
  ada = users.find(({ email }) => email === demo.user.email)?.id as number
  partialDeepStrictEqual(await get(`/users/${ada}`), { email: demo.user.email, rights: { is_admin: true } })
})

let pipeline = 0
let [asking, offered] = [0, 0]
await part('pipelines', async () => {
  const statuses = [{ name: 'Asking', sort: 20 }]
  const draft = {
    name: 'Wholesale',
    sort: 20,
    is_main: false,
    is_unsorted_on: false,
    _embedded: { statuses },
  }
  const [added] = await send('POST', '/leads/pipelines', 'pipelines', [draft])
  pipeline = added?.id as number
  const path = `/leads/pipelines/${pipeline}/statuses`
  const [offer] = await send('POST', path, 'statuses', [{ name: 'Offer', sort: 30, color: '#ffdc7f' }])
  offered = offer?.id as number
  await request.patch(`/api/v4${path}/${offered}`, { name: 'Offered' })
  const named = (await send('GET', path, 'statuses', {})).map(({ id, name }) => [name, id])
  deepEqual(
    named.map(([name]) => name),
    ['Asking', 'Offered', 'Closed - won', 'Closed - lost'],
  )
  asking = named[0]?.[1] as number
  equal((await get(`/leads/pipelines/${pipeline}`)).name, 'Wholesale')
})

let colour = 0
await part('custom fields', async () => {
  const enums = ['red', 'blue'].map((value, sort) => ({ value, sort }))
  const drafts = [{ name: 'Colour', type: 'select', enums }]
  const [added] = await send('POST', '/leads/custom_fields', 'custom_fields', drafts)
  colour = added?.id as number
  await send('PATCH', '/leads/custom_fields', 'custom_fields', [{ id: colour, name: 'Colours' }])
  partialDeepStrictEqual(await get(`/leads/custom_fields/${colour}`), {
    name: 'Colours',
    enums: [{ value: 'red' }, { value: 'blue' }],
  })
})

const lead = new client.Lead({ name: 'Fifty chairs', price: 5000 })
await part('leads', async () => {
  lead.pipeline_id = pipeline
  lead.custom_fields_values = [{ field_id: colour, values: [{ value: 'red' }] }]
  lead.embeddedTags.add([{ name: 'spring' }])
  await lead.save()
  ok(Number(lead.id) > 0)

  // The lead is written back whole as it was read, with what the server alone sets, and only the price has changed.
  const before = await read(lead, 'contacts', 'loss_reason', 'catalog_elements')
  partialDeepStrictEqual(before.getAttributes(), {
    name: 'Fifty chairs',
    price: 5000,
    status_id: asking,
    created_by: ada,
    custom_fields_values: [{ field_id: colour, field_type: 'select', values: [{ value: 'red' }] }],
    _embedded: { tags: [{ name: 'spring' }], contacts: [], companies: [], loss_reason: [] },
  })
  before.price = 7000
  await before.save()
  const after = await read(lead)
  const { tags, companies } = before._embedded ?? {}
  const unchanged = { ...before.getAttributes(), updated_at: after.updated_at }
  deepEqual(after.getAttributes(), { ...unchanged, _embedded: { tags, companies } })

  const drafts = ['Sofa', 'Lamp', 'Desk', 'Shelf'].map((name, i) => ({ name, price: 100 * i }))
  const added = await client.leads.create([...drafts, new client.Lead({ name: 'Rug', price: 400 })])
  const ids = idsOf(added)
  equal(new Set(ids).size, 5)
  const [sofa, lamp] = ids as [number, number]
  const moved = { pipeline_id: pipeline, status_id: offered }
  const edited = await client.leads.update([
    { id: sofa, name: 'Large sofa' },
    { id: lamp, ...moved },
  ])
  deepEqual(idsOf(edited), [sofa, lamp])
  equal((await client.leads.getById(sofa))?.name, 'Large sofa')
  const statuses = await client.leads.get(asked({ filter: { statuses: [moved] } }))
  deepEqual(idsOf(statuses.getData()), [lamp])
  deepEqual(idsOf((await client.leads.get({ query: 'fifty' })).getData()), [lead.id])
  const coloured = asked({ filter: { custom_fields_values: { [colour]: ['red'] } } })
  deepEqual(idsOf((await client.leads.get(coloured)).getData()), [lead.id])

  // It follows the links of a page, and sends its own filter and order with them once more.
  const pages = await client.leads.get(asked({ limit: 2, order: { id: 'asc' }, filter: { id: ids } }))
  const seen = [idsOf(pages.getData())]
  while (pages.hasNext()) {
    await pages.next()
    seen.push(idsOf(pages.getData()))
  }
  deepEqual(seen, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  equal(pages.getPage(), 3)
  await pages.prev()
  deepEqual([pages.getPage(), idsOf(pages.getData())], [2, ids.slice(2, 4)])

  const { data } = await request.post<Row[]>('/api/v4/leads/complex', [
    {
      name: 'From a form',
      _embedded: { contacts: [{ name: 'Cleo Dee' }], companies: [{ name: 'Dee Ltd' }] },
    },
  ])
  const complex = await client.leads.getById(data[0]?.id as number, { with: ['contacts'] as never[] })
  deepEqual(idsOf(complex?._embedded?.contacts), [data[0]?.contact_id])
  deepEqual(idsOf(complex?._embedded?.companies), [data[0]?.company_id])
})

const contact = new client.Contact({ first_name: 'Nora', last_name: 'Tveit' })
await part('contacts', async () => {
  const phone = { field_code: 'PHONE', values: [{ value: '+44 20 7946 0018', enum_code: 'WORK' }] }
  contact.custom_fields_values = [phone]
  await contact.save()
  const nora = await read(contact, 'leads', 'customers', 'catalog_elements')
  partialDeepStrictEqual(nora.getAttributes(), { name: 'Nora Tveit', custom_fields_values: [phone] })
  nora.last_name = 'Berg'
  await nora.save()
  partialDeepStrictEqual((await read(contact)).getAttributes(), {
    last_name: 'Berg',
    custom_fields_values: [phone],
  })
  deepEqual(idsOf((await client.contacts.get({ query: '020 7946 0018' })).getData()), [contact.id])
})

await part('companies', async () => {
  const company = new client.Company({ name: 'Tveit AS' })
  await company.save()
  const joint = new client.Lead({ name: 'Joint order' })
  joint.embeddedContacts.add([{ id: contact.id, is_main: true }] as object[])
  joint.embeddedCompanies.add([{ id: company.id as number }])
  await joint.save()
  const linked = await read(joint, 'contacts')
  partialDeepStrictEqual(linked._embedded, {
    contacts: [{ id: contact.id, is_main: true }],
    companies: [{ id: company.id }],
  })
  const tveit = await read(company, 'leads', 'contacts')
  partialDeepStrictEqual(tveit._embedded, { leads: [{ id: joint.id }], contacts: [] })
  tveit.name = 'Tveit ASA'
  await tveit.save()
  deepEqual(idsOf((await client.companies.get({ query: 'tveit' })).getData()), [company.id])
})

await part('tags', async () => {
  const [tag] = await client.leads.tags.create([{ name: 'urgent', color: 'FF8F92' }])
  const list = await client.leads.tags.get({ query: 'urg' })
  deepEqual(
    list.getData().map((one) => one.getAttributes()),
    [{ id: tag?.id, name: 'urgent', color: 'FF8F92' }],
  )
  lead.embeddedTags.set([])
  lead.embeddedTags.add([{ id: tag?.id as number }, { name: 'autumn' }])
  await lead.save()
  const names = (await read(lead))._embedded?.tags?.map(({ name }) => name)
  deepEqual(names?.sort(), ['autumn', 'urgent'])
})

await part('tasks', async () => {
  const about = { entity_id: lead.id as number, entity_type: 'leads', complete_till: soon }
  const task = new client.Task({ ...about, text: 'Call back', task_type_id: 1 })
  await task.save()
  // Read and written back with `result: []`, which is how the platform says that there is none.
  const call = await read(task)
  deepEqual(call.result, [])
  call.complete_till = soon + hour
  await call.save()
  call.is_completed = true
  call.result = { text: 'Was called' }
  await call.save()
  partialDeepStrictEqual((await read(task)).getAttributes(), {
    is_completed: true,
    result: { text: 'Was called' },
    complete_till: soon + hour,
  })

  const own = (await client.leads.getById(lead.id as number))?.tasks
  const [visit] = (await own?.create([{ text: 'Visit', complete_till: soon }])) ?? []
  const open = await own?.get(asked({ order: { complete_till: 'asc' } }))
  deepEqual(idsOf(open?.getData()), [visit?.id, task.id])
  equal((await open?.getData()[0]?.entity.get())?.id, lead.id)
})

await part('catalogs', async () => {
  const [catalog] = await send('POST', '/catalogs', 'catalogs', [{ name: 'Chairs' }])
  const path = `/catalogs/${catalog?.id}/elements`
  const added = await send('POST', path, 'elements', [{ name: 'Thonet 14' }, { name: 'Eames DSW' }])
  const [thonet, eames] = idsOf(added)
  await send('PATCH', path, 'elements', [{ id: eames, name: 'Eames DSR' }])
  partialDeepStrictEqual(await get(`${path}/${eames}`), { name: 'Eames DSR', catalog_id: catalog?.id })
  deepEqual(idsOf(await send('GET', path, 'elements', { query: 'thonet' })), [thonet])

  const metadata = { catalog_id: catalog?.id, quantity: 6 }
  const link = { to_entity_id: thonet, to_entity_type: 'catalog_elements', metadata }
  await send('POST', `/leads/${lead.id}/link`, 'links', [link])
  const linked = await read(lead, 'catalog_elements')
  partialDeepStrictEqual(linked._embedded, { catalog_elements: [{ id: thonet, metadata }] })
})

const [phone, text] = ['+44 20 7946 0018', 'Wants fifty']
let ours: (number | undefined)[] = []
await part('notes', async () => {
  const entity_id = lead.id as number
  const sms = { note_type: 'sms_in', params: { text, phone } }
  const common = { note_type: 'common', params: { text }, request_id: 'n' }
  const added = await send('POST', '/leads/notes', 'notes', [
    { ...common, entity_id },
    { ...sms, entity_id },
  ])
  partialDeepStrictEqual(added, [
    { entity_id, request_id: 'n' },
    { entity_id, request_id: '1' },
  ])
  ours = idsOf([...added, ...(await send('POST', `/leads/${entity_id}/notes`, 'notes', [common]))])
  const [first, second, third] = ours
  await send('PATCH', '/leads/notes', 'notes', [{ id: second, params: { text: 'Wants sixty', phone } }])
  await request.patch(`/api/v4/leads/${entity_id}/notes/${third}`, { params: { text: 'Wants seventy' } })
  const [sixty, seventy] = [await get(`/leads/notes/${second}`), await get(`/leads/notes/${third}`)]
  partialDeepStrictEqual(
    [sixty, seventy],
    [
      { entity_id, created_by: ada, note_type: 'sms_in', params: { text: 'Wants sixty', phone } },
      { entity_id, created_by: ada, note_type: 'common', params: { text: 'Wants seventy' } },
    ],
  )

  const filter = { note_type: ['common', 'sms_in'] }
  const criteria = { limit: 2, filter, order: { id: 'asc' } }
  const { pager, rows } = await pagerOf(`/leads/${entity_id}/notes`, 'notes', criteria)
  deepEqual(idsOf(rows()), [first, second])
  await pager.next()
  deepEqual([pager.getPage(), idsOf(rows()), pager.hasNext()], [2, [third], false])
  await pager.prev()
  deepEqual([pager.getPage(), idsOf(rows())], [1, [first, second]])

  const path = `/leads/${entity_id}/notes`
  const unsaid = { note_type: 'common', params: {} }
  await rejects(send('POST', path, 'notes', [unsaid, common]), faults('FieldMissing', 'params.text'))
  const orphan = { ...common, request_id: '0', entity_id: nothing }
  await rejects(send('POST', '/leads/notes', 'notes', [orphan]), faults('NotSupportedChoice', 'entity_id'))
  const patch = { id: first, note_type: 'sms_in' }
  await rejects(send('PATCH', '/leads/notes', 'notes', [patch]), faults('NotSupportedChoice', 'note_type'))
  await rejects(get(`/leads/notes/${nothing}`), withBody({ status: 404, title: 'Not Found' }))
  equal((await send('GET', path, 'notes', { filter })).length, 3)
})

await part('calls', async () => {
  const [joint] = await send('GET', '/leads', 'leads', { query: 'joint' })
  const missed = { direction: 'outbound', duration: 0, source: 'Exchange', call_status: 6 }
  const { data } = await request.post<{ errors: Row[]; _embedded: { calls: Row[] } }>('/api/v4/calls', [
    { ...missed, phone: phone.replaceAll(' ', ''), call_responsible: 'Reception' },
    { ...missed, phone: '+44 20 7946 0999', request_id: 'nobody' },
  ])
  partialDeepStrictEqual(data.errors, [{ detail: 'Entity not found', request_id: 'nobody' }] as object[])
  partialDeepStrictEqual(data._embedded.calls, [
    { entity_id: joint?.id, entity_type: 'lead', request_id: '0' },
  ] as object[])
  const [call] = data._embedded.calls
  partialDeepStrictEqual(await get(`/leads/${joint?.id}/notes/${call?.id}`), {
    note_type: 'call_out',
    params: { duration: 0, source: 'Exchange', call_status: 6, call_responsible: 'Reception' },
  })
})

await part('events', async () => {
  const types = ['common_note_added', 'incoming_sms']
  const filter = { entity: 'lead', entity_id: [lead.id], type: types, created_at: { from: soon - 2 * hour } }
  const ofLead = await pagerOf('/events', 'events', { limit: 2, filter, with: 'lead_name' })
  const noteOf = ({ value_after }: Row) => (value_after as [{ note: { id: number } }])[0].note.id
  const seen = [ofLead.rows().map(noteOf)]
  partialDeepStrictEqual(ofLead.rows()[0], {
    type: 'common_note_added',
    created_by: ada,
    _embedded: { entity: { id: lead.id, name: 'Fifty chairs' } },
  } as object)
  while (await ofLead.pager.next()) seen.push(ofLead.rows().map(noteOf))
  deepEqual(seen, [[ours[2], ours[1]], [ours[0]]])

  // Each event once, while others are added.
  const all = await pagerOf('/events', 'events', { limit: 250 })
  const ids: unknown[] = []
  do {
    ids.push(...all.rows().map(({ id }) => id))
    await send('POST', `/leads/${lead.id}/notes`, 'notes', [{ note_type: 'common', params: { text } }])
  } while (await all.pager.next())
  ok(all.pager.getPage() > 1)
  deepEqual(ids, [...new Set(ids)].sort().reverse())
  const { data } = await request.get<Row>(`/api/v4/events/${ids.at(-1)}`)
  equal(data.id, ids.at(-1))

  const ofColour = `custom_field_${colour}_value_changed`
  const [red] = await send('GET', '/events', 'events', { filter: { type: ofColour } })
  const value = { field_id: colour, field_type: 4, text: 'red' }
  partialDeepStrictEqual(red, { value_after: [{ custom_field_value: value }] } as object)
  const known = await send('GET', '/events/types', 'events_types', { language_code: 'es' })
  const named = known.filter(({ key }) => key === 'lead_added' || key === ofColour)
  partialDeepStrictEqual(named, [{ type: 1, lang: 'Nuevo lead' }, { type: 24 }] as object[])
  const wrong = { filter: { type: [ofColour, 'lead_added'] } }
  await rejects(send('GET', '/events', 'events', wrong), faults('InvalidFormat', 'filter.type'))
})

await part('errors', async () => {
  const drafts = [{ name: 5 as never }, { name: 'Unnamed' }]
  await rejects(client.leads.create(drafts), faults('InvalidType', 'name'))
  deepEqual((await client.leads.get({ query: 'Unnamed' })).getData(), [])
  await rejects(client.leads.update([{ id: nothing }]), faults('NotSupportedChoice', 'id'))
  // The client makes a record of the empty answer, without an id.
  equal((await client.leads.getById(nothing))?.id, undefined)
  await rejects(client.leads.get({ limit: 1000 }), faults('OutOfRange', 'limit'))
})
