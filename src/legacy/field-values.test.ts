import { expect, test } from 'vitest'
import { legacyClient } from '../../test/fixtures/legacy.ts'
import { world } from '../../test/world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Writes a value of a new field as a form and as JSON. Returns the values as v4 shows them, or the status. */
async function begun() {
  const place = await world()
  const { v4 } = await legacyClient(place)
  const added = await v4.post('/api/v2/leads', { add: [{ name: 'Bicycle' }] })
  const [{ id }] = added.body._embedded.items
  const field = async (type: string): Promise<number> =>
    (await v4.post('/api/v4/leads/custom_fields', [{ name: type, type }])).body._embedded.custom_fields[0].id
  const stored = async ({ status }: { status: number }) => {
    if (status !== 200) return status
    const { custom_fields_values } = (await v4.get(`/api/v4/leads/${id}`)).body
    return custom_fields_values.map(({ values }: { values: unknown }) => values).at(-1)
  }
  return {
    field,
    byForm: async (field_id: number, value: string) =>
      stored(
        await v4.post(
          '/api/v2/leads',
          `update[0][id]=${id}&update[0][custom_fields][0][id]=${field_id}&${value
            .split('&')
            .map((pair) => `update[0][custom_fields][0][values]${pair}`)
            .join('&')}`,
          FORM,
        ),
      ),
    byJson: async (field_id: number, values: unknown) =>
      stored(await v4.post('/api/v2/leads', { update: [{ id, custom_fields: [{ id: field_id, values }] }] })),
  }
}

test('the parts of an address are named by their numbers or codes', async () => {
  const { field, byForm, byJson } = await begun()
  const id = await field('smart_address')
  const city = { value: 'Porto', enum_id: 3, enum_code: 'city' }
  const country = { value: 'PT', enum_id: 6, enum_code: 'country' }
  const both = '[6][value]=PT&[6][subtype]=6&[3][value]=Porto&[3][subtype]=3'
  expect(await byForm(id, both)).toEqual([city, country])
  for (const subtype of [3, '3', 'city'])
    expect(await byJson(id, [{ value: 'Porto', subtype }])).toEqual([city])
  expect(await byJson(id, [{ value: 'Porto', subtype: 9 }])).toBe(400)
})

test('a form has the numbers of structured values as text, and empty members', async () => {
  const { field, byForm, byJson } = await begun()
  const id = await field('legal_entity')
  const acme = '[0][value][name]=Acme&[0][value][vat_id]=077&[0][value][external_uid]='
  expect(await byForm(id, `${acme}&[0][value][entity_type]=2`)).toEqual([
    { value: { name: 'Acme', entity_type: 2, vat_id: '077' } },
  ])
  expect(await byForm(id, `${acme}&[0][value][entity_type]=`)).toEqual([
    { value: { name: 'Acme', vat_id: '077' } },
  ])
  expect(await byForm(id, `${acme}&[0][value][entity_type]=3`)).toBe(400)
  expect(await byJson(id, [{ value: '' }])).toBe(400)
})

test.each([
  ['2026-01-02', 1_767_312_000],
  ['02.01.2026', 1_767_312_000],
  ['2026-01-02 10:30', 1_767_349_800],
  ['02.01.2026 10:30', 1_767_349_800],
  ['02.01.2026 10:30:05', 1_767_349_805],
  ['1767349805', 1_767_349_805],
  ['32.01.2026', 400],
  ['02.01.2026 25:00', 400],
  ['02.01.26', 400],
])('the date %s of a field is read in UTC', async (value, seconds) => {
  const { field, byJson } = await begun()
  const expected = seconds === 400 ? seconds : [{ value: seconds }]
  expect(await byJson(await field('date_time'), [{ value }])).toEqual(expected)
})
