import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import { completeRights } from '../accounts/members/rights.ts'
import { eraseValues } from '../entities/entities.ts'

const LISTS = 'http://demo.localhost:8080/web/v4/catalogs'
const CATALOGS = '/web/v4/catalogs'

const shown = ({ account, admin }: World, id: number, members: object = {}) => ({
  id,
  name: 'Spare parts',
  created_by: admin.id,
  updated_by: admin.id,
  created_at: BEGINNING,
  updated_at: BEGINNING,
  sort: 10,
  type: 'regular',
  can_add_elements: true,
  can_show_in_cards: false,
  can_link_multiple: true,
  can_be_deleted: true,
  sdk_widget_code: null,
  account_id: account.id,
  ...members,
  _links: { self: { href: `${LISTS}/${id}` } },
})

/** The state that a rejected change must not alter. */
const stored = async ({ ctx }: World) => [
  await ctx.db.selectFrom('catalogs').selectAll().orderBy('id').execute(),
  await ctx.db.selectFrom('audit_log').select(['action', 'details']).orderBy('id').execute(),
  await traces(ctx),
]

describe('POST /catalogs', () => {
  test('adds lists and returns them complete, with the given request_id or the index', async () => {
    const all = await world()
    const answer = await all.admin.browser.post(CATALOGS, [
      { name: 'Spare parts', request_id: 123 },
      {
        name: 'Goods',
        type: 'products',
        sort: 5,
        can_add_elements: false,
        can_show_in_cards: true,
        can_link_multiple: false,
        can_be_deleted: false,
        sdk_widget_code: 'shop',
        id: 1_000,
      },
    ])
    const [one, two] = answer.body._embedded.catalogs
    const second = {
      name: 'Goods',
      type: 'products',
      sort: 5,
      can_add_elements: false,
      can_show_in_cards: true,
      can_link_multiple: false,
      can_be_deleted: false,
      sdk_widget_code: 'shop',
    }
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _links: { self: { href: LISTS } },
        _embedded: {
          catalogs: [
            shown(all, one.id, { request_id: 123 }),
            shown(all, two.id, { ...second, request_id: '1' }),
          ],
        },
      },
    ])
    const list = await all.admin.browser.get(CATALOGS)
    expect([list.status, list.body]).toEqual([
      200,
      {
        _page: 1,
        _links: { self: { href: `${LISTS}?page=1&limit=50` } },
        _embedded: { catalogs: [shown(all, two.id, second), shown(all, one.id)] },
      },
    ])
    expect((await all.admin.browser.get(`${CATALOGS}/${one.id}`)).body).toEqual(shown(all, one.id))
    expect((await stored(all))[1]).toEqual([
      { action: 'catalog.added', details: JSON.stringify({ id: one.id, name: 'Spare parts' }) },
      { action: 'catalog.added', details: JSON.stringify({ id: two.id, name: 'Goods' }) },
    ])
  })

  test('a list of a type has the fields of the type, and values are written by their codes', async () => {
    const { admin } = await world()
    const invoices = await add(admin.browser, 'catalogs', { name: 'Bills', type: 'invoices' })
    const suppliers = await add(admin.browser, 'catalogs', { name: 'Suppliers', type: 'suppliers' })
    const goods = await add(admin.browser, 'catalogs', { name: 'Goods', type: 'products' })
    const fieldsOf = async (list: number) =>
      (await admin.browser.get(`${CATALOGS}/${list}/custom_fields`)).body._embedded.custom_fields
    const codes = (fields: { code: string }[]) => fields.map(({ code }) => code)
    const [status, ...others] = await fieldsOf(invoices)
    expect([status.code, status.enums.map(({ code }: { code: string }) => code)]).toEqual([
      'BILL_STATUS',
      ['created', 'paid', 'paid_in_advance', 'partially_paid'],
    ])
    expect(codes(others)).toEqual([
      ...[
        'LEGAL_ENTITY',
        'PAYER',
        'ITEMS',
        'BILL_VAT_TYPE',
        'BILL_PAYMENT_DATE',
        'BILL_COMMENT',
        'BILL_PRICE',
      ],
    ])
    expect(codes(await fieldsOf(suppliers))).toHaveLength(12)
    expect(codes(await fieldsOf(goods))).toEqual(['SKU', 'DESCRIPTION', 'PRICE', 'GROUP', 'EXTERNAL_ID'])
    const custom_fields_values = [
      { field_code: 'BILL_STATUS', values: [{ enum_code: 'paid' }] },
      { field_code: 'BILL_VAT_TYPE', values: [{ value: 'Tax included' }] },
      { field_code: 'PAYER', values: [{ value: { entity_id: 7, entity_type: 'contacts' } }] },
      { field_code: 'LEGAL_ENTITY', values: [{ value: { name: 'Acme', entity_type: 2 } }] },
      { field_code: 'ITEMS', values: [{ value: { description: 'Frame', unit_price: 150, quantity: 10 } }] },
      { field_code: 'BILL_COMMENT', values: [{ value: 'Thank you' }] },
    ]
    const invoice = await add(admin.browser, `catalogs/${invoices}/elements`, {
      name: 'Invoice 238',
      created_at: '2021-05-15T10:00:00.000Z',
      custom_fields_values,
    })
    const { body } = await admin.browser.get(`${CATALOGS}/${invoices}/elements/${invoice}`)
    expect(body.created_at).toBe(Date.UTC(2021, 4, 15, 10) / 1_000)
    const written = custom_fields_values.map(({ field_code }) => field_code)
    expect(
      body.custom_fields_values.map(({ field_code }: { field_code: string }) => field_code).sort(),
    ).toEqual(written.sort())
    const account = await admin.browser.get('/web/v4/account?with=invoices_settings')
    expect(account.body.invoices_settings.invoices_catalog_id).toBe(invoices)
  })

  test('an account can have ten lists, and one of each type except regular', async () => {
    const all = await world()
    const { browser } = all.admin
    const list = (i: number) => ({ name: `List ${i}` })
    await browser.post(
      CATALOGS,
      Array.from({ length: 9 }, (_, i) => list(i)),
    )
    const before = await stored(all)
    const eleventh = await browser.post(CATALOGS, [list(9), list(10)])
    expect([eleventh.status, eleventh.body.type]).toEqual([409, expect.stringMatching(/#catalog_limit$/)])
    expect(await stored(all)).toEqual(before)
    await browser.post(CATALOGS, [{ name: 'Bills', type: 'invoices' }])
    expect((await browser.get(CATALOGS)).body._embedded.catalogs.length).toBe(10)
    expect((await browser.post(CATALOGS, [list(11)])).status).toBe(409)
  })

  test('a second list of products is rejected, beside a stored one and within a batch', async () => {
    const all = await world()
    const { browser } = all.admin
    const goods = { name: 'Goods', type: 'products' }
    const twice = await browser.post(CATALOGS, [goods, { ...goods, request_id: 'r' }])
    expect(faultsOf(twice)).toEqual([400, 'r NotUnique type'])
    await add(browser, 'catalogs', goods)
    const before = await stored(all)
    expect(faultsOf(await browser.post(CATALOGS, [{ name: 'Fine' }, goods]))).toEqual([
      400,
      '1 NotUnique type',
    ])
    expect(await stored(all)).toEqual(before)
  })

  test.each<[string, unknown, string]>([
    ['no name', [{}], '0 FieldMissing name'],
    ['a name of spaces', [{ name: '  ' }], '0 InvalidFormat name'],
    ['a name that is none', [{ name: 5 }], '0 InvalidType name'],
    ['a type that is none', [{ name: 'A', type: 'dogs', request_id: 'q' }], 'q NotSupportedChoice type'],
    ['a flag that is a number', [{ name: 'A', can_add_elements: 1 }], '0 InvalidType can_add_elements'],
    ['a sort that is a text', [{ name: 'A', sort: '5' }], '0 InvalidType sort'],
    ['one object', { name: 'A' }, '0 InvalidType '],
    ['nothing', [], '0 TooFew '],
  ])('%s is rejected', async (_what, body, fault) => {
    const all = await world()
    const before = await stored(all)
    expect(faultsOf(await all.admin.browser.post(CATALOGS, body))).toEqual([400, fault])
    expect(await stored(all)).toEqual(before)
  })
})

describe('PATCH /catalogs', () => {
  test('changes lists and returns them complete; only real changes set updated_by', async () => {
    const all = await world()
    const { admin, clock } = all
    const one = await add(admin.browser, 'catalogs', { name: 'Spare parts' })
    const two = await add(admin.browser, 'catalogs', { name: 'Other' })
    clock.advance(60)
    const answer = await admin.browser.patch(CATALOGS, [
      { id: two, name: 'Parts', can_add_elements: false, type: 'products', request_id: 'a' },
      { id: one, name: 'Spare parts' },
    ])
    const changed = {
      name: 'Parts',
      can_add_elements: false,
      sort: 20,
      updated_at: BEGINNING + 60,
    }
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _links: { self: { href: LISTS } },
        _embedded: {
          catalogs: [shown(all, two, { ...changed, request_id: 'a' }), shown(all, one, { request_id: '1' })],
        },
      },
    ])
    const single = await admin.browser.patch(`${CATALOGS}/${one}`, { sdk_widget_code: 'shop' })
    expect([single.status, single.body]).toEqual([
      200,
      shown(all, one, { sdk_widget_code: 'shop', updated_at: BEGINNING + 60, request_id: '0' }),
    ])
    expect((await stored(all))[1]).toEqual([
      expect.objectContaining({ action: 'catalog.added' }),
      expect.objectContaining({ action: 'catalog.added' }),
      { action: 'catalog.changed', details: JSON.stringify({ id: two, name: 'Parts' }) },
      { action: 'catalog.changed', details: JSON.stringify({ id: one, name: 'Spare parts' }) },
    ])
  })

  test('an unknown id is 404 in the address and 400 in a batch, which changes nothing', async () => {
    const all = await world()
    const { browser } = all.admin
    const id = await add(browser, 'catalogs', { name: 'A' })
    const other = await all.addPerson({ account: await all.addAccount('other'), is_admin: true })
    const foreign = await add(other.browser, 'catalogs', { name: 'Theirs' })
    const before = await stored(all)
    const batch = [
      { id, name: 'B' },
      { id: foreign, name: 'C', request_id: 'x' },
      { id: 999, name: 'D' },
    ]
    expect(faultsOf(await browser.patch(CATALOGS, batch))).toEqual([
      400,
      'x NotSupportedChoice id',
      '2 NotSupportedChoice id',
    ])
    for (const gone of [foreign, 999])
      for (const answer of [
        await browser.get(`${CATALOGS}/${gone}`),
        await browser.patch(`${CATALOGS}/${gone}`, { name: 'B' }),
        await browser.delete(`${CATALOGS}/${gone}`),
      ])
        expect(answer.status).toBe(404)
    expect(faultsOf(await browser.patch(`${CATALOGS}/${id}`, { name: '' }))).toEqual([400, '0 NotBlank name'])
    expect(await stored(all)).toEqual(before)
  })
})

describe('DELETE /catalogs/{id}', () => {
  test('deletes the list, its fields, and the values, words and links of its elements', async () => {
    const all = await world()
    const { admin, ctx } = all
    const { browser } = admin
    const list = await add(browser, 'catalogs', { name: 'Goods' })
    const kept = await add(browser, 'catalogs', { name: 'Kept' })
    const lead = await add(browser, 'leads', { name: 'Roof' })
    const keep = await add(browser, `catalogs/${kept}/elements`, { name: 'Stays' })
    const link = (id: number) => [{ to_entity_type: 'catalog_elements', to_entity_id: id }]
    await browser.post(`/web/v4/leads/${lead}/link`, link(keep))
    const fields = await browser.post(`${CATALOGS}/${kept}/custom_fields`, [{ name: 'Size', type: 'text' }])
    expect(fields.status).toBe(201)
    const before = await traces(ctx)

    const made = await browser.post(`${CATALOGS}/${list}/custom_fields`, [{ name: 'Size', type: 'text' }])
    const field_id = made.body._embedded.custom_fields[0].id
    const values = [{ field_id, values: [{ value: 'Large' }] }]
    const tile = await add(browser, `catalogs/${list}/elements`, {
      name: 'Tile',
      custom_fields_values: values,
    })
    await add(browser, `catalogs/${list}/elements`, { name: 'Brick' })
    await browser.post(`/web/v4/leads/${lead}/link`, link(tile))
    const events = (await log(ctx)).length

    const answer = await browser.delete(`${CATALOGS}/${list}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    await eraseValues(ctx)
    expect(await traces(ctx)).toEqual({ ...before, entities: (before.entities as number) + 2, events })
    const rows = await ctx.db
      .selectFrom('entities')
      .select(['name', 'is_deleted'])
      .where('catalog_id', '=', list)
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { name: 'Tile', is_deleted: 1 },
      { name: 'Brick', is_deleted: 1 },
    ])
    for (const path of [`catalogs/${list}`, `catalogs/${list}/elements`, `catalogs/${list}/custom_fields`])
      expect((await browser.get(`/web/v4/${path}`)).status).toBe(404)
    expect((await browser.post(`${CATALOGS}/${list}/elements/${tile}/restore`)).status).toBe(404)
    expect((await browser.post(`${CATALOGS}/${list}/elements`, [{ name: 'New' }])).status).toBe(404)
    expect((await browser.get(`/web/v4/leads/${lead}?with=catalog_elements`)).body._embedded).toMatchObject({
      catalog_elements: [{ id: keep, metadata: { quantity: 1, catalog_id: kept, price_id: null } }],
    })
    expect(((await stored(all))[1] as object[]).at(-1)).toEqual({
      action: 'catalog.removed',
      details: JSON.stringify({ id: list, name: 'Goods', elements: 2 }),
    })
  })

  test('a list with can_be_deleted false cannot be deleted', async () => {
    const all = await world()
    const { browser } = all.admin
    const id = await add(browser, 'catalogs', { name: 'Goods', can_be_deleted: false })
    const before = await stored(all)
    const answer = await browser.delete(`${CATALOGS}/${id}`)
    expect([answer.status, answer.body.type]).toEqual([409, expect.stringMatching(/#lasting_catalog$/)])
    expect(await stored(all)).toEqual(before)
    await browser.patch(`${CATALOGS}/${id}`, { can_be_deleted: true })
    expect((await browser.delete(`${CATALOGS}/${id}`)).status).toBe(204)
  })
})

describe('Permissions', () => {
  const everyRequest = (caller: Client, id: number) => [
    () => caller.get(CATALOGS),
    () => caller.get(`${CATALOGS}/${id}`),
    () => caller.post(CATALOGS, [{ name: 'A' }]),
    () => caller.patch(CATALOGS, [{ id, name: 'A' }]),
    () => caller.patch(`${CATALOGS}/${id}`, { name: 'A' }),
    () => caller.delete(`${CATALOGS}/${id}`),
  ]

  test('anonymous callers get 401; members with access read lists; only administrators write', async () => {
    const all = await world()
    const id = await add(all.admin.browser, 'catalogs', { name: 'A' })
    const person = await all.addPerson({ rights: completeRights({ catalog_access: true }) })
    const denied = await all.addPerson()
    const before = await stored(all)
    const statuses = async (caller: Client) => {
      const answers: number[] = []
      for (const send of everyRequest(caller, id)) answers.push((await send()).status)
      return answers
    }
    expect(await statuses(all.stranger)).toEqual([401, 401, 401, 401, 401, 401])
    expect(await statuses(person.browser)).toEqual([200, 200, 403, 403, 403, 403])
    expect(await statuses(denied.browser)).toEqual([204, 404, 403, 403, 403, 403])
    expect(await stored(all)).toEqual(before)
  })

  test('are found by their type, also combined with the filter', async () => {
    const { admin } = await world()
    const bills = await add(admin.browser, 'catalogs', { name: 'Bills', type: 'invoices' })
    const goods = await add(admin.browser, 'catalogs', { name: 'Goods', type: 'products' })
    const found = async (query: string) =>
      (await admin.browser.get(`${CATALOGS}?${query}`)).body._embedded.catalogs.map(
        ({ id }: { id: number }) => id,
      )
    expect(await found('type=invoices')).toEqual([bills])
    expect(await found('filter[type]=products')).toEqual([goods])
    expect(await found('filter[type][]=products&filter[type][]=invoices')).toEqual([bills, goods])
    expect(await found('filter[type]=regular')).toEqual([])
  })

  test('list ids start above 1000, as clients of the platform require', async () => {
    const { admin } = await world()
    expect(await add(admin.browser, 'catalogs', { name: 'A' })).toBe(1001)
    expect(await add(admin.browser, 'catalogs', { name: 'B' })).toBe(1002)
  })

  test('a hidden list has no fields for the person either', async () => {
    const { admin, addPerson } = await world()
    const id = await add(admin.browser, 'catalogs', { name: 'A' })
    const person = await addPerson()
    expect((await admin.browser.get(`${CATALOGS}/${id}/custom_fields`)).status).toBe(204)
    expect((await person.browser.get(`${CATALOGS}/${id}/custom_fields`)).status).toBe(404)
  })
})
