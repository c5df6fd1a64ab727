import { describe, expect, test } from 'vitest'
import { add, addAll } from '../../test/records.ts'
import { world } from '../../test/world.ts'
import { type Actor, findActor } from '../accounts/accounts.ts'
import { completeRights } from '../accounts/rights.ts'
import { findFields } from '../custom-fields/custom-fields.ts'
import { loadAccess } from './access.ts'
import { conditionsOf, type ListQuery, readRecordFilter } from './conditions.ts'
import { sumsByStage } from './total-queries.ts'
import { totalsOf } from './totals.ts'

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

describe('Totals of leads', () => {
  test('are by stage, for the records of the same list', async () => {
    const { admin, first } = await shop()
    const at = (status_id: number, total: number, sum: number) => ({ pipeline_id: 1, status_id, total, sum })
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
    const { ctx, account, admin, ann } = await shop()
    const { browser } = admin
    const fields = [
      { name: 'Kind', type: 'select', enums: ['a', 'b'].map((value, sort) => ({ value, sort })) },
      { name: 'Size', type: 'numeric' },
    ]
    const [kind, size] = (await browser.post('/web/v4/leads/custom_fields', fields)).body._embedded
      .custom_fields
    await addAll(
      browser,
      'leads',
      Array.from({ length: 60 }, (_, i) => ({
        name: `Roof ${i % 2 ? 'red' : 'grey'} ${i % 5}`,
        price: i % 7,
        created_at: 1_700_000_000 + i,
        responsible_user_id: i % 3 ? admin.id : ann.id,
        ...(i % 4 === 0 && { _embedded: { tags: [{ name: 'hot' }] } }),
        custom_fields_values: [
          { field_id: kind.id, values: [{ enum_id: kind.enums[i % 2].id }] },
          { field_id: size.id, values: [{ value: i }] },
        ],
      })),
    )
    const [tag] = (await browser.get('/web/v4/leads/tags')).body._embedded.tags
    const known = await findFields(ctx.db, account.id, 'leads')
    const of = (id: number, value: unknown) => ({ custom_fields_values: { [id]: value } })
    const asked: { filter?: object; query?: string }[] = [
      { filter: {} },
      { query: 'roof' },
      { query: 'roof red' },
      { filter: { price: { from: '2', to: '4' } } },
      { filter: { tags: String(tag.id) }, query: 'roof' },
      { filter: { ...of(kind.id, String(kind.enums[1].id)), responsible_user_id: String(ann.id) } },
      { filter: of(size.id, { from: '10', to: '40' }), query: 'grey' },
      { filter: { created_by: String(admin.id), created_at: { from: '1700000010' } } },
      { filter: { id: ['4', '5', '6'] } },
    ]
    for (const id of [admin.id, ann.id]) {
      const at = { account_id: account.id, user_id: id }
      const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
      const access = await loadAccess(ctx.db, actor as Actor)
      for (const query of asked) {
        const filter = readRecordFilter('leads', query as ListQuery, known)
        const conditions = filter && conditionsOf(ctx.db, access, 'leads', filter, { in_trash: false })
        const all = await sumsByStage(ctx.db, account.id, 'leads', conditions ?? []).execute()
        const total = all.reduce((sum, one) => sum + Number(one.total), 0)
        for (const most of [8, 25, 1_000]) {
          const counted = await totalsOf(
            ctx.db,
            access,
            'leads',
            query as ListQuery,
            { in_trash: false },
            most,
          )
          if (counted.is_complete)
            expect({ query, most, total: counted.total }).toEqual({ query, most, total })
          else expect(counted.total).toBeLessThanOrEqual(Math.min(most, total))
          if (most === 1_000) expect(counted.is_complete).toBe(true)
        }
      }
    }
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
  expect(body).toEqual(totals(2, 15, [{ pipeline_id: 0, status_id, total: 2, sum: 15 }]))
})

test('Totals of contacts, companies and elements are counts', async () => {
  const { admin } = await world()
  const [list, other] = await addAll(admin.browser, 'catalogs', [{ name: 'Goods' }, { name: 'Others' }])
  await add(admin.browser, `catalogs/${other}/elements`, { name: 'x' })
  for (const path of ['contacts', 'companies', `catalogs/${list}/elements`]) {
    await addAll(admin.browser, path, [{ name: 'Anna' }, { name: 'Bob' }])
    expect((await admin.browser.get(`/web/v4/${path}/totals`)).body).toEqual(totals(2, 0))
    expect((await admin.browser.get(`/web/v4/${path}/totals?query=ann`)).body).toEqual(totals(1, 0))
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
