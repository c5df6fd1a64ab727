import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { add, addAll, log, traces } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { eraseValues } from '../../entities/entities.ts'

const FIELDS = '/web/v4/leads/custom_fields'
const LEADS = '/web/v4/leads'

/** Adds a field and returns it. */
async function field(caller: Client, draft: object, owner = 'leads') {
  const answer = await caller.post(`/web/v4/${owner}/custom_fields`, [{ name: 'F', type: 'text', ...draft }])
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body._embedded.custom_fields[0]
}

const written = (field_id: number, ...values: object[]) => ({ custom_fields_values: [{ field_id, values }] })

const valuesOf = async (caller: Client, id: number, owner = 'leads') =>
  (await caller.get(`/web/v4/${owner}/${id}`)).body.custom_fields_values

async function keysIn({ ctx }: World, field_id: number) {
  const rows = await ctx.db
    .selectFrom('field_keys')
    .select(['key', 'entity_id'])
    .where('field_id', '=', field_id)
    .orderBy('key')
    .orderBy('entity_id')
    .execute()
  return rows.map(({ key, entity_id }) => [key, entity_id])
}

describe('Values of a record', () => {
  test('are shown in the order of the fields, with their names, codes and types', async () => {
    const { admin } = await world()
    const { browser } = admin
    const size = await field(browser, { name: 'Size', type: 'numeric', code: 'SIZE', sort: 2 })
    const colour = await field(browser, {
      name: 'Colour',
      type: 'select',
      sort: 1,
      enums: [{ value: 'Red' }],
    })
    const id = await add(browser, 'leads', {
      custom_fields_values: [
        { field_code: 'SIZE', values: [{ value: 5 }] },
        { field_id: colour.id, values: [{ value: 'Red' }] },
      ],
    })
    const red = { value: 'Red', enum_id: colour.enums[0].id, enum_code: null }
    const shownSize = { field_name: 'Size', field_code: 'SIZE', field_type: 'numeric' }
    const shownColour = { field_name: 'Colour', field_code: null, field_type: 'select' }
    expect(await valuesOf(browser, id)).toEqual([
      { field_id: colour.id, ...shownColour, values: [red] },
      { field_id: size.id, ...shownSize, values: [{ value: '5' }] },
    ])
    await browser.patch(`${LEADS}/${id}`, { custom_fields_values: [{ field_id: colour.id, values: null }] })
    expect(await valuesOf(browser, id)).toEqual([
      { field_id: size.id, ...shownSize, values: [{ value: '5' }] },
    ])
    await browser.patch(`${LEADS}/${id}`, written(size.id))
    expect(await valuesOf(browser, id)).toBeNull()
  })

  test('are logged with all values of a field before and after (E2)', async () => {
    const { admin, ctx } = await world()
    const { browser } = admin
    const colours = ['Red', 'Blue', 'Green'].map((value) => ({ value }))
    const { id: field_id, enums } = await field(browser, { type: 'multiselect', enums: colours })
    const [red, blue, green] = enums.map((one: { id: number }) => one.id)
    const id = await add(browser, 'leads', written(field_id, { enum_id: red }, { enum_id: blue }))
    const listed = (enum_id: number, text: string) => ({
      custom_field_value: { field_id, field_type: 5, enum_id, text },
    })
    const patch = written(field_id, { enum_id: green }, { enum_id: red }, { enum_id: red })
    await browser.patch(`${LEADS}/${id}`, patch)
    const before = await log(ctx)
    expect(before.at(-1)).toEqual({
      type: 'custom_field_value_changed',
      entity: ['lead', id],
      by: admin.id,
      before: [listed(red, 'Red'), listed(blue, 'Blue')],
      after: [listed(green, 'Green'), listed(red, 'Red')],
    })
    await browser.patch(`${LEADS}/${id}`, patch)
    expect(await log(ctx)).toEqual(before)
  })

  test('that are equal change nothing, regardless of the order of their members', async () => {
    const { admin, ctx, clock } = await world()
    const { browser } = admin
    const { id: field_id } = await field(browser, { type: 'legal_entity' })
    const id = await add(browser, 'leads', written(field_id, { value: { name: 'Acme', vat_id: '77' } }))
    const read = await browser.get(`${LEADS}/${id}`)
    const known = await log(ctx)
    clock.advance(60)
    const same = written(field_id, { value: { vat_id: '77', name: 'Acme' } })
    const answer = await browser.patch(`${LEADS}/${id}`, same)
    expect(answer.body.updated_at).toBe(read.body.updated_at)
    expect(answer.headers.etag).toBe(read.headers.etag)
    expect(await log(ctx)).toEqual(known)
    // The version of a write with another change is that of the record.
    const renamed = await browser.patch(`${LEADS}/${id}`, { name: 'New', ...same })
    expect(renamed.headers.etag).toBe((await browser.get(`${LEADS}/${id}`)).headers.etag)
  })

  test('are found only by the values written last', async () => {
    const place = await world()
    const { browser } = place.admin
    const phone = (await browser.get('/web/v4/contacts/custom_fields')).body._embedded.custom_fields[0]
    const [one, two] = await addAll(browser, 'contacts', [
      { name: 'A', ...written(phone.id, { value: '+7 (999) 123-45-67', enum_code: 'MOB' }) },
      { name: 'B', ...written(phone.id, { value: 'ann@work', enum_code: 'WORK' }) },
    ])
    expect(await keysIn(place, phone.id)).toEqual([
      ['79991234567', one],
      ['9991234567', one],
      ['ann@work', two],
    ])
    const third = { value: '+1 555 0102', enum_code: 'WORK' }
    await browser.patch(`/web/v4/contacts/${one}`, written(phone.id, third))
    await browser.patch(`/web/v4/contacts/${two}`, written(phone.id))
    expect(await keysIn(place, phone.id)).toEqual([['15550102', one]])
    const stored = await place.ctx.db.selectFrom('field_values').selectAll().orderBy('entity_id').execute()
    expect(stored.map(({ field_values }) => JSON.parse(field_values))).toEqual([
      { [phone.id]: [['+1 555 0102', phone.enums[0].id]] },
      {},
    ])
  })

  onEmbedded(
    'that are invalid are rejected by item and path, and nothing of the batch is stored',
    async () => {
      const place = await world()
      const { browser } = place.admin
      const { id } = await field(browser, { type: 'date' })
      const before = await traces(place.ctx)
      const answer = await browser.post(LEADS, [
        { name: 'good', ...written(id, { value: 1 }) },
        { name: 'bad', request_id: 'x', ...written(id, { value: 'soon' }) },
        { name: 'bad', ...written(9_999) },
        { name: 'bad', custom_fields_values: [{ field_id: id, values: 'x' }] },
      ])
      expect(answer.status).toBe(400)
      const rest = await browser.post(LEADS, [
        { name: 'good', ...written(id, { value: 1 }) },
        { name: 'bad', request_id: 'x', ...written(id, { value: 'soon' }) },
        { name: 'bad', ...written(9_999) },
      ])
      expect(faultsOf(rest)).toEqual([
        400,
        'x InvalidFormat custom_fields_values.0.values.0.value',
        '2 NotSupportedChoice custom_fields_values.0.field_id',
      ])
      for (const custom_fields_values of [
        {},
        'x',
        [5],
        [{ field_id: '300', values: [] }],
        [{ field_id: id }],
      ])
        expect((await browser.post(LEADS, [{ custom_fields_values }])).status).toBe(400)
      expect(await traces(place.ctx)).toEqual(before)
    },
  )

  test('of a field for services can be written only by services (F2)', async () => {
    const { admin, stranger } = await world()
    const { browser } = admin
    const api = stranger.as({ token: (await connect(stranger, await register(admin))).access_token })
    const { id } = await field(browser, { is_api_only: true })
    const lead = await add(browser, 'leads')
    expect(faultsOf(await browser.patch(`${LEADS}/${lead}`, written(id, { value: 'a' })))).toEqual([
      400,
      '0 NotSupportedChoice custom_fields_values.0.field_id',
    ])
    expect((await api.patch(`/api/v4/leads/${lead}`, written(id, { value: 'a' }))).status).toBe(200)
    expect(await valuesOf(browser, lead)).toMatchObject([{ values: [{ value: 'a' }] }])
  })

  test('are required in the stages that a field names, when a person moves a lead there', async () => {
    const { admin } = await world()
    const { browser } = admin
    const pipeline = (await browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines[0]
    const won = { pipeline_id: pipeline.id, status_id: 142 }
    const { id } = await field(browser, { required_statuses: [won] })
    const lead = await add(browser, 'leads')
    expect(faultsOf(await browser.patch(`${LEADS}/${lead}`, won))).toEqual([
      400,
      '0 FieldMissing custom_fields_values',
    ])
    const moved = await browser.patch(`${LEADS}/${lead}`, { ...won, ...written(id, { value: 'a' }) })
    expect(moved.status).toBe(200)
  })
})

describe('Filters by fields', () => {
  async function filled() {
    const place = await world()
    const { browser } = place.admin
    const size = await field(browser, { name: 'Size', type: 'numeric' })
    const colour = await field(browser, {
      type: 'multiselect',
      enums: [{ value: 'Red', code: 'R' }, { value: 'Blue, dark' }, { value: 'Green' }],
    })
    const text = await field(browser, { name: 'Text' })
    const day = await field(browser, { type: 'date' })
    const paid = await field(browser, { type: 'checkbox' })
    const enums = colour.enums.map((one: { id: number }) => one.id)
    const ids = await addAll(
      browser,
      'leads',
      [-5, 0.5, 10, 200].map((value, i) => ({
        name: `L${i}`,
        custom_fields_values: [
          { field_id: size.id, values: [{ value }] },
          { field_id: text.id, values: [{ value: `Smith, John ${i % 2}` }] },
          { field_id: day.id, values: [{ value: Date.UTC(2026, i) / 1000 }] },
          { field_id: paid.id, values: [{ value: i === 0 }] },
          { field_id: colour.id, values: i === 3 ? [] : [{ enum_id: enums[i] }, { enum_id: enums[0] }] },
        ],
      })),
    )
    await addAll(browser, 'leads', [{ name: 'none' }])
    const filter = (id: number, rest: string) => `filter[custom_fields_values][${id}]${rest}`
    const found = async (...filters: string[]) => {
      const { status, body } = await browser.get(`${LEADS}?order[id]=asc&${filters.join('&')}`)
      if (status >= 300) return [status, body.detail]
      return body._embedded.leads.map(({ id }: { id: number }) => ids.indexOf(id))
    }
    return { size, colour, text, day, paid, enums, filter, found }
  }

  test('find records by one value, several values, or a range', async () => {
    const { size, colour, text, day, paid, enums, filter, found } = await filled()
    const sizes: [string, number[]][] = [
      ['=10', [2]],
      ['[]=10.0&filter[custom_fields_values][SIZE][]=-5', [0, 2]],
      ['=10,0.5', [1, 2]],
      ['[from]=0', [1, 2, 3]],
      ['[from]=-5&filter[custom_fields_values][SIZE][to]=10', [0, 1, 2]],
      ['[to]=-6', []],
      // A range without ends is no condition: the lead without a value is -1 here.
      ['[from]=&filter[custom_fields_values][SIZE][to]=', [0, 1, 2, 3, -1]],
    ]
    for (const [rest, expected] of sizes)
      expect(await found(filter(size.id, rest.replaceAll('SIZE', size.id)))).toEqual(expected)
    expect(await found(filter(colour.id, `[]=${enums[1]}`))).toEqual([1])
    expect(await found(filter(colour.id, `=${enums[1]},${enums[2]}`))).toEqual([1, 2])
    expect(await found(filter(colour.id, '=R'))).toEqual([0, 1, 2])
    expect(await found(filter(colour.id, '=Blue, dark'))).toEqual([1])
    expect(await found(filter(text.id, '=smith, john 1'))).toEqual([1, 3])
    expect(await found(filter(text.id, '[0]=Smith, John 0'))).toEqual([0, 2])
    expect(
      await found(filter(day.id, '[from]=2026-02-01&') + filter(day.id, '[to]=2026-03-01T00:00:00Z')),
    ).toEqual([1, 2])
    const february = Date.UTC(2026, 1, 1) / 1_000
    expect(await found(filter(day.id, `[from]=${february}.75`))).toEqual([1, 2, 3])
    expect(await found(filter(day.id, `=${february}.0`))).toEqual([1])
    expect(await found(filter(day.id, `[from]=${Date.UTC(2026, 2)}`))).toEqual([2, 3])
    expect(await found(filter(paid.id, '=1'))).toEqual([0])
    expect(await found(filter(paid.id, '=false'))).toEqual([1, 2, 3])
    expect(await found(filter(paid.id, '=true'), filter(size.id, '[to]=0'))).toEqual([0])
    expect(await found(filter(paid.id, '=true'), filter(size.id, '=10'))).toEqual([])
  })

  onEmbedded('that are invalid return 400 with the reason', async () => {
    const { size, colour, text, paid, filter, found } = await filled()
    for (const [query, rule] of [
      ['filter[custom_fields_values]=5', 'by their ids'],
      [filter(9_999, '=5'), 'unknown field: 9999'],
      ['filter[custom_fields_values][x]=5', 'unknown field: x'],
      [filter(size.id, '=ten'), 'has an invalid value'],
      [filter(size.id, '='), 'has no value'],
      [filter(size.id, '[from]=x'), 'has an invalid value'],
      [filter(size.id, '[from][x]=1'), 'has an invalid value'],
      [filter(colour.id, '=Purple'), 'has an invalid value'],
      [filter(paid.id, '=maybe'), 'has an invalid value'],
      [filter(text.id, '[from]=a'), 'whose type has no ranges'],
      [filter(size.id, `=${Array.from({ length: 251 }, (_, i) => i).join()}`), '250 values'],
      [Array.from({ length: 21 }, (_, i) => filter(1_000 + i, '=1')).join('&'), '20 fields'],
    ] as const) {
      const [status, detail] = await found(query)
      expect([status, detail]).toEqual([400, expect.stringContaining(rule)])
    }
  })
})

describe('Deleting a field', () => {
  test('deletes its values and their keys, and keeps its events (F3)', async () => {
    const place = await world()
    const { browser } = place.admin
    const gone = await field(browser, { name: 'Gone' })
    const kept = await field(browser, { name: 'Kept' })
    const ids = await addAll(
      browser,
      'leads',
      ['a', 'b'].map((value) => ({
        custom_fields_values: [
          { field_id: gone.id, values: [{ value }] },
          { field_id: kept.id, values: [{ value }] },
        ],
      })),
    )
    const events = await log(place.ctx)
    expect((await browser.delete(`${FIELDS}/${gone.id}`)).status).toBe(204)
    expect(await valuesOf(browser, ids[0] as number)).toMatchObject([{ field_id: kept.id }])
    await eraseValues(place.ctx)
    const rows = await place.ctx.db.selectFrom('field_values').selectAll().orderBy('entity_id').execute()
    expect(rows.map(({ entity_id, field_values }) => [entity_id, JSON.parse(field_values)])).toEqual([
      [ids[0], { [kept.id]: ['a'] }],
      [ids[1], { [kept.id]: ['b'] }],
    ])
    expect(await keysIn(place, gone.id)).toEqual([])
    expect(await keysIn(place, kept.id)).toHaveLength(2)
    expect(await log(place.ctx)).toEqual(events)
    expect(await valuesOf(browser, ids[0] as number)).toMatchObject([{ field_id: kept.id }])
    // The name that the field had (E11).
    const changes = `/web/v4/events?filter[type]=custom_field_${gone.id}_value_changed`
    const named = async (query: string) =>
      (await browser.get(changes + query)).body._embedded.events.map(
        ({ field_name }: { field_name?: string }) => field_name,
      )
    expect(await named('')).toEqual([undefined, undefined])
    expect(await named('&with=field_name')).toEqual(['Gone', 'Gone'])
    const timeline = (await browser.get(`/web/v4/leads/${ids[0]}/timeline`)).body._embedded.items
    expect(timeline.map(({ event }: { event: { field_name?: string } }) => event.field_name)).toEqual([
      'Kept',
      'Gone',
      undefined,
    ])
  })

  test('does not affect other accounts', async () => {
    const place = await world()
    const account = await place.addAccount('other')
    const other = await place.addPerson({ account, is_admin: true })
    const mine = await field(place.admin.browser, {})
    const theirs = await field(other.browser, {})
    await add(place.admin.browser, 'leads', written(mine.id, { value: 'a' }))
    await add(other.browser, 'leads', written(theirs.id, { value: 'b' }))
    expect((await place.admin.browser.delete(`${FIELDS}/${theirs.id}`)).status).toBe(404)
    await place.admin.browser.delete(`${FIELDS}/${mine.id}`)
    await eraseValues(place.ctx)
    expect(await keysIn(place, theirs.id)).toHaveLength(1)
  })
})

describe('A deleted enum', () => {
  test("is removed from the values; the last one removes the field's values", async () => {
    const place = await world()
    const { browser } = place.admin
    const colours = ['Red', 'Blue', 'Green'].map((value) => ({ value }))
    const { id, enums } = await field(browser, { type: 'multiselect', enums: colours })
    const text = await field(browser, {})
    const [red, blue, green] = enums
    const lead = (...chosen: { id: number }[]) => ({
      custom_fields_values: [
        { field_id: id, values: chosen.map((one) => ({ enum_id: one.id })) },
        { field_id: text.id, values: [{ value: 'é "quoted" \\ 😀' }] },
      ],
    })
    const ids = await addAll(browser, 'leads', [lead(red, blue, green), lead(red, blue), lead(green)])
    expect((await browser.patch(`${FIELDS}/${id}`, { enums: [green, { value: 'Pink' }] })).status).toBe(200)
    expect(await valuesOf(browser, ids[1] as number)).toMatchObject([{ field_id: text.id }])
    await eraseValues(place.ctx)
    const rows = await place.ctx.db.selectFrom('field_values').selectAll().orderBy('entity_id').execute()
    const note = { [text.id]: ['é "quoted" \\ 😀'] }
    expect(rows.map(({ field_values }) => JSON.parse(field_values))).toEqual([
      { [id]: [green.id], ...note },
      note,
      { [id]: [green.id], ...note },
    ])
    expect(await keysIn(place, id)).toEqual([
      [String(green.id), ids[0]],
      [String(green.id), ids[2]],
    ])
    expect(await valuesOf(browser, ids[1] as number)).toMatchObject([{ field_id: text.id }])
  })

  test('leaves telephone numbers, under another label', async () => {
    const { admin } = await world()
    const { browser } = admin
    const fields = '/web/v4/contacts/custom_fields'
    const phone = (await browser.get(fields)).body._embedded.custom_fields[0]
    const id = await add(browser, 'contacts', written(phone.id, { value: '+1555', enum_code: 'FAX' }))
    const left = phone.enums.filter(({ code }: { code: string }) => code !== 'FAX')
    expect((await browser.patch(`${fields}/${phone.id}`, { enums: left })).status).toBe(200)
    expect(await valuesOf(browser, id, 'contacts')).toMatchObject([
      { values: [{ value: '+1555', enum_code: 'OTHER' }] },
    ])
  })
})

describe('All values of a record together', () => {
  /** Texts of 20,000 letters in all but the last field, which fill a record. */
  async function full() {
    const place = await world()
    const { browser } = place.admin
    const drafts = Array.from({ length: 14 }, (_, i) => ({ name: `Text ${i}`, type: 'textarea' }))
    const fields = await addAll(browser, 'leads/custom_fields', drafts)
    const of = (ids: readonly number[], length: number) => ({
      custom_fields_values: ids.map((field_id) => ({ field_id, values: [{ value: 'x'.repeat(length) }] })),
    })
    return { ...place, browser, fields, of, largest: of(fields.slice(0, 13), 20_000) }
  }

  test('have at most 262,144 letters, and a record that has them can be changed', async () => {
    const { browser, fields, of, largest, ctx } = await full()
    const [id] = (await addAll(browser, 'leads', [largest])) as [number]
    const known = await traces(ctx)
    const last = fields.slice(13)
    const grown = await browser.patch(LEADS, [{ id, ...of(last, 2_145) }])
    expect(faultsOf(grown)).toEqual([400, '0 TooLong custom_fields_values'])
    expect(grown.body['validation-errors'][0].errors[0].detail).toBe(
      'The fields of a record can have at most 1000 values with 262144 letters in all; this one would have 14 with 262145.',
    )
    const added = await browser.post(LEADS, [{ name: 'Roof' }, { ...of(fields, 20_000) }])
    expect(faultsOf(added)).toEqual([400, '1 TooLong custom_fields_values'])
    expect(await traces(ctx)).toEqual(known)
    expect((await browser.patch(LEADS, [{ id, ...of(last, 2_144) }])).status).toBe(200)
    expect((await browser.patch(LEADS, [{ id, ...of(last, 2_000) }])).status).toBe(200)
  })

  test('are at most a thousand', async () => {
    const { admin } = await world()
    const { browser } = admin
    const enums = Array.from({ length: 250 }, (_, i) => ({ value: `v${i}` }))
    const drafts = Array.from({ length: 5 }, (_, i) => ({ name: `F${i}`, type: 'multiselect', enums }))
    const fields = await addAll(browser, 'leads/custom_fields', drafts)
    const of = (ids: number[], count: number) => ({
      custom_fields_values: ids.map((field_id) => ({ field_id, values: enums.slice(0, count) })),
    })
    const id = await add(browser, 'leads', of(fields.slice(0, 4), 250))
    const grown = await browser.patch(LEADS, [{ id, ...of(fields.slice(4), 1) }])
    expect(faultsOf(grown)).toEqual([400, '0 TooLong custom_fields_values'])
  })

  test('that a merge would make too many refuse it', async () => {
    const { browser, fields, of, largest, ctx } = await full()
    const [id, other] = (await addAll(browser, 'leads', [largest, of(fields.slice(13), 20_000)])) as [
      number,
      number,
    ]
    const known = await traces(ctx)
    const refused = await browser.post(`${LEADS}/merge`, { id, merge: [other] })
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('280000.')])
    expect(await traces(ctx)).toEqual(known)
    expect((await browser.post(`${LEADS}/merge`, { id: other, merge: [id] })).status).toBe(409)
  })
})

describe('A field deleted while its values are written', () => {
  test('results in success or a named error, and no visible value', async () => {
    const place = await world()
    const { browser } = place.admin
    const gone = await field(browser, { type: 'multiselect', enums: [{ value: 'a' }, { value: 'b' }] })
    const kept = await field(browser, {})
    const ids = await addAll(browser, 'leads', Array(40).fill(written(gone.id, { value: 'a' })))
    const batch = (order: number[], value: string) =>
      browser.patch(
        LEADS,
        order.map((id) => ({
          id,
          custom_fields_values: [
            { field_id: kept.id, values: [{ value }] },
            { field_id: gone.id, values: [{ value: 'a' }] },
          ],
        })),
      )
    const answers = await Promise.all([
      batch(ids, 'x'),
      browser.patch(`${FIELDS}/${gone.id}`, { enums: [gone.enums[0], { value: 'c' }] }),
      batch(ids.toReversed(), 'y'),
      browser.delete(`${FIELDS}/${gone.id}`),
      batch(ids, 'z'),
    ])
    const [first, enums, second, deleted, third] = answers.map(({ status }) => status)
    for (const status of [first, second, third]) expect(status).toBeOneOf([200, 400])
    expect(enums).toBeOneOf([200, 404])
    expect(deleted).toBe(204)
    await eraseValues(place.ctx)
    for (const id of ids) {
      const shown = (await valuesOf(browser, id)) ?? []
      expect(shown.map((one: { field_id: number }) => one.field_id)).not.toContain(gone.id)
    }
  })
})
