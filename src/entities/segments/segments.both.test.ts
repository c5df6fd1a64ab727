import { expect, test } from 'vitest'
import { someoneWaits } from '../../../test/databases/lock-waits.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { add } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { countRows } from '../../db/dialect.ts'
import { insertRows } from '../../db/row-sets.ts'
import { refreshSegments } from '../entities.ts'
import { moveMemberships } from '../records/segment-members.ts'

const SEGMENTS = '/web/v4/customers/segments'
const next_date = 1_800_000_000

async function addSegment({ admin }: World, draft: object = {}) {
  const answer = await admin.browser.post(SEGMENTS, { name: 'Regular', ...draft })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const customer = ({ admin }: World, draft: object = {}): Promise<number> =>
  add(admin.browser, 'customers', { name: 'Ann', next_date, ...draft })
const segmentsOf = async ({ admin }: World, id: number): Promise<number[]> =>
  (await admin.browser.get(`/web/v4/customers/${id}`)).body._embedded.segments.map(
    (segment: { id: number }) => segment.id,
  )
const listed = async ({ admin }: World, query: string): Promise<number[]> =>
  (await admin.browser.get(`/web/v4/customers?${query}`)).body?._embedded.customers.map(
    ({ id }: { id: number }) => id,
  ) ?? []

test('administrators add, change and delete segments; everybody reads them', async () => {
  const all = await world()
  const { browser } = all.admin
  const fields = await browser.post(`${SEGMENTS}/custom_fields`, [{ name: 'Discount', type: 'numeric' }])
  const field_id = fields.body._embedded.custom_fields[0].id
  const added = await addSegment(all, {
    color: 'FF5376',
    available_products_price_types: [3],
    custom_fields_values: [{ field_id, values: [{ value: 5 }] }],
  })
  const segment = {
    id: added.id,
    created_at: all.clock.now(),
    updated_at: all.clock.now(),
    account_id: all.account.id,
    name: 'Regular',
    color: 'ff5376',
    available_products_price_types: [3],
    customers_count: 0,
    custom_fields_values: [
      {
        field_id,
        field_name: 'Discount',
        field_code: null,
        field_type: 'numeric',
        values: [{ value: '5' }],
      },
    ],
    filter: null,
    _links: { self: { href: `http://demo.localhost:8080${SEGMENTS}/${added.id}` } },
  }
  expect(added).toEqual(segment)
  const person = (await all.addPerson()).browser
  const list = await person.get(SEGMENTS)
  expect([list.body._total_items, list.body._embedded.segments]).toEqual([1, [segment]])
  const changed = await browser.patch(`${SEGMENTS}/${added.id}`, { name: 'Loyal' })
  expect(changed.body).toEqual({ ...segment, name: 'Loyal' })
  const other = (await all.addPerson({ account: await all.addAccount('other'), is_admin: true })).browser
  expect([
    (await person.post(SEGMENTS, { name: 'x' })).status,
    (await person.patch(`${SEGMENTS}/${added.id}`, { name: 'x' })).status,
    (await person.delete(`${SEGMENTS}/${added.id}`)).status,
    (await other.get(`${SEGMENTS}/${added.id}`)).status,
    (await other.get(SEGMENTS)).status,
    (await browser.delete(`${SEGMENTS}/${added.id}`)).status,
    (await browser.get(SEGMENTS)).status,
  ]).toEqual([403, 403, 403, 404, 204, 204, 204])
  const { body: log } = await browser.get('/web/audit?filter[area]=segments')
  expect(log.entries.map(({ action }: { action: string }) => action)).toEqual([
    'segment.removed',
    'segment.changed',
    'segment.added',
  ])
})

test('customers are put into segments by hand, and the list is filtered by them', async () => {
  const all = await world()
  const [one, two] = [await addSegment(all), await addSegment(all, { name: 'New' })]
  const ann = await customer(all, { _embedded: { segments: [{ id: one.id }] } })
  const bob = await customer(all, { name: 'Bob' })
  expect([one.color === two.color, await segmentsOf(all, ann), await segmentsOf(all, bob)]).toEqual([
    false,
    [one.id],
    [],
  ])
  const { browser } = all.admin
  const patch = (id: number, segments: unknown) =>
    browser.patch(`/web/v4/customers/${id}`, { _embedded: { segments } })
  await patch(bob, [{ id: one.id }, { id: two.id }])
  await browser.patch(`/web/v4/customers/${bob}`, { name: 'Bobby' })
  expect([await segmentsOf(all, bob), await listed(all, `filter[segments]=${two.id}`)]).toEqual([
    [one.id, two.id],
    [bob],
  ])
  expect((await browser.get(`${SEGMENTS}/${one.id}`)).body.customers_count).toBe(2)
  await browser.delete(`/web/v4/customers/${bob}`)
  expect((await browser.get(`${SEGMENTS}/${one.id}`)).body.customers_count).toBe(1)
  await patch(ann, [{ id: two.id }])
  expect(await segmentsOf(all, ann)).toEqual([two.id])
  const refused = await patch(ann, [{ id: one.id }, { id: 999 }])
  expect(faultsOf(refused)).toEqual([400, '0 NotSupportedChoice _embedded.segments.1.id'])
  expect(await segmentsOf(all, ann)).toEqual([two.id])
  await patch(ann, null)
  expect(await segmentsOf(all, ann)).toEqual([])
  await patch(ann, [{ id: two.id }])
  await browser.delete(`${SEGMENTS}/${two.id}`)
  expect(await segmentsOf(all, ann)).toEqual([])
})

test('a filter chooses members at once and again later, beside those chosen by hand', async () => {
  const all = await world()
  const { browser } = all.admin
  const rich = await customer(all, { next_price: 900 })
  const poor = await customer(all, { next_price: 5 })
  const segment = await addSegment(all, { filter: '?filter[next_price][from]=100' })
  expect([segment.filter, segment.customers_count]).toEqual(['filter[next_price][from]=100', 1])
  await browser.patch(`/web/v4/customers/${poor}`, { _embedded: { segments: [{ id: segment.id }] } })
  await browser.patch(`/web/v4/customers/${rich}`, { _embedded: { segments: [] } })
  expect([await segmentsOf(all, rich), await segmentsOf(all, poor)]).toEqual([[segment.id], [segment.id]])
  const later = await customer(all, { next_price: 700 })
  await browser.patch(`/web/v4/customers/${rich}`, { next_price: 1 })
  await refreshSegments(all.ctx)
  expect(await listed(all, `filter[segments]=${segment.id}&order[id]=asc`)).toEqual([poor, later])
  await browser.patch(`${SEGMENTS}/${segment.id}`, { filter: null })
  expect(await listed(all, `filter[segments]=${segment.id}`)).toEqual([poor])
})

test('a filter that chooses many customers is computed in parts', async () => {
  const all = await world()
  const { db } = all.ctx
  const first = await customer(all, { next_price: 900 })
  const row = await db.selectFrom('entities').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
  const others = Array.from({ length: 10_499 }, (_, i) => ({ ...row, id: first + 1 + i }))
  await db.transaction().execute(async (tx) => {
    await insertRows(tx, 'entities', others)
    await countRows(tx)
  })
  const { id, customers_count } = await addSegment(all, { filter: 'filter[next_price][from]=100' })
  expect(customers_count).toBe(10_000)
  await refreshSegments(all.ctx)
  const read = async () => (await all.admin.browser.get(`${SEGMENTS}/${id}`)).body.customers_count
  expect(await read()).toBe(10_500)
  await db
    .transaction()
    .execute((tx) => tx.updateTable('entities').set({ next_price: 1 }).where('id', '>', first).execute())
  await refreshSegments(all.ctx)
  expect(await read()).toBe(1)
})

test('the members of a removed filter, and of a deleted segment, leave it in parts', async () => {
  const all = await world()
  const { ctx, account, admin } = all
  const chosen = await customer(all)
  const { id } = await addSegment(all, { filter: 'filter[next_price][from]=100' })
  await admin.browser.patch(`/web/v4/customers/${chosen}`, { _embedded: { segments: [{ id }] } })
  const others = Array.from({ length: 11_000 }, (_, i) => chosen + 1 + i)
  const fill = () =>
    ctx.db.transaction().execute((tx) =>
      insertRows(
        tx,
        'segment_members',
        others.map((entity_id) => ({
          ...{ account_id: account.id, segment_id: id, entity_id, is_computed: 1 as const },
        })),
      ),
    )
  const members = async () => {
    const rows = await ctx.db.selectFrom('segment_members').select('entity_id').execute()
    return rows.map(({ entity_id }) => entity_id)
  }
  await fill()
  await admin.browser.patch(`${SEGMENTS}/${id}`, { filter: null })
  expect((await members()).length).toBe(1_001)
  await refreshSegments(ctx)
  expect(await members()).toEqual([chosen])
  await fill()
  expect((await admin.browser.delete(`${SEGMENTS}/${id}`)).status).toBe(204)
  expect(await members()).toEqual([])
})

onEmbedded('a filter that selects everything, names segments or is invalid is refused', async () => {
  const all = await world()
  const ask = async (filter: string) =>
    faultsOf(await all.admin.browser.post(SEGMENTS, { name: 'x', filter }))
  expect([
    await ask('order[id]=asc'),
    await ask('filter[created_at]='),
    await ask('filter[next_price][from]='),
    await ask('filter[name]=%00'),
    await ask('filter[segments]=1'),
    await ask('filter[next_price][from]=1&filter[nope]=1'),
    await ask('filter[status_id]=x'),
    await ask('filter[a][b][c][d][e][f][g]=1'),
  ]).toEqual([
    [400, '0 NotBlank filter'],
    [400, '0 NotBlank filter'],
    [400, '0 NotBlank filter'],
    [400, '0 InvalidFormat filter'],
    [400, '0 NotSupportedChoice filter'],
    [400, '0 NotSupportedChoice filter'],
    [400, '0 InvalidType filter.status_id'],
    [400, '0 InvalidFormat filter'],
  ])
  expect(await all.ctx.db.selectFrom('segments').selectAll().execute()).toEqual([])
})

test('a segment whose field was deleted keeps its members, and others are computed', async () => {
  const all = await world()
  const { browser } = all.admin
  const fields = await browser.post('/web/v4/customers/custom_fields', [{ name: 'City', type: 'text' }])
  const field_id = fields.body._embedded.custom_fields[0].id
  const values = [{ field_id, values: [{ value: 'Ulm' }] }]
  const ann = await customer(all, { custom_fields_values: values })
  const first = await addSegment(all, { filter: `filter[custom_fields_values][${field_id}][]=Ulm` })
  const second = await addSegment(all, { filter: 'query=bob' })
  expect(await segmentsOf(all, ann)).toEqual([first.id])
  await browser.delete(`/web/v4/customers/custom_fields/${field_id}`)
  const bob = await customer(all, { name: 'Bob' })
  await refreshSegments(all.ctx)
  expect([await segmentsOf(all, ann), await segmentsOf(all, bob)]).toEqual([[first.id], [second.id]])
})

test('the survivor of a merge is in the segments of all', async () => {
  const all = await world()
  const [one, two] = [await addSegment(all), await addSegment(all, { name: 'New' })]
  const ann = await customer(all, { _embedded: { segments: [{ id: one.id }] } })
  const bob = await customer(all, { _embedded: { segments: [{ id: one.id }, { id: two.id }] } })
  await all.admin.browser.post('/web/v4/customers/merge', { id: ann, merge: [bob] })
  expect(await segmentsOf(all, ann)).toEqual([one.id, two.id])
})

/** Only PostgreSQL has concurrent writers. */
const onPostgres = test.runIf(process.env.TEST_DATABASE === 'postgres')

onPostgres('a segment that is deleted during a merge has no members afterwards', async () => {
  const all = await world()
  const { ctx, account, admin } = all
  const { id } = await addSegment(all)
  const ann = await customer(all)
  const bob = await customer(all, { _embedded: { segments: [{ id }] } })
  let deleting: ReturnType<typeof admin.browser.delete> | undefined
  await ctx.db.transaction().execute(async (tx) => {
    await moveMemberships(tx, account.id, [bob], ann)
    deleting = admin.browser.delete(`${SEGMENTS}/${id}`)
    await someoneWaits(ctx)
  })
  expect([(await deleting)?.status, await segmentsOf(all, ann)]).toEqual([204, []])
})

test('a segment that is changed or deleted during a computation stays as it was left', async () => {
  const all = await world()
  const { browser } = all.admin
  const rich = await customer(all, { next_price: 900 })
  for (let i = 0; i < 40; i++) await addSegment(all, { filter: 'filter[next_price][from]=1000' })
  const gone = await addSegment(all, { filter: 'filter[next_price][from]=100' })
  const changed = await addSegment(all, { filter: 'filter[next_price][from]=100' })
  const { db } = all.ctx
  // The computation has read the segments when they change.
  const computing = refreshSegments(all.ctx)
  await Promise.all([
    browser.delete(`${SEGMENTS}/${gone.id}`),
    browser.patch(`${SEGMENTS}/${changed.id}`, { filter: 'filter[next_price][from]=1000' }),
  ])
  await computing
  expect([await segmentsOf(all, rich), await db.selectFrom('segment_members').selectAll().execute()]).toEqual(
    [[], []],
  )
})
