import { describe, expect, test } from 'vitest'
import { type Client, client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { add, addAll, log, traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'
import { completeRights } from '../../accounts/members/rights.ts'

const BASE = 'http://demo.localhost:8080/web/v4'
const DAY = 86_400

interface Shop extends World {
  browser: Client
  customer: number
  path: string
}

async function shop(draft: object = {}): Promise<Shop> {
  const all = await world()
  const { browser } = all.admin
  const customer = await add(browser, 'customers', { name: 'Acme', ...draft })
  return { ...all, browser, customer, path: `/web/v4/customers/${customer}/transactions` }
}

async function buy({ browser, path }: Shop, ...drafts: object[]): Promise<number[]> {
  const answer = await browser.post(path, drafts)
  if (answer.status !== 200) throw new Error(`not bought: ${answer.text}`)
  return answer.body._embedded.transactions.map(({ id }: { id: number }) => id)
}

/** The customer data that a purchase changes. */
async function sums({ browser, customer }: Shop) {
  const { ltv, purchases_count, average_check, next_date, next_price } = (
    await browser.get(`/web/v4/customers/${customer}`)
  ).body
  return { ltv, purchases_count, average_check, next_date, next_price }
}
const none = { ltv: 0, purchases_count: 0, average_check: 0, next_date: null, next_price: 0 }

const shown = ({ account, admin, customer }: Shop, id: number, members: object = {}) => ({
  id,
  price: 100,
  price_with_minor_units: 100,
  comment: null,
  completed_at: BEGINNING,
  customer_id: customer,
  created_by: admin.id,
  updated_by: admin.id,
  created_at: BEGINNING,
  updated_at: BEGINNING,
  is_deleted: false,
  account_id: account.id,
  _links: { self: { href: `${BASE}/customers/${customer}/transactions/${id}` } },
  _embedded: {
    customer: { id: customer, _links: { self: { href: `${BASE}/customers/${customer}` } } },
    catalog_elements: [],
  },
  ...members,
})

/** The state that a rejected request must not change. */
const stored = async (all: Shop) => [await traces(all.ctx), await sums(all), await log(all.ctx)]

describe('POST /customers/{id}/transactions', () => {
  test("adds purchases and updates the customer's totals, and records both", async () => {
    const all = await shop()
    const { browser, customer, path, ctx, admin } = all
    const known = (await log(ctx)).length
    const answer = await browser.post(path, [
      { price: 100 },
      {
        price: 250,
        comment: 'Two',
        completed_at: 5,
        created_by: 0,
        request_id: 'b',
        id: 7,
        is_deleted: true,
      },
    ])
    const [one, two] = answer.body._embedded.transactions
    const self = (id: number) => ({ self: { href: `${BASE}/customers/${customer}/transactions/${id}` } })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _links: { self: { href: `${BASE}/customers/${customer}/transactions` } },
        _embedded: {
          transactions: [
            { id: one.id, customer_id: customer, request_id: '0', _links: self(one.id) },
            { id: two.id, customer_id: customer, request_id: 'b', _links: self(two.id) },
          ],
        },
      },
    ])
    expect(await sums(all)).toEqual({ ...none, ltv: 350, purchases_count: 2, average_check: 175 })
    const event = { entity: ['customer', customer], by: admin.id }
    const added = (id: number) => ({
      type: 'transaction_added',
      ...event,
      before: [],
      after: [{ transaction: { id } }],
    })
    expect((await log(ctx)).slice(known)).toEqual([
      added(one.id),
      added(two.id),
      {
        type: 'ltv_field_changed',
        ...event,
        before: [{ ltv_field_value: { ltv: 0 } }],
        after: [{ ltv_field_value: { ltv: 350 } }],
      },
    ])
    const second = { price: 250, price_with_minor_units: 250, comment: 'Two', completed_at: 5, created_by: 0 }
    const list = await browser.get(path)
    expect([list.status, list.body]).toEqual([
      200,
      {
        _page: 1,
        _links: { self: { href: `${BASE}/customers/${customer}/transactions?page=1&limit=50` } },
        _embedded: { transactions: [shown(all, one.id), shown(all, two.id, second)] },
      },
    ])
    for (const address of [`/web/v4/customers/transactions/${two.id}`, `${path}/${two.id}`])
      expect((await browser.get(address)).body).toEqual(shown(all, two.id, second))
  })

  test('a purchase with price 0 is recorded without a change of totals', async () => {
    const all = await shop()
    await buy(all, { price: 0 })
    expect(await sums(all)).toEqual({ ...none, purchases_count: 1 })
    expect((await log(all.ctx, { entity_id: all.customer })).map(({ type }) => type)).toEqual([
      'customer_added',
      'transaction_added',
    ])
  })

  test('sets the expected next purchase of the customer', async () => {
    const all = await shop()
    await buy(all, { price: 1, next_price: 70, next_date: BEGINNING + 5 })
    expect(await sums(all)).toMatchObject({ next_price: 70, next_date: BEGINNING + 5 })
    await buy(all, { price: 1, next_price: null, next_date: null })
    expect(await sums(all)).toMatchObject({ next_price: 0, next_date: null })
  })

  test('moves the next date by the periodicity, if the account and the customer use it', async () => {
    const all = await shop({ periodicity: 30 })
    const single = await add(all.browser, 'customers', { name: 'Once' })
    await buy(all, { price: 1 })
    expect((await sums(all)).next_date).toBeNull()
    await all.browser.patch('/web/v4/customers/mode', { mode: 'periodicity', is_enabled: true })
    await buy(all, { price: 1, completed_at: BEGINNING }, { price: 1, completed_at: BEGINNING - 40 * DAY })
    expect((await sums(all)).next_date).toBe(BEGINNING + 30 * DAY)
    await buy(all, { price: 1, completed_at: BEGINNING - 100 * DAY })
    expect((await sums(all)).next_date).toBe(BEGINNING + 30 * DAY)
    await buy(all, { price: 1, next_date: 5 })
    expect((await sums(all)).next_date).toBe(5)
    const other = { ...all, customer: single, path: `/web/v4/customers/${single}/transactions` }
    await buy(other, { price: 1 })
    expect((await sums(other)).next_date).toBeNull()
    await all.browser.patch(`/web/v4/customers/${single}`, { periodicity: Number.MAX_SAFE_INTEGER })
    await buy(other, { price: 1 })
    expect((await sums(other)).next_date).toBe(253_402_300_799)
  })

  test('stores the purchased elements, and returns visible ones', async () => {
    const all = await shop()
    const { browser, addPerson } = all
    const [goods, secret] = (await addAll(browser, 'catalogs', [{ name: 'Goods' }, { name: 'Secret' }])) as [
      number,
      number,
    ]
    const tile = await add(browser, `catalogs/${goods}/elements`, { name: 'Tile' })
    const gem = await add(browser, `catalogs/${secret}/elements`, { name: 'Gem' })
    const catalog_elements = [{ id: tile, metadata: { catalog_id: goods, quantity: 2.5 } }, { id: gem }]
    const [id] = (await buy(all, { price: 100, _embedded: { catalog_elements, contacts: 5 } })) as [number]
    const line = (element: number, catalog_id: number, quantity: number) => ({
      id: element,
      metadata: { catalog_id, quantity },
    })
    const seen = async (caller: Client) =>
      (await caller.get(`/web/v4/customers/transactions/${id}`)).body._embedded.catalog_elements
    expect(await seen(browser)).toEqual([line(tile, goods, 2.5), line(gem, secret, 1)])
    const view = { view: 'A', edit: 'D', add: 'D', delete: 'D', export: 'D' } as const
    const denied = { ...view, view: 'D' } as const
    const ann = await addPerson({
      rights: completeRights({
        leads: view,
        catalog_access: true,
        catalog_rights: [{ catalog_id: secret, rights: denied }],
      }),
    })
    expect(await seen(ann.browser)).toEqual([line(tile, goods, 2.5)])
    await browser.delete(`/web/v4/catalogs/${goods}/elements/${tile}`)
    expect(await seen(browser)).toEqual([line(gem, secret, 1)])
  })

  test('credits the points of the elements on request, and subtracts them on deletion', async () => {
    const all = await shop()
    const { browser, customer, path } = all
    const list = await add(browser, 'catalogs', { name: 'Goods' })
    const fields = await browser.post(`/web/v4/catalogs/${list}/custom_fields`, [
      { name: 'Points', type: 'numeric', code: 'BONUS_POINTS_PER_PURCHASE' },
    ])
    const field_id = fields.body._embedded.custom_fields[0].id
    const custom_fields_values = [{ field_id, values: [{ value: 2.5 }] }]
    const tile = await add(browser, `catalogs/${list}/elements`, { name: 'Tile', custom_fields_values })
    const plain = await add(browser, `catalogs/${list}/elements`, { name: 'Brick' })
    const _embedded = { catalog_elements: [{ id: tile, metadata: { quantity: 3 } }, { id: plain }] }
    const points = async () => {
      const row = await all.ctx.db
        .selectFrom('entities')
        .select('bonus_points')
        .where('id', '=', customer)
        .executeTakeFirst()
      return row?.bonus_points
    }
    await buy(all, { price: 1, _embedded })
    expect(await points()).toBe(0)
    const [id] = (await buy(all, { price: 1, accrue_bonus: true, _embedded })) as [number]
    expect(await points()).toBe(7)
    await browser.post(`${path}?accrue_bonus=1`, [{ price: 1, _embedded }])
    expect(await points()).toBe(14)
    expect((await browser.get(`${path}/${id}`)).body._embedded.catalog_elements).toEqual([
      { id: tile, metadata: { catalog_id: list, quantity: 3 } },
      { id: plain, metadata: { catalog_id: list, quantity: 1 } },
    ])
    await browser.delete(`${path}/${id}`)
    expect(await points()).toBe(7)
  })

  onEmbedded.each<[string, unknown, string]>([
    ['no price', [{}], '0 FieldMissing price'],
    ['a price that is a text', [{ price: '5' }], '0 InvalidType price'],
    ['a price below nothing', [{ price: -1 }], '0 OutOfRange price'],
    [
      'more than the maximum',
      [{ price: Number.MAX_SAFE_INTEGER }, { price: 1, request_id: 'm' }],
      'm OutOfRange price',
    ],
    ['a maker who is none', [{ price: 1, created_by: 999 }], '0 NotSupportedChoice created_by'],
    [
      'an unknown element',
      [{ price: 1 }, { price: 1, _embedded: { catalog_elements: [{ id: 999 }] } }],
      '1 NotSupportedChoice _embedded.catalog_elements.0.id',
    ],
    ['a moment that is none', [{ price: 1, completed_at: 'now' }], '0 InvalidType completed_at'],
    ['one object', { price: 1 }, '0 InvalidType '],
    ['251 of them', Array(251).fill({ price: 1 }), '0 TooMany '],
  ])('%s is rejected, and nothing is stored', async (_what, body, fault) => {
    const all = await shop()
    const before = await stored(all)
    expect(faultsOf(await all.browser.post(all.path, body))).toEqual([400, fault])
    expect(await stored(all)).toEqual(before)
  })

  onEmbedded('an element outside the named list is rejected', async () => {
    const all = await shop()
    const { browser } = all
    const [goods, other] = await addAll(browser, 'catalogs', [{ name: 'Goods' }, { name: 'Other' }])
    const id = await add(browser, `catalogs/${goods}/elements`, { name: 'Tile' })
    const before = await stored(all)
    const catalog_elements = [{ id, metadata: { catalog_id: other } }]
    expect(faultsOf(await browser.post(all.path, [{ price: 1, _embedded: { catalog_elements } }]))).toEqual([
      400,
      '0 NotSupportedChoice _embedded.catalog_elements.0.metadata.catalog_id',
    ])
    expect(await stored(all)).toEqual(before)
  })
})

describe('GET /customers/transactions', () => {
  test('lists purchases in pages, of one customer or of all, and finds them by id', async () => {
    const all = await shop()
    const { browser } = all
    const other = await add(browser, 'customers', { name: 'Other' })
    const mine = await buy(all, { price: 1 }, { price: 2 }, { price: 3 })
    const theirs = await buy({ ...all, path: `/web/v4/customers/${other}/transactions` }, { price: 4 })
    const ids = async (address: string) => {
      const { body } = await browser.get(address)
      return body._embedded.transactions.map(({ id }: { id: number }) => id)
    }
    const everything = '/web/v4/customers/transactions'
    expect(await ids(everything)).toEqual([...mine, ...theirs])
    expect(await ids(all.path)).toEqual(mine)
    expect(await ids(`${everything}?filter[id][]=${mine[1]}&filter[id][]=${theirs[0]}`)).toEqual([
      mine[1],
      theirs[0],
    ])
    expect(await ids(`${all.path}?filter[id]=${theirs[0]}`)).toEqual([])
    const page = (await browser.get(`${everything}?limit=3`)).body
    expect(page._embedded.transactions.length).toBe(3)
    expect(await ids(page._links.next.href.slice('http://demo.localhost:8080'.length))).toEqual(theirs)
    expect(await ids(`${everything}?limit=3&page=2`)).toEqual(theirs)
    expect(faultsOf(await browser.get(`${everything}?filter[id]=x`))).toEqual([
      400,
      '0 InvalidType filter.id',
    ])
    const newest = (await browser.get(`${all.path}?limit=2&order[id]=desc`)).body
    expect(newest._embedded.transactions.map(({ id }: { id: number }) => id)).toEqual([mine[2], mine[1]])
    const rest = newest._links.next.href.slice('http://demo.localhost:8080'.length)
    expect(await ids(rest)).toEqual([mine[0]])
    expect(faultsOf(await browser.get(`${all.path}?order[id]=new`))).toEqual([
      400,
      '0 NotSupportedChoice order.id',
    ])
    expect((await browser.get(`${all.path}/${theirs[0]}`)).status).toBe(404)
    await browser.delete(`/web/v4/customers/${all.customer}`)
    expect(await ids(everything)).toEqual(theirs)
    expect((await browser.get(`${everything}/${mine[0]}`)).status).toBe(404)
    expect((await browser.get(all.path)).status).toBe(404)
  })
})

test('an unpaid account cannot read purchases; added ones are stored', async () => {
  const all = await shop()
  const [id] = (await buy(all, { price: 100 })) as [number]
  await all.ctx.db
    .transaction()
    .execute((tx) => tx.updateTable('accounts').set({ paid_until: BEGINNING }).execute())
  for (const address of [all.path, '/web/v4/customers/transactions', `/web/v4/customers/transactions/${id}`])
    expect((await all.browser.get(address)).status).toBe(402)
  expect((await all.browser.post(all.path, [{ price: 1 }])).status).toBe(200)
})

describe('DELETE /customers/transactions/{id}', () => {
  test("deletes the purchase, reduces the customer's totals, and records it", async () => {
    const all = await shop()
    const { browser, customer, ctx, admin } = all
    const [one, two] = (await buy(all, { price: 100 }, { price: 250 })) as [number, number]
    const known = (await log(ctx)).length
    const answer = await browser.delete(`/web/v4/customers/transactions/${one}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await sums(all)).toEqual({ ...none, ltv: 250, purchases_count: 1, average_check: 250 })
    expect((await log(ctx)).slice(known)).toEqual([
      {
        type: 'ltv_field_changed',
        entity: ['customer', customer],
        by: admin.id,
        before: [{ ltv_field_value: { ltv: 350 } }],
        after: [{ ltv_field_value: { ltv: 250 } }],
      },
    ])
    const before = await stored(all)
    expect((await browser.delete(`/web/v4/customers/transactions/${one}`)).status).toBe(404)
    expect((await browser.get(`/web/v4/customers/transactions/${one}`)).status).toBe(404)
    const other = await add(browser, 'customers', { name: 'Other' })
    expect((await browser.delete(`/web/v4/customers/${other}/transactions/${two}`)).status).toBe(404)
    expect((await stored(all))[1]).toEqual(before[1])
    expect((await browser.delete(`${all.path}/${two}`)).status).toBe(204)
    expect(await sums(all)).toEqual(none)
  })
})

describe('Permissions', () => {
  const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const

  onEmbedded(
    'anonymous callers get 401, other accounts find nothing, and rights are those of the customer',
    async () => {
      const all = await shop()
      const { customer, path, addPerson, stranger } = all
      const [id] = (await buy(all, { price: 100 })) as [number]
      const statuses = async (caller: Client) => [
        (await caller.get(path)).status,
        (await caller.get(`/web/v4/customers/transactions/${id}`)).status,
        (await caller.post(path, [{ price: 1 }])).status,
        (await caller.post(`/web/v4/customers/${customer}/bonus_points`, { earn: 1 })).status,
        (await caller.delete(`/web/v4/customers/transactions/${id}`)).status,
      ]
      const foreign = await addPerson({ account: await all.addAccount('other'), is_admin: true })
      const ann = await addPerson({ rights: completeRights({ leads: own }) })
      const reader = await addPerson({ rights: completeRights({ leads: { ...own, view: 'A' } }) })
      const before = await stored(all)
      expect(await statuses(stranger)).toEqual([401, 401, 401, 401, 401])
      expect(await statuses(foreign.browser)).toEqual([404, 404, 404, 404, 404])
      expect(await statuses(ann.browser)).toEqual([404, 404, 403, 403, 403])
      expect(await statuses(reader.browser)).toEqual([200, 200, 403, 403, 403])
      expect((await ann.browser.get('/web/v4/customers/transactions')).status).toBe(204)
      expect(await stored(all)).toEqual(before)
      // For a person with limited rights, a missing purchase is as forbidden.
      expect((await ann.browser.post('/web/v4/customers/999/transactions', [{ price: 1 }])).status).toBe(403)
      expect((await ann.browser.delete('/web/v4/customers/transactions/999')).status).toBe(403)
      expect((await all.browser.post('/web/v4/customers/999/transactions', [{ price: 1 }])).status).toBe(404)
      await all.browser.patch(`/web/v4/customers/${customer}`, { responsible_user_id: ann.id })
      expect(await statuses(ann.browser)).toEqual([200, 200, 200, 200, 204])
    },
  )
})

describe('Concurrent purchases', () => {
  test('add up, and form one unbroken chain in the log', async () => {
    const all = await shop()
    const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
    const two = client(second.app.http, all.browser.identity)
    const prices = Array.from({ length: 40 }, (_, i) => i + 1)
    const answers = await Promise.all(
      prices.map((price, i) => (i % 2 ? two : all.browser).post(all.path, [{ price }])),
    )
    expect(answers.map(({ status }) => status)).toEqual(prices.map(() => 200))
    const ids: number[] = answers.map(({ body }) => body._embedded.transactions[0].id)
    // Each of the first ten is deleted twice concurrently; only one deletion succeeds.
    const deletions = await Promise.all(
      ids
        .slice(0, 10)
        .flatMap((id) => [all.browser, two].map((caller) => caller.delete(`${all.path}/${id}`))),
    )
    expect(deletions.map(({ status }) => status).toSorted()).toEqual([
      ...Array(10).fill(204),
      ...Array(10).fill(404),
    ])
    const ltv = 820 - 55
    expect(await sums(all)).toEqual({
      ...none,
      ltv,
      purchases_count: 30,
      average_check: Math.round(ltv / 30),
    })
    const changes = (await log(all.ctx, { entity_id: all.customer })).filter(
      ({ type }) => type === 'ltv_field_changed',
    )
    let current: unknown[] = [{ ltv_field_value: { ltv: 0 } }]
    for (const { before, after } of changes) {
      expect(before).toEqual(current)
      current = after
    }
    expect([changes.length, current]).toEqual([50, [{ ltv_field_value: { ltv } }]])
  })
})
