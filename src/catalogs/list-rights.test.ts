import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, addAll, traces } from '../../test/fixtures/records.ts'
import { type Person, type World, world } from '../../test/world.ts'
import { completeRights, type Rights } from '../accounts/members/rights.ts'

interface Shop extends World {
  goods: number
  rooms: number
  /** The list of products. */
  tile: number
  brick: number
  /** The list of rooms. */
  room: number
}

async function shop(): Promise<Shop> {
  const all = await world()
  const { browser } = all.admin
  const [goods, rooms] = (await addAll(browser, 'catalogs', [{ name: 'Goods' }, { name: 'Rooms' }])) as [
    number,
    number,
  ]
  const [tile, brick] = (await addAll(browser, `catalogs/${goods}/elements`, [
    { name: 'Tile' },
    { name: 'Brick' },
  ])) as [number, number]
  const room = await add(browser, `catalogs/${rooms}/elements`, { name: 'Room' })
  return { ...all, goods, rooms, tile, brick, room }
}

type ListRights = NonNullable<Rights['catalog_rights']>[number]['rights']
const denied: ListRights = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' }
const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const

/** A member with these rights on the list of products, who can see and edit their own leads and contacts. */
const person = ({ addPerson, goods }: Shop, rights: Partial<ListRights>, catalog_access = false) =>
  addPerson({
    rights: completeRights({
      leads: own,
      contacts: own,
      catalog_access,
      catalog_rights: [{ catalog_id: goods, rights: { ...denied, ...rights } }],
    }),
  })

const elementsOf = async (caller: Client, list: number) => {
  const { status, body } = await caller.get(`/web/v4/catalogs/${list}/elements`)
  return status < 300 ? body._embedded.elements.map(({ id }: { id: number }) => id) : status
}
const listsOf = async (caller: Client) =>
  (await caller.get('/web/v4/catalogs')).body._embedded.catalogs.map(({ id }: { id: number }) => id)

/** The responses to reading, changing and deleting one element. */
async function ladder(caller: Client, list: number, id: number): Promise<number[]> {
  const at = `/web/v4/catalogs/${list}/elements`
  return [
    (await caller.get(`${at}/${id}`)).status,
    (await caller.patch(`${at}/${id}`, { name: 'New' })).status,
    (await caller.patch(at, [{ id, name: 'Newer' }])).status,
    (await caller.delete(`${at}/${id}`)).status,
  ]
}

const link = (id: number) => [{ to_entity_type: 'catalog_elements', to_entity_id: id }]

describe('Rights on lists', () => {
  test('a list’s own rights decide before catalog_access, which opens or closes the others', async () => {
    const all = await shop()
    const { goods, rooms, tile, brick, room } = all
    const shut = (await person(all, {}, true)).browser
    expect([await listsOf(shut), await elementsOf(shut, goods), await elementsOf(shut, rooms)]).toEqual([
      [rooms],
      404,
      [room],
    ])
    const opened = (await person(all, { view: 'A' })).browser
    expect([await listsOf(opened), await elementsOf(opened, goods), await elementsOf(opened, rooms)]).toEqual(
      [[goods], [tile, brick], 404],
    )
    expect(await ladder(opened, goods, tile)).toEqual([200, 403, 403, 403])
    expect(await ladder(shut, goods, tile)).toEqual([404, 403, 403, 403])
    expect(await ladder(all.stranger, goods, tile)).toEqual([401, 401, 401, 401])
    const full = (await person(all, { view: 'A', edit: 'A', add: 'A', delete: 'A' })).browser
    expect((await full.post(`/web/v4/catalogs/${goods}/elements`, [{ name: 'Nail' }])).status).toBe(200)
    expect(await ladder(full, goods, tile)).toEqual([200, 200, 200, 204])
  })

  test('adding requires its own right', async () => {
    const all = await shop()
    const before = await traces(all.ctx)
    const reader = (await person(all, { view: 'A', edit: 'A', delete: 'A' })).browser
    for (const list of [all.goods, all.rooms, 999])
      expect((await reader.post(`/web/v4/catalogs/${list}/elements`, [{ name: 'Nail' }])).status).toBe(403)
    expect(await traces(all.ctx)).toEqual(before)
  })

  test('an error does not reveal whether the element or the list exists', async () => {
    const all = await shop()
    const { goods, rooms, room, tile } = all
    const known = (await person(all, { view: 'A', edit: 'A', delete: 'A' })).browser
    // A member with full access to a list can know what is not in it; a hidden list is reported as missing.
    for (const id of [room, 999]) {
      expect(await ladder(known, goods, id)).toEqual([204, 404, 400, 404])
      expect(await ladder(known, rooms, id)).toEqual([404, 403, 403, 403])
      expect(await ladder(known, 999, id)).toEqual([404, 403, 403, 403])
    }
    expect(await ladder(known, rooms, tile)).toEqual([404, 403, 403, 403])
    const shut = (await person(all, {}, true)).browser
    for (const list of [goods, 999])
      for (const id of [tile, 999]) expect(await ladder(shut, list, id)).toEqual([404, 403, 403, 403])
    const lead = await add(shut, 'leads')
    for (const id of [tile, 999])
      expect((await shut.post(`/web/v4/leads/${lead}/link`, link(id))).status).toBe(403)
  })

  test('hidden elements are not on visible cards', async () => {
    const all = await shop()
    const { goods, tile, room } = all
    const shut = await person(all, {}, true)
    const lead = await add(shut.browser, 'leads')
    await all.admin.browser.post(`/web/v4/leads/${lead}/link`, [...link(tile), ...link(room)])
    const seen = async ({ browser }: Person) => [
      (await browser.get(`/web/v4/leads/${lead}?with=catalog_elements`)).body._embedded.catalog_elements
        .length,
      (await browser.get(`/web/v4/leads/${lead}/links`)).body._total_items,
    ]
    expect([await seen(all.admin), await seen(shut)]).toEqual([
      [2, 2],
      [1, 1],
    ])
    expect(await elementsOf(shut.browser, goods)).toBe(404)
  })
})

describe('A list that is visible as far as it is linked', () => {
  const linked = { view: 'L', edit: 'L', add: 'A', delete: 'L' } as const

  test('shows the list, and only elements on visible cards', async () => {
    const all = await shop()
    const { admin, goods, tile, brick } = all
    const ann = await person(all, linked)
    expect([await listsOf(ann.browser), await elementsOf(ann.browser, goods)]).toEqual([[goods], []])
    expect(await ladder(ann.browser, goods, tile)).toEqual([204, 403, 403, 403])
    const mine = await add(ann.browser, 'leads')
    const theirs = await add(admin.browser, 'leads')
    await admin.browser.post(`/web/v4/leads/${theirs}/link`, link(tile))
    expect(await elementsOf(ann.browser, goods)).toEqual([])
    await admin.browser.post(`/web/v4/leads/${mine}/link`, [...link(tile), ...link(brick)])
    expect(await elementsOf(ann.browser, goods)).toEqual([tile, brick])
    expect((await ann.browser.get(`/web/v4/leads/${mine}/links`)).body._total_items).toBe(2)
    await admin.browser.post(`/web/v4/leads/${mine}/unlink`, link(brick))
    expect(await elementsOf(ann.browser, goods)).toEqual([tile])
    expect(await ladder(ann.browser, goods, brick)).toEqual([204, 403, 403, 403])
    expect(await ladder(ann.browser, goods, tile)).toEqual([200, 200, 200, 204])
  })

  test.each<[string, object]>([
    ['leads', {}],
    ['customers', { name: 'Acme' }],
    ['contacts', { name: 'Ann' }],
  ])('%s make elements visible, except in the trash', async (type, draft) => {
    const all = await shop()
    const ann = await person(all, linked)
    const card = await add(ann.browser, type, draft)
    await all.admin.browser.post(`/web/v4/${type}/${card}/link`, link(all.tile))
    expect(await elementsOf(ann.browser, all.goods)).toEqual([all.tile])
    await ann.browser.delete(`/web/v4/${type}/${card}`)
    expect(await elementsOf(ann.browser, all.goods)).toEqual([])
    expect(await ladder(ann.browser, all.goods, all.tile)).toEqual([204, 403, 403, 403])
  })

  test('a company makes no elements visible for a person who cannot see companies', async () => {
    const all = await shop()
    const ann = await person(all, linked)
    const company = await add(all.admin.browser, 'companies', { name: 'Acme' })
    await all.admin.browser.post(`/web/v4/companies/${company}/link`, link(all.tile))
    expect(await elementsOf(ann.browser, all.goods)).toEqual([])
  })

  test('a list can have different widths: all are visible, linked ones can be changed, none can be deleted', async () => {
    const all = await shop()
    const ann = await person(all, { view: 'A', edit: 'L' })
    const lead = await add(ann.browser, 'leads')
    expect((await ann.browser.post(`/web/v4/leads/${lead}/link`, link(all.tile))).status).toBe(200)
    expect(await elementsOf(ann.browser, all.goods)).toEqual([all.tile, all.brick])
    expect(await ladder(ann.browser, all.goods, all.tile)).toEqual([200, 200, 200, 403])
    expect(await ladder(ann.browser, all.goods, all.brick)).toEqual([200, 403, 403, 403])
    const batch = [
      { id: all.tile, name: 'A' },
      { id: all.brick, name: 'B' },
    ]
    const before = await all.ctx.db.selectFrom('entities').selectAll().orderBy('id').execute()
    const answer = await ann.browser.patch(`/web/v4/catalogs/${all.goods}/elements`, batch)
    expect(faultsOf(answer)).toEqual([403])
    expect(await all.ctx.db.selectFrom('entities').selectAll().orderBy('id').execute()).toEqual(before)
  })

  test('a person who adds an element sees it in the response, and in the list once it is linked', async () => {
    const all = await shop()
    const ann = await person(all, linked)
    const answer = await ann.browser.post(`/web/v4/catalogs/${all.goods}/elements`, [{ name: 'Nail' }])
    expect([answer.status, answer.body._embedded.elements[0].name]).toEqual([200, 'Nail'])
    expect(await elementsOf(ann.browser, all.goods)).toEqual([])
  })
})
