import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { legacyClient } from '../../../test/fixtures/legacy.ts'
import { traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../../test/world.ts'

async function begun() {
  const place = await world()
  const { v4 } = await legacyClient(place)
  const get = (path: string, headers?: Record<string, string>) => v4.get(`/api/v2/${path}`, headers)
  const post = (path: string, body: object | string, headers?: Record<string, string>) =>
    v4.post(`/api/v2/${path}`, body, headers)
  /** Adds one item and answers its id. */
  const add = async (path: string, item: object): Promise<number> =>
    (await post(path, { add: [item] })).body._embedded.items[0].id
  const items = async (path: string) => (await get(path)).body._embedded.items
  return { ...place, v4, get, post, add, items, user: place.admin.id }
}

const idOf = ({ id }: { id: number }) => id
const linked = (path: string, ...ids: number[]) => ({
  id: ids,
  _links: { self: { href: `/api/v2/${path}?id=${ids.join(',')}`, method: 'get' } },
})
const one = (path: string, id: number, more: object = {}) => ({ ...linked(path, id), id, ...more })

test('a task without a result is written back as it was read', async () => {
  const { add, items, post, user } = await begun()
  const draft = { text: 'Call', task_type: 1, complete_till_at: BEGINNING + 60, responsible_user_id: user }
  const id = await add('tasks', { ...draft, element_id: await add('leads', { name: 'L' }), element_type: 2 })
  const [task] = await items(`tasks?id=${id}`)
  expect(task.result).toEqual({})
  expect(await post('tasks', { update: [task] })).toMatchObject({ status: 200 })
  expect(await items(`tasks?id=${id}`)).toEqual([task])
})

test('a record with a fraction in its amount keeps it if it is written back as it was read', async () => {
  const { v4, add, items, post } = await begun()
  await v4.patch('/api/v4/customers/mode', { mode: 'segments', is_enabled: true })
  for (const [path, member, exact] of [
    ['leads', 'sale', 'price_with_minor_units'],
    ['customers', 'next_price', 'next_price_with_minor_units'],
  ] as const) {
    const id = await add(path, { name: 'Bells', [member]: 19.5 })
    const amount = async () => (await v4.get(`/api/v4/${path}/${id}`)).body[exact]
    const [read] = await items(`${path}?id=${id}`)
    expect([read[member], await amount()]).toEqual([19, 19.5])
    const written = { id, name: 'Ten bells', [member]: read[member], updated_at: read.updated_at }
    expect((await post(path, { update: [written] })).status).toBe(200)
    expect(await amount()).toBe(19.5)
    await post(path, { update: [{ ...written, [member]: 20 }] })
    expect(await amount()).toBe(20)
  }
})

describe('records', () => {
  test('are added, changed, unlinked and listed as clients of the second API write and read them', async () => {
    const { v4, post, add, items, get, user } = await begun()
    const [field] = (await v4.post('/api/v4/leads/custom_fields', [{ name: 'Frame', type: 'text' }])).body
      ._embedded.custom_fields
    const company = await add('companies', { name: 'Acme' })
    const contact = await add('contacts', {
      name: 'Ann Lee',
      company_id: company,
      created_at: BEGINNING - 60,
      custom_fields: [
        { id: String((await phoneField(v4)).id), values: [{ value: '+1 555 0100', enum: 'WORK' }] },
      ],
    })
    const added = await post('leads', {
      add: [
        {
          name: 'Bicycle',
          sale: '1500',
          responsible_user_id: String(user),
          tags: 'bike, new',
          contacts_id: [contact],
          company_id: String(company),
          custom_fields: [{ id: field.id, values: [{ value: 'Steel' }] }],
          request_id: 7,
        },
      ],
    })
    const id = added.body._embedded.items[0].id as number
    expect([added.status, added.headers['content-type'], added.body]).toEqual([
      200,
      'application/hal+json',
      {
        _links: { self: { href: '/api/v2/leads', method: 'post' } },
        _embedded: { items: [{ id, request_id: 7, _links: one('leads', id)._links }] },
      },
    ])
    const { status_id, pipeline_id } = (await v4.get(`/api/v4/leads/${id}`)).body
    const [lead] = await items(`leads?id=${id}`)
    expect(lead).toEqual({
      ...one('leads', id),
      name: 'Bicycle',
      ...{ responsible_user_id: user, created_by: user, updated_by: user },
      ...{ created_at: BEGINNING, updated_at: BEGINNING, account_id: expect.any(Number), group_id: 0 },
      company: one('companies', company, { name: 'Acme' }),
      ...{ closest_task_at: 0, closed_at: 0, is_deleted: false, loss_reason_id: 0 },
      tags: [
        { id: expect.any(Number), name: 'bike' },
        { id: expect.any(Number), name: 'new' },
      ],
      custom_fields: [{ id: field.id, name: 'Frame', values: [{ value: 'Steel' }], is_system: false }],
      contacts: linked('contacts', contact),
      main_contact: one('contacts', contact),
      ...{ status_id, sale: 1500, pipeline: one('pipelines', pipeline_id) },
    })
    expect((await items('contacts?query=5550100'))[0]).toMatchObject({
      ...{ first_name: 'Ann Lee', last_name: '', created_at: BEGINNING - 60 },
      company: one('companies', company, { name: 'Acme' }),
      leads: linked('leads', id),
      ...{ customers: {}, tags: {} },
      custom_fields: [
        { code: 'PHONE', values: [{ value: '+1 555 0100', enum: expect.any(Number) }], is_system: true },
      ],
    })
    expect((await items('companies'))[0]).toMatchObject({
      contacts: linked('contacts', contact),
      leads: linked('leads', id),
    })
    const changed = await post('leads', {
      update: [
        { id, updated_at: 1, status_id: 142, unlink: { contacts_id: [contact], company_id: company } },
      ],
    })
    expect(changed.body._embedded.items).toEqual([
      { id, updated_at: BEGINNING, _links: one('leads', id)._links },
    ])
    expect((await items(`leads?id[]=${id}`))[0]).toMatchObject({
      ...{ status_id: 142, closed_at: BEGINNING, company: {}, contacts: {}, main_contact: {} },
    })
    const [{ tags: before }] = await items(`leads?id=${id}`)
    expect((await post('leads', { update: [{ id, tags: [before[0].id, 'third'] }] })).status).toBe(200)
    const [{ tags: after }] = await items(`leads?id=${id}`)
    expect(after.map(({ name }: { name: string }) => name)).toEqual([before[0].name, 'third'])
    // Clients send back what they have read: an empty object is no tags and no contacts.
    expect((await post('leads', { update: [{ id, tags: {}, contacts_id: {} }] })).status).toBe(200)
    expect((await items(`leads?id=${id}`))[0].tags).toEqual({})
    expect((await get('leads?id=999999')).status).toBe(204)
    expect((await get(`leads?filter[date_create][from]=${BEGINNING + 1}`)).status).toBe(204)
    expect(
      await items(`leads?filter[date_create][from]=${BEGINNING}&limit_rows=500&limit_offset=0`),
    ).toHaveLength(1)
  })

  test('are read from a form with nested names', async () => {
    const { post, items } = await begun()
    const form = 'add[0][name]=From+a+form&add[0][sale]=5&add[0][tags][]=a&add[1][name]=Second'
    const added = await post('leads', form, { 'content-type': 'application/x-www-form-urlencoded' })
    expect(added.status).toBe(200)
    expect((await items('leads')).map(({ name }: { name: string }) => name)).toEqual([
      'From a form',
      'Second',
    ])
  })

  test('are all written, or none, and the fault has its place', async () => {
    const { post, ctx, add } = await begun()
    const lead = await add('leads', { name: 'One' })
    const before = await traces(ctx)
    const cases: [object, string][] = [
      [{ add: [{ name: 'Two' }], update: [{ id: 999_999, name: 'x' }] }, 'update.0.id'],
      [{ add: [{ name: 'Two' }, { sale: 'much' }] }, 'add.1.sale'],
      [{ update: [{ id: lead, name: 'x', unlink: { contacts_id: ['x'] } }] }, 'update.0.unlink.contacts_id'],
      [{ update: [{ id: lead, name: 'x', unlink: { contacts_id: 999_999 } }] }, 'update.0.to_entity_id'],
    ]
    for (const [body, path] of cases) {
      const { status, body: problem } = await post('leads', body)
      expect([status, problem['validation-errors'][0].errors[0].path]).toEqual([400, path])
    }
    expect((await post('leads', {})).status).toBe(400)
    expect(await traces(ctx)).toEqual(before)
  })
})

test('tasks and notes are added and changed in one request, and listed', async () => {
  const { post, add, items, user } = await begun()
  const lead = await add('leads', { name: 'Bicycle' })
  const about = { element_id: lead, element_type: 2 }
  const task = await add('tasks', { ...about, text: 'Call', task_type: 1, complete_till_at: BEGINNING + 60 })
  const done = await post('tasks', {
    add: [{ ...about, text: 'Meet', task_type: '2', complete_till_at: String(BEGINNING + 90) }],
    update: [{ id: task, updated_at: 1, text: 'Called', is_completed: true, result: { text: 'Fine' } }],
  })
  expect(done.status).toBe(200)
  expect((await items(`tasks?type=lead&element_id=${lead}`))[0]).toEqual({
    ...one('tasks', task),
    ...about,
    ...{ text: 'Called', task_type: 1, complete_till_at: BEGINNING + 60, is_completed: true },
    ...{ created_at: BEGINNING, updated_at: BEGINNING, created_by: user, responsible_user_id: user },
    ...{ account_id: expect.any(Number), group_id: 0, result: { id: task, text: 'Fine' } },
  })
  const params = { UNIQ: 'u-1', LINK: 'https://calls.example/1.mp3', PHONE: '1', DURATION: 65, SRC: 'pbx' }
  const notes = [
    { ...about, note_type: 4, text: 'Hello' },
    { ...about, note_type: '10', params },
    { ...about, note_type: 25, text: 'Built', params: { text: 'Built' } },
    { ...about, note_type: 102, params: { text: 'Hi', phone: '1' } },
  ]
  const written = await post('notes', { add: notes })
  expect(written.status).toBe(200)
  const [text] = written.body._embedded.items
  await post('notes', { update: [{ id: text.id, ...about, updated_at: 1, text: 'Hello again' }] })
  // The first ones are the creation of the lead and the result of the task.
  const [, , ...shown] = await items(`notes?type=lead&element_id=${lead}`)
  expect(
    shown.map(({ note_type, text, params }: { note_type: number; text: string; params: object }) => [
      note_type,
      text,
      params,
    ]),
  ).toEqual([
    [4, 'Hello again', {}],
    [10, '', params],
    [25, '', { service: 'API', text: 'Built' }],
    [102, '', { TEXT: 'Hi', PHONE: '1' }],
  ])
})

test('notes are changed without the kind of their record, all of them or none', async () => {
  const { post, add, items, ...place } = await begun()
  const notes: number[] = []
  for (const [path, element_type] of Object.entries({ leads: 2, contacts: 1 })) {
    const element_id = await add(path, { name: path })
    notes.push(await add('notes', { element_id, element_type, note_type: 4, text: 'Hello' }))
  }
  const update = notes.map((id) => ({ id, updated_at: 1, text: 'Hello again' }))
  const texts = async () =>
    (await Promise.all(['lead', 'contact'].map((type) => items(`notes?type=${type}&note_type=4`))))
      .flat()
      .map(({ text }: { text: string }) => text)
  const lost = await post('notes', { update: [...update, { id: 999_999, text: 'x' }] })
  expect([lost.status, lost.body['validation-errors'][0].errors[0].path]).toEqual([400, 'update.2.id'])
  expect(await texts()).toEqual(['Hello', 'Hello'])
  const changed = await post('notes', { update })
  expect(changed.body._embedded.items.map(({ id }: { id: number }) => id)).toEqual(notes)
  expect(await texts()).toEqual(['Hello again', 'Hello again'])
  // With ids, the kind can be left out of a list, too.
  for (const type of ['', '&type=all'])
    expect((await items(`notes?id[]=${notes[0]}&id[]=${notes[1]}${type}`)).map(idOf)).toEqual(notes)
  expect((await items(`notes?id=${notes}&limit_rows=1&limit_offset=1`)).map(idOf)).toEqual([notes[1]])
  const all = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } as const
  const { v4 } = await legacyClient(place, await place.addPerson({ rights: { leads: all } }))
  for (const id of [notes[1], 999_999])
    expect((await v4.post('/api/v2/notes', { update: [{ id, updated_at: 1, text: 'x' }] })).status).toBe(403)
  const seen = (await v4.get(`/api/v2/notes?id=${notes},999999`)).body._embedded.items
  expect(seen.map(idOf)).toEqual([notes[0]])
  expect((await v4.get('/api/v2/notes?type=all')).body._embedded.items.map(idOf)).not.toContain(notes[1])
})

test('notes are listed across kinds, and by the tasks whose results they have', async () => {
  const { post, add, items, get, v4 } = await begun()
  const about: [string, object][] = []
  for (const [path, element_type] of Object.entries({ leads: 2, contacts: 1, companies: 3 }))
    about.push([path, { element_id: await add(path, { name: path }), element_type }])
  for (const text of ['a', 'b'])
    await post('notes', {
      add: about.map(([path, of]) => ({ ...of, note_type: 4, text: `${path} ${text}` })),
    })
  const texts = async (asked: string) =>
    (await items(`notes?type=all&note_type=4${asked}`)).map(({ text }: { text: string }) => text)
  const all = ['leads a', 'contacts a', 'companies a', 'leads b', 'contacts b', 'companies b']
  expect(await texts('')).toEqual(all)
  expect(await texts('&limit_rows=2&limit_offset=3')).toEqual(all.slice(3, 5))
  expect((await get('notes?type=all&note_type=4&limit_offset=6')).status).toBe(204)

  const [[, lead], [, contact]] = about as [[string, object], [string, object]]
  const done = { task_type: 1, complete_till_at: BEGINNING + 60, is_completed: true }
  const tasks: number[] = []
  for (const [of, text] of [
    [lead, 'Fine'],
    [lead, 'Later'],
    [contact, 'No'],
  ] as const)
    tasks.push(await add('tasks', { ...of, ...done, text: 'Call', result: { text } }))
  const results = async (asked: string) =>
    (await items(`notes?type=task${asked}`)).map(({ params }: { params: { text: string } }) => params.text)
  expect(await results('')).toEqual(['Fine', 'Later', 'No'])
  const [, later] = await items('tasks')
  expect(later.result).toEqual({ id: tasks[1], text: 'Later' })
  expect(await results(`&element_id=${later.result.id}`)).toEqual(['Later'])
  expect(await results(`&element_id[]=${tasks[1]}&element_id[]=${tasks[2]}&limit_offset=1`)).toEqual(['No'])
  expect((await get('notes?type=task&element_id=999999')).status).toBe(204)
  // A task is written back as it was read.
  expect((await post('tasks', { update: [later] })).status).toBe(200)
  expect(await results('')).toHaveLength(3)
  const unknown = await v4.get('/api/v2/notes?type=leads')
  expect([unknown.status, unknown.text]).toEqual([
    400,
    expect.stringContaining('lead, contact, company, customer, task, all'),
  ])
})

onEmbedded('notes are listed by the numbers of their types', async () => {
  const { post, add, get, items } = await begun()
  const element_id = await add('leads', { name: 'Bicycle' })
  const about = { element_id, element_type: 2 }
  const sms = { ...about, note_type: 102, params: { text: 'Hi', phone: '1' } }
  await post('notes', { add: [{ ...about, note_type: 4, text: 'Hello' }, sms] })
  const types = async (asked: string) =>
    (await items(`notes?type=lead&${asked}`)).map(({ note_type }: { note_type: number }) => note_type)
  expect(await types('note_type=4')).toEqual([4])
  expect(await types('note_type[]=4&note_type[]=102')).toEqual([4, 102])
  // The creation of the lead.
  expect(await types('note_type=25')).toEqual([25])
  expect((await get('notes?type=lead&note_type=10')).status).toBe(204)
  expect((await get('notes?type=lead&note_type=7')).status).toBe(400)
})

onEmbedded('open leads, and tasks by their state and type, are filtered', async () => {
  const { v4, add, get, items } = await begun()
  const [open, won] = [
    await add('leads', { name: 'Open' }),
    await add('leads', { name: 'Won', status_id: 142 }),
  ]
  const ids = async (path: string) => (await items(path)).map(({ id }: { id: number }) => id)
  expect(await ids('leads?filter[active]=1')).toEqual([open])
  expect(await ids('leads?filter[active]=1&status=142')).toEqual([won])
  const stages = Array.from({ length: 60 }, (_, i) => ({ name: `Stage ${i}`, sort: i }))
  for (const name of ['Rent', 'Repair'])
    await v4.post('/api/v4/leads/pipelines', [
      { name, sort: 2, is_main: false, _embedded: { statuses: stages } },
    ])
  expect(await ids('leads?filter[active]=1')).toEqual([open])
  const about = { element_id: open, element_type: 2, text: 'Call', complete_till_at: BEGINNING + 60 }
  const call = await add('tasks', { ...about, task_type: 1 })
  const done = await add('tasks', { ...about, task_type: 2, is_completed: true })
  expect(await ids('tasks?filter[status][]=1')).toEqual([done])
  expect(await ids('tasks?filter[status]=0&filter[task_type][]=1')).toEqual([call])
  expect((await get('tasks?filter[status]=1&filter[task_type]=1')).status).toBe(204)
  expect((await get('tasks?filter[status]=x')).status).toBe(400)
  expect([await ids('leads?filter[tasks]=1'), await ids('leads?filter[tasks]=2')]).toEqual([[won], [open]])
  expect((await get('leads?filter[tasks]=3')).status).toBe(400)
})

onEmbedded('records in the trash are listed with only_deleted', async () => {
  const { v4, add, get, items } = await begun()
  const [kept, gone] = [await add('leads', { name: 'Kept' }), await add('leads', { name: 'Gone' })]
  await v4.delete(`/api/v4/leads/${gone}`)
  const listed = async (path: string) =>
    (await items(path)).map(({ id, is_deleted }: { id: number; is_deleted: boolean }) => [id, is_deleted])
  expect(await listed('leads?with=loss_reason_name,only_deleted')).toEqual([[gone, true]])
  expect(await listed('leads')).toEqual([[kept, false]])
  expect((await get('contacts?with[]=only_deleted')).status).toBe(204)
})

onEmbedded('the reason of a loss and the elements of a lead are shown with their names in with', async () => {
  const { v4, add, items } = await begun()
  const list = await add('catalogs', { name: 'Frames' })
  const element = await add('catalog_elements', { catalog_id: list, name: 'Steel' })
  const id = await add('leads', { name: 'Bicycle', catalog_elements_id: { [list]: { [element]: '2' } } })
  const all = 'is_price_modified_by_robot,loss_reason_name,catalog_elements_links'
  const [open] = await items(`leads?id=${id}&with=${all}`)
  expect(open).toMatchObject({
    is_price_modified_by_robot: false,
    _embedded: { catalog_elements_links: [{ id: element, catalog_id: list, quantity: 2 }] },
  })
  expect(open).not.toHaveProperty('loss_reason_name')

  const [reason] = (await v4.get('/api/v4/leads/loss_reasons')).body._embedded.loss_reasons
  await v4.patch(`/api/v4/leads/${id}`, { status_id: 143, loss_reason_id: reason.id })
  const [lost] = await items(`leads?id=${id}&with[]=loss_reason_name`)
  expect(lost).toMatchObject({ loss_reason_id: reason.id, loss_reason_name: reason.name })
  expect(lost).not.toHaveProperty('_embedded')
  const contact = await add('contacts', { name: 'Ann' })
  await v4.post(`/api/v4/contacts/${contact}/link`, [
    {
      to_entity_id: element,
      to_entity_type: 'catalog_elements',
      metadata: { catalog_id: list, quantity: 3 },
    },
  ])
  expect((await items('contacts?with=catalog_elements_links,loss_reason_name'))[0]._embedded).toEqual({
    catalog_elements_links: [{ id: element, catalog_id: list, quantity: 3 }],
  })
})

onEmbedded('the account, pipelines and webhooks have the form of the second API', async () => {
  const { get, post, user, account, v4 } = await begun()
  const plain = (await get('account')).body
  expect(plain).toMatchObject({ id: account.id, subdomain: 'demo', current_user: user })
  expect(plain).not.toHaveProperty('_embedded')
  const { _embedded: parts } = (
    await get('account?with=users,groups,pipelines,custom_fields,note_types,task_types&free_users=Y')
  ).body
  const [pipeline] = (await v4.get('/api/v4/leads/pipelines')).body._embedded.pipelines
  expect(parts.users[user]).toMatchObject({
    ...{ id: user, is_admin: true },
    rights: {
      mail: 'A',
      incoming_leads: 'A',
      catalogs: 'A',
      lead_add: 'A',
      task_edit: 'A',
      task_delete: 'A',
    },
  })
  expect(parts.groups[0]).toEqual({ id: 0, name: expect.any(String) })
  expect(parts.task_types[1].id).toBe(1)
  expect(parts.note_types[4]).toEqual({ id: 4, code: 'COMMON', is_editable: true })
  const phone = await phoneField(v4)
  expect(parts.custom_fields.contacts[phone.id]).toMatchObject({
    ...{ code: 'PHONE', field_type: 8, is_multiple: true, is_system: true },
    enums: { [phone.enums[0].id]: phone.enums[0].value },
  })
  const [list] = (await v4.post('/api/v4/catalogs', [{ name: 'Frames' }])).body._embedded.catalogs
  const [size] = (
    await v4.post(`/api/v4/catalogs/${list.id}/custom_fields`, [{ name: 'Size', type: 'text' }])
  ).body._embedded.custom_fields
  const { catalogs } = (await get('account?with=custom_fields')).body._embedded.custom_fields
  expect(catalogs[list.id][size.id]).toMatchObject({ name: 'Size', field_type: 1 })
  const { items } = (await get('pipelines')).body._embedded
  expect(items[pipeline.id]).toEqual(parts.pipelines[pipeline.id])
  expect((await get(`pipelines?id=${pipeline.id}`)).body._embedded.items).toEqual(items)
  expect((await get('pipelines?id=999999')).body._embedded.items).toEqual({})
  expect(items[pipeline.id].statuses[142]).toMatchObject({ id: 142, is_editable: false })
  const hook = { url: 'https://hook.example/in', events: ['add_lead'] }
  const subscribed = await post('webhooks/subscribe', { subscribe: [hook] })
  expect(subscribed.body._embedded.items).toEqual([{ ...hook, result: true }])
  expect((await get('webhooks')).body._embedded.items).toEqual([{ ...hook, disabled: false }])
  expect((await post('webhooks/unsubscribe', { unsubscribe: [hook] })).status).toBe(200)
  expect((await get('webhooks')).body._embedded.items).toEqual([])
})

onEmbedded('nobody, and a person without rights, get nothing', async () => {
  const place = await world()
  for (const path of [
    'account',
    'leads',
    'contacts',
    'companies',
    'tasks',
    'notes?type=lead',
    'pipelines',
    'webhooks',
  ])
    expect((await place.stranger.get(`/api/v2/${path}`)).status).toBe(401)
  const person = await place.addPerson({})
  const { v4 } = await legacyClient(place, person)
  expect((await v4.post('/api/v2/leads', { add: [{ name: 'x' }] })).status).toBe(403)
  expect((await v4.get('/api/v2/leads')).status).toBe(204)
  expect((await v4.get('/api/v2/webhooks')).status).toBe(403)
  const { users } = (await v4.get('/api/v2/account?with=users')).body._embedded
  expect(users[place.admin.id]).toEqual({
    ...{ id: place.admin.id, name: expect.any(String), last_name: '', group_id: 0, is_active: true },
  })
})

async function phoneField(v4: Awaited<ReturnType<typeof legacyClient>>['v4']) {
  const { custom_fields } = (await v4.get('/api/v4/contacts/custom_fields')).body._embedded
  return custom_fields.find(({ code }: { code: string | null }) => code === 'PHONE')
}
