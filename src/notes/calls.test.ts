import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../test/client.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import { completeRights, type Rights, type Width } from '../accounts/members/rights.ts'

const V4 = 'http://demo.localhost:8080/web/v4'
const PHONE = '+7 912 345-67-89'
const call = { direction: 'inbound', duration: 60, source: 'exchange', phone: PHONE }
const nowhere = (request_id: string | number = '0') => ({
  title: 'Entity not found',
  status: 263,
  detail: 'Entity not found',
  request_id,
})

const having = (...phones: string[]) => ({
  custom_fields_values: [{ field_code: 'PHONE', values: phones.map((value) => ({ value })) }],
})
const linkedTo = (...contacts: number[]) => ({ _embedded: { contacts: contacts.map((id) => ({ id })) } })

const send = (caller: Client, ...calls: object[]) => caller.post('/web/v4/calls', calls)
/** The record of a call, as `entity_type id`; null if there is none. */
const placeOf = ({ body }: Answer): [string, number] | null => {
  const [one] = body._embedded.calls
  return one ? [one.entity_type, one.entity_id] : null
}

async function withContact(...phones: string[]) {
  const all = await world()
  const { browser } = all.admin
  const contact = await add(browser, 'contacts', { name: 'Ann', ...having(...phones) })
  return { ...all, browser, contact }
}

/** The stored notes of an account. */
const notesOf = ({ ctx }: World) =>
  ctx.db.selectFrom('notes').selectAll().where('note_type', 'like', 'call_%').orderBy('id').execute()

describe('POST /calls', () => {
  test('adds each call as a note on the record with its number, and returns the record', async () => {
    const all = await withContact(PHONE)
    const { browser, contact, account, ctx, admin } = all
    const known = (await log(ctx)).length
    const answer = await send(
      browser,
      { ...call, request_id: 'r-1' },
      { ...call, direction: 'outbound', request_id: 7 },
      call,
    )
    const ids: number[] = answer.body._embedded.calls.map(({ id }: { id: number }) => id)
    const added = (i: number, request_id: string | number) => ({
      id: ids[i],
      entity_id: contact,
      entity_type: 'contact',
      account_id: account.id,
      request_id,
      _embedded: { entity: { id: contact, _links: { self: { href: `${V4}/contacts/${contact}` } } } },
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      { _total_items: 3, errors: [], _embedded: { calls: [added(0, 'r-1'), added(1, 7), added(2, '2')] } },
    ])
    const event = (type: string, i: number) => ({
      type,
      entity: ['contact', contact],
      by: admin.id,
      before: [],
      after: [{ note: { id: ids[i] } }],
    })
    expect((await log(ctx)).slice(known)).toEqual([
      event('incoming_call', 0),
      event('outgoing_call', 1),
      event('incoming_call', 2),
    ])
  })

  test('takes a status that the exchange does not know, as the official client names it', async () => {
    const { browser } = await withContact(PHONE)
    const answer = await send(browser, {
      direction: 'inbound',
      duration: 5,
      source: 'pbx',
      phone: PHONE,
      call_status: 8,
    })
    expect(answer.status).toBe(200)
  })

  test('stores all members of a call', async () => {
    const { browser, contact, account, admin, addPerson } = await withContact(PHONE)
    const [ann, bob] = [await addPerson({ name: 'Ann' }), await addPerson({ name: 'Bob' })]
    const params = {
      uniq: 'u-1',
      duration: 0,
      source: 'exchange',
      link: 'https://calls.example/1.mp3',
      phone: PHONE,
      call_result: 'Will think about it',
      call_status: 4,
      call_responsible: 'Reception',
    }
    const people = { responsible_user_id: ann.id, created_by: bob.id, updated_by: 0 }
    const times = { created_at: 5, updated_at: 6 }
    const answer = await send(browser, {
      ...params,
      ...people,
      ...times,
      direction: 'outbound',
      is_new: true,
    })
    const [{ id }] = answer.body._embedded.calls
    const note = await browser.get(`/web/v4/contacts/notes/${id}`)
    expect(note.body).toEqual({
      id,
      entity_id: contact,
      ...people,
      ...times,
      group_id: 0,
      note_type: 'call_out',
      params,
      account_id: account.id,
      _links: { self: { href: `${V4}/contacts/${contact}/notes/${id}` } },
    })
    expect(admin.id).not.toBe(bob.id)
  })

  test('accepts a call with an empty recording link', async () => {
    const { browser } = await withContact(PHONE)
    const answer = await send(browser, { ...call, link: '' })
    const [{ id }] = answer.body._embedded.calls
    expect((await browser.get(`/web/v4/contacts/notes/${id}`)).body.params.link).toBe('')
  })

  test('fills in the time, the author, the responsible person and an id', async () => {
    const all = await withContact(PHONE)
    const { browser, admin, contact } = all
    const ann = await all.addPerson({ name: 'Ann' })
    await browser.patch(`/web/v4/contacts/${contact}`, { responsible_user_id: ann.id })
    await send(browser, call, call)
    const [one, two] = await notesOf(all)
    expect(one).toMatchObject({
      note_type: 'call_in',
      responsible_user_id: ann.id,
      created_by: admin.id,
      updated_by: admin.id,
      created_at: BEGINNING,
      updated_at: BEGINNING,
    })
    const uniqOf = (note: typeof one) => JSON.parse(note?.params ?? '').uniq
    expect(uniqOf(one)).toMatch(/^[0-9a-f-]{36}$/)
    expect(uniqOf(one)).not.toBe(uniqOf(two))
  })

  test('uses the person on the call as the author, unless there is another one', async () => {
    const all = await withContact(PHONE)
    const ann = await all.addPerson({ name: 'Ann' })
    await send(
      all.browser,
      { ...call, call_responsible: ann.id },
      { ...call, call_responsible: ann.id, created_by: all.admin.id },
      { ...call, call_responsible: null },
    )
    const rows = await notesOf(all)
    expect(rows.map(({ created_by, params }) => [created_by, JSON.parse(params).call_responsible])).toEqual([
      [ann.id, ann.id],
      [all.admin.id, ann.id],
      [all.admin.id, undefined],
    ])
  })

  test('adds a call once, and repeats the answer for the same Idempotency-Key', async () => {
    const all = await withContact(PHONE)
    const key = { 'idempotency-key': 'k-1' }
    const first = await all.browser.post('/web/v4/calls', [{ ...call, uniq: 'u-1' }], key)
    const again = await all.browser.post('/web/v4/calls', [{ ...call, uniq: 'u-1' }], key)
    expect([again.body, (await notesOf(all)).length]).toEqual([first.body, 1])
    const before = await traces(all.ctx)
    const other = { ...call, uniq: 'u-2' }
    const stored = await send(all.browser, other, { ...call, uniq: 'u-1', request_id: 'r' })
    expect(faultsOf(stored)).toEqual([400, 'r NotUnique uniq'])
    expect(faultsOf(await send(all.browser, other, call, other))).toEqual([400, '2 NotUnique uniq'])
    expect(await traces(all.ctx)).toEqual(before)
    expect((await send(all.browser, other)).status).toBe(200)
  })
})

describe('A number matches', () => {
  test.each([
    ['in another format', '8 (912) 345-67-89', '+79123456789'],
    ['with another prefix', '0079123456789', '9123456789'],
    ['without a prefix', '912.345.67.89', '+1 912 345 67 89'],
    ['only completely, if it is short', '12-345', '12345'],
  ])('%s', async (_what, kept, phone) => {
    const { browser, contact } = await withContact(kept)
    expect(placeOf(await send(browser, { ...call, phone }))).toEqual(['contact', contact])
  })

  test('among several of one contact', async () => {
    const { browser, contact } = await withContact('111 11 11', PHONE, '222 22 22')
    expect(placeOf(await send(browser, call))).toEqual(['contact', contact])
  })

  test.each([
    ['another number', '+7 912 345-67-80'],
    ['a longer one', '912345678'],
    ['a shorter one', '23456789'],
    ['four digits', '6789'],
    ['no number', 'anonymous'],
  ])('but not %s', async (_what, phone) => {
    const { browser } = await withContact(PHONE, '6789', 'anonymous')
    expect(placeOf(await send(browser, { ...call, phone }))).toBeNull()
  })

  test('neither in other fields nor after it was removed', async () => {
    const { browser, contact } = await withContact(PHONE)
    const values = [{ field_code: 'PHONE', values: [{ value: '111 11 11' }] }]
    const elsewhere = [{ field_code: 'POSITION', values: [{ value: PHONE }] }]
    await browser.patch(`/web/v4/contacts/${contact}`, { custom_fields_values: [...values, ...elsewhere] })
    expect(placeOf(await send(browser, call))).toBeNull()
  })

  test('or its call is reported and not added, while the others are', async () => {
    const all = await withContact(PHONE)
    const { browser, contact, ctx } = all
    const before = await traces(ctx)
    const unknown = { ...call, phone: '+7 000 000-00-00' }
    const lost = await send(browser, unknown, { ...unknown, request_id: 5 })
    expect([lost.status, lost.headers['content-type'], await traces(ctx)]).toEqual([
      400,
      'application/problem+json',
      before,
    ])
    expect(lost.body).toEqual({
      title: 'Bad Request',
      type: 'http://demo.localhost:8080/docs/errors#no_call_matched',
      status: 400,
      detail: 'No phone number belongs to a record.',
      _total_items: 0,
      errors: [nowhere(), nowhere(5)],
      _embedded: { calls: [] },
    })
    const mixed = await send(browser, unknown, call, { ...unknown, request_id: 'b' })
    expect([mixed.status, mixed.body._total_items, mixed.body.errors, placeOf(mixed)]).toEqual([
      200,
      1,
      [nowhere(), nowhere('b')],
      ['contact', contact],
    ])
    expect(await traces(ctx)).toEqual({
      ...before,
      notes: Number(before.notes) + 1,
      call_ids: Number(before.call_ids) + 1,
      events: Number(before.events) + 1,
    })
  })
})

describe('A call is added to', () => {
  type Cards = Record<'lead' | 'won' | 'lost' | 'customer' | 'contact' | 'company', number>
  const everything = async (): Promise<World & { browser: Client; cards: Cards }> => {
    const all = await world()
    const { browser } = all.admin
    const cards = {
      lead: await add(browser, 'leads', { name: 'Roof' }),
      won: await add(browser, 'leads', { status_id: 142 }),
      lost: await add(browser, 'leads', { status_id: 143 }),
      customer: await add(browser, 'customers', { name: 'Acme' }),
      contact: await add(browser, 'contacts', having(PHONE)),
      company: await add(browser, 'companies', { name: 'Acme', ...having(PHONE) }),
    }
    return { ...all, browser, cards }
  }
  const collections = {
    lead: 'leads',
    won: 'leads',
    lost: 'leads',
    customer: 'customers',
    company: 'companies',
  }

  test.each<[string, (keyof typeof collections)[], keyof Cards]>([
    ['the contact without links', [], 'contact'],
    ['the contact with only a company', ['company'], 'contact'],
    ['its open lead', ['lead'], 'lead'],
    ['its open lead if the others are closed', ['won', 'lead', 'lost'], 'lead'],
    ['the contact if its leads are closed', ['won', 'lost'], 'contact'],
    ['its customer', ['customer'], 'customer'],
    ['its customer if its leads are closed', ['won', 'customer'], 'customer'],
    ['the contact if it has a lead and a customer', ['lead', 'customer'], 'contact'],
  ])('%s', async (_what, linked, place) => {
    const { browser, cards } = await everything()
    for (const name of linked)
      await browser.post(`/web/v4/contacts/${cards.contact}/link`, [
        { to_entity_type: collections[name], to_entity_id: cards[name] },
      ])
    const found = placeOf(await send(browser, call))
    expect(found).toEqual([place, cards[place]])
  })

  test.each(['leads', 'customers'])(
    'the contact while it has several %s, and to the only one after the others are gone',
    async (type) => {
      const { browser, contact } = await withContact(PHONE)
      const [one, other] = [0, 1].map(() => add(browser, type, { name: 'Roof', ...linkedTo(contact) }))
      expect([await one, await other].length).toBe(2)
      expect(placeOf(await send(browser, call))).toEqual(['contact', contact])
      await browser.delete(`/web/v4/${type}/${await one}`)
      expect(placeOf(await send(browser, call))).toEqual([type.slice(0, -1), await other])
    },
  )

  test('the company if no contact has the number, and to its only open lead', async () => {
    const { browser, cards } = await everything()
    await browser.delete(`/web/v4/contacts/${cards.contact}`)
    expect(placeOf(await send(browser, call))).toEqual(['company', cards.company])
    await browser.post(`/web/v4/companies/${cards.company}/link`, [
      { to_entity_type: 'leads', to_entity_id: cards.lead },
    ])
    expect(placeOf(await send(browser, call))).toEqual(['lead', cards.lead])
  })

  test('the newest of several contacts outside of the trash', async () => {
    const { browser, contact } = await withContact(PHONE)
    const second = await add(browser, 'contacts', having(PHONE))
    const third = await add(browser, 'contacts', having(PHONE))
    expect(placeOf(await send(browser, call))).toEqual(['contact', third])
    await browser.delete('/web/v4/contacts', [{ id: second }, { id: third }])
    expect(placeOf(await send(browser, call))).toEqual(['contact', contact])
  })
})

describe('The sender of a call', () => {
  const of = (edit: Width): Rights['contacts'] => ({ view: 'A', edit, add: 'A', delete: 'D', export: 'D' })
  const rights = (contacts: Width, leads: Width) =>
    completeRights({ contacts: of(contacts), companies: of(contacts), leads: of(leads) })

  test('must be authenticated', async () => {
    const { stranger } = await world()
    expect((await stranger.post('/api/v4/calls', [call])).status).toBe(401)
    expect((await stranger.post('/web/v4/calls', [call])).status).toBe(401)
  })

  test('reaches records with edit rights; other numbers are unknown', async () => {
    const { browser, contact, ctx, addPerson } = await withContact(PHONE)
    const ann = await addPerson({ name: 'Ann', rights: rights('M', 'M') })
    const before = await traces(ctx)
    const refused = await send(ann.browser, call)
    const unknown = await send(ann.browser, { ...call, phone: '+7 000 000-00-00' })
    expect([refused.status, refused.body]).toEqual([unknown.status, unknown.body])
    expect(refused.body.errors).toEqual([nowhere()])
    expect(await traces(ctx)).toEqual(before)

    const older = await add(browser, 'contacts', { ...having(PHONE), responsible_user_id: ann.id })
    await add(browser, 'contacts', having(PHONE))
    expect(placeOf(await send(ann.browser, call))).toEqual(['contact', older])
    await browser.patch(`/web/v4/contacts/${contact}`, { responsible_user_id: ann.id })
    await browser.delete(`/web/v4/contacts/${older}`)
    expect(placeOf(await send(ann.browser, call))).toEqual(['contact', contact])
  })

  test('reaches no leads or customers without edit rights', async () => {
    const { browser, contact, addPerson } = await withContact(PHONE)
    const ann = await addPerson({ name: 'Ann', rights: rights('A', 'M') })
    await add(browser, 'leads', linkedTo(contact))
    await add(browser, 'customers', { name: 'Acme', ...linkedTo(contact) })
    expect(placeOf(await send(ann.browser, call))).toEqual(['contact', contact])
    const own = await add(browser, 'leads', { ...linkedTo(contact), responsible_user_id: ann.id })
    expect(placeOf(await send(ann.browser, call))).toEqual(['lead', own])
    expect(placeOf(await send(browser, call))).toEqual(['contact', contact])
  })

  test('reaches no leads in a hidden stage', async () => {
    const { browser, contact, addPerson } = await withContact(PHONE)
    const lead = await add(browser, 'leads', linkedTo(contact))
    const { pipeline_id, status_id } = (await browser.get(`/web/v4/leads/${lead}`)).body
    const closed = { view: 'A', edit: 'D', delete: 'D', export: 'D' } as const
    const status_rights = [{ entity_type: 'leads' as const, pipeline_id, status_id, rights: closed }]
    const ann = await addPerson({ name: 'Ann', rights: { ...rights('A', 'A'), status_rights } })
    expect(placeOf(await send(ann.browser, call))).toEqual(['contact', contact])
    expect(placeOf(await send(browser, call))).toEqual(['lead', lead])
  })

  test('reaches no records of other accounts', async () => {
    const { browser, addAccount, addPerson, ctx } = await withContact(PHONE)
    const other = await addPerson({ account: await addAccount('other'), is_admin: true })
    const before = await traces(ctx)
    expect((await send(other.browser, call)).body.errors).toEqual([nowhere()])
    expect(await traces(ctx)).toEqual(before)
    const theirs = await add(other.browser, 'contacts', having(PHONE))
    expect(placeOf(await send(other.browser, call))).toEqual(['contact', theirs])
    expect(placeOf(await send(browser, call))).not.toEqual(['contact', theirs])
  })
})

describe('An invalid call', () => {
  test.each<[string, object, ...string[]]>([
    ['no direction', { direction: undefined }, 'FieldMissing direction'],
    ['another direction', { direction: 'in' }, 'NotSupportedChoice direction'],
    ['no duration', { duration: undefined }, 'FieldMissing duration'],
    ['a duration that is text', { duration: '60' }, 'InvalidType duration'],
    ['half a second', { duration: 0.5 }, 'InvalidType duration'],
    ['a negative duration', { duration: -1 }, 'OutOfRange duration'],
    ['no source', { source: undefined }, 'FieldMissing source'],
    ['no phone', { phone: undefined }, 'FieldMissing phone'],
    ['an empty phone', { phone: '' }, 'NotBlank phone'],
    ['a phone that is a number', { phone: 79123456789 }, 'InvalidType phone'],
    ['a phone that is too long', { phone: '1'.repeat(256) }, 'TooLong phone'],
    ['an invalid link', { link: 'call.mp3' }, 'InvalidFormat link'],
    ['a script link', { link: 'javascript:alert(1)' }, 'InvalidFormat link'],
    ['a status that does not exist', { call_status: 9 }, 'OutOfRange call_status'],
    ['a result that is a number', { call_result: 1 }, 'InvalidType call_result'],
    [
      'an unknown responsible user',
      { responsible_user_id: 999_999 },
      'NotSupportedChoice responsible_user_id',
    ],
    ['an unknown author', { created_by: 999_999 }, 'NotSupportedChoice created_by'],
    ['an unknown editor', { updated_by: 999_999 }, 'NotSupportedChoice updated_by'],
    ['an unknown caller', { call_responsible: 999_999 }, 'NotSupportedChoice call_responsible'],
    ['a negative time', { created_at: -1 }, 'OutOfRange created_at'],
  ])(
    'with %s is refused with its path, and nothing of the batch is stored',
    async (_what, draft, ...faults) => {
      const { browser, ctx } = await withContact(PHONE)
      const before = await traces(ctx)
      const answer = await send(browser, call, { ...call, ...draft, request_id: 'bad' })
      expect(faultsOf(answer)).toEqual([400, ...faults.map((fault) => `bad ${fault}`)])
      expect(await traces(ctx)).toEqual(before)
    },
  )

  test('can name only active people of the account', async () => {
    const { browser, addAccount, addPerson, ctx } = await withContact(PHONE)
    const other = await addPerson({ account: await addAccount('other') })
    const gone = await addPerson({ name: 'Gone' })
    await browser.post(`/web/v4/users/${gone.id}/deactivate`)
    const before = await traces(ctx)
    const answer = await send(
      browser,
      { ...call, created_by: other.id },
      { ...call, responsible_user_id: gone.id },
    )
    expect(faultsOf(answer)).toEqual([
      400,
      '0 NotSupportedChoice created_by',
      '1 NotSupportedChoice responsible_user_id',
    ])
    expect(await traces(ctx)).toEqual(before)
    expect((await send(browser, { ...call, created_by: gone.id })).body._total_items).toBe(1)
  })

  test.each<[string, unknown]>([
    ['no call', []],
    ['a single call', call],
    ['251 of them', Array(251).fill(call)],
  ])('is %s and is refused', async (_what, body) => {
    const { browser, ctx } = await withContact(PHONE)
    const before = await traces(ctx)
    expect((await browser.post('/web/v4/calls', body)).status).toBe(400)
    expect(await traces(ctx)).toEqual(before)
  })

  test('is not a batch of 250 calls by as many people', async () => {
    const { browser } = await world().then(({ admin }) => admin)
    const numbers = Array.from({ length: 250 }, (_, i) => `+7 912 345-${String(i).padStart(4, '0')}`)
    const contacts = (
      await browser.post(
        '/web/v4/contacts',
        numbers.map((number) => having(number)),
      )
    ).body
    const answer = await send(browser, ...numbers.map((phone) => ({ ...call, phone })))
    const idsOf = (rows: { entity_id?: number; id: number }[]) =>
      rows.map(({ entity_id, id }) => entity_id ?? id)
    expect(idsOf(answer.body._embedded.calls)).toEqual(idsOf(contacts._embedded.contacts))
  })
})
