import { describe, expect, test } from 'vitest'
import { add, log } from '../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../test/world.ts'

const at = (path: string) => `http://demo.localhost:8080/web/v4/${path}`
const self = (path: string) => ({ self: { href: at(path) } })

describe('Contacts, companies and customers', () => {
  test('returns a contact', async () => {
    const { admin, account } = await world()
    const { browser } = admin
    const company = await add(browser, 'companies', { name: 'Acme' })
    const id = await add(browser, 'contacts', {
      first_name: 'Ann',
      last_name: 'Lee',
      custom_fields_values: [
        { field_code: 'PHONE', values: [{ value: '+34 600 000 001', enum_code: 'MOB' }] },
        { field_code: 'POSITION', values: [{ value: 'Buyer' }] },
      ],
      _embedded: { tags: [{ name: 'vip' }], companies: [{ id: company }] },
    })
    const lead = await add(browser, 'leads', { _embedded: { contacts: [{ id }] } })
    const { body } = await browser.get(`/web/v4/contacts/${id}?with=leads,customers,catalog_elements`)
    expect(body).toEqual({
      id,
      name: 'Ann Lee',
      first_name: 'Ann',
      last_name: 'Lee',
      responsible_user_id: admin.id,
      group_id: 0,
      created_by: admin.id,
      updated_by: admin.id,
      created_at: BEGINNING,
      updated_at: BEGINNING,
      is_deleted: false,
      is_unsorted: false,
      closest_task_at: null,
      custom_fields_values: expect.arrayContaining([
        {
          field_id: expect.any(Number),
          field_name: 'Phone',
          field_code: 'PHONE',
          field_type: 'multitext',
          values: [{ value: '+34 600 000 001', enum_id: expect.any(Number), enum_code: 'MOB' }],
        },
        {
          field_id: expect.any(Number),
          field_name: 'Position',
          field_code: 'POSITION',
          field_type: 'text',
          values: [{ value: 'Buyer' }],
        },
      ]),
      account_id: account.id,
      _links: self(`contacts/${id}`),
      _embedded: {
        tags: [{ id: expect.any(Number), name: 'vip', color: null }],
        companies: [{ id: company, _links: self(`companies/${company}`) }],
        leads: [{ id: lead, _links: self(`leads/${lead}`) }],
        customers: [],
        catalog_elements: [],
      },
    })
    expect(body.custom_fields_values.length).toBe(2)
  })

  test.each([
    ['parts alone', { first_name: 'Ann', last_name: 'Lee' }, ['Ann Lee', 'Ann', 'Lee']],
    ['a name alone', { name: 'Ann Lee' }, ['Ann Lee', 'Ann Lee', '']],
    ['a name and parts', { name: 'A. Lee', first_name: 'Ann', last_name: 'Lee' }, ['A. Lee', 'Ann', 'Lee']],
    ['one part', { last_name: 'Lee' }, ['Lee', '', 'Lee']],
    ['a name and no parts', { name: 'Lee', first_name: null, last_name: null }, ['Lee', 'Lee', '']],
    ['no name and one part', { name: null, first_name: null, last_name: 'Lee' }, ['Lee', '', 'Lee']],
    ['nothing', {}, ['', '', '']],
  ])('the name of a contact with %s', async (_what, draft, names) => {
    const { admin } = await world()
    const id = await add(admin.browser, 'contacts', draft)
    const { name, first_name, last_name } = (await admin.browser.get(`/web/v4/contacts/${id}`)).body
    expect([name, first_name, last_name]).toEqual(names)
  })

  test.each([
    ['leads', { name: 'Bicycles' }],
    ['contacts', { name: 'Ann Lee', first_name: 'Ann', last_name: 'Lee' }],
    ['companies', { name: 'Acme' }],
    ['customers', { name: 'Acme', next_date: BEGINNING }],
  ] as const)('null in a change leaves the names of %s as they are (V14)', async (kind, draft) => {
    const { admin } = await world()
    const id = await add(admin.browser, kind, draft)
    const nulls = { name: null, first_name: null, last_name: null, created_at: BEGINNING + 1 }
    expect((await admin.browser.patch(`/web/v4/${kind}/${id}`, nulls)).status).toBe(200)
    const { body } = await admin.browser.get(`/web/v4/${kind}/${id}`)
    expect(body).toMatchObject({ ...draft, created_at: BEGINNING + 1 })
  })

  test('a change of a part of a contact’s name changes the full name', async () => {
    const { admin, ctx } = await world()
    const id = await add(admin.browser, 'contacts', { first_name: 'Ann', last_name: 'Lee' })
    const { body } = await admin.browser.patch(`/web/v4/contacts/${id}`, { last_name: 'Fox' })
    expect(body).toEqual({
      id,
      name: 'Ann Fox',
      updated_at: BEGINNING,
      request_id: '0',
      _links: self(`contacts/${id}`),
    })
    expect((await log(ctx, { entity_id: id })).at(-1)).toMatchObject({
      type: 'name_field_changed',
      before: [{ name_field_value: { name: 'Ann Lee' } }],
      after: [{ name_field_value: { name: 'Ann Fox' } }],
    })
  })

  test('returns a company', async () => {
    const { admin, account } = await world()
    const { browser } = admin
    const id = await add(browser, 'companies', {
      name: 'Acme',
      custom_fields_values: [{ field_code: 'WEB', values: [{ value: 'https://acme.example' }] }],
    })
    expect((await browser.get(`/web/v4/companies/${id}?with=contacts`)).body).toEqual({
      id,
      name: 'Acme',
      responsible_user_id: admin.id,
      group_id: 0,
      created_by: admin.id,
      updated_by: admin.id,
      created_at: BEGINNING,
      updated_at: BEGINNING,
      is_deleted: false,
      closest_task_at: null,
      custom_fields_values: [
        {
          field_id: expect.any(Number),
          field_name: 'Web',
          field_code: 'WEB',
          field_type: 'url',
          values: [{ value: 'https://acme.example' }],
        },
      ],
      account_id: account.id,
      _links: self(`companies/${id}`),
      _embedded: { tags: [], contacts: [] },
    })
  })

  test('returns a customer', async () => {
    const { admin, account } = await world()
    const { browser } = admin
    const contact = await add(browser, 'contacts', { name: 'Ann' })
    const [first] = (await browser.get('/web/v4/customers/statuses')).body._embedded.statuses
    const id = await add(browser, 'customers', {
      name: 'Ann',
      next_price: 50,
      next_date: BEGINNING + 100,
      periodicity: 30,
      _embedded: { contacts: [{ id: contact, is_main: true }] },
    })
    expect((await browser.get(`/web/v4/customers/${id}?with=contacts`)).body).toEqual({
      id,
      name: 'Ann',
      next_price: 50,
      next_price_with_minor_units: 50,
      next_date: BEGINNING + 100,
      responsible_user_id: admin.id,
      status_id: first.id,
      periodicity: 30,
      created_by: admin.id,
      updated_by: admin.id,
      created_at: BEGINNING,
      updated_at: BEGINNING,
      closest_task_at: null,
      is_deleted: false,
      custom_fields_values: null,
      ltv: 0,
      ltv_with_minor_units: 0,
      purchases_count: 0,
      average_check: 0,
      average_check_with_minor_units: 0,
      account_id: account.id,
      _links: self(`customers/${id}`),
      _embedded: {
        segments: [],
        tags: [],
        companies: [],
        contacts: [{ id: contact, is_main: true, _links: self(`contacts/${contact}`) }],
      },
    })
  })

  test('a stage change of a customer is recorded with both stages, and returns its request_id', async () => {
    const { admin, ctx } = await world()
    const { browser } = admin
    const [first, second] = (await browser.get('/web/v4/customers/statuses')).body._embedded.statuses
    const id = await add(browser, 'customers', { name: 'Ann' })
    const answer = await browser.patch('/web/v4/customers', [{ id, status_id: second.id, request_id: 'q' }])
    expect(answer.body._embedded.customers).toEqual([
      { id, updated_at: BEGINNING, request_id: 'q', _links: self(`customers/${id}`) },
    ])
    expect((await log(ctx, { entity_id: id })).at(-1)).toEqual({
      type: 'customer_status_changed',
      entity: ['customer', id],
      by: admin.id,
      before: [{ customer_status: { id: first.id } }],
      after: [{ customer_status: { id: second.id } }],
    })
  })

  test('a customer requires a name', async () => {
    const { admin } = await world()
    const answer = await admin.browser.post('/web/v4/customers', [{ next_price: 1 }])
    expect([answer.status, answer.body['validation-errors'][0].errors[0].code]).toEqual([400, 'FieldMissing'])
  })

  test.each([
    ['contacts', 'contact'],
    ['companies', 'company'],
    ['customers', 'customer'],
  ])('the creation of %s is recorded, with a note that marks it', async (type, singular) => {
    const { admin, ctx } = await world()
    const id = await add(admin.browser, type, { name: 'Ann' })
    const note = await ctx.db.selectFrom('notes').selectAll().executeTakeFirstOrThrow()
    expect(await log(ctx)).toEqual([
      {
        type: `${singular}_added`,
        entity: [singular, id],
        by: admin.id,
        before: [],
        after: [{ note: { id: note.id } }],
      },
    ])
    expect([note.note_type, note.entity_type, note.entity_id]).toEqual([`${singular}_created`, type, id])
  })
})

describe('Fields of records', () => {
  test('a change of a field is recorded with all its values before and after', async () => {
    const { admin, ctx } = await world()
    const { browser } = admin
    const id = await add(browser, 'contacts', {
      custom_fields_values: [{ field_code: 'PHONE', values: [{ value: '1', enum_code: 'WORK' }] }],
    })
    const known = (await log(ctx)).length
    await browser.patch(`/web/v4/contacts/${id}`, {
      custom_fields_values: [
        {
          field_code: 'PHONE',
          values: [
            { value: '1', enum_code: 'WORK' },
            { value: '2', enum_code: 'MOB' },
          ],
        },
      ],
    })
    const [event, ...more] = (await log(ctx)).slice(known)
    const value = (text: string, enum_id: unknown) => ({
      custom_field_value: { field_id: expect.any(Number), field_type: 8, enum_id, text },
    })
    expect([event, more]).toEqual([
      {
        type: 'custom_field_value_changed',
        entity: ['contact', id],
        by: admin.id,
        before: [value('1', expect.any(Number))],
        after: [value('1', expect.any(Number)), value('2', expect.any(Number))],
      },
      [],
    ])
    const row = await ctx.db
      .selectFrom('events')
      .select(['field_id', 'field_name'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect([row.field_name, event?.after[0]]).toMatchObject([
      'Phone',
      { custom_field_value: { field_id: row.field_id } },
    ])
  })

  test('equal values are not a change, and null clears the field', async () => {
    const { admin, ctx } = await world()
    const { browser } = admin
    const write = (values: object[] | null) => ({
      custom_fields_values: [{ field_code: 'POSITION', values }],
    })
    const id = await add(browser, 'contacts', write([{ value: 'Buyer' }]))
    const known = (await log(ctx)).length
    await browser.patch(`/web/v4/contacts/${id}`, write([{ value: 'Buyer' }]))
    expect((await log(ctx)).length).toBe(known)
    await browser.patch(`/web/v4/contacts/${id}`, write(null))
    expect((await log(ctx)).slice(known).map(({ after }) => after)).toEqual([[]])
    expect((await browser.get(`/web/v4/contacts/${id}`)).body.custom_fields_values).toBeNull()
  })
})
