import { type Compilable, CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { add } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'
import { findActor } from '../accounts/accounts.ts'
import { completeRights } from '../accounts/members/rights.ts'
import { findFields } from '../custom-fields/custom-fields.ts'
import { conditionsOf, readRecordFilter } from './lists/conditions.ts'
import { readFilters } from './lists/filters.ts'
import { keysInOrder } from './lists/index-windows.ts'
import { pageQuery } from './lists/page-query.ts'
import { wordHolders } from './lists/search-queries.ts'
import { loadAccess } from './records/access.ts'
import { type EntityType, entityTypes } from './records/entity-types.ts'
import { readOrder } from './records/orders.ts'
import { countIndexed, sumIndexed } from './totals/indexed-total-queries.ts'
import { sumsByStage } from './totals/total-queries.ts'

type RecordFilter = {
  filter?: object
  integrations?: number[]
  order?: object
  query?: string
  position?: boolean
  part?: 'valued' | 'empty'
}

/** The steps of SQLite's plan for a statement, which do not depend on the data. */
async function planOf({ ctx }: World, query: Compilable): Promise<string[]> {
  const { sql, parameters } = query.compile()
  const { rows } = await ctx.db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  )
  return rows.map(({ detail }) => detail)
}

/** The records of a kind that an administrator can list. */
const listOfAdmin = ({ ctx, account }: World, type: EntityType) => ({
  ...{ db: ctx.db, type, in_trash: false },
  access: { actor: { account_id: account.id, is_admin: true }, peers: new Set(), held: new Set() } as never,
})

async function listPlan(
  all: World,
  { filter = {}, integrations, order = {}, query, position, part }: RecordFilter,
  width: 'A' | 'M' = 'A',
  type: EntityType = 'leads',
  catalog_id?: number,
) {
  const { ctx, account, addPerson } = all
  const view = { view: width, edit: width, add: 'A', delete: width, export: width } as const
  const person = await addPerson({ rights: completeRights({ leads: view }) })
  const at = { account_id: account.id, user_id: person.id }
  const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
  if (!actor) throw new Error('no actor')
  const access = await loadAccess(ctx.db, actor)
  const fields = await findFields(ctx.db, account.id, entityTypes[type].fields)
  const read = await readRecordFilter(
    ctx.db,
    account.id,
    type,
    { filter: filter as never, query: query ?? '', integrations: integrations ?? null },
    fields,
  )
  if (!read) throw new Error('no words')
  const asked = { ...read, order: readOrder(type, order as never) }
  const after = position ? { value: part === 'empty' ? null : 5, id: 5 } : null
  const walk = {
    order: asked.order,
    part: part ?? ('all' as const),
    after,
    limit: 251,
    offset: position ? 0 : 250,
  }
  return planOf(all, pageQuery({ db: ctx.db, access, type, catalog_id, in_trash: false }, asked, walk))
}

/** SQLite plans without row counts of its own, so plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A page of a list uses an index', () => {
  test.each<[string, RecordFilter, string]>([
    ['in the order of ids', {}, 'PRIMARY KEY'],
    ['at a position', { position: true }, 'PRIMARY KEY'],
    ['by when they were changed', { order: { updated_at: 'desc' } }, 'entities_by_update'],
    [
      'by time of change, at a position',
      { order: { updated_at: 'desc' }, position: true },
      'entities_by_update',
    ],
    ['by when they were made', { order: { created_at: 'asc' } }, 'entities_by_creation'],
    ['by the person', { filter: { responsible_user_id: '1' } }, 'entities_by_responsible'],
    [
      'by the person, the latest changes first',
      { filter: { responsible_user_id: '1' }, order: { updated_at: 'desc' } },
      'entities_by_responsible_update',
    ],
    [
      'by the stage, the latest changes first',
      {
        filter: { statuses: { 0: { pipeline_id: '1', status_id: '2' } } },
        order: { updated_at: 'desc' },
      },
      'leads_by_stage_update',
    ],
    [
      'by the stage',
      { filter: { statuses: { 0: { pipeline_id: '1', status_id: '2' } } } },
      'entities_by_status',
    ],
    ['by the name', { filter: { name: 'Roof' } }, 'entities_by_name'],
    ['by the integration that created it', { integrations: [1] }, 'entities_by_integration'],
    ['by the integration, at a position', { integrations: [1], position: true }, 'entities_by_integration'],
    ['by the name, sorted by name', { filter: { name: 'Roof' }, order: { name: 'asc' } }, 'entities_by_name'],
    [
      'by a range of times of change',
      { filter: { updated_at: { from: '1', to: '2' } }, order: { updated_at: 'asc' } },
      'entities_by_update',
    ],
  ])('%s', async (_what, asked, index) => {
    const all = await world()
    const plan = await listPlan(all, asked)
    expect(plan.filter((step) => /^SCAN (?!json_each)|USE TEMP B-TREE FOR ORDER/.test(step))).toEqual([])
    expect(plan.join('\n')).toContain(index)
  })

  test.each<[EntityType, string, string]>([
    ['leads', 'name', 'entities_by_name'],
    ['contacts', 'name', 'entities_by_name'],
    ['companies', 'name', 'entities_by_name'],
    ['customers', 'name', 'entities_by_name'],
    ['leads', 'price', 'leads_by_price'],
    ['leads', 'closed_at', 'leads_by_closing'],
    ['customers', 'next_price', 'customers_by_next_price'],
    ['customers', 'next_date', 'customers_by_next_date'],
    ['catalog_elements', 'name', 'elements_by_name'],
    ['catalog_elements', 'created_at', 'elements_by_creation'],
    ['catalog_elements', 'updated_at', 'elements_by_update'],
  ])('%s sorted by %s, in both directions, on the first and on later pages', async (type, name, index) => {
    const all = await world()
    const catalog_id = type === 'catalog_elements' ? 1 : undefined
    const parts = readOrder(type, { [name]: 'asc' }).hasEmpty ? (['valued', 'empty'] as const) : [undefined]
    for (const direction of ['asc', 'desc'])
      for (const position of [false, true])
        for (const part of parts) {
          const asked = { order: { [name]: direction }, position, ...(part && { part }) }
          const plan = await listPlan(all, asked, 'A', type, catalog_id)
          expect(plan.filter((step) => /^SCAN (?!json_each)|USE TEMP B-TREE FOR ORDER/.test(step))).toEqual(
            [],
          )
          expect(plan.join('\n')).toContain(index)
        }
  })

  test.each<[EntityType, string, string]>([
    ['leads', 'id', 'PRIMARY KEY'],
    ['leads', 'created_at', 'COVERING INDEX entities_by_creation'],
    ['leads', 'name', 'COVERING INDEX entities_by_name'],
    ['leads', 'price', 'COVERING INDEX leads_by_price'],
    ['leads', 'closed_at', 'COVERING INDEX leads_by_closing'],
    ['catalog_elements', 'updated_at', 'COVERING INDEX elements_by_update'],
  ])('the ids of %s sorted by %s, from that index alone', async (type, name, index) => {
    const all = await world()
    const { ctx, account } = all
    const range = type === 'catalog_elements' ? [sql<boolean>`entities.catalog_id = 1`] : []
    for (const direction of ['asc', 'desc'])
      for (const after of [null, { value: 5, id: 5 }]) {
        const order = readOrder(type, { [name]: direction })
        const walk = { after, limit: 50, offset: 0 }
        const part = order.hasEmpty ? 'valued' : 'all'
        const plan = await planOf(
          all,
          keysInOrder(ctx.db, { account_id: account.id, type, conditions: range, order, part }, walk),
        )
        expect(plan).toHaveLength(1)
        expect(plan[0]).toContain(index)
      }
  })

  test('by tags, in the index of tags', async () => {
    const plan = await listPlan(await world(), { filter: { tags: '5' } })
    expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
    expect(plan.join('\n')).toContain('entity_tags_by_tag')
  })

  test('for a person who sees their own records', async () => {
    const plan = await listPlan(await world(), {}, 'M')
    expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
    expect(plan[0]).toContain('entities_by_responsible')
  })

  test.each<[string, (field: number, choice: number) => RecordFilter, string]>([
    [
      'a choice',
      (field, choice) => ({ filter: { custom_fields_values: { [field]: [String(choice)] } } }),
      'field_keys',
    ],
    ['a word', () => ({ query: 'roof' }), 'search_words'],
  ])('by %s, in its own index', async (_what, asked, table) => {
    const all = await world()
    const draft = { name: 'Kind', type: 'select', enums: [{ value: 'a', sort: 1 }] }
    const [field] = (await all.admin.browser.post('/web/v4/leads/custom_fields', [draft])).body._embedded
      .custom_fields
    await add(all.admin.browser, 'leads', { name: 'Roof' })
    const plan = await listPlan(all, asked(field.id, field.enums[0].id))
    expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
    expect(plan.join('\n')).toContain(`SEARCH ${table} USING PRIMARY KEY`)
  })
})

describe.runIf(process.env.TEST_DATABASE === 'sqlite')('Totals use an index', () => {
  test.each<[string, object, string]>([
    ['that holds all they need', {}, 'COVERING INDEX entities_totals'],
    ['of stages, too', { pipeline_id: '1' }, 'COVERING INDEX entities_totals'],
    ['of a person', { responsible_user_id: '1' }, 'INDEX'],
    ['of tags', { tags: '5' }, 'entity_tags_by_tag'],
    ['of a range of prices', { price: { from: '5' } }, 'INDEX'],
  ])('%s', async (_what, filter, index) => {
    const all = await world()
    const fields = await findFields(all.ctx.db, all.account.id, 'leads')
    const asked = { filters: readFilters('leads', filter as never, fields), words: [] }
    const conditions = conditionsOf(listOfAdmin(all, 'leads'), asked)
    const plan = await planOf(all, sumsByStage(all.ctx.db, all.account.id, 'leads', conditions))
    expect(plan.filter((step) => /^SCAN/.test(step))).toEqual([])
    expect(plan.join('\n')).toContain(index)
  })

  test.each<EntityType>(['leads', 'customers', 'contacts'])(
    'of the %s of some people, stage by stage',
    async (type) => {
      const all = await world()
      const conditions = [
        sql<boolean>`entities.is_deleted = 0`,
        sql<boolean>`entities.responsible_user_id in (4, 5)`,
      ]
      const records = { account_id: all.account.id, type, in_trash: false, conditions, ofStages: [] }
      const range =
        'COVERING INDEX entities_totals (account_id=? AND entity_type=? AND is_deleted=? AND pipeline_id=?'
      for (const query of [countIndexed(all.ctx.db, records, 9), sumIndexed(all.ctx.db, records)]) {
        const plan = (await planOf(all, query)).join('\n')
        expect(plan).toContain(`${range} AND status_id=? AND responsible_user_id=?)`)
        expect(plan).not.toMatch('TEMP B-TREE')
      }
    },
  )

  test('of contacts, without those of incoming leads', async () => {
    const all = await world()
    const fields = await findFields(all.ctx.db, all.account.id, 'contacts')
    const asked = { filters: readFilters('contacts', {}, fields), words: [] }
    const conditions = conditionsOf(listOfAdmin(all, 'contacts'), asked)
    const plan = await planOf(all, sumsByStage(all.ctx.db, all.account.id, 'contacts', conditions))
    expect(plan.join('\n')).toContain('COVERING INDEX entities_totals')
  })

  test('a search scans the words and stops early', async () => {
    const all = await world()
    const query = wordHolders(
      all.ctx.db,
      all.account.id,
      'leads',
      { prefix: 'roof' },
      [sql<boolean>`entities.is_deleted = 0`],
      500,
    )
    const plan = await planOf(all, query)
    expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
    expect(plan[0]).toContain('SEARCH search_words USING PRIMARY KEY')
  })
})
