import { type Compilable, CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { add } from '../../test/records.ts'
import { type World, world } from '../../test/world.ts'
import { findActor } from '../accounts/accounts.ts'
import { completeRights } from '../accounts/rights.ts'
import { findFields } from '../custom-fields/custom-fields.ts'
import { loadAccess } from './access.ts'
import { readFilters, readOrder } from './filters.ts'
import { pageQuery } from './list.ts'
import { searchedWords } from './search.ts'

type Asked = { filter?: object; order?: object; query?: string; position?: boolean }

/** What the embedded database does for a statement, step by step; it says so without looking at the data. */
async function planOf({ ctx }: World, query: Compilable): Promise<string[]> {
  const { sql, parameters } = query.compile()
  const { rows } = await ctx.db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  )
  return rows.map(({ detail }) => detail)
}

async function listPlan(
  all: World,
  { filter = {}, order = {}, query, position }: Asked,
  width: 'A' | 'M' = 'A',
) {
  const { ctx, account, addPerson } = all
  const view = { view: width, edit: width, add: 'A', delete: width, export: width } as const
  const person = await addPerson({ rights: completeRights({ leads: view }) })
  const at = { account_id: account.id, user_id: person.id }
  const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
  if (!actor) throw new Error('no actor')
  const access = await loadAccess(ctx.db, actor)
  const fields = await findFields(ctx.db, account.id, 'leads')
  const asked = {
    filters: readFilters('leads', filter as never, fields),
    order: readOrder('leads', order as never),
    words: query ? searchedWords(query) : [],
  }
  const page = { page: 2, limit: 250, offset: position ? 0 : 250 }
  const after = position ? { value: 5, id: 5 } : null
  return planOf(all, pageQuery(ctx.db, access, 'leads', asked, { page, after, with: new Set(), base: '' }))
}

/** The embedded database plans without having counted, so its plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A page of a list is found by an index', () => {
  test.each<[string, Asked, string]>([
    ['in the order of ids', {}, 'PRIMARY KEY'],
    ['at a position', { position: true }, 'PRIMARY KEY'],
    ['by when they were changed', { order: { updated_at: 'desc' } }, 'entities_by_update'],
    [
      'by when they were changed, at a position',
      { order: { updated_at: 'desc' }, position: true },
      'entities_by_update',
    ],
    ['by when they were made', { order: { created_at: 'asc' } }, 'entities_by_creation'],
    ['by the person', { filter: { responsible_user_id: '1' } }, 'entities_by_responsible'],
    [
      'by a range of changes',
      { filter: { updated_at: { from: '1', to: '2' } }, order: { updated_at: 'asc' } },
      'entities_by_update',
    ],
  ])('%s', async (_what, asked, index) => {
    const all = await world()
    const plan = await listPlan(all, asked)
    expect(plan.filter((step) => /^SCAN (?!json_each)|USE TEMP B-TREE FOR ORDER/.test(step))).toEqual([])
    expect(plan.join('\n')).toContain(index)
  })

  test('for a person who sees his own', async () => {
    const plan = await listPlan(await world(), {}, 'M')
    expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
    expect(plan[0]).toContain('entities_by_responsible')
  })

  test.each<[string, (field: number, choice: number) => Asked, string]>([
    [
      'a choice',
      (field, choice) => ({ filter: { custom_fields_values: { [field]: [String(choice)] } } }),
      'field_keys',
    ],
    ['a word', () => ({ query: 'roof' }), 'search_words'],
  ])('by %s, which is looked up in its own index', async (_what, asked, table) => {
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
