import { CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { world } from '../../test/world.ts'
import type { Context } from '../context.ts'
import { parseQuery } from '../http/queries/bracket-query.ts'
import { readEventFilter } from './filters.ts'
import { idsOf, type Scan, sliceOf, visibleIn } from './list-queries.ts'

const PLACE = '01kjmma2g0q99ztywnv5x8fnds'
const stage =
  'filter[value_after][leads_statuses][0][pipeline_id]=1&filter[value_after][leads_statuses][0][status_id]=2'
const choices = 'filter[type]=custom_field_7_value_changed&filter[value_after][custom_field_values]=1,2'

/** Queries of the list, and the index that each of their ranges uses. */
const walked: [query: string, index: string][] = [
  ['', 'PRIMARY KEY'],
  ['filter[created_at][from]=1&filter[created_at][to]=9', 'PRIMARY KEY'],
  ['filter[created_by]=1', 'events_by_creator'],
  ['filter[created_by]=1,2,3', 'events_by_creator'],
  ['filter[integration]=none', 'events_by_integration'],
  ['filter[integration]=none&filter[type]=lead_added', 'events_by_integration'],
  ['filter[integration]=none&filter[created_by]=1', 'events_by_integration'],
  ['filter[type]=lead_added', 'events_by_type'],
  ['filter[type]=lead_added,nps_rate_added', 'events_by_type'],
  ['filter[entity]=customer', 'events_by_kind'],
  ['filter[entity]=customer,contact', 'events_by_kind'],
  ['filter[entity]=contact', 'events_by_talk'],
  ['filter[entity]=contact&filter[entity_id]=5,6', 'events_by_card'],
  ['filter[entity]=contact&filter[entity_id]=5,6', 'events_by_entity'],
  ['filter[entity]=lead&filter[entity_id]=5', 'events_by_entity'],
  ['filter[entity]=lead&filter[entity_id]=5,6,7', 'events_by_entity'],
  ['filter[type]=custom_field_7_value_changed', 'events_by_field'],
  [stage, 'PRIMARY KEY (account_id=? AND key=?'],
  [choices, 'PRIMARY KEY (account_id=? AND key=?'],
]

/** SQLite plans without statistics here, so the plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A page of the log', () => {
  const scanOf = async (ctx: Context, query: string, direction: Scan['direction']): Promise<Scan> => ({
    account_id: 1,
    filter: await readEventFilter(ctx, parseQuery(query).filter),
    direction,
    from: PLACE,
  })

  test.each(walked)('%s uses %s and sorts nothing', async (query, index) => {
    const { ctx } = await world()
    for (const direction of ['older', 'newer'] as const) {
      const scan = await scanOf(ctx, query, direction)
      for (const page of [
        sliceOf(ctx.db, scan, { limit: 251 }),
        idsOf(ctx.db, scan, { limit: 1, offset: 3_999 }),
        visibleIn(ctx.db, scan, sql<boolean>`events.entity_id > 0`, 4_000, 251),
      ]) {
        const { sql: text, parameters } = page.compile(ctx.db)
        const { rows } = await ctx.db.executeQuery<{ detail: string }>(
          CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
        )
        const steps = rows.map(({ detail }) => detail)
        const searches = steps.filter((step) => step.startsWith('SEARCH'))
        const keys = scan.filter.values.flat().length
        const ranges = [
          scan.filter.created_by,
          scan.filter.types,
          scan.filter.entity_ids,
          scan.filter.entities,
        ]
        const arms = keys || Math.max(...ranges.map((list) => list?.length ?? 1))
        expect(searches.filter((step) => step.includes(index)).length).toBeGreaterThanOrEqual(arms)
        expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
        // Only intermediate results and the lists of values (json_each) are scanned, never a table.
        const made = ['json_each', ...steps.flatMap((step) => /^CO-ROUTINE (\w+)/.exec(step)?.[1] ?? [])]
        const scans = steps.flatMap((step) => /^SCAN (\w+)/.exec(step)?.[1] ?? [])
        expect(scans.filter((name) => !made.includes(name))).toEqual([])
      }
    }
  })

  test.each(walked.filter(([query, index]) => index.startsWith('events_by') && !/&|contact/.test(query)))(
    '%s counts its events in %s alone',
    async (query, index) => {
      const { ctx } = await world()
      const scan = await scanOf(ctx, query, 'older')
      const { sql: text, parameters } = idsOf(ctx.db, scan, { limit: 1, offset: 3_999 }).compile(ctx.db)
      const { rows } = await ctx.db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
      )
      const searches = rows.map(({ detail }) => detail).filter((step) => step.startsWith('SEARCH'))
      for (const search of searches) expect(search).toContain(`COVERING INDEX ${index}`)
    },
  )

  test.each([
    '',
    'filter[integration]=none',
    'filter[type]=lead_added',
    'filter[created_by]=1',
    'filter[created_at][from]=1&filter[created_at][to]=9',
    'filter[entity]=lead,contact',
    'filter[integration]=none&filter[type]=lead_added,nps_rate_added&filter[created_by]=1',
    stage,
    choices,
  ])('for a reader of a few records reads only their events, also with %s', async (query) => {
    const { ctx } = await world()
    const some = { entity_type: 'lead', ids: [5, 6] }
    for (const direction of ['older', 'newer'] as const)
      for (const subjects of [[some], [some, { entity_type: 'contact', ids: [] }]]) {
        const scan = { ...(await scanOf(ctx, query, direction)), subjects }
        const { sql: text, parameters } = sliceOf(ctx.db, scan, { limit: 251 }).compile(ctx.db)
        const { rows } = await ctx.db.executeQuery<{ detail: string }>(
          CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
        )
        const searches = rows
          .map(({ detail }) => detail)
          .filter((step) => /^SEARCH events .*entity/.test(step))
        expect(
          searches.map((step) =>
            step.includes('events_by_entity (account_id=? AND entity_type=? AND entity_id=?'),
          ),
        ).toEqual(subjects.map(() => true))
      }
  })

  test.each([
    ['filter[created_by]=1&filter[type]=lead_added', 'events_by_type'],
    ['filter[created_by]=1,2&filter[type]=lead_added,nps_rate_added', 'events_by_type'],
    ['filter[integration]=none&filter[created_by]=1', 'events_by_creator'],
    ['filter[entity]=lead&filter[entity_id]=5&filter[created_by]=1', 'events_by_creator'],
    [`${stage}&filter[created_by]=1`, 'events_by_creator'],
  ])('%s, by its second filter, uses %s', async (query, index) => {
    const { ctx } = await world()
    for (const direction of ['older', 'newer'] as const) {
      const by = { ...(await scanOf(ctx, query, direction)), leading: 1 }
      const { sql: text, parameters } = sliceOf(ctx.db, by, { limit: 251 }).compile(ctx.db)
      const { rows } = await ctx.db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
      )
      const searches = rows.map(({ detail }) => detail).filter((step) => /^SEARCH events .*_by_/.test(step))
      expect(searches.length).toBeGreaterThan(0)
      expect(searches.filter((step) => !step.includes(index))).toEqual([])
    }
  })

  test('for a card uses the indexes of the record and of its card, and sorts nothing', async () => {
    const { ctx } = await world()
    const scan = { ...(await scanOf(ctx, '', 'older')), card: { entity_type: 'contact', ids: [5, 6] } }
    for (const page of [
      sliceOf(ctx.db, scan, { limit: 51 }),
      visibleIn(ctx.db, scan, sql<boolean>`events.type in (27)`, 2_000, 51),
    ]) {
      const { sql: text, parameters } = page.compile(ctx.db)
      const { rows } = await ctx.db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
      )
      const steps = rows.map(({ detail }) => detail)
      for (const index of ['events_by_entity', 'events_by_card'])
        expect(steps.filter((step) => step.startsWith('SEARCH') && step.includes(index)).length).toBe(2)
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    }
  })
})
