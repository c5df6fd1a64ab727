import { describe, expect, test } from 'vitest'
import { faultsOf } from '../../../test/faults.ts'
import { type World, world } from '../../../test/world.ts'
import { completeRights } from '../../accounts/members/rights.ts'

const AT = 'http://demo.localhost:8080'
const fieldsOf = (list: number) => `/web/v4/catalogs/${list}/custom_fields`
const groupsOf = (list: number) => `${fieldsOf(list)}/groups`

async function begun() {
  const all = await world()
  const { browser } = all.admin
  const lists = await browser.post('/web/v4/catalogs', [{ name: 'Books' }, { name: 'Chairs' }])
  const [books, chairs] = lists.body._embedded.catalogs.map(({ id }: { id: number }) => id)
  const added = await browser.post(
    fieldsOf(books),
    ['A', 'B'].map((name) => ({ name, type: 'text' })),
  )
  const [a, b] = added.body._embedded.custom_fields.map(({ id }: { id: number }) => id)
  const groups = async (list: number) =>
    (await browser.get(groupsOf(list))).body._embedded.custom_field_groups
  return { ...all, browser, books, chairs, a, b, groups } as const
}

const main = (list: number, change = {}) => ({
  id: 'default',
  name: 'Main',
  is_predefined: true,
  type: 'custom_field_group',
  entity_type: 'catalogs',
  sort: 0,
  fields: [],
  _links: { self: { href: `${AT}${groupsOf(list)}/default` } },
  ...change,
})

const stored = ({ ctx }: Pick<World, 'ctx'>) =>
  ctx.db.selectFrom('custom_field_groups').selectAll().where('entity_type', 'like', 'catalogs%').execute()

describe('Groups of fields of a list', () => {
  test('begin with a main one, which can be changed and not deleted', async () => {
    const all = await begun()
    const { browser, books, chairs, a, b, groups } = all
    const { status, body } = await browser.get(groupsOf(books))
    expect([status, body]).toEqual([
      200,
      {
        _total_items: 1,
        _links: { self: { href: `${AT}${groupsOf(books)}` } },
        _embedded: { custom_field_groups: [main(books, { fields: [a, b] })] },
      },
    ])
    expect((await browser.get(`${groupsOf(books)}/default`)).body).toEqual(main(books, { fields: [a, b] }))
    expect((await browser.get(`${groupsOf(books)}/statistic`)).status).toBe(404)
    const kept = await browser.delete(`${groupsOf(books)}/default`)
    expect([kept.status, kept.body.type]).toEqual([409, `${AT}/docs/errors#predefined_group`])
    expect(await stored(all)).toEqual([])
    const renamed = await browser.patch(`${groupsOf(books)}/default`, { name: 'First', sort: 3 })
    expect(renamed.body).toEqual(main(books, { name: 'First', sort: 3, fields: [a, b] }))
    expect([await groups(books), await groups(chairs)]).toEqual([[renamed.body], [main(chairs)]])
  })

  test('are added, filled and deleted, and are those of one list', async () => {
    const { browser, books, chairs, a, b, groups } = await begun()
    const drafts = [{ name: 'Print', sort: 5, fields: [b], request_id: 'x' }]
    const added = await browser.post(groupsOf(books), drafts)
    const [{ id }] = added.body._embedded.custom_field_groups
    expect(id).toMatch(/^catalogs_\d+$/)
    const self = { href: `${AT}${groupsOf(books)}/${id}` }
    const print = {
      ...main(books, { id, name: 'Print', sort: 5, is_predefined: false, fields: [b], _links: { self } }),
    }
    expect([added.status, added.body._embedded.custom_field_groups]).toEqual([
      201,
      [{ ...print, request_id: 'x' }],
    ])
    expect(await groups(books)).toEqual([main(books, { fields: [a] }), print])
    expect((await browser.get(`${fieldsOf(books)}/${b}`)).body.group_id).toBe(id)
    expect((await browser.get(`${fieldsOf(books)}/${a}`)).body.group_id).toBeNull()

    expect(await groups(chairs)).toEqual([main(chairs)])
    for (const at of [groupsOf(chairs), '/web/v4/leads/custom_fields/groups']) {
      expect((await browser.get(`${at}/${id}`)).status).toBe(404)
      expect((await browser.patch(`${at}/${id}`, { name: 'x' })).status).toBe(404)
      expect((await browser.delete(`${at}/${id}`)).status).toBe(404)
    }
    const fault = [400, '0 NotSupportedChoice group_id']
    const foreign = { name: 'C', type: 'text', group_id: id }
    expect(faultsOf(await browser.post(fieldsOf(chairs), [foreign]))).toEqual(fault)
    expect(faultsOf(await browser.post('/web/v4/leads/custom_fields', [foreign]))).toEqual(fault)
    expect(faultsOf(await browser.patch(`${groupsOf(chairs)}/default`, { fields: [a] }))).toEqual([
      400,
      '0 NotSupportedChoice fields.0',
    ])

    const moved = await browser.patch(`${fieldsOf(books)}/${a}`, { group_id: id })
    expect(moved.body.group_id).toBe(id)
    const emptied = await browser.patch(`${groupsOf(books)}/${id}`, { fields: [a] })
    expect(emptied.body).toEqual({ ...print, fields: [a] })
    expect((await browser.delete(`${groupsOf(books)}/${id}`)).status).toBe(204)
    expect(await groups(books)).toEqual([main(books, { fields: [a, b] })])
  })

  test('are deleted with the list', async () => {
    const all = await begun()
    const { browser, books, chairs } = all
    for (const list of [books, chairs]) await browser.post(groupsOf(list), [{ name: 'G', sort: 1 }])
    await browser.patch(`${groupsOf(books)}/default`, { name: 'First' })
    expect((await browser.delete(`/web/v4/catalogs/${books}`)).status).toBe(204)
    expect((await stored(all)).map(({ entity_type }) => entity_type)).toEqual([`catalogs/${chairs}`])
    expect((await browser.get(groupsOf(books))).status).toBe(404)
  })

  test('are readable by members who see the list, and writable by administrators', async () => {
    const all = await begun()
    const { browser, books } = all
    const [{ id }] = (await browser.post(groupsOf(books), [{ name: 'G', sort: 1 }])).body._embedded
      .custom_field_groups
    const before = await stored(all)
    const list = { view: 'A', edit: 'D', add: 'D', delete: 'D', export: 'D' } as const
    const seeing = completeRights({
      catalog_access: true,
      catalog_rights: [{ catalog_id: books, rights: list }],
    })
    const ann = (await all.addPerson({ rights: seeing })).browser
    const ben = (await all.addPerson({ name: 'Ben', rights: completeRights({ catalog_access: false }) }))
      .browser
    const far = (await all.addPerson({ account: await all.addAccount('other'), is_admin: true })).browser
    const writes = [
      ['post', groupsOf(books), [{ name: 'G', sort: 1 }]],
      ['patch', `${groupsOf(books)}/${id}`, { name: 'X' }],
      ['delete', `${groupsOf(books)}/${id}`, undefined],
    ] as const
    for (const [method, url, body] of writes) {
      expect((await ann[method](url, body)).status).toBe(403)
      expect((await far[method](url, body)).status).toBe(404)
      expect((await browser[method](url.replace(String(books), '9999'), body)).status).toBe(404)
    }
    expect((await ann.get(`${groupsOf(books)}/${id}`)).body.name).toBe('G')
    for (const caller of [far, ben]) expect((await caller.get(groupsOf(books))).status).toBe(404)
    expect((await browser.get(groupsOf(9999))).status).toBe(404)
    expect(await stored(all)).toEqual(before)
  })
})
