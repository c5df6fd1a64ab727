import { type TSchema, Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { add, traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'
import { Time } from '../times.ts'
import { lenient } from './lenient-bodies.ts'

const V4 = '/web/v4'
const read = (schema: TSchema, value: unknown) => lenient(schema)(structuredClone(value))

const NOTES = `${V4}/leads/notes`
const call = { duration: 5, source: 'pbx', phone: '+1 555 0100' }
const note = async ({ admin }: World, id: number) => (await admin.browser.get(`${NOTES}/${id}`)).body

describe('V14: null in an optional member means that it is omitted', () => {
  test('in every kind of body, also in nested members', async () => {
    const here = await world()
    const { browser } = here.admin
    const nulls = { created_at: null, updated_at: null, created_by: null, responsible_user_id: null }
    const lead = await add(browser, 'leads', {
      ...nulls,
      name: 'Roof',
      status_id: null,
      request_id: null,
      _embedded: { tags: [{ id: null, name: 'new' }], contacts: null, source: null },
    })
    const shown = (await browser.get(`${V4}/leads/${lead}`)).body
    expect([shown.created_at, shown._embedded.tags.length]).toEqual([BEGINNING, 1])

    const notes = await browser.post(NOTES, [
      {
        ...nulls,
        entity_id: lead,
        note_type: 'call_in',
        params: {
          ...call,
          uniq: null,
          link: null,
          call_result: null,
          call_status: null,
          call_responsible: null,
        },
      },
    ])
    expect(notes.status).toBe(200)
    expect((await note(here, notes.body._embedded.notes[0].id)).params).toEqual({
      ...call,
      uniq: expect.any(String),
    })

    const task = await browser.post(`${V4}/tasks`, [
      { ...nulls, text: 'Call', complete_till: BEGINNING, duration: null, is_completed: null },
    ])
    expect(task.status).toBe(200)
  })

  test('for a call and for the params of an edited note', async () => {
    const here = await world()
    const { browser } = here.admin
    const lead = await add(browser, 'leads', {})
    const added = await browser.post(NOTES, [
      {
        entity_id: lead,
        note_type: 'call_in',
        params: { ...call, uniq: 'u-1', link: 'https://a.example/1' },
      },
    ])
    const [{ id }] = added.body._embedded.notes
    const edited = await browser.patch(`${NOTES}/${id}`, { params: { link: null, uniq: null, duration: 6 } })
    expect(edited.status).toBe(200)
    expect((await note(here, id)).params).toEqual({
      ...call,
      duration: 6,
      uniq: 'u-1',
      link: 'https://a.example/1',
    })
  })

  test('but null keeps its meaning where it is allowed, and is refused where a value is required', async () => {
    const { admin, ctx } = await world()
    const id = await add(admin.browser, 'leads', { price: 5, name: 'Roof' })
    await admin.browser.patch(`${V4}/leads/${id}`, { price: null, custom_fields_values: null })
    expect((await admin.browser.get(`${V4}/leads/${id}`)).body.price).toBe(0)
    const before = await traces(ctx)
    const refused = await admin.browser.post(`${V4}/tasks`, [{ text: null, complete_till: null }])
    expect(refused.body['validation-errors'][0].errors.map(({ path }: { path: string }) => path)).toEqual([
      'text',
      'complete_till',
    ])
    expect(await traces(ctx)).toEqual(before)
  })

  test('but a schema that allows null anywhere keeps it', () => {
    const schema = Type.Object({
      out: Type.Optional(Type.Integer()),
      kept: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      listed: Type.Optional(Type.Unsafe({ enum: ['a', null] })),
      any: Type.Optional(Type.Unknown()),
      typed: Type.Optional(Type.Unsafe({ type: ['integer', 'null'] })),
      needed: Type.Integer(),
    })
    const nulls = { out: null, kept: null, listed: null, any: null, typed: null, needed: null, unknown: null }
    expect(read(schema, nulls)).toEqual({ ...nulls, out: undefined })
    expect(Object.keys(read(schema, nulls) as object)).not.toContain('out')
  })

  test('and for one of several object types, only if the member is optional in all of them', () => {
    const one = Type.Object({
      kind: Type.Literal('one'),
      a: Type.Optional(Type.Integer()),
      b: Type.Integer(),
    })
    const two = Type.Object({ kind: Type.Literal('two'), b: Type.Optional(Type.Integer()) })
    const value = { kind: 'two', a: null, b: null }
    expect(read(Type.Union([one, two]), value)).toEqual({ kind: 'two', b: null })
    const union = Type.Unsafe({ type: 'object', discriminator: { propertyName: 'kind' }, oneOf: [one, two] })
    expect(read(union, value)).toEqual({ kind: 'two', a: null })
    expect(read(Type.Intersect([two, Type.Object({ a: Type.Optional(Type.Integer()) })]), value)).toEqual({
      kind: 'two',
    })
  })
})

describe('V14: [] means an empty object where an object is expected', () => {
  test('for params, embedded members and whole bodies', async () => {
    const here = await world()
    const { browser } = here.admin
    const id = await add(browser, 'leads', { name: 'Roof', _embedded: [] })
    expect((await browser.patch(`${V4}/leads/${id}`, [])).status).toBe(200)
    const empty = await browser.post(NOTES, [{ entity_id: id, note_type: 'common', params: [] }])
    expect(empty.body['validation-errors'][0].errors).toEqual([
      { code: 'FieldMissing', path: 'params.text', detail: 'This field is missing.' },
    ])
    const added = await browser.post(NOTES, [{ entity_id: id, note_type: 'common', params: { text: 'Hi' } }])
    const [{ id: named }] = added.body._embedded.notes
    expect((await browser.patch(`${NOTES}/${named}`, { params: [] })).status).toBe(200)
    expect((await note(here, named)).params).toEqual({ text: 'Hi' })
  })

  test('and in the values of a lead of leads/complex, whose stage can be 0', async () => {
    const { admin } = await world()
    const { browser } = admin
    const fields = await browser.post(`${V4}/contacts/custom_fields`, [{ name: 'City', type: 'text' }])
    const [{ id: field_id }] = fields.body._embedded.custom_fields
    const answer = await browser.post(`${V4}/leads/complex`, [
      {
        name: 'Roof',
        status_id: 0,
        pipeline_id: 0,
        custom_fields_values: [],
        _embedded: {
          contacts: [{ custom_fields_values: { 1: { field_id, values: { 3: { value: 'Ulm' } } } } }],
          companies: [{ custom_fields_values: null }],
        },
      },
    ])
    expect([answer.status, answer.body]).toEqual([200, [expect.objectContaining({ request_id: ['0'] })]])
    const contact = (await browser.get(`${V4}/contacts/${answer.body[0].contact_id}`)).body
    expect(contact.custom_fields_values).toMatchObject([{ field_id, values: [{ value: 'Ulm' }] }])
  })

  test('and an object with only numeric names is an array where an object needs other names', () => {
    const run = Type.Object({ id: Type.Integer() })
    const runs = Type.Union([Type.Array(run), run])
    expect(read(runs, { 0: { id: 1 }, 2: { id: 2 } })).toEqual([{ id: 1 }, { id: 2 }])
    expect(read(runs, { id: 1 })).toEqual({ id: 1 })
    const byId = Type.Union([Type.Array(run), Type.Object({}, { additionalProperties: true })])
    expect(read(byId, { 0: { id: 1 } })).toEqual({ 0: { id: 1 } })
  })

  test('and an object with only numeric names is an array', () => {
    const schema = Type.Object({ list: Type.Array(Type.Object({ a: Type.Optional(Type.Integer()) })) })
    expect(read(schema, { list: { 3: { a: null }, 7: { a: 1 } } })).toEqual({ list: [{}, { a: 1 }] })
    for (const list of [{}, { a: {} }, { 1: {}, a: {} }]) expect(read(schema, { list })).toEqual({ list })
    expect(read(schema, { list: [[]] })).toEqual({ list: [{}] })
    expect(read(schema, { list: [[1]] })).toEqual({ list: [[1]] })
  })

  test('and chained lists can be a map by id', async () => {
    const { admin } = await world()
    const catalogs = await admin.browser.post(`${V4}/catalogs`, [{ name: 'Makes' }, { name: 'Models' }])
    const [one, two] = catalogs.body._embedded.catalogs.map(({ id }: { id: number }) => id)
    const chained_lists = {
      [one]: { catalog_id: one, parent_catalog_id: null, title: 'Make' },
      [two]: { catalog_id: two, parent_catalog_id: one, title: 'Model' },
    }
    const answer = await admin.browser.post(`${V4}/leads/custom_fields`, [
      { name: 'Car', type: 'chained_list', chained_lists },
    ])
    expect([answer.status, answer.body._embedded.custom_fields[0].chained_lists]).toEqual([
      201,
      [chained_lists[one], chained_lists[two]],
    ])
  })
})

describe('V14: times', () => {
  test('0 is no time, because typed clients write it for a time that they do not set', async () => {
    const { browser } = (await world()).admin
    const zeros = { created_at: 0, updated_at: 0, closed_at: 0 }
    const lead = await add(browser, 'leads', { ...zeros, name: 'Roof', status_id: 142 })
    const shown = async () => (await browser.get(`${V4}/leads/${lead}`)).body
    const times = { created_at: BEGINNING, updated_at: BEGINNING, closed_at: BEGINNING }
    expect(await shown()).toMatchObject(times)
    expect((await browser.patch(`${V4}/leads/${lead}`, { ...zeros, name: 'Door' })).status).toBe(200)
    expect(await shown()).toMatchObject({ ...times, name: 'Door' })
    const nullable = Type.Union([Time, Type.Null()])
    const schema = Type.Object({ needed: Time, next: Type.Optional(nullable), other: Type.Optional(Time) })
    expect(read(schema, { needed: 0, next: 0, other: 0 })).toEqual({ needed: 0, next: null })
  })

  test('milliseconds and RFC 3339 texts become seconds and fractions are cut, in every body with a time', async () => {
    const { admin } = await world()
    const { browser } = admin
    const ms = BEGINNING * 1_000 + 999
    const id = await add(browser, 'leads', { created_at: ms, updated_at: BEGINNING + 0.75 })
    const lead = (await browser.get(`${V4}/leads/${id}`)).body
    expect([lead.created_at, lead.updated_at]).toEqual([BEGINNING, BEGINNING])
    const text = new Date(ms).toISOString()
    const written = await add(browser, 'leads', { created_at: text })
    expect((await browser.get(`${V4}/leads/${written}`)).body.created_at).toBe(BEGINNING)
    for (const created_at of ['2026-11-01', 'today', '2026-13-01T00:00:00Z'])
      expect((await browser.post(`${V4}/leads`, [{ created_at }])).status).toBe(400)
    const task = await browser.post(`${V4}/tasks`, [{ text: 'Call', complete_till: ms }])
    const shown = await browser.get(`${V4}/tasks/${task.body._embedded.tasks[0].id}`)
    expect(shown.body.complete_till).toBe(BEGINNING)
    const field = await browser.post(`${V4}/leads/custom_fields`, [{ name: 'Day', type: 'date_time' }])
    const [{ id: field_id }] = field.body._embedded.custom_fields
    await browser.patch(`${V4}/leads/${id}`, {
      custom_fields_values: [{ field_id, values: [{ value: ms + 0.5 }] }],
    })
    const [{ values }] = (await browser.get(`${V4}/leads/${id}`)).body.custom_fields_values
    expect(values).toEqual([{ value: BEGINNING }])
  })

  test.each([
    [100_000_000_000, 100_000_000_000],
    [100_000_000_001, 100_000_000],
    [1.9, 1],
    [-0.5, -1],
    ['1700000000000', '1700000000000'],
  ])('%s is read as %s', (written, seconds) => {
    expect(read(Type.Object({ at: Type.Optional(Time) }), { at: written })).toEqual({ at: seconds })
  })
})

test('V14: an array that is longer than its schema allows is not converted', () => {
  const items = Type.Object({ a: Type.Optional(Type.Integer()) })
  const value = Array.from({ length: 3 }, () => ({ a: null }))
  expect(read(Type.Array(items, { maxItems: 2 }), value)).toEqual(value)
  expect(read(Type.Array(items, { maxItems: 3 }), value)).toEqual([{}, {}, {}])
})
