import { describe, expect, test } from 'vitest'
import { client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { add, addAll, log, traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'
import { insertRows } from '../../db/row-sets.ts'

const everyRight = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } as const
const NO_LEAD = 'There is no such lead.'

const link = (type: string, id: number) => [{ link: { entity: { type, id } } }]
const unlink = (type: string, id: number) => [{ unlink: { entity: { type, id } } }]

/** New events of one record, without their author. */
async function since({ ctx }: World, known: number) {
  return (await log(ctx)).slice(known).map(({ type, entity, before, after }) => [type, entity, before, after])
}

const read = async ({ admin }: World, path: string) => (await admin.browser.get(`/web/v4/${path}`)).body

const linksOf = async (all: World, path: string) =>
  (await read(all, `${path}/links`))._embedded.links.map(
    ({ to_entity_type, to_entity_id, metadata }: Record<string, unknown>) => [
      to_entity_type,
      to_entity_id,
      metadata,
    ],
  )

describe('POST /{kind}/merge', () => {
  test.each(['leads', 'contacts', 'companies', 'customers'])(
    'two %s are merged: the survivor records it, and the other goes permanently to the trash',
    async (type) => {
      const all = await world()
      const { admin, ctx, clock } = all
      const [a, b] = [
        await add(admin.browser, type, { name: 'A' }),
        await add(admin.browser, type, { name: 'B' }),
      ]
      const known = (await log(ctx)).length
      clock.advance(60)
      const answer = await admin.browser.post(`/web/v4/${type}/merge`, { id: a, merge: [b] })
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          id: a,
          updated_at: BEGINNING + 60,
          merged: [b],
          _links: { self: { href: `http://demo.localhost:8080/web/v4/${type}/${a}` } },
        },
      ])
      const singular = { leads: 'lead', contacts: 'contact', companies: 'company', customers: 'customer' }[
        type
      ] as string
      expect((await log(ctx)).slice(known)).toEqual([
        { type: 'entity_merged', entity: [singular, a], by: admin.id, before: [], after: [] },
        { type: `${singular}_deleted`, entity: [singular, b], by: admin.id, before: [], after: [] },
      ])
      expect([
        (await read(all, `${type}/${a}`)).name,
        (await admin.browser.get(`/web/v4/${type}/${b}`)).status,
        (await admin.browser.post(`/web/v4/${type}/${b}/restore`)).status,
        (await read(all, `${type}/${b}?with=only_deleted`)).name,
      ]).toEqual(['A', 204, 404, 'B'])
    },
  )

  test('the survivor keeps its values, gets missing ones in the given order, and combines telephone numbers', async () => {
    const all = await world()
    const { browser } = all.admin
    const position = (value: string) => ({ field_code: 'POSITION', values: [{ value }] })
    const phones = (...numbers: string[]) => ({
      field_code: 'PHONE',
      values: numbers.map((value) => ({ value, enum_code: 'WORK' })),
    })
    const contact = (name: string, ...custom_fields_values: object[]) =>
      add(browser, 'contacts', { name, custom_fields_values })
    const a = await contact('', phones('+1 1'))
    const b = await contact('Bea', position('Cook'), phones('+1 2', '+1 1'))
    const c = await contact('Cid', position('Chef'), phones('+1 3'))
    const fields: { id: number; code: string; enums?: { id: number; value: string }[] }[] = (
      await read(all, 'contacts/custom_fields')
    )._embedded.custom_fields
    const field = (code: string) => fields.find((one) => one.code === code) as (typeof fields)[number]
    const work = field('PHONE').enums?.find(({ value }) => value === 'WORK')?.id
    const known = (await log(all.ctx)).length
    await browser.post('/web/v4/contacts/merge', { id: a, merge: [b, c] })
    const merged = await read(all, `contacts/${a}`)
    const values = merged.custom_fields_values.map(
      ({ field_code, values }: { field_code: string; values: { value: string }[] }) => [
        field_code,
        values.map(({ value }) => value),
      ],
    )
    expect([merged.name, merged.first_name, Object.fromEntries(values)]).toEqual([
      'Bea',
      'Bea',
      { POSITION: ['Cook'], PHONE: ['+1 1', '+1 2', '+1 3'] },
    ])
    const value = (code: string, enum_id: number | null, text: string) => ({
      custom_field_value: {
        field_id: field(code).id,
        field_type: code === 'PHONE' ? 8 : 1,
        enum_id: enum_id ?? null,
        text,
      },
    })
    const phone = (text: string) => value('PHONE', work as number, text)
    const events = await since(all, known)
    expect(events).toHaveLength(6)
    expect(events).toEqual(
      expect.arrayContaining([
        ['entity_merged', ['contact', a], [], []],
        [
          'name_field_changed',
          ['contact', a],
          [{ name_field_value: { name: '' } }],
          [{ name_field_value: { name: 'Bea' } }],
        ],
        ['custom_field_value_changed', ['contact', a], [], [value('POSITION', null, 'Cook')]],
        [
          'custom_field_value_changed',
          ['contact', a],
          [phone('+1 1')],
          [phone('+1 1'), phone('+1 2'), phone('+1 3')],
        ],
        ['contact_deleted', ['contact', b], [], []],
        ['contact_deleted', ['contact', c], [], []],
      ]),
    )
    const found = (await read(all, 'contacts?query=cook'))._embedded.contacts
    expect(found.map(({ id }: { id: number }) => id)).toEqual([a])
  })

  test('multiple choices are combined, and an address stays complete', async () => {
    const all = await world()
    const { browser } = all.admin
    const enums = ['A', 'B', 'C'].map((value, sort) => ({ value, sort }))
    const { body } = await browser.post('/web/v4/leads/custom_fields', [
      { name: 'Kinds', type: 'multiselect', enums },
      { name: 'Place', type: 'smart_address' },
      { name: 'Note', type: 'text' },
    ])
    const [kinds, place, note] = body._embedded.custom_fields.map(({ id }: { id: number }) => id)
    const written = (chosen: string[], parts: Record<string, string>, text: string | null) => [
      { field_id: kinds, values: chosen.map((value) => ({ value })) },
      {
        field_id: place,
        values: Object.entries(parts).map(([enum_code, value]) => ({ value, enum_code })),
      },
      { field_id: note, values: text === null ? null : [{ value: text }] },
    ]
    const lead = (...of: Parameters<typeof written>) =>
      add(browser, 'leads', { custom_fields_values: written(...of) })
    const a = await lead(['C', 'A'], { city: 'Rome' }, null)
    const b = await lead(['A', 'B'], { city: 'Oslo', zip: '0150' }, 'b')
    const c = await lead([], {}, 'c')
    await browser.post('/web/v4/leads/merge', { id: a, merge: [b, c] })
    const { custom_fields_values } = await read(all, `leads/${a}`)
    expect(
      custom_fields_values.map(({ field_id, values }: { field_id: number; values: { value: string }[] }) => [
        field_id,
        values.map(({ value }) => value),
      ]),
    ).toEqual([
      [kinds, ['C', 'A', 'B']],
      [place, ['Rome']],
      [note, ['b']],
    ])
  })

  test('leads keep the survivor’s price, combine tags, and move notes', async () => {
    const all = await world()
    const { browser } = all.admin
    const tags = (...names: string[]) => ({ tags: names.map((name) => ({ name })) })
    const a = await add(browser, 'leads', { name: 'A', price: 5, _embedded: tags('hot') })
    const b = await add(browser, 'leads', { name: 'B', price: 7, _embedded: tags('hot', 'new') })
    const known = (await log(all.ctx)).length
    await browser.post('/web/v4/leads/merge', { id: a, merge: [b] })
    const { price, _embedded } = await read(all, `leads/${a}`)
    expect([price, _embedded.tags.map(({ name }: { name: string }) => name)]).toEqual([5, ['hot', 'new']])
    expect(await since(all, known)).toEqual([
      ['entity_merged', ['lead', a], [], []],
      ['entity_tag_added', ['lead', a], [], [{ tag: { name: 'new' } }]],
      ['lead_deleted', ['lead', b], [], []],
    ])
    const notes = await all.ctx.db.selectFrom('notes').select(['entity_id', 'params']).orderBy('id').execute()
    expect(notes).toEqual([
      { entity_id: a, params: '{"text":"A"}' },
      { entity_id: a, params: '{"text":"B"}' },
    ])
  })

  test('links move with events on both sides; the survivor’s company and main contact stay', async () => {
    const all = await world()
    const { browser } = all.admin
    const [own, other] = [await add(browser, 'companies'), await add(browser, 'companies')]
    const [ann, bob] = [await add(browser, 'contacts'), await add(browser, 'contacts')]
    const lead = (company: number, contact: number) =>
      add(browser, 'leads', { _embedded: { companies: [{ id: company }], contacts: [{ id: contact }] } })
    const [a, b] = [await lead(own, ann), await lead(other, bob)]
    const known = (await log(all.ctx)).length
    await browser.post('/web/v4/leads/merge', { id: a, merge: [b] })
    expect(await linksOf(all, `leads/${a}`)).toEqual([
      ['contacts', ann, { main_contact: true }],
      ['contacts', bob, { main_contact: false }],
      ['companies', own, null],
    ])
    expect([await linksOf(all, `contacts/${bob}`), await linksOf(all, `companies/${other}`)]).toEqual([
      [['leads', a, null]],
      [],
    ])
    const events = await since(all, known)
    expect(events).toHaveLength(8)
    expect(events).toEqual(
      expect.arrayContaining([
        ['entity_merged', ['lead', a], [], []],
        ['contact_linked', ['lead', a], [], link('contact', bob)],
        ['lead_linked', ['contact', bob], [], link('lead', a)],
        ['contact_unlinked', ['lead', b], unlink('contact', bob), []],
        ['lead_unlinked', ['contact', bob], unlink('lead', b), []],
        ['company_unlinked', ['lead', b], unlink('company', other), []],
        ['lead_unlinked', ['company', other], unlink('lead', b), []],
        ['lead_deleted', ['lead', b], [], []],
      ]),
    )
  })

  test('a survivor without a company or contact gets those of the first record with one', async () => {
    const all = await world()
    const { browser } = all.admin
    const [first, second] = [await add(browser, 'companies'), await add(browser, 'companies')]
    const [ann, bob] = [await add(browser, 'contacts'), await add(browser, 'contacts')]
    const a = await add(browser, 'leads')
    const b = await add(browser, 'leads', {
      _embedded: { companies: [{ id: first }], contacts: [{ id: ann }, { id: bob, is_main: true }] },
    })
    const c = await add(browser, 'leads', {
      _embedded: { companies: [{ id: second }], contacts: [{ id: ann }] },
    })
    await browser.post('/web/v4/leads/merge', { id: a, merge: [b, c] })
    expect(await linksOf(all, `leads/${a}`)).toEqual([
      ['contacts', ann, { main_contact: false }],
      ['contacts', bob, { main_contact: true }],
      ['companies', first, null],
    ])
  })

  test('a survivor replaces a merged main contact', async () => {
    const all = await world()
    const { browser } = all.admin
    const [a, b, third] = [
      await add(browser, 'contacts'),
      await add(browser, 'contacts'),
      await add(browser, 'contacts'),
    ]
    const lead = await add(browser, 'leads', {
      _embedded: { contacts: [{ id: third }, { id: a }, { id: b, is_main: true }] },
    })
    await browser.post('/web/v4/contacts/merge', { id: a, merge: [b] })
    expect(await linksOf(all, `leads/${lead}`)).toEqual([
      ['contacts', a, { main_contact: true }],
      ['contacts', third, { main_contact: false }],
    ])
  })

  test('thousands of leads of a merged company move to the survivor', { timeout: 120_000 }, async () => {
    const all = await world()
    const { browser } = all.admin
    const [a, b] = [await add(browser, 'companies'), await add(browser, 'companies')]
    for (let batch = 0; batch < 8; batch++)
      await browser.post('/web/v4/leads', Array(250).fill({ _embedded: { companies: [{ id: b }] } }))
    const answer = await browser.post('/web/v4/companies/merge', { id: a, merge: [b] })
    const links = await all.ctx.db
      .selectFrom('links')
      .select(['entity_id', 'to_entity_id'])
      .where('to_entity_type', '=', 'leads')
      .execute()
    expect([answer.status, links.length, new Set(links.map(({ entity_id }) => entity_id))]).toEqual([
      200,
      2_000,
      new Set([a]),
    ])
  })

  test('records with too many links cannot be merged, and the error says so', async () => {
    const { admin, account, ctx } = await world()
    const [a, b] = [await add(admin.browser, 'companies'), await add(admin.browser, 'companies')]
    const row = { account_id: account.id, entity_id: b, entity_type: 'companies', to_entity_type: 'leads' }
    const metadata = { is_main: 0, quantity: null, catalog_id: null, price_id: null } as const
    const links = Array.from({ length: 5_001 }, (_, i) => ({ ...row, ...metadata, to_entity_id: 10_000 + i }))
    await ctx.db.transaction().execute((tx) => insertRows(tx, 'links', links))
    const before = await traces(ctx)
    const answer = await admin.browser.post('/web/v4/companies/merge', { id: a, merge: [b] })
    expect([answer.status, answer.body.type]).toEqual([
      409,
      'http://demo.localhost:8080/docs/errors#merge_limit',
    ])
    expect(await traces(ctx)).toEqual(before)
  })

  test('tasks move, and the survivor’s closest task is the earliest of all', async () => {
    const all = await world()
    const { browser } = all.admin
    const [a, b] = [await add(browser, 'leads'), await add(browser, 'leads')]
    const task = (entity_id: number, complete_till: number) => ({
      entity_id,
      entity_type: 'leads',
      text: 'Call',
      complete_till,
    })
    const tasks = await addAll(browser, 'tasks', [task(a, 50), task(b, 30), task(b, 40)])
    await browser.post('/web/v4/leads/merge', { id: a, merge: [b] })
    const parents = await Promise.all(tasks.map(async (id) => (await read(all, `tasks/${id}`)).entity_id))
    expect([parents, (await read(all, `leads/${a}`)).closest_task_at]).toEqual([[a, a, a], 30])
  })

  test('totals of customers are added up', async () => {
    const all = await world()
    const { admin, ctx } = all
    const [a, b] = [
      await add(admin.browser, 'customers', { name: 'A' }),
      await add(admin.browser, 'customers', { name: 'B' }),
    ]
    await ctx.db.transaction().execute(async (tx) => {
      for (const [id, ltv] of [
        [a, 10],
        [b, 32],
      ] as const)
        await tx
          .updateTable('entities')
          .set({ ltv, purchases_count: 1, bonus_points: 1 })
          .where('id', '=', id)
          .execute()
      const at = { created_at: BEGINNING, updated_at: BEGINNING, completed_at: BEGINNING }
      const by = { created_by: admin.id, updated_by: admin.id }
      await tx
        .insertInto('transactions')
        .values({
          account_id: all.account.id,
          id: 900,
          customer_id: b,
          price: 32,
          comment: null,
          elements: '[]',
          is_deleted: 0,
          ...at,
          ...by,
        })
        .execute()
    })
    const known = (await log(ctx)).length
    await admin.browser.post('/web/v4/customers/merge', { id: a, merge: [b] })
    const { ltv, purchases_count } = await read(all, `customers/${a}`)
    const purchases = await ctx.db.selectFrom('transactions').select('customer_id').execute()
    expect([ltv, purchases_count, purchases]).toEqual([42, 2, [{ customer_id: a }]])
    expect(await since(all, known)).toEqual([
      ['entity_merged', ['customer', a], [], []],
      [
        'ltv_field_changed',
        ['customer', a],
        [{ ltv_field_value: { ltv: 10 } }],
        [{ ltv_field_value: { ltv: 42 } }],
      ],
      ['customer_deleted', ['customer', b], [], []],
    ])
  })
})

describe('Permission to merge', () => {
  test('requires authentication', async () => {
    const { stranger, admin, ctx } = await world()
    const body = { id: await add(admin.browser, 'leads'), merge: [await add(admin.browser, 'leads')] }
    const before = await traces(ctx)
    expect((await stranger.post('/api/v4/leads/merge', body)).status).toBe(401)
    expect((await stranger.post('/web/v4/leads/merge', body)).status).toBe(401)
    expect(await traces(ctx)).toEqual(before)
  })

  test('without the right to delete or edit, existing and unknown ids get the same refusal', async () => {
    const { admin, addPerson, ctx } = await world()
    const of = (responsible_user_id: number) => add(admin.browser, 'leads', { responsible_user_id })
    const ann = await addPerson({
      rights: { leads: { view: 'A', edit: 'A', add: 'A', delete: 'M', export: 'D' } },
    })
    const bob = await addPerson({
      rights: { leads: { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'D' } },
    })
    const [hers, others] = [await of(ann.id), await of(admin.id)]
    const [ofBob, another] = [await of(bob.id), await of(bob.id)]
    const before = await traces(ctx)
    const merge = async (person: typeof ann, id: number, merge: number) => {
      const { status, body } = await person.browser.post('/web/v4/leads/merge', { id, merge: [merge] })
      return [status, body.detail]
    }
    const refused = [403, 'Insufficient rights to call this method']
    expect([
      await merge(ann, hers, others),
      await merge(bob, ofBob, others),
      await merge(bob, others, ofBob),
      await merge(bob, ofBob, 999_999),
      await merge(bob, 999_999, ofBob),
    ]).toEqual(Array(5).fill(refused))
    expect(await traces(ctx)).toEqual(before)
    expect((await merge(ann, others, hers))[0]).toBe(200)
    expect((await merge(bob, ofBob, another))[0]).toBe(200)
  })

  onEmbedded.each<[string, (a: number, b: number) => object, string, string]>([
    ['itself', (a) => ({ id: a, merge: [a] }), 'merge.0', 'NotSupportedChoice'],
    ['an id that is none', (a) => ({ id: a, merge: [999_999] }), 'merge.0', 'NotSupportedChoice'],
    ['a survivor that is none', (a) => ({ id: 999_999, merge: [a] }), 'id', 'NotSupportedChoice'],
    ['nothing', (a) => ({ id: a, merge: [] }), 'merge', 'TooFew'],
    ['the same twice', (a, b) => ({ id: a, merge: [b, b] }), 'merge', 'NotUnique'],
    ['eleven', (a) => ({ id: a, merge: Array.from({ length: 11 }, (_, i) => 500 + i) }), 'merge', 'TooMany'],
    ['text', (a, b) => ({ id: a, merge: [String(b)] }), 'merge.0', 'InvalidType'],
    ['no survivor', (_a, b) => ({ merge: [b] }), 'id', 'FieldMissing'],
  ])('%s is rejected, and changes nothing', async (_what, body, path, code) => {
    const { admin, ctx } = await world()
    const [a, b] = [await add(admin.browser, 'leads'), await add(admin.browser, 'leads')]
    const before = await traces(ctx)
    const answer = await admin.browser.post('/web/v4/leads/merge', body(a, b))
    expect([answer.status, answer.body['validation-errors']]).toEqual([
      400,
      [{ request_id: '0', errors: [{ code, path, detail: expect.any(String) }] }],
    ])
    expect(await traces(ctx)).toEqual(before)
  })

  onEmbedded('records of another account, of other kinds and in the trash are not found', async () => {
    const { admin, addAccount, addPerson, ctx } = await world()
    const other = await addPerson({ account: await addAccount('other'), is_admin: true })
    const foreign = await add(other.browser, 'leads')
    const [a, contact] = [await add(admin.browser, 'leads'), await add(admin.browser, 'contacts')]
    const trashed = await add(admin.browser, 'leads')
    await admin.browser.delete(`/web/v4/leads/${trashed}`)
    const before = await traces(ctx)
    for (const id of [foreign, contact, trashed]) {
      const answer = await admin.browser.post('/web/v4/leads/merge', { id: a, merge: [id] })
      expect([answer.status, answer.body['validation-errors']]).toEqual([
        400,
        [
          {
            request_id: '0',
            errors: [{ code: 'NotSupportedChoice', path: 'merge.0', detail: NO_LEAD }],
          },
        ],
      ])
    }
    expect(await traces(ctx)).toEqual(before)
  })
})

test('of two concurrent merges of the same records one succeeds, without a deadlock', async () => {
  const all = await world()
  const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
  const { browser } = all.admin
  const another = client(second.app.http, browser.identity)
  for (let round = 0; round < 10; round++) {
    const [a, b] = [await add(browser, 'contacts'), await add(browser, 'contacts')]
    const lead = await add(browser, 'leads', { _embedded: { contacts: [{ id: b }] } })
    const answers = await Promise.all([
      browser.post('/web/v4/contacts/merge', { id: a, merge: [b] }),
      another.post('/web/v4/contacts/merge', { id: b, merge: [a] }),
      another.post(`/web/v4/contacts/${b}/link`, [{ to_entity_id: lead, to_entity_type: 'leads' }]),
    ])
    const [one, two] = answers.map(({ status }) => status)
    expect([one, two].sort()).toEqual([200, 400])
    const survivor = one === 200 ? a : b
    expect(await linksOf(all, `leads/${lead}`)).toEqual([['contacts', survivor, { main_contact: true }]])
  }
})

test('rights on contacts are sufficient to move their leads', async () => {
  const all = await world()
  const { admin, addPerson } = all
  const ann = await addPerson({ rights: { contacts: everyRight } })
  const [a, b] = [await add(admin.browser, 'contacts'), await add(admin.browser, 'contacts')]
  const lead = await add(admin.browser, 'leads', { _embedded: { contacts: [{ id: b }] } })
  expect((await ann.browser.post('/web/v4/contacts/merge', { id: a, merge: [b] })).status).toBe(200)
  expect(await linksOf(all, `leads/${lead}`)).toEqual([['contacts', a, { main_contact: true }]])
})

test('a merged record leads to the last survivor, as far as the reader sees it', async () => {
  const all = await world()
  const { admin, addPerson } = all
  const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
  const ann = await addPerson({ rights: { contacts: own } })
  const [a, b, c, d] = [
    await add(admin.browser, 'contacts', { name: 'A' }),
    await add(admin.browser, 'contacts', { name: 'B' }),
    await add(admin.browser, 'contacts', { name: 'C', responsible_user_id: ann.id }),
    await add(admin.browser, 'contacts', { name: 'D' }),
  ]
  await admin.browser.post('/web/v4/contacts/merge', { id: b, merge: [c] })
  await admin.browser.post('/web/v4/contacts/merge', { id: a, merge: [b] })
  await admin.browser.delete(`/web/v4/contacts/${d}`)
  const asked = async ({ browser }: Pick<typeof admin, 'browser'>, id: number, type = 'contacts') => {
    const { status, body } = await browser.get(`/web/survivors/${type}/${id}`)
    return status === 200 ? body : status
  }
  expect(await asked(admin, c)).toEqual({ is_merged: true, survivor: { id: a, name: 'A' } })
  expect(await asked(ann, c)).toEqual({ is_merged: true, survivor: null })
  expect(await asked(ann, b)).toBe(404)
  expect(await asked(admin, d)).toEqual({ is_merged: false, survivor: null })
  // A record that is not in the trash has no survivor, and a record of another kind is not found.
  expect(await asked(admin, a)).toBe(404)
  expect(await asked(admin, c, 'leads')).toBe(404)
  expect(await asked(admin, c, 'tasks')).toBe(404)
  await admin.browser.delete(`/web/v4/contacts/${a}`)
  expect(await asked(admin, c)).toEqual({ is_merged: true, survivor: null })
})
