import { expect, test } from 'vitest'
import { connect, register } from '../../test/integrations.ts'
import { addAll } from '../../test/records.ts'
import { type World, world } from '../../test/world.ts'
import { findActor } from '../accounts/accounts.ts'
import { findFields } from '../custom-fields/custom-fields.ts'
import type { ValuePosition } from '../http/paging.ts'
import { loadAccess } from './access.ts'
import { readRecordFilter } from './conditions.ts'
import { readOrder } from './orders.ts'
import { pageQuery } from './page-query.ts'
import { chooseScan, positionIn, type ScanLimits } from './page-scan.ts'

const RECORDS = 60

/** Leads that share people, stages, prices, tags, words and values in different proportions. */
async function addLeads({ admin, addPerson, stranger, ctx }: World) {
  const { browser } = admin
  const other = await addPerson({ name: 'Bo' })
  const drafts = [
    { name: 'Kind', type: 'select', enums: ['a', 'b', 'c'].map((value, sort) => ({ value, sort })) },
    { name: 'Size', type: 'numeric' },
  ]
  const { custom_fields } = (await browser.post('/web/v4/leads/custom_fields', drafts)).body._embedded
  const [kind, size] = custom_fields
  const courier = await register(admin, { name: 'Courier' })
  const caller = stranger.as({ token: (await connect(stranger, courier)).access_token })
  const leads = Array.from({ length: RECORDS }, (_, i) => ({
    name: `${i % 2 ? 'Roof' : 'Gate'} ${i % 7} ${i === 9 ? 'unique' : 'red'}`,
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
    { filter: of(kind.id, String(kind.enums[1].id)) },
    { filter: of(kind.id, [String(kind.enums[0].id), String(kind.enums[1].id)]) },
    { filter: of(size.id, { from: '3', to: '9' }) },
    { filter: { ...of(size.id, { from: '12' }), tags: String(tag) } },
    { filter: { price: { from: '3', to: '8' } }, query: 'gate' },
    { filter: { responsible_user_id: String(other.id), ...of(kind.id, String(kind.enums[0].id)) } },
    { filter: { name: ['Roof 1 red', 'Gate 2 red'], price: { from: '1' } } },
    { filter: { tags: String(tag), responsible_user_id: String(admin.id) }, query: 'red' },
    { integrations },
    { integrations: [...integrations, 99], filter: { price: { from: '3' } } },
    { integrations, filter: of(kind.id, String(kind.enums[1].id)), query: 'red' },
  ]
  const limits: ScanLimits[] = [
    { sorted: 0, sorted_in_memory: 0, window: 4, compared: 3, compared_at_most: 1_000 },
    { sorted: 15, sorted_in_memory: 15, window: 7, compared: 2, compared_at_most: 8 },
    { sorted: 1_000, sorted_in_memory: 1_000, window: 100, compared: 100, compared_at_most: 1_000 },
  ]
  const at = { account_id: account.id, user_id: admin.id }
  const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
  if (!actor) throw new Error('no actor')
  const access = await loadAccess(ctx.db, actor)
  const fields = await findFields(ctx.db, account.id, 'leads')
  const within = { in_trash: false }
  let compared = 0
  for (const query of asked)
    for (const [i, name] of orders.entries()) {
      const order = readOrder('leads', { [name]: i % 2 ? 'desc' : 'asc' })
      const read = readRecordFilter('leads', query as never, fields)
      if (!read) throw new Error('no words')
      const filter = { ...read, order }
      const part = order.hasEmpty ? 'empty' : 'all'
      const whole = { ...within, after: null, limit: RECORDS, offset: 0 }
      const expected = (await pageQuery(ctx.db, access, 'leads', filter, whole, part).execute()).map(
        ({ id }) => id,
      )
      for (const limit of limits) {
        const rows = await chooseScan(ctx.db, access, 'leads', filter, fields, within, limit)
        const walked: number[] = []
        for (let after: ValuePosition | null = null; ; ) {
          const page = await rows(part, { after, limit: 5, offset: 0 })
          walked.push(...page.map(({ id }) => id))
          const last = page.at(-1)
          if (page.length < 5 || !last) break
          after = positionIn(order, last)
        }
        expect({ query, name, limit, ids: walked }).toEqual({ query, name, limit, ids: expected })
        compared += walked.length
      }
    }
  expect(compared).toBeGreaterThan(1_000)
})
