import { expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { legacyClient } from '../../../test/fixtures/legacy.ts'
import { traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../../test/world.ts'

async function begun() {
  const place = await world()
  const { v4 } = await legacyClient(place)
  const get = (path: string) => v4.get(`/api/v2/${path}`)
  const set = (path: string, body: object) => v4.post(`/api/v2/${path}`, body)
  const items = async (path: string) => (await get(path)).body._embedded.items
  /** Adds one item and answers its id. */
  const add = async (path: string, item: object): Promise<number> =>
    (await set(path, { add: [item] })).body._embedded.items[0].id
  return { ...place, v4, get, set, items, add, user: place.admin.id }
}

const linkTo = (path: string) => ({ self: { href: `/api/v2/${path}`, method: 'get' } })

test('a form names lists and elements by their ids, and an update unlinks them', async () => {
  const { v4, add, set } = await begun()
  const list = await add('catalogs', { name: 'Frames', can_add_elements: '1' })
  const element = await add('catalog_elements', { catalog_id: list, name: 'Steel' })
  const answer = await v4.post(
    '/api/v2/leads',
    `add[0][name]=Bicycle&add[0][catalog_elements_id][${list}][${element}]=2`,
    { 'content-type': 'application/x-www-form-urlencoded' },
  )
  expect(answer.status).toBe(200)
  const [{ id }] = answer.body._embedded.items
  const linked = async () =>
    (await v4.get(`/api/v4/leads/${id}?with=catalog_elements`)).body._embedded.catalog_elements
  expect(await linked()).toMatchObject([{ id: element, metadata: { quantity: 2, catalog_id: list } }])

  for (const unlinked of [{ [element]: 2 }, [String(element)], element]) {
    const update = [{ id, unlink: { catalog_elements_id: { [list]: unlinked } } }]
    expect(await set('leads', { update })).toMatchObject({ status: 200 })
    expect(await linked()).toEqual([])
    await set('leads', { update: [{ id, catalog_elements_id: { [list]: { [element]: 1 } } }] })
    expect(await linked()).toMatchObject([{ id: element }])
  }
  const refused = await set('leads', { update: [{ id, unlink: { catalog_elements_id: { [list]: 'x' } } }] })
  expect(refused.body['validation-errors'][0].errors).toMatchObject([
    { path: 'update.0.unlink.catalog_elements_id', code: 'InvalidType' },
  ])
})

test('lists and their elements are added, changed, found and deleted', async () => {
  const { v4, get, set, items, add, user } = await begun()
  const list = await add('catalogs', { name: 'Frames', can_add_elements: '1', request_id: 7 })
  expect((await items(`catalogs?id=${list}`))[0]).toEqual({
    ...{ id: list, name: 'Frames', created_by: user, created_at: BEGINNING, type: 'regular' },
    ...{ sort: expect.any(Number), sdk_widget_code: null, widgets: [] },
    ...{ can_add_elements: true, can_show_in_cards: false, can_link_multiple: true },
    _links: linkTo(`catalogs?id=${list}`),
  })
  const changed = await set('catalogs', { update: [{ id: String(list), name: 'Bicycle frames' }] })
  expect(changed.body._embedded.items).toEqual([
    { id: list, updated_at: BEGINNING, _links: linkTo(`catalogs?id=${list}`) },
  ])
  const other = await add('catalogs', { name: 'Wheels' })
  const [field] = (
    await v4.post(`/api/v4/catalogs/${list}/custom_fields`, [{ name: 'Price', type: 'numeric' }])
  ).body._embedded.custom_fields

  const added = await set('catalog_elements', {
    add: [
      { catalog_id: other, name: 'Wheel', request_id: 'w' },
      { catalog_id: String(list), name: 'Steel', custom_fields: [{ id: field.id, values: [{ value: 90 }] }] },
    ],
  })
  const [wheel, steel] = added.body._embedded.items
  expect([wheel.request_id, steel.request_id]).toEqual(['w', 1])
  const [shown] = await items(`catalog_elements?catalog_id=${list}&page=1`)
  expect(shown).toEqual({
    ...{ id: steel.id, name: 'Steel', catalog_id: list, is_deleted: false },
    ...{ created_by: user, updated_by: user, created_at: BEGINNING, updated_at: BEGINNING },
    custom_fields: [{ id: field.id, name: 'Price', values: [{ value: '90' }], is_system: false }],
    _links: linkTo(`catalog_elements?id=${steel.id}&catalog_id=${list}`),
  })
  expect(await items(`catalog_elements?id=${steel.id}`)).toEqual([shown])
  expect(await items(`catalog_elements?catalog_id=${list}&term=steel`)).toHaveLength(1)
  for (const empty of [`catalog_id=${list}&page=2`, `catalog_id=${list}&term=wood`, 'catalog_id=999999'])
    expect((await get(`catalog_elements?${empty}`)).status).toBe(204)

  // An update can leave out the list.
  const update = [
    { id: wheel.id, name: 'Big wheel' },
    { id: steel.id, catalog_id: list, name: 'Old steel' },
  ]
  expect((await set('catalog_elements', { update })).status).toBe(200)
  expect((await items(`catalog_elements?id[]=${wheel.id}&id[]=${steel.id}`)).map(nameOf)).toEqual(
    expect.arrayContaining(['Big wheel', 'Old steel']),
  )
  const gone = await set('catalog_elements', { delete: [wheel.id, String(steel.id)] })
  expect(gone.body._embedded.items.map(({ id }: { id: number }) => id)).toEqual([wheel.id, steel.id])
  expect((await get(`catalog_elements?catalog_id=${list}`)).status).toBe(204)
  expect((await set('catalogs', { delete: [list, other] })).body._embedded.items).toHaveLength(2)
  expect((await get(`catalogs?id=${list}`)).status).toBe(204)
})

const nameOf = ({ name }: { name: string }) => name

test('elements are all written, or none, and the fault has its place', async () => {
  const { ctx, set, add } = await begun()
  const list = await add('catalogs', { name: 'Frames' })
  const id = await add('catalog_elements', { catalog_id: list, name: 'Steel' })
  const before = await traces(ctx)
  const more = { catalog_id: list, name: 'Wood' }
  const cases: [string, object, string][] = [
    ['catalog_elements', { add: [more, { name: 'x' }] }, 'add.1.catalog_id'],
    ['catalog_elements', { add: [more, { catalog_id: list }] }, 'add.1.name'],
    ['catalog_elements', { add: [more], update: [{ id: 999_999, name: 'x' }] }, 'update.0.id'],
    ['catalog_elements', { add: [more], delete: [id, 999_999] }, 'delete.1.id'],
    ['catalog_elements', { add: [more], delete: ['x'] }, 'delete.0'],
    ['catalogs', { add: [{ name: 'x' }, { sort: 1 }] }, 'add.1.name'],
    ['customers', { add: [{ name: 'x' }, { name: 'y', next_price: 'much' }] }, 'add.1.next_price'],
    ['customers', { add: [{ name: 'x' }], delete: [999_999] }, 'delete.0.id'],
    ['transactions', { add: [{ price: 1 }] }, 'add.0.customer_id'],
    ['transactions', { delete: Array(251).fill(1) }, 'delete'],
  ]
  for (const [path, body, place] of cases) {
    const { status, body: problem } = await set(path, body)
    expect([path, body, status, problem['validation-errors']?.[0].errors[0].path]).toEqual([
      path,
      body,
      400,
      place,
    ])
  }
  for (const path of ['catalogs', 'catalog_elements', 'customers', 'transactions', 'fields'])
    expect((await set(path, {})).status).toBe(400)
  expect((await set('catalogs', { add: [{ name: 'x' }], delete: [999_999] })).status).toBe(404)
  expect(await traces(ctx)).toEqual(before)
})

test('customers and their purchases are added, changed, found and deleted', async () => {
  const { get, set, items, add, account, user } = await begun()
  const contact = await add('contacts', { name: 'Ann Lee' })
  const id = await add('customers', {
    ...{ name: 'Acme', next_price: '500', next_date: String(BEGINNING + 60), periodicity: 30 },
    contacts_id: contact,
  })
  const [customer] = await items(`customers?id=${id}`)
  expect(customer).toEqual({
    ...{ id, name: 'Acme', next_price: 500, next_date: BEGINNING + 60, periodicity: 30 },
    ...{ responsible_user_id: user, created_by: user, updated_by: user, account_id: account.id },
    ...{ created_at: BEGINNING, updated_at: BEGINNING, is_deleted: false, closest_task_at: 0 },
    ...{ status_id: expect.any(Number), period_id: customer.status_id },
    contacts: { id: [contact], _links: linkTo(`contacts?id=${contact}`) },
    main_contact: { id: contact, _links: linkTo(`contacts?id=${contact}`) },
    ...{ company: {}, tags: {}, custom_fields: [], _links: linkTo(`customers?id=${id}`) },
  })
  expect((await set('customers', { update: [{ id, name: 'Acme Bicycles' }] })).status).toBe(200)

  const bought = await set('transactions', {
    add: [
      { customer_id: id, price: '100', date: BEGINNING - 60, comment: 'First', next_price: 700 },
      { customer_id: String(id), price: 50, request_id: 9 },
    ],
  })
  const [first, second] = bought.body._embedded.items
  expect([first.request_id, second.request_id]).toEqual([0, 9])
  expect((await items(`customers?id=${id}`))[0]).toMatchObject({ name: 'Acme Bicycles', next_price: 700 })
  const shown = {
    ...{ id: first.id, price: 100, date: BEGINNING - 60, comment: 'First', is_deleted: false },
    ...{ created_by: user, updated_by: user, created_at: BEGINNING, updated_at: BEGINNING },
    ...{ account_id: account.id, _links: linkTo(`transactions?id=${first.id}`) },
    customer: { id, _links: linkTo(`customers?id=${id}`) },
  }
  expect(await items(`transactions?customer_id=${id}&limit_rows=1`)).toEqual([shown])
  const commented = [
    { transaction_id: second.id, comment: 'Second' },
    { transaction_id: first.id, comment: 'One' },
  ]
  const done = await set('transactions/comment', { update: commented })
  expect(done.body._embedded.items.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id])
  expect(
    (await items(`transactions?id=${first.id},${second.id}`)).map(
      ({ comment }: { comment: string }) => comment,
    ),
  ).toEqual(['One', 'Second'])
  const lost = await set('transactions/comment', { update: [...commented, { id: 999_999, comment: 'x' }] })
  expect(lost.status).toBe(404)
  expect((await set('transactions', { delete: [first.id, second.id] })).body._embedded.items).toHaveLength(2)
  expect((await get(`transactions?id=${first.id}`)).status).toBe(204)
  expect((await get(`transactions?customer_id=999999`)).status).toBe(404)
  expect((await set('customers', { delete: [id] })).status).toBe(200)
  expect((await get(`customers?id=${id}`)).status).toBe(204)
})

test('fields are added and deleted by the service that owns them', async () => {
  const { v4, set } = await begun()
  const own = { origin: 'shop_1', element_type: 2 }
  const added = await set('fields', {
    add: [
      { ...own, name: 'Frame', field_type: '1', is_editable: 'true', request_id: 'f' },
      { ...own, name: 'Colour', type: 4, enums: ['Red', 'Blue'] },
    ],
  })
  const [frame, colour] = added.body._embedded.items
  expect([frame.request_id, colour.request_id]).toEqual(['f', 1])
  const { body } = await v4.get(`/api/v4/leads/custom_fields/${colour.id}`)
  expect(body).toMatchObject({ name: 'Colour', type: 'select' })
  expect(body.enums.map(({ value }: { value: string }) => value)).toEqual(['Red', 'Blue'])
  const foreign = await set('fields', { delete: [{ id: frame.id, origin: 'other' }] })
  expect(foreign.status).toBe(400)
  const ids = [frame.id, colour.id]
  const gone = await set('fields', { delete: ids.map((id) => ({ id: String(id), origin: 'shop_1' })) })
  expect(gone.body._embedded.items.map(({ id }: { id: number }) => id)).toEqual(ids)
  expect((await v4.get(`/api/v4/leads/custom_fields/${frame.id}`)).status).toBe(404)
})

onEmbedded('nobody, and a person without rights, get none of them', async () => {
  const { set, add, ...place } = await begun()
  const list = await add('catalogs', { name: 'Frames' })
  const element = await add('catalog_elements', { catalog_id: list, name: 'Steel' })
  const customer = await add('customers', { name: 'Acme' })
  const purchase = await add('transactions', { customer_id: customer, price: 1 })
  const paths = ['catalogs', `catalog_elements?catalog_id=${list}`, 'customers', 'transactions']
  for (const path of paths) expect((await place.stranger.get(`/api/v2/${path}`)).status).toBe(401)
  const { v4 } = await legacyClient(place, await place.addPerson({}))
  for (const path of [...paths, `catalog_elements?id=${element}`])
    expect((await v4.get(`/api/v2/${path}`)).status).toBe(204)
  const additions: [string, object][] = [
    ['catalogs', { add: [{ name: 'x' }] }],
    ['customers', { add: [{ name: 'x' }] }],
    ['fields', { add: [{ name: 'x', type: 1, element_type: 2, origin: 'o' }] }],
  ]
  const named: [string, object][] = [
    ['catalogs', { delete: [list] }],
    ['catalog_elements', { add: [{ catalog_id: list, name: 'x' }] }],
    ['catalog_elements', { update: [{ id: element, name: 'x' }] }],
    ['catalog_elements', { delete: [element] }],
    ['catalog_elements', { delete: [999_999] }],
    ['customers', { delete: [customer] }],
    ['transactions', { add: [{ customer_id: customer, price: 1 }] }],
    ['transactions', { delete: [purchase] }],
    ['transactions/comment', { update: [{ id: purchase, comment: 'x' }] }],
  ]
  for (const [path, body] of [...additions, ...named])
    expect([path, body, (await v4.post(`/api/v2/${path}`, body)).status]).toEqual([path, body, 403])
  // The records of another account are not there.
  const other = await place.addAccount('other')
  const admin = await place.addPerson({ account: other, is_admin: true })
  const stranger = place.stranger.as({ host: 'other.localhost:8080' })
  const { v4: theirs } = await legacyClient({ ...place, stranger, admin })
  for (const path of [
    ...['catalogs', 'customers', 'transactions'],
    `catalog_elements?id=${element}`,
    `catalog_elements?catalog_id=${list}`,
  ])
    expect([path, (await theirs.get(`/api/v2/${path}`)).status]).toEqual([path, 204])
  for (const [path, body] of named) {
    const { status } = await theirs.post(`/api/v2/${path}`, body)
    expect([path, body, [400, 404].includes(status)]).toEqual([path, body, true])
  }
})
