import { expect, test } from 'vitest'
import { legacyClient } from '../../../test/fixtures/legacy.ts'
import { traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../../test/world.ts'

async function begun() {
  const place = await world()
  const { v4, get, set } = await legacyClient(place)
  const listed = async (path: string) => (await get(path)).body.response
  /** Sends one action and answers what was written. */
  const send = async (path: string, action: string, items: unknown) =>
    (await set(`${path}/set`, { [path]: { [action]: items } })).body.response[path]
  const add = async (path: string, item: object): Promise<number> =>
    (await send(path, 'add', [item])).add[path][0].id
  return { ...place, v4, get, set, listed, send, add, user: place.admin.id }
}

test('customers are added, changed, listed and deleted as old clients write them', async () => {
  const { get, listed, send, account, user } = await begun()
  const draft = { name: 'Acme', main_user_id: String(user), next_price: '500', tags: 'a,b' }
  const added = await send('customers', 'add', [{ ...draft, next_date: BEGINNING + 60, request_id: 7 }])
  const id = added.add.customers[0].id
  const customer = {
    ...{ id, name: 'Acme', main_user_id: user, account_id: account.id, deleted: false },
    ...{ date_create: BEGINNING, date_modify: BEGINNING, created_by: user, modified_by: user },
    ...{ next_price: 500, next_date: BEGINNING + 60, periodicity: 0, task_last_date: 0, main_contact_id: 0 },
    ...{ status_id: expect.any(Number), period_id: expect.any(Number), custom_fields: [] },
    tags: [expect.objectContaining({ name: 'a' }), expect.objectContaining({ name: 'b' })],
  }
  expect(added).toEqual({ add: { customers: [{ ...customer, request_id: 7 }], errors: [] } })
  const changed = await send('customers', 'update', [{ id: String(id), name: 'Acme Ltd' }])
  expect(changed).toEqual({
    update: { customers: { [id]: { ...customer, name: 'Acme Ltd' } }, errors: [] },
  })
  expect((await listed(`customers/list?id=${id}`)).customers).toEqual([{ ...customer, name: 'Acme Ltd' }])
  expect(await send('customers', 'delete', [id])).toEqual({
    delete: { customers: { [id]: { id } }, errors: [] },
  })
  expect((await get(`customers/list?id=${id}`)).status).toBe(204)
})

test('a customer without a next purchase stays as it is when an old client writes back what it read', async () => {
  const { admin, listed, send, add, clock } = await begun()
  const id = await add('customers', { name: 'Acme', date_create: 0, next_date: 0 })
  const read = async () => (await admin.browser.get(`/web/v4/customers/${id}`)).body
  const before = await read()
  expect(before).toMatchObject({ created_at: BEGINNING, next_date: null })
  clock.advance(60)
  const [customer] = (await listed(`customers/list?id=${id}`)).customers
  expect(customer.next_date).toBe(0)
  await send('customers', 'update', [customer])
  expect(await read()).toEqual(before)
})

test('purchases are added, commented, listed by their ids and deleted', async () => {
  const { get, listed, send, add, account, user } = await begun()
  const customer_id = await add('customers', { name: 'Acme' })
  const added = await send('transactions', 'add', [
    { customer_id: String(customer_id), price: '90', date: BEGINNING - 5, next_price: 10 },
  ])
  const { id } = added.add.transactions[0]
  const purchase = {
    ...{
      id,
      customer_id,
      account_id: account.id,
      price: 90,
      date: BEGINNING - 5,
      comment: '',
      deleted: false,
    },
    ...{ date_create: BEGINNING, date_modify: BEGINNING, created_by: user, modified_by: user },
  }
  expect(added.add).toEqual({ transactions: [{ ...purchase, request_id: 0 }], errors: [] })
  const changed = await send('transactions', 'update', [{ id, comment: 'Paid' }])
  expect(changed.update.transactions[id].comment).toBe('Paid')
  expect((await listed(`transactions/list?customer_id=${customer_id}`)).transactions).toEqual({
    [id]: { ...purchase, comment: 'Paid' },
  })
  expect((await send('transactions', 'delete', [id])).delete.errors).toEqual([])
  expect((await get('transactions/list')).status).toBe(204)
})

test('lists and their elements are added, changed, listed and deleted', async () => {
  const { v4, get, listed, send, add } = await begun()
  const list = await add('catalogs', { name: 'Frames' })
  expect((await listed('catalogs/list')).catalogs[list]).toMatchObject({ id: list, name: 'Frames' })
  const changed = await send('catalogs', 'update', [{ id: list, name: 'Wheels' }])
  expect(changed.update.catalogs[list].name).toBe('Wheels')
  const [field] = (
    await v4.post(`/api/v4/catalogs/${list}/custom_fields`, [{ name: 'Price', type: 'numeric' }])
  ).body._embedded.custom_fields
  const custom_fields = [{ id: field.id, values: [{ value: 90 }] }]
  const added = await send('catalog_elements', 'add', [{ catalog_id: list, name: 'Steel', custom_fields }])
  const [element] = added.add.catalog_elements
  expect(element).toMatchObject({
    ...{ name: 'Steel', catalog_id: list, deleted: false, request_id: 0 },
    custom_fields: [{ id: field.id, name: 'Price', values: [{ value: '90' }] }],
  })
  const { request_id: _, ...shown } = element
  expect((await listed(`catalog_elements/list?catalog_id=${list}&term=steel`)).catalog_elements).toEqual([
    shown,
  ])
  const renamed = await send('catalog_elements', 'update', [{ id: element.id, name: 'Wood' }])
  expect(renamed.update.catalog_elements[element.id].name).toBe('Wood')
  expect((await send('catalog_elements', 'delete', [element.id])).delete.errors).toEqual([])
  expect((await send('catalogs', 'delete', [list])).delete.errors).toEqual([])
  expect((await get(`catalogs/list?id=${list}`)).status).toBe(204)
})

test('as many items as possible are added and changed in one request', async () => {
  const { set, add } = await begun()
  const catalog_id = await add('catalogs', { name: 'Frames' })
  const fill = async () =>
    (await set('catalog_elements/set', { catalog_elements: { add: items } })).body.response.catalog_elements
      .add
  const items = Array.from({ length: 250 }, (_, i) => ({ catalog_id, name: `Frame ${i}` }))
  const before = (await fill()).catalog_elements.map(({ id }: { id: number }) => ({ id, name: 'Old' }))
  const answer = await set('catalog_elements/set', { catalog_elements: { add: items, update: before } })
  const { add: added, update } = answer.body.response.catalog_elements
  expect(added.catalog_elements.map(({ name }: { name: string }) => name)).toEqual(
    items.map(({ name }) => name),
  )
  expect(Object.values(update.catalog_elements)).toHaveLength(250)
})

test('pipelines are added with their stages, changed and deleted', async () => {
  const { listed, set, send } = await begun()
  const added = await send('pipelines', 'add', [
    { name: 'Rental', sort: '5', statuses: [{ name: 'Asked', color: '#fffeb2' }, { name: 'Lent' }] },
  ])
  const [pipeline] = Object.values(added.add.pipelines) as { id: number; statuses: Record<string, Stage> }[]
  const { id, statuses } = pipeline as NonNullable<typeof pipeline>
  const own = Object.values(statuses).filter(({ editable }) => editable === 'Y')
  expect(own.map(({ name }) => name)).toEqual(['Asked', 'Lent'])
  const asked = own[0]?.id as number
  const changed = await send('pipelines', 'update', [
    {
      ...{ id: String(id), name: 'Rentals', is_main: 'on' },
      statuses: {
        [asked]: { id: String(asked), name: 'Requested' },
        142: { id: 142, name: 'Back' },
        0: { name: 'Due' },
      },
    },
  ])
  const now = changed.update.pipelines[id]
  expect([now.name, now.is_main]).toEqual(['Rentals', true])
  expect(Object.values(now.statuses as Record<string, Stage>).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Requested', 'Lent', 'Due', 'Back']),
  )
  const spare = Object.keys((await send('pipelines', 'add', [{ name: 'Spare' }])).add.pipelines)[0]
  const gone = await set('pipelines/delete', { id: [spare] })
  expect(gone.body.response.pipelines).toEqual({ delete: [Number(spare)] })
  expect(Object.keys((await listed('pipelines/list')).pipelines)).not.toContain(spare)
  const refused = await set('pipelines/delete', { id })
  expect([refused.status, refused.body.response.error]).toEqual([409, 'The main pipeline cannot be deleted.'])
})

interface Stage {
  id: number
  name: string
  editable: string
}

test('a request is written as a whole, and the error names the item', async () => {
  const { ctx, get, set, add } = await begun()
  const list = await add('catalogs', { name: 'Frames' })
  const pipeline = Number(Object.keys((await get('pipelines/list')).body.response.pipelines)[0])
  const before = await traces(ctx)
  const cases: [string, object, string][] = [
    [
      'customers',
      { add: [{ name: 'x' }, { name: 'y', next_price: 'much' }] },
      'request.customers.add.1.next_price',
    ],
    ['transactions', { add: [{ price: 1 }] }, 'request.transactions.add.0.customer_id'],
    ['transactions', { delete: ['x'] }, 'request.transactions.delete.0'],
    ['catalogs', { add: [{ name: 'x' }, { sort: 1 }] }, 'request.catalogs.add.1.name'],
    ['catalog_elements', { add: [{ catalog_id: list }] }, 'request.catalog_elements.add.0.name'],
    ['pipelines', { add: [{ sort: 1 }] }, 'request.pipelines.add.0.name'],
    ['pipelines', { update: [{ id: 99_999, name: 'x' }] }, 'request.pipelines.update.0.id'],
    [
      'pipelines',
      { add: [{ name: 'x' }], update: [{ id: pipeline, statuses: [{ name: 'y' }, { sort: 1 }] }] },
      'request.pipelines.update.0.statuses.1.name',
    ],
    [
      'pipelines',
      { update: [{ id: pipeline, statuses: [{ name: 'y' }, { id: 99_999, name: 'z' }] }] },
      'request.pipelines.update.0.statuses.1.id',
    ],
  ]
  for (const [path, body, place] of cases) {
    const { status, body: answer } = await set(`${path}/set`, { [path]: body })
    expect([path, status, answer.response.error]).toEqual([path, 400, expect.stringContaining(`${place}: `)])
  }
  for (const path of ['customers', 'transactions', 'catalogs', 'catalog_elements', 'pipelines'])
    expect((await set(`${path}/set`, { [path]: {} })).body.response.error_code).toBe(103)
  for (const id of [undefined, 'x', [], 0]) expect((await set('pipelines/delete', { id })).status).toBe(400)
  expect(await traces(ctx)).toEqual(before)
})

test('people who are no administrators change no pipelines, and see and write their own customers', async () => {
  const place = await world()
  const mine = { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' }
  const ann = await place.addPerson({ name: 'Ann', rights: { leads: mine } as never })
  const admin = await legacyClient(place)
  const api = await legacyClient(place, ann)
  const hidden = (await admin.set('customers/set', { customers: { add: [{ name: 'Hidden' }] } })).body
  const { id } = hidden.response.customers.add.customers[0]
  expect((await api.get('customers/list')).status).toBe(204)
  for (const [path, body] of [
    ['customers/set', { customers: { update: [{ id, name: 'x' }] } }],
    ['customers/set', { customers: { delete: [id] } }],
    ['pipelines/set', { pipelines: { add: [{ name: 'x' }] } }],
    ['pipelines/delete', { id: 1 }],
  ] as const)
    expect([path, (await api.set(path, body)).status]).toEqual([path, 403])
  for (const path of ['customers', 'transactions', 'catalogs', 'catalog_elements'])
    expect((await place.stranger.get(`/private/api/v2/json/${path}/list`)).status).toBe(401)
})
