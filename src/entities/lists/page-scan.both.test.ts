import { expect, test } from 'vitest'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { addAll } from '../../../test/fixtures/records.ts'
import { ofSample, sampled } from '../../../test/sample.ts'
import { type World, world } from '../../../test/world.ts'
import { findActor } from '../../accounts/accounts.ts'
import { completeRights } from '../../accounts/members/rights.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import type { ValuePosition } from '../../http/queries/paging.ts'
import { type Access, loadAccess } from '../records/access.ts'
import { type Order, readOrder } from '../records/orders.ts'
import { readRecordFilter, withCoveredPeople } from './conditions.ts'
import { readFilters } from './filters.ts'
import { withLookUps } from './narrowing-counts.ts'
import { type Narrowing, narrowingsOf } from './narrowings.ts'
import { type Part, pageQuery, positionIn } from './page-query.ts'
import { chooseScan, type ReadRows } from './page-scan.ts'
import type { ScanLimits } from './scan-limits.ts'

const RECORDS = 60

/** Leads that share people, stages, prices, tags, words and values in different proportions. */
async function addLeads({ admin, addPerson, stranger, ctx }: World) {
  const { browser } = admin
  const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
  const other = await addPerson({ name: 'Bo', rights: completeRights({ leads: own }) })
  const drafts = [
    { name: 'Kind', type: 'select', enums: ['a', 'b', 'c'].map((value, sort) => ({ value, sort })) },
    { name: 'Size', type: 'numeric' },
  ]
  const { custom_fields } = (await browser.post('/web/v4/leads/custom_fields', drafts)).body._embedded
  const [kind, size] = custom_fields
  const courier = await register(admin, { name: 'Courier' })
  const caller = stranger.as({ token: (await connect(stranger, courier)).access_token })
  const leads = Array.from({ length: RECORDS }, (_, i) => ({
    name: `${i % 2 ? 'Roof' : 'Gate'} ${i % 7} ${i === 9 ? 'unique' : 'red'} kit${i % 15}`,
    price: (i * 7) % 11,
    responsible_user_id: i % 3 ? admin.id : other.id,
    created_at: 1_700_000_000 + ((i * 13) % 17),
    ...(i % 5 === 0 && { _embedded: { tags: [{ name: 'hot' }] } }),
    custom_fields_values: [
      { field_id: kind.id, values: [{ enum_id: kind.enums[i % 3].id }] },
      { field_id: size.id, values: [{ value: i % 13 }] },
    ],
  }))
  for (const [client, from, to] of [
    [browser, 0, 20],
    [caller, 20, 35],
    [browser, 35, RECORDS],
  ] as const)
    await addAll(client, 'leads', leads.slice(from, to))
  const integrations = await ctx.actingIntegrations.numbersOf(ctx, [courier.client_id])
  const { tags } = (await browser.get('/web/v4/leads/tags')).body._embedded
  return { kind, size, tag: tags[0].id as number, other, integrations }
}

async function accessOf({ ctx, account }: World, user_id: number) {
  const at = { account_id: account.id, user_id }
  const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
  if (!actor) throw new Error('no actor')
  return loadAccess(ctx.db, actor)
}

/** The ids of all pages. */
async function walk(rows: ReadRows, part: Part, order: Order): Promise<number[]> {
  const walked: number[] = []
  for (let after: ValuePosition | null = null; ; ) {
    const page = await rows({ part, after, limit: 5, offset: 0 })
    walked.push(...page.map(({ id }) => id))
    const last = page.at(-1)
    if (page.length < 5 || !last) return walked
    after = positionIn(order, last)
  }
}

const orders = ['id', 'name', 'price', 'created_at', 'closed_at'] as const

test('A page is the same in the order of an index of a condition and in the order of the list', async () => {
  const all = await world()
  const { ctx, account, admin } = all
  const { kind, size, tag, other, integrations } = await addLeads(all)
  const of = (id: number, value: unknown) => ({ custom_fields_values: { [id]: value } })
  const asked: { filter?: object; query?: string; integrations?: number[] }[] = [
    { query: 'ro' },
    { query: 'uniq' },
    { query: 'red roof' },
    { query: 'kit red' },
    { filter: of(kind.id, String(kind.enums[1].id)) },
    { filter: of(kind.id, [String(kind.enums[0].id), String(kind.enums[1].id)]) },
    { filter: of(size.id, { from: '3', to: '9' }) },
    { filter: { ...of(size.id, { from: '12' }), tags: String(tag) } },
    { filter: { price: { from: '3', to: '8' } }, query: 'gate' },
    { filter: { responsible_user_id: String(other.id), ...of(kind.id, String(kind.enums[0].id)) } },
    { filter: { name: ['Roof 1 red kit1', 'Gate 2 red kit2'], price: { from: '1' } } },
    { filter: { tags: String(tag), responsible_user_id: String(admin.id) }, query: 'red' },
    { integrations },
    { integrations: [...integrations, 99], filter: { price: { from: '3' } } },
    { integrations, filter: of(kind.id, String(kind.enums[1].id)), query: 'red' },
    { filter: { created_by: String(admin.id) } },
    { filter: { created_by: '99', price: { from: '3' } } },
    { filter: { id: ['3', '4', '9'] }, query: 'red' },
  ]
  const limits: ScanLimits[] = [
    {
      sorted: 0,
      listed: 0,
      window: 4,
      windows: 9,
      walked: 3,
      walked_for_each: 1,
      compared: 3,
      compared_at_most: 1_000,
    },
    {
      sorted: 15,
      listed: 30,
      window: 7,
      windows: 2,
      walked: 9,
      walked_for_each: 1,
      compared: 2,
      compared_at_most: 8,
    },
    {
      sorted: 5,
      listed: 1_000,
      window: 5,
      windows: 1,
      walked: 9,
      walked_for_each: 5,
      compared: 2,
      compared_at_most: 8,
    },
    {
      sorted: 1_000,
      listed: 1_000,
      window: 100,
      windows: 1,
      walked: 50,
      walked_for_each: 5,
      compared: 100,
      compared_at_most: 1_000,
    },
  ]
  for (const id of [5, 6, 7, 8, 20, 31]) await admin.browser.delete(`/web/v4/leads/${id}`)
  const fields = await findFields(ctx.db, account.id, 'leads')
  const readers = [
    { reader: 'all', access: await accessOf(all, admin.id), in_trash: false, with: limits },
    { reader: 'own', access: await accessOf(all, other.id), in_trash: false, with: limits.slice(1, 3) },
    { reader: 'trash', access: await accessOf(all, admin.id), in_trash: true, with: limits.slice(1, 2) },
  ]
  let compared = 0
  for (const { reader, access, in_trash, with: some } of readers)
    for (const [number, query] of asked.entries())
      for (const [i, name] of sampled([...orders.entries()], number, { step: 3 })) {
        const order = readOrder('leads', { [name]: i % 2 ? 'desc' : 'asc' })
        const read = await readRecordFilter(ctx.db, account.id, 'leads', query as never, fields)
        if (!read) throw new Error('no words')
        const filter = { ...read, order }
        const part = order.hasEmpty ? 'empty' : 'all'
        const list = { db: ctx.db, access, type: 'leads' as const, in_trash }
        const whole = { order, part, after: null, limit: RECORDS, offset: 0 } as const
        const stored = await pageQuery(list, filter, whole).execute()
        const expected = stored.map(({ id }) => id)
        const narrow = withCoveredPeople(list, filter)
        for (const limit of some) {
          const rows = await chooseScan(narrow.list, narrow.filter, fields, limit)
          const walked = await walk(rows, part, order)
          expect({ reader, query, name, limit, walked }, ofSample).toEqual({
            ...{ reader, query, name, limit },
            walked: expected,
          })
          compared += walked.length
        }
      }
  expect(compared).toBeGreaterThan(1_000)
})

test('Rows are looked up for a common prefix of few words, and compared for one of many', async () => {
  const all = await world()
  const { ctx, account } = all
  await addLeads(all)
  const isLookedUp = async (word: string, count: number) => {
    const access = { actor: { account_id: account.id } } as Access
    const filters = readFilters('leads', undefined, await findFields(ctx.db, account.id, 'leads'))
    const list = { db: ctx.db, access, type: 'leads' as const, in_trash: false }
    const [narrowing] = narrowingsOf(list, { filters, words: [word] })
    const [counted] = await withLookUps([{ narrowing: narrowing as Narrowing, count }])
    return counted?.narrowing.byRow !== null
  }
  expect(await isLookedUp('ro', Number.POSITIVE_INFINITY)).toBe(true)
  expect(await isLookedUp('nothing', Number.POSITIVE_INFINITY)).toBe(false)
  expect(await isLookedUp('kit', Number.POSITIVE_INFINITY)).toBe(false)
  expect(await isLookedUp('ro', 30)).toBe(false)
})
