import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addAll } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { type Actor, findActor } from '../../accounts/accounts.ts'
import { completeRights, type Rights, widths } from '../../accounts/members/rights.ts'
import {
  type Access,
  accessCondition,
  can,
  loadAccess,
  loadLinkedElements,
  type RecordRight,
} from '../records/access.ts'
import { cardTypes } from '../records/entity-types.ts'
import { writeLinks } from '../records/link-queries.ts'
import { findEntities, selectEntities } from '../records/queries.ts'

const asked: RecordRight[] = ['view', 'edit', 'delete', 'export']

interface Shop extends World {
  people: number[]
  lists: number[]
  elements: number[]
  cards: { entity_type: string; id: number }[]
}

/** Two lists of six elements, and for each kind a card per person and one in the trash. */
async function shop(): Promise<Shop> {
  const all = await world()
  const { browser } = all.admin
  const people = [all.admin.id, (await all.addPerson()).id]
  const lists = await addAll(browser, 'catalogs', [{ name: 'A' }, { name: 'B' }])
  const elements: number[] = []
  for (const list of lists)
    elements.push(...(await addAll(browser, `catalogs/${list}/elements`, Array(6).fill({ name: 'Tile' }))))
  const cards: Shop['cards'] = []
  for (const entity_type of cardTypes) {
    const drafts = [...people, people[1]].map((responsible_user_id) => ({ name: 'x', responsible_user_id }))
    const ids = await addAll(browser, entity_type, drafts)
    await browser.delete(`/web/v4/${entity_type}/${ids.at(-1)}`)
    cards.push(...ids.map((id) => ({ entity_type, id })))
  }
  return { ...all, people, lists, elements, cards }
}

const width = fc.constantFrom(...widths)
const allOrNone = fc.constantFrom('A', 'D')
const listWidth = fc.constantFrom('A', 'L', 'L', 'D')
const ofKind = fc.record({ view: width, edit: width, add: allOrNone, delete: width, export: width })
const ofList = fc.record({
  view: listWidth,
  edit: listWidth,
  add: allOrNone,
  delete: listWidth,
  export: listWidth,
})

async function accessOf({ ctx, account }: Shop, user_id: number, rights: Rights): Promise<Access> {
  const asking = { request_id: 'r', address: '127.0.0.1', integration: null }
  const actor = (await findActor(ctx, { account_id: account.id, user_id }, asking)) as Actor
  return loadAccess(ctx.db, { ...actor, rights, is_admin: false })
}

describe('Elements of lists that are visible as far as they are linked', () => {
  test('the SQL condition matches the check in memory, for any rights and links', async () => {
    const all = await shop()
    const { ctx, account, lists, elements, cards } = all
    const anyRights = fc
      .record({
        leads: ofKind,
        contacts: ofKind,
        companies: ofKind,
        catalog_access: fc.boolean(),
        lists: fc.tuple(fc.option(ofList), fc.option(ofList)),
      })
      .map(({ lists: own, ...rights }) =>
        completeRights({
          ...rights,
          catalog_rights: own.flatMap((one, i) =>
            one ? [{ catalog_id: lists[i] as number, rights: one }] : [],
          ),
        } as Partial<Rights>),
      )
    const anyLinks = fc.array(fc.tuple(fc.constantFrom(...elements), fc.constantFrom(...cards)), {
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(
        anyRights,
        fc.constantFrom(...all.people),
        anyLinks,
        async (rights, user_id, links) => {
          await ctx.db.transaction().execute(async (tx) => {
            await tx.deleteFrom('links').execute()
            const rows = new Map(
              links.map(([entity_id, card]) => [
                `${entity_id} ${card.id}`,
                {
                  account_id: account.id,
                  entity_id,
                  to_entity_id: card.id,
                  entity_type: 'catalog_elements',
                  to_entity_type: card.entity_type,
                  is_main: 0 as const,
                  quantity: 1,
                  catalog_id: null,
                  price_id: null,
                },
              ]),
            )
            await writeLinks(tx, [...rows.values()])
          })
          const access = await accessOf(all, user_id, rights)
          const rows = await findEntities(ctx.db, account.id, 'catalog_elements', elements)
          await loadLinkedElements(ctx.db, access, rows)
          for (const right of asked) {
            const condition = accessCondition(access, right, 'catalog_elements')
            const selected = await selectEntities(ctx.db, account.id, 'catalog_elements')
              .$if(condition !== null, (query) => query.where(condition as NonNullable<typeof condition>))
              .orderBy('entities.id')
              .execute()
            expect(selected.map(({ id }) => id)).toEqual(
              rows.filter((row) => can(access, right, row)).map(({ id }) => id),
            )
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  test('need no query without such a list, and one query per batch with one', async () => {
    const all = await shop()
    const { ctx, account, lists, elements } = all
    const rows = await findEntities(ctx.db, account.id, 'catalog_elements', elements)
    const noDatabase = null as never
    const rights = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'D' } as const
    const open = completeRights({ catalog_rights: [{ catalog_id: lists[0] as number, rights }] })
    const person = await accessOf(all, all.people[1] as number, open)
    await loadLinkedElements(noDatabase, person, rows)
    await loadLinkedElements(noDatabase, { ...person, actor: { ...person.actor, is_admin: true } }, rows)
    const linked = completeRights({
      catalog_rights: [{ catalog_id: lists[0] as number, rights: { ...rights, edit: 'L' } }],
    })
    const reader = await accessOf(all, all.people[1] as number, linked)
    await expect(loadLinkedElements(noDatabase, reader, rows)).rejects.toThrow()
    await loadLinkedElements(noDatabase, reader, [])
    await loadLinkedElements(
      noDatabase,
      reader,
      rows.filter(({ catalog_id }) => catalog_id === lists[1]),
    )
  })
})
