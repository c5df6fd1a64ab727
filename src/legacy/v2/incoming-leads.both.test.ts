import { expect, test } from 'vitest'
import { legacyClient } from '../../../test/fixtures/legacy.ts'
import { BEGINNING, world } from '../../../test/world.ts'

const PATH = '/api/v2/incoming_leads'

async function begun() {
  const place = await world()
  const { v4 } = await legacyClient(place)
  const [pipeline] = (await v4.get('/api/v4/leads/pipelines')).body._embedded.pipelines
  return { ...place, v4, pipeline, user: place.admin.id as number }
}

const call = (more: object = {}) => ({
  source_name: 'PBX One',
  source_uid: 'call-1',
  incoming_lead_info: {
    from: 79161234567,
    to: '7',
    date_call: String(BEGINNING - 60),
    duration: '54',
    service_code: 'pbx_one',
    uniq: 'c-1',
    add_note: 'incoming call',
  },
  incoming_entities: {
    leads: [{ name: 'Call back', price: '900', tags: 'call, new' }],
    contacts: [{ name: 'Ann Lee' }],
  },
  ...more,
})

test('calls are added, listed and counted, as clients of the second API write and read them', async () => {
  const { v4, pipeline, user } = await begun()
  const added = await v4.post(`${PATH}/sip`, { add: [call()] })
  const [uid] = added.body.data
  expect([added.status, added.body]).toEqual([
    200,
    {
      status: 'success',
      data: [expect.stringMatching(/^[0-9a-f]{60}$/)],
      _links: { self: { href: '/api/v2/incoming_leads/sip', method: 'post' } },
    },
  ])
  const { status, body } = await v4.get(`${PATH}?page_size=500&PAGEN_1=1&order_by[created_at]=asc`)
  expect([status, body._embedded.items]).toEqual([
    200,
    [
      {
        uid,
        ...{ category: 'sip', source_uid: 'call-1', source_name: 'PBX One' },
        ...{ created_at: BEGINNING, pipeline_id: pipeline.id },
        incoming_lead_info: {
          from: '79161234567',
          to: 7,
          ...{ date: BEGINNING - 60, duration: 54, link: null, service_code: 'pbx_one', uniq: 'c-1' },
        },
        incoming_entities: {
          leads: [
            expect.objectContaining({
              ...{ name: 'Call back', sale: 900, responsible_user_id: user },
              tags: [expect.objectContaining({ name: 'call' }), expect.objectContaining({ name: 'new' })],
            }),
          ],
          contacts: [expect.objectContaining({ name: 'Ann Lee' })],
          companies: [],
        },
        _links: { self: { href: `/api/v2/incoming_leads?uid=${uid}`, method: 'get' } },
      },
    ],
  ])
  const id = body._embedded.items[0].incoming_entities.leads[0].id
  const { body: notes } = await v4.get(`/api/v4/leads/${id}/notes?filter[note_type]=call_in`)
  expect(notes._embedded.notes).toMatchObject([{ params: { uniq: 'c-1', call_responsible: 7 } }])
  expect((await v4.get(`${PATH}?categories[]=form`)).status).toBe(204)
  expect((await v4.get(`${PATH}?page=2&page_size=1`)).status).toBe(204)
  const counted = await v4.get(`${PATH}/summary?data[filter][date][from]=${BEGINNING - 1}`)
  expect(counted.body).toEqual({
    ...{ sip: 1, mail: 0, form: 0, chat: 0, total: 1, avg_time: 0, accepted: 0 },
    _links: { self: { href: '/api/v2/incoming_leads/summary', method: 'get' } },
  })
})

test('a form needs no source, and its lead can have notes and fields', async () => {
  const { v4 } = await begun()
  const fields = (await v4.get('/api/v4/contacts/custom_fields')).body._embedded.custom_fields
  const phone = fields.find(({ code }: { code: string }) => code === 'PHONE')
  const body = new URLSearchParams({
    'add[0][created_at]': String(BEGINNING - 5),
    'add[0][incoming_entities][leads][0][name]': 'From the site',
    'add[0][incoming_entities][leads][0][notes][0][note_type]': '4',
    'add[0][incoming_entities][leads][0][notes][0][element_type]': 'lead',
    'add[0][incoming_entities][leads][0][notes][0][text]': 'Call in the evening',
    'add[0][incoming_entities][contacts][0][name]': 'Ann Lee',
    'add[0][incoming_entities][contacts][0][custom_fields][0][id]': String(phone.id),
    'add[0][incoming_entities][contacts][0][custom_fields][0][values][0][value]': '+1 555 0100',
    'add[0][incoming_entities][contacts][0][custom_fields][0][values][0][enum]': 'WORK',
    'add[0][incoming_lead_info][form_id]': '25',
    'add[0][incoming_lead_info][form_page]': 'shop.example',
  }).toString()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await v4.post(`${PATH}/form/`, body, form)).status).toBe(200)
  const [incoming] = (await v4.get(PATH)).body._embedded.items
  const [lead] = incoming.incoming_entities.leads
  expect(incoming).toMatchObject({
    ...{ category: 'form', source_uid: '25', source_name: 'shop.example', created_at: BEGINNING - 5 },
    incoming_lead_info: { form_id: '25', form_page: 'shop.example' },
    incoming_entities: { contacts: [{ custom_fields: [{ values: [{ value: '+1 555 0100' }] }] }] },
  })
  const { body: notes } = await v4.get(`/api/v4/leads/${lead.id}/notes?filter[note_type]=common`)
  expect(notes._embedded.notes).toMatchObject([{ params: { text: 'Call in the evening' } }])
})

test.each([
  ['form', 'form_id', 'form_id'],
  ['form', 'form_name', 'form_name'],
  ['form', 'form_page', 'form_page'],
  ['sip', 'service_code', 'service_code'],
  ['sip', 'from', 'phone'],
])('a %s without a source refuses an object as %s, regardless of its members', async (path, name, shown) => {
  const { v4 } = await begun()
  for (const value of [{ toString: 1, valueOf: 1 }, { a: 1 }, [1], true]) {
    const item = { incoming_lead_info: { [name]: value }, incoming_entities: { leads: [{ name: 'A' }] } }
    const answer = await v4.post(`${PATH}/${path}`, { add: [item] })
    const faults = answer.body['validation-errors']?.flatMap(({ errors }: { errors: object[] }) => errors)
    expect([answer.status, faults]).toEqual([
      400,
      expect.arrayContaining([expect.objectContaining({ path: `add.0.metadata.${shown}` })]),
    ])
    expect(faults).toHaveLength(1)
  }
})

test('a long name of a form is cut between characters', async () => {
  const { v4 } = await begun()
  const item = { incoming_lead_info: { form_id: 1, form_name: `${'x'.repeat(254)}😀` } }
  const answer = await v4.post(`${PATH}/form`, { add: [item] })
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  const [one] = (await v4.get(PATH)).body._embedded.items
  expect(one.source_name).toBe('x'.repeat(254))
})

test('incoming leads are accepted and declined, all of a request or none', async () => {
  const { v4, pipeline, user } = await begun()
  const stage = pipeline._embedded.statuses[2].id
  const add = [1, 2, 3].map((n) => call({ source_uid: `call-${n}`, incoming_lead_info: { from: `${n}` } }))
  const [first, second, third] = (await v4.post(`${PATH}/sip`, { add })).body.data
  const unknown = await v4.post(`${PATH}/accept`, { accept: [first, 'a'.repeat(60)], user_id: user })
  expect([unknown.status, (await v4.get(PATH)).body._embedded.items.length]).toEqual([404, 3])
  const accepted = await v4.post(`${PATH}/accept`, {
    accept: [second, first],
    user_id: String(user),
    status_id: String(stage),
  })
  expect([accepted.status, accepted.body.status, Object.keys(accepted.body.data).sort()]).toEqual([
    200,
    'success',
    [first, second].sort(),
  ])
  const { leads, contacts, companies } = accepted.body.data[first]
  expect([contacts.length, companies]).toEqual([1, []])
  expect((await v4.get(`/api/v4/leads/${leads[0]}`)).body.status_id).toBe(stage)
  const declined = await v4.post(`${PATH}/decline`, { decline: third, user_id: 0 })
  expect(declined.body).toMatchObject({ status: 'success', data: { [third]: false } })
  expect((await v4.get(PATH)).status).toBe(204)
  expect((await v4.post(`${PATH}/decline`, { decline: [third] })).status).toBe(404)
})

test.each([
  ['sip', { add: [call({ incoming_lead_info: { date_call: 'today' } })] }, 'add.0.metadata.called_at'],
  ['sip', { add: [call({ pipeline_id: 'x' })] }, 'add.0.pipeline_id'],
  ['accept', { accept: [] }, 'accept'],
  ['accept', { accept: ['a'], user_id: 'Ann' }, 'user_id'],
  ['decline', { decline: Array.from({ length: 251 }, () => 'a') }, 'decline'],
])('%s refuses what it does not take and names it (case %#)', async (path, body, at) => {
  const { v4 } = await begun()
  const refused = await v4.post(`${PATH}/${path}`, body)
  expect(refused.status).toBe(400)
  expect(refused.body['validation-errors'][0].errors[0].path).toBe(at)
})

test('a note that is refused adds no incoming lead', async () => {
  const { v4 } = await begun()
  const incoming_entities = { leads: [{ name: 'Call back', notes: [{ note_type: 4, text: '' }] }] }
  expect((await v4.post(`${PATH}/sip`, { add: [call({ incoming_entities })] })).status).toBe(400)
  expect((await v4.get(PATH)).status).toBe(204)
})

test('nobody else reads, adds or sorts incoming leads', async () => {
  const { stranger, v4, ...place } = await begun()
  expect((await stranger.get(PATH)).status).toBe(401)
  expect((await stranger.post(`${PATH}/sip`, { add: [call()] })).status).toBe(401)
  const [uid] = (await v4.post(`${PATH}/sip`, { add: [call()] })).body.data
  const { v4: weak } = await legacyClient({ ...place, stranger }, await place.addPerson({}))
  const other = call({ incoming_lead_info: { from: '5' } })
  expect((await weak.post(`${PATH}/sip`, { add: [other] })).status).toBe(403)
  expect((await weak.get(PATH)).status).toBe(204)
  const admin = await place.addPerson({ account: await place.addAccount('other'), is_admin: true })
  const elsewhere = { ...place, admin, stranger: stranger.as({ host: 'other.localhost:8080' }) }
  const { v4: theirs } = await legacyClient(elsewhere)
  expect((await theirs.get(PATH)).status).toBe(204)
  for (const action of ['accept', 'decline']) {
    expect((await theirs.post(`${PATH}/${action}`, { [action]: uid })).status).toBe(404)
    expect([403, 404]).toContain((await weak.post(`${PATH}/${action}`, { [action]: uid })).status)
  }
  expect((await v4.get(PATH)).body._embedded.items).toHaveLength(1)
})
