import fc from 'fast-check'
import { type Expression, type SqlBool, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addAll } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { type Actor, findActor } from '../../accounts/accounts.ts'
import { completeRights, type Rights, widths } from '../../accounts/members/rights.ts'
import type { EntityRow, LinkRow } from '../../db/tables.ts'
import {
  type Access,
  accessCondition,
  can,
  canAdd,
  loadAccess,
  loadLinkedElements,
  type RecordRight,
  seesAll,
} from './access.ts'
import { type EntityType, entityTypes } from './entity-types.ts'
import { writeLinks } from './link-queries.ts'
import { insertEntities } from './queries.ts'

const kinds = Object.keys(entityTypes) as EntityType[]
const asked: RecordRight[] = ['view', 'edit', 'delete', 'export']
const PIPELINES = [11, 12]
const STAGES = [21, 22, 142]
const LISTS = [31, 32, 33]
/** A user id that is not a member; records can still refer to it. */
const GONE = 99_999

interface Shop extends World {
  /** Members by group: two in the first, two in the second, one alone. */
  people: number[]
  rows: EntityRow[]
}

/** One record of each kind for each person, in each possible stage or list. */
async function shop(): Promise<Shop> {
  const all = await world()
  const { admin, addPerson, ctx, account } = all
  const [north, south] = await Promise.all(
    ['North', 'South'].map(
      async (name) => (await admin.browser.post('/web/v4/groups', { name })).body.id as number,
    ),
  )
  const people: number[] = [admin.id]
  for (const group_id of [north, north, south, south] as number[])
    people.push((await addPerson({ group_id })).id)
  const [id] = (await addAll(admin.browser, 'leads', [{}])) as [number]
  const blank = await ctx.db.selectFrom('entities').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const places: Pick<EntityRow, 'entity_type' | 'pipeline_id' | 'status_id' | 'catalog_id'>[] = [
    ...PIPELINES.flatMap((pipeline_id) =>
      STAGES.map((status_id) => ({ entity_type: 'leads', pipeline_id, status_id, catalog_id: null })),
    ),
    { entity_type: 'contacts', pipeline_id: null, status_id: null, catalog_id: null },
    { entity_type: 'companies', pipeline_id: null, status_id: null, catalog_id: null },
    { entity_type: 'customers', pipeline_id: null, status_id: STAGES[0] as number, catalog_id: null },
    ...LISTS.map((catalog_id) => ({
      entity_type: 'catalog_elements',
      pipeline_id: null,
      status_id: null,
      catalog_id,
    })),
  ]
  const rows = [...people, GONE]
    .flatMap((responsible_user_id) => places.map((place) => ({ ...blank, ...place, responsible_user_id })))
    .map(
      (row, i): EntityRow => ({ ...row, account_id: account.id, id: 1_000 + i, is_deleted: i === 7 ? 1 : 0 }),
    )
  await ctx.db.transaction().execute(async (tx) => {
    await insertEntities(tx, rows)
    await writeLinks(tx, linksAmong(rows))
  })
  return { ...all, people, rows }
}

/** Every other element is linked to a card; the cards cover all people and stages. One is in the trash. */
function linksAmong(rows: EntityRow[]): LinkRow[] {
  const cards = rows.filter(({ entity_type }) => entity_type !== 'catalog_elements')
  const elements = rows.filter(({ entity_type }) => entity_type === 'catalog_elements')
  return elements
    .filter((_, i) => i % 2 === 0)
    .flatMap((element, i): LinkRow[] => {
      const card = cards[(i * 7) % cards.length] as EntityRow
      const common = { account_id: element.account_id, is_main: 0, quantity: 1, price_id: null } as const
      const { catalog_id } = element
      return [[element, card] as const, [card, element] as const].map(([from, to]) => ({
        ...common,
        catalog_id,
        entity_id: from.id,
        entity_type: from.entity_type,
        to_entity_id: to.id,
        to_entity_type: to.entity_type,
      }))
    })
}

const allOrNone = fc.constantFrom('A', 'D')
const width = fc.constantFrom(...widths)
const listWidth = fc.constantFrom('A', 'L', 'D')
const ofKind = fc.record({ view: width, edit: width, add: allOrNone, delete: width, export: width })
const ofStage = fc.record(
  { view: allOrNone, edit: allOrNone, delete: allOrNone, export: allOrNone },
  // The stage of incoming leads is not exported.
  { requiredKeys: ['view', 'edit', 'delete'] },
)
const ofList = fc.record({
  view: listWidth,
  edit: listWidth,
  add: allOrNone,
  delete: listWidth,
  export: listWidth,
})

/** Arbitrary storable rights: they can repeat a stage, and name deleted stages and lists. */
const anyRights = fc
  .record({
    leads: ofKind,
    contacts: ofKind,
    companies: ofKind,
    catalog_access: fc.boolean(),
    status_rights: fc.option(
      fc.array(
        fc.record({
          entity_type: fc.constant('leads'),
          pipeline_id: fc.constantFrom(...PIPELINES),
          status_id: fc.constantFrom(...STAGES, 77),
          rights: ofStage,
        }),
        { maxLength: 4 },
      ),
    ),
    catalog_rights: fc.option(
      fc.array(fc.record({ catalog_id: fc.constantFrom(...LISTS, 77), rights: ofList }), { maxLength: 4 }),
    ),
  })
  .map((rights) => completeRights(rights as Partial<Rights>))

/** An actor with these rights. */
async function accessOf({ ctx, account }: Shop, user_id: number, rights: Rights, is_admin: boolean) {
  const asking = { request_id: 'r', address: '127.0.0.1', integration: null }
  const actor = (await findActor(ctx, { account_id: account.id, user_id }, asking)) as Actor
  return loadAccess(ctx.db, { ...actor, rights, is_admin })
}

/** The rights on each record of a kind according to the database. */
async function selected({ ctx, account }: Shop, access: Access, type: EntityType) {
  const condition = (right: RecordRight): Expression<SqlBool> =>
    accessCondition(access, right, type) ?? sql<SqlBool>`1 = 1`
  const { rows } = await sql<{ id: number } & Record<RecordRight, unknown>>`
    select entities.id, ${sql.join(asked.map((right) => sql`(${condition(right)}) as ${sql.ref(right)}`))}
    from entities where account_id = ${account.id} and entity_type = ${type} and id >= 1000 order by id
  `.execute(ctx.db)
  return rows.map(({ id, ...found }) => [id, ...asked.map((right) => Boolean(found[right]))])
}

describe('Rights on records', () => {
  test('the SQL condition matches the check in memory, for any rights, person and record', async () => {
    const all = await shop()
    await fc.assert(
      fc.asyncProperty(
        anyRights,
        fc.constantFrom(...all.people),
        fc.integer({ min: 0, max: 9 }),
        async (rights, user_id, dice) => {
          const access = await accessOf(all, user_id, rights, dice === 0)
          await loadLinkedElements(all.ctx.db, access, all.rows)
          for (const type of kinds) {
            const rows = all.rows.filter(({ entity_type }) => entity_type === type)
            expect(await selected(all, access, type)).toEqual(
              rows.map((row) => [row.id, ...asked.map((right) => can(access, right, row))]),
            )
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  test('a person reported to see all of a kind or list can see each of its records', async () => {
    const all = await shop()
    await fc.assert(
      fc.asyncProperty(anyRights, fc.constantFrom(...all.people), async (rights, user_id) => {
        const access = await accessOf(all, user_id, rights, false)
        await loadLinkedElements(all.ctx.db, access, all.rows)
        for (const type of kinds) {
          const rows = all.rows.filter(({ entity_type }) => entity_type === type)
          const hidden = rows.filter((row) => !can(access, 'view', row))
          if (seesAll(access, type)) expect(hidden).toEqual([])
          for (const catalog_id of type === 'catalog_elements' ? LISTS : [])
            if (seesAll(access, type, catalog_id))
              expect(hidden.filter((row) => row.catalog_id === catalog_id)).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })

  test('an administrator has all rights, regardless of what is stored', async () => {
    const all = await shop()
    await fc.assert(
      fc.asyncProperty(anyRights, async (rights) => {
        const access = await accessOf(all, all.people[1] as number, rights, true)
        for (const row of all.rows) for (const right of asked) expect(can(access, right, row)).toBe(true)
        for (const type of kinds)
          expect([seesAll(access, type), canAdd(access, type, LISTS[0])]).toEqual([true, true])
      }),
      { numRuns: 20 },
    )
  })
})
