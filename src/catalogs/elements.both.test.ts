import { describe, expect, test } from 'vitest'
import { type Client, client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add, addAll, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'

const BASE = 'http://demo.localhost:8080'

interface Shop extends World {
  browser: Client
  list: number
  other: number
  size: number
  path: string
}

/** Two lists, the first with one field. */
async function shop(): Promise<Shop> {
  const all = await world()
  const { browser } = all.admin
  const [list, other] = (await addAll(browser, 'catalogs', [{ name: 'Goods' }, { name: 'Other' }])) as [
    number,
    number,
  ]
  const fields = await browser.post(`/web/v4/catalogs/${list}/custom_fields`, [
    { name: 'Size', type: 'text' },
  ])
  const size = fields.body._embedded.custom_fields[0].id
  return { ...all, browser, list, other, size, path: `/web/v4/catalogs/${list}/elements` }
}

const sized = (field_id: number, value: string) => [{ field_id, values: [{ value }] }]

const shown = ({ account, admin, list, path }: Shop, id: number, members: object = {}) => ({
  id,
  name: 'Tile',
  created_by: admin.id,
  updated_by: admin.id,
  created_at: BEGINNING,
  updated_at: BEGINNING,
  is_deleted: false,
  custom_fields_values: null,
  catalog_id: list,
  account_id: account.id,
  ...members,
  _links: { self: { href: `${BASE}${path}/${id}` } },
})

describe('Elements of a list', () => {
  test('are added and returned complete, with the given request_id or the index', async () => {
    const all = await shop()
    const { browser, path, size, ctx } = all
    const answer = await browser.post(path, [
      { name: 'Tile', request_id: 'r', custom_fields_values: sized(size, 'L') },
      // Members of other kinds of records are ignored.
      { name: 'Brick', price: 'x', tags_to_add: 5, _embedded: 7, catalog_id: 999, created_by: 'me' },
    ])
    const [one, two] = answer.body._embedded.elements
    const field = { field_id: size, field_name: 'Size', field_code: null, field_type: 'text' }
    const values = { custom_fields_values: [{ ...field, values: [{ value: 'L' }] }] }
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _links: { self: { href: `${BASE}${path}` } },
        _embedded: {
          elements: [
            shown(all, one.id, { ...values, request_id: 'r' }),
            shown(all, two.id, { name: 'Brick', request_id: '1' }),
          ],
        },
      },
    ])
    expect((await browser.get(`${path}/${one.id}`)).body).toEqual(shown(all, one.id, values))
    expect((await browser.get(`${path}/${one.id}?with=invoice_link,dogs`)).body).toEqual(
      shown(all, one.id, { ...values, invoice_link: null }),
    )
    expect((await log(ctx)).map(({ type, entity }) => [type, ...entity])).toEqual([
      ['custom_field_value_changed', `catalog_${all.list}`, one.id],
    ])
  })

  test('are changed and returned complete; an edit without a request_id gets its index', async () => {
    const all = await shop()
    const { browser, path, clock, ctx } = all
    const [one, two] = (await addAll(browser, `catalogs/${all.list}/elements`, [
      { name: 'Tile' },
      { name: 'Brick' },
    ])) as [number, number]
    clock.advance(60)
    const updated_at = BEGINNING + 60
    const answer = await browser.patch(path, [
      { id: two, name: 'Bricks', request_id: 'b' },
      { id: one, name: 'Tiles' },
    ])
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _links: { self: { href: `${BASE}${path}` } },
        _embedded: {
          elements: [
            shown(all, two, { name: 'Bricks', updated_at, request_id: 'b' }),
            shown(all, one, { name: 'Tiles', updated_at, request_id: '1' }),
          ],
        },
      },
    ])
    const single = await browser.patch(`${path}/${one}`, { name: 'Tile' })
    expect([single.status, single.body]).toEqual([200, shown(all, one, { updated_at, request_id: '0' })])
    expect((await log(ctx)).at(-1)).toEqual({
      type: 'name_field_changed',
      entity: [`catalog_${all.list}`, one],
      by: all.admin.id,
      before: [{ name_field_value: { name: 'Tiles' } }],
      after: [{ name_field_value: { name: 'Tile' } }],
    })
  })

  test('are listed in pages, found by words, ids and fields, and sorted by id', async () => {
    const all = await shop()
    const { browser, path, list, other, size } = all
    const [one, two, three] = (await addAll(browser, `catalogs/${list}/elements`, [
      { name: 'Blue tile', custom_fields_values: sized(size, 'L') },
      { name: 'Red tile' },
      { name: 'Brick', custom_fields_values: sized(size, 'M') },
    ])) as [number, number, number]
    const elsewhere = await add(browser, `catalogs/${other}/elements`, { name: 'Blue tile' })
    const page = await browser.get(`${path}?limit=2`)
    expect([page.status, page.body._page, page.body._embedded.elements.map(idOf)]).toEqual([
      200,
      1,
      [one, two],
    ])
    const { next } = page.body._links
    expect((await browser.get(next.href.slice(BASE.length))).body).toMatchObject({
      _page: 2,
      _embedded: { elements: [{ id: three }] },
    })
    const found = async (query: string) =>
      (await browser.get(`${path}?${query}`)).body._embedded.elements.map(idOf)
    expect(await found('query=tile')).toEqual([one, two])
    for (const ids of [`id[0]=${two}`, `id[]=${two}`, `id=${two}`]) expect(await found(ids)).toEqual([two])
    expect(await found(`filter[id][]=${three}&filter[id][]=${one}&filter[id][]=${elsewhere}`)).toEqual([
      one,
      three,
    ])
    expect(await found(`filter[custom_fields_values][${size}][]=M`)).toEqual([three])
    expect(await found('order[id]=desc')).toEqual([three, two, one])
    expect(await found('query=nothing')).toEqual([])
    expect((await browser.get(`${path}?limit=251`)).status).toBe(400)
    expect((await browser.get(`${path}?filter[id]=x`)).status).toBe(400)
  })

  test('are moved to the trash and restored', async () => {
    const all = await shop()
    const { browser, path, list } = all
    const id = await add(browser, `catalogs/${list}/elements`, { name: 'Tile' })
    const gone = await browser.delete(`${path}/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await browser.get(`${path}/${id}`)).status).toBe(204)
    expect((await browser.get(path)).status).toBe(204)
    expect((await browser.get(`${path}?with=only_deleted`)).body._embedded.elements).toEqual([
      shown(all, id, { is_deleted: true }),
    ])
    expect((await browser.patch(`${path}/${id}`, { name: 'A' })).status).toBe(404)
    const back = await browser.post(`${path}/${id}/restore`)
    expect([back.status, back.body]).toEqual([200, shown(all, id)])
  })

  onEmbedded(
    'an element of another list, another account or none is 404 in the address, and 400 in a batch',
    async () => {
      const all = await shop()
      const { browser, path, list, other, ctx } = all
      const mine = await add(browser, `catalogs/${list}/elements`, { name: 'Tile' })
      const elsewhere = await add(browser, `catalogs/${other}/elements`, { name: 'Brick' })
      const lead = await add(browser, 'leads')
      const { browser: theirs } = await all.addPerson({
        account: await all.addAccount('other'),
        is_admin: true,
      })
      const foreignList = await add(theirs, 'catalogs', { name: 'Theirs' })
      const foreign = await add(theirs, `catalogs/${foreignList}/elements`, { name: 'Tile' })
      const before = await traces(ctx)
      for (const id of [elsewhere, foreign, lead, 999]) {
        expect((await browser.get(`${path}/${id}`)).status).toBe(204)
        for (const answer of [
          await browser.patch(`${path}/${id}`, { name: 'A' }),
          await browser.delete(`${path}/${id}`),
          await browser.post(`${path}/${id}/restore`),
        ])
          expect(answer.status).toBe(404)
        const batch = [
          { id: mine, name: 'New' },
          { id, name: 'A' },
        ]
        expect(faultsOf(await browser.patch(path, batch))).toEqual([400, '1 NotSupportedChoice id'])
      }
      for (const no of [foreignList, 999])
        for (const answer of [
          await browser.get(`/web/v4/catalogs/${no}/elements`),
          await browser.get(`/web/v4/catalogs/${no}/elements/${mine}`),
          await browser.post(`/web/v4/catalogs/${no}/elements`, [{ name: 'A' }]),
          await browser.patch(`/web/v4/catalogs/${no}/elements`, [{ id: mine, name: 'A' }]),
          await browser.delete(`/web/v4/catalogs/${no}/elements/${mine}`),
        ])
          expect(answer.status).toBe(404)
      expect(await traces(ctx)).toEqual(before)
      expect((await browser.get(`${path}/${mine}`)).body.name).toBe('Tile')
    },
  )

  onEmbedded.each<[string, (all: Shop) => unknown, string]>([
    ['no name', () => [{}], '0 FieldMissing name'],
    ['a name that is blank', () => [{ name: ' ' }], '0 InvalidFormat name'],
    [
      'a field of another list',
      () => [{ name: 'A', custom_fields_values: sized(999, 'x') }],
      '0 NotSupportedChoice custom_fields_values.0.field_id',
    ],
    ['one object', () => ({ name: 'A' }), '0 InvalidType '],
    ['251 of them', () => Array(251).fill({ name: 'A' }), '0 TooMany '],
  ])('%s is rejected, and nothing is stored', async (_what, body, fault) => {
    const all = await shop()
    const before = await traces(all.ctx)
    expect(faultsOf(await all.browser.post(all.path, body(all)))).toEqual([400, fault])
    expect(await traces(all.ctx)).toEqual(before)
  })

  test('people fill the required fields of a new element, integrations need not (R12)', async () => {
    const { browser, admin, stranger, list, size, path } = await shop()
    const fields = `/web/v4/catalogs/${list}/custom_fields`
    const locked = { name: 'Code', type: 'text', is_required: true, is_api_only: true }
    expect((await browser.post(fields, [locked])).status).toBe(201)
    expect((await browser.patch(`${fields}/${size}`, { is_required: true })).status).toBe(200)
    const blank = await browser.post(path, [{ name: 'Tile' }])
    expect(faultsOf(blank)).toEqual([400, '0 FieldMissing custom_fields_values'])
    const tile = await browser.post(path, [{ name: 'Tile', custom_fields_values: sized(size, 'S') }])
    expect(tile.status).toBe(200)
    const { id } = tile.body._embedded.elements[0]
    expect((await browser.patch(`${path}/${id}`, { name: 'Oak' })).status).toBe(200)
    const { access_token } = await connect(stranger, await register(admin))
    const added = await stranger
      .as({ token: access_token })
      .post(`/api/v4/catalogs/${list}/elements`, [{ name: 'Slate' }])
    expect(added.status).toBe(200)
  })

  test('a list closed to people can be filled by integrations only', async () => {
    const all = await shop()
    const { browser, list, path, ctx } = all
    await browser.patch(`/web/v4/catalogs/${list}`, { can_add_elements: false })
    const before = await traces(ctx)
    const answer = await browser.post(path, [{ name: 'Tile' }])
    expect([answer.status, answer.body.type]).toEqual([403, expect.stringMatching(/#list_of_service$/)])
    expect(await traces(ctx)).toEqual(before)
    const tokens = await connect(all.stranger, await register(all.admin))
    const service = all.stranger.as({ token: tokens.access_token })
    const id = await add(service, `catalogs/${list}/elements`, { name: 'Tile' })
    expect((await browser.patch(`${path}/${id}`, { name: 'Tiles' })).status).toBe(200)
  })

  test('nothing can be added to a list while it is being deleted', async () => {
    const all = await shop()
    const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
    const two = client(second.app.http, all.browser.identity)
    for (let round = 0; round < 8; round++) {
      const list = await add(all.browser, 'catalogs', { name: `Round ${round}` })
      const at = `/web/v4/catalogs/${list}`
      const id = await add(all.browser, `catalogs/${list}/elements`, { name: 'Tile' })
      const lead = await add(all.browser, 'leads')
      const [gone, ...others] = await Promise.all([
        all.browser.delete(at),
        two.post(`${at}/elements`, [{ name: 'New' }]),
        two.patch(`${at}/elements/${id}`, { name: 'Other' }),
        two.post(`/web/v4/leads/${lead}/link`, [{ to_entity_type: 'catalog_elements', to_entity_id: id }]),
      ])
      expect(gone.status).toBe(204)
      for (const { status } of others) expect([200, 400, 404]).toContain(status)
      const alive = await all.ctx.db
        .selectFrom('entities')
        .select('id')
        .where('catalog_id', '=', list)
        .where('is_deleted', '=', 0)
        .execute()
      const linked = await all.ctx.db.selectFrom('links').selectAll().where('catalog_id', '=', list).execute()
      expect([alive, linked]).toEqual([[], []])
    }
  })
})

const idOf = ({ id }: { id: number }): number => id
