import { describe, expect, test } from 'vitest'
import { add, addAll } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'
import { type Actor, findActor } from '../../accounts/accounts.ts'
import { completeRights } from '../../accounts/members/rights.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import { conditionsOf, type ListQuery, readRecordFilter } from '../lists/conditions.ts'
import { loadAccess } from '../records/access.ts'
import { sumsByStage } from './total-queries.ts'
import { type Totals, totalsOf } from './totals.ts'

const totals = (total: number, sum: number, statuses: object[] = []) => ({
  total,
  sum,
  is_complete: true,
  _embedded: { statuses },
})

async function shop() {
  const all = await world()
  const { browser } = all.admin
  const ann = await all.addPerson({
    rights: completeRights({ leads: { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } }),
  })
  const { statuses } = (await browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines[0]._embedded
  const first = statuses.find(({ type }: { type: number }) => type === 0).id
  await addAll(browser, 'leads', [
    { name: 'Roof of Anna', price: 100 },
    { name: 'Roof of Bob', price: 50, responsible_user_id: ann.id },
    { name: 'Wall', price: 7, status_id: 142 },
  ])
  return { ...all, ann, first }
}

/** Sixty more leads, of two people in two stages and the trash, and filters. */
async function addRoofs({ admin, ann, first }: Awaited<ReturnType<typeof shop>>) {
  const { browser } = admin
  const drafts = [
    { name: 'Kind', type: 'select', enums: ['a', 'b'].map((value, sort) => ({ value, sort })) },
    { name: 'Size', type: 'numeric' },
  ]
  const [kind, size] = (await browser.post('/web/v4/leads/custom_fields', drafts)).body._embedded
    .custom_fields
  await addAll(
    browser,
    'leads',
    Array.from({ length: 60 }, (_, i) => ({
      name: `Roof ${i % 2 ? 'red' : 'grey'} ${i % 5}`,
      price: i % 7,
      created_at: 1_700_000_000 + i,
      responsible_user_id: i % 3 ? admin.id : ann.id,
      ...(i % 6 === 5 && { status_id: 143 }),
      ...(i % 4 === 0 && { _embedded: { tags: [{ name: 'hot' }] } }),
      custom_fields_values: [
        { field_id: kind.id, values: [{ enum_id: kind.enums[i % 2].id }] },
        { field_id: size.id, values: [{ value: i }] },
      ],
    })),
  )
  for (const id of [10, 11, 12, 13]) await browser.delete(`/web/v4/leads/${id}`)
  const [tag] = (await browser.get('/web/v4/leads/tags')).body._embedded.tags
  const of = (id: number, value: unknown) => ({ custom_fields_values: { [id]: value } })
  const inStages = (...ids: number[]) => ({
    statuses: ids.map((id) => ({ pipeline_id: '1', status_id: String(id) })),
  })
  const asked: { filter?: object; query?: string }[] = [
    { filter: {} },
    { filter: { responsible_user_id: String(ann.id) } },
    { filter: { responsible_user_id: [String(ann.id), String(admin.id)], pipeline_id: '1' } },
    { filter: { pipeline_id: ['1', '2'] } },
    { filter: inStages(first) },
    { filter: { ...inStages(first, 143), responsible_user_id: String(admin.id) } },
    { query: 'roof' },
    { query: 'roof red' },
    { filter: { price: { from: '2', to: '4' } } },
    { filter: { tags: String(tag.id) }, query: 'roof' },
    { filter: { ...of(kind.id, String(kind.enums[1].id)), responsible_user_id: String(ann.id) } },
    { filter: of(size.id, { from: '10', to: '40' }), query: 'grey' },
    { filter: { created_by: String(admin.id), created_at: { from: '1700000010' } } },
    { filter: { id: ['4', '5', '6'] } },
  ]
  return { asked }
}

/** The totals that the records of these stages allow: complete figures are exact, and others are not above them. */
function lowerBoundsOf(found: Totals, stages: { status_id: number | null; total: unknown; sum: unknown }[]) {
  const atMost = (bound: number, figure: number) => (figure <= bound ? figure : bound)
  const all = stages.reduce((sum, one) => sum + Number(one.total), 0)
  return {
    total: found.is_complete ? all : atMost(all, found.total),
    _embedded: {
      statuses: found._embedded.statuses.map((one) => {
        const stage = stages.find(({ status_id }) => status_id === one.status_id)
        const [total, sum] = [Number(stage?.total ?? 0), Number(stage?.sum ?? 0)]
        return one.is_complete
          ? { ...one, total, sum }
          : { ...one, total: atMost(total, one.total), sum: atMost(sum, one.sum) }
      }),
    },
  }
}

describe('Totals of leads', () => {
  test('are by stage, for the records of the same list', async () => {
    const { admin, first } = await shop()
    const at = (status_id: number, total: number, sum: number) => ({
      ...{ pipeline_id: 1, status_id, total, sum },
      is_complete: true,
    })
    const ask = async (query: string) => (await admin.browser.get(`/web/v4/leads/totals?${query}`)).body
    expect(await ask('')).toEqual(totals(3, 157, [at(142, 1, 7), at(first, 2, 150)].sort(byStatus)))
    expect(await ask('query=roof')).toEqual(totals(2, 150, [at(first, 2, 150)]))
    expect(await ask('filter[price][from]=60')).toEqual(totals(1, 100, [at(first, 1, 100)]))
    expect(await ask('query=...')).toEqual(totals(0, 0))
    expect(await ask('filter[id]=99')).toEqual(totals(0, 0))
    // Paging and sorting do not affect totals.
    expect((await ask('limit=1&page=2&order[price]=asc')).total).toBe(3)
  })

  test('include visible records only, and those in the trash on request', async () => {
    const { admin, ann, addPerson } = await shop()
    await admin.browser.delete('/web/v4/leads/1')
    expect((await admin.browser.get('/web/v4/leads/totals')).body).toMatchObject({ total: 2, sum: 57 })
    expect((await admin.browser.get('/web/v4/leads/totals?with=only_deleted')).body).toMatchObject({
      total: 1,
      sum: 100,
    })
    expect((await ann.browser.get('/web/v4/leads/totals')).body).toMatchObject({ total: 1, sum: 50 })
    const hidden = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' } as const
    const dan = await addPerson({ name: 'Dan', rights: completeRights({ leads: hidden }) })
    expect((await dan.browser.get('/web/v4/leads/totals?query=roof')).body).toEqual(totals(0, 0))
    expect((await dan.browser.get('/web/v4/leads?order[name]=asc')).status).toBe(204)
  })

  test('are exact up to a number of records, and at least right above it', async () => {
    const all = await shop()
    const { ctx, account, admin, ann } = all
    const { asked } = await addRoofs(all)
    const known = await findFields(ctx.db, account.id, 'leads')
    let incomplete = 0
    for (const id of [admin.id, ann.id]) {
      const at = { account_id: account.id, user_id: id }
      const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
      const access = await loadAccess(ctx.db, actor as Actor)
      for (const query of asked)
        for (const in_trash of [false, true]) {
          const list = { db: ctx.db, access, type: 'leads' as const, in_trash }
          const filter = await readRecordFilter(ctx.db, account.id, 'leads', query as ListQuery, known)
          const conditions = filter && conditionsOf(list, filter)
          const stages = await sumsByStage(ctx.db, account.id, 'leads', conditions ?? []).execute()
          for (const most of [8, 25, 1_000]) {
            const limits = { indexed: most, read: most }
            const found = await totalsOf(list, query as ListQuery, limits)
            const counted = { query, in_trash, most, ...found }
            expect(counted).toEqual({ ...counted, ...lowerBoundsOf(found, stages) })
            if (most === 1_000) expect(counted).toMatchObject({ is_complete: true })
            if (!found.is_complete) incomplete++
          }
        }
    }
    expect(incomplete).toBeGreaterThan(20)
  })

  test('count the leads of each stage up to a round number, if they are too many', async () => {
    const all = await shop()
    const { ctx, account, admin, first } = all
    await addRoofs(all)
    const at = { account_id: account.id, user_id: admin.id }
    const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
    const access = await loadAccess(ctx.db, actor as Actor)
    const limits = { indexed: 50, read: 0 }
    const counted = await totalsOf({ db: ctx.db, access, type: 'leads', in_trash: false }, {}, limits)
    expect(counted).toMatchObject({ total: 50, is_complete: false })
    const stages = new Map(counted._embedded.statuses.map((one) => [one.status_id, one]))
    // Fifty are shared by seven stages.
    expect(stages.get(first)).toMatchObject({ total: 5, is_complete: false })
    expect(stages.get(142)).toEqual({ pipeline_id: 1, status_id: 142, total: 1, sum: 7, is_complete: true })
  })

  test('are limited where sums exceed the largest exact number', async () => {
    const { admin } = await world()
    const price = Number.MAX_SAFE_INTEGER
    for (let i = 0; i < 5; i++)
      await addAll(
        admin.browser,
        'leads',
        Array.from({ length: 250 }, () => ({ price })),
      )
    expect((await admin.browser.get('/web/v4/leads/totals')).body).toMatchObject({ total: 1_250, sum: price })
  })
})

const byStatus = (a: { status_id: number }, b: { status_id: number }) => a.status_id - b.status_id

test('Totals of customers sum their next prices by stage', async () => {
  const { admin } = await world()
  await addAll(admin.browser, 'customers', [
    { name: 'a', next_price: 10 },
    { name: 'b', next_price: 5 },
  ])
  const { body } = await admin.browser.get('/web/v4/customers/totals')
  const status_id = (await admin.browser.get('/web/v4/customers/1')).body.status_id
  const stage = { pipeline_id: 0, status_id, total: 2, sum: 15, is_complete: true }
  expect(body).toEqual(totals(2, 15, [stage]))
  const of = async (query: string) => (await admin.browser.get(`/web/v4/customers/totals?${query}`)).body
  expect(await of(`filter[responsible_user_id]=${admin.id}&filter[status_id]=${status_id}`)).toEqual(body)
  expect(await of('filter[responsible_user_id]=99')).toEqual(totals(0, 0))
})

test('Totals of contacts, companies and elements are counts', async () => {
  const { admin } = await world()
  const [list, other] = await addAll(admin.browser, 'catalogs', [{ name: 'Goods' }, { name: 'Others' }])
  await add(admin.browser, `catalogs/${other}/elements`, { name: 'x' })
  for (const path of ['contacts', 'companies', `catalogs/${list}/elements`]) {
    await addAll(admin.browser, path, [{ name: 'Anna' }, { name: 'Bob' }])
    expect((await admin.browser.get(`/web/v4/${path}/totals`)).body).toEqual(totals(2, 0))
    expect((await admin.browser.get(`/web/v4/${path}/totals?query=ann`)).body).toEqual(totals(1, 0))
    const mine = `/web/v4/${path}/totals?filter[responsible_user_id]=${admin.id}`
    if (!path.includes('elements')) expect((await admin.browser.get(mine)).body).toEqual(totals(2, 0))
  }
})

describe('Permission to read totals', () => {
  test.each(['leads', 'contacts', 'companies', 'customers'])('of %s', async (type) => {
    const { stranger, admin, ctx, account } = await world()
    expect((await stranger.get(`/web/v4/${type}/totals`)).status).toBe(401)
    expect((await stranger.get(`/api/v4/${type}/totals`)).status).toBe(401)
    expect((await admin.browser.get(`/web/v4/${type}/totals?filter[id]=x`)).status).toBe(400)
    await ctx.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('accounts').set({ paid_until: 1 }).where('id', '=', account.id).execute(),
      )
    expect((await admin.browser.get(`/web/v4/${type}/totals`)).status).toBe(402)
  })

  test('of elements requires access to the list', async () => {
    const { stranger, admin, addPerson } = await world()
    const [list] = await addAll(admin.browser, 'catalogs', [{ name: 'Goods' }])
    const rights = completeRights({})
    const blind = await addPerson({ rights: { ...rights, catalog_access: false } })
    const path = `/web/v4/catalogs/${list}/elements/totals`
    const statuses = [await stranger.get(path), await blind.browser.get(path), await admin.browser.get(path)]
    expect(statuses.map(({ status }) => status)).toEqual([401, 404, 200])
    expect((await admin.browser.get('/web/v4/catalogs/99/elements/totals')).status).toBe(404)
  })
})
