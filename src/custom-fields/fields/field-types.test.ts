import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leastCost } from '../../../test/openapi/cost.ts'
import { changedFields, searchTexts, showValues } from '../values/value-views.ts'
import { readWritten } from '../values/written-values.ts'
import { numberKey, phoneDigits, phoneKey, textKey } from './field-keys.ts'
import { type FieldType, fieldTypeNames, fieldTypeOf, fieldTypes, typeOf } from './field-types.ts'
import { valueKindOf } from './field-values.ts'
import { type Field, fieldOf, fieldSetOf } from './fields.ts'
import { offerOf, type StoredValue, type WireValue } from './value-kinds.ts'

const offered = [
  { id: 7, value: 'Red', sort: 1, code: 'RED' },
  { id: 8, value: 'Blue, dark', sort: 2, code: null },
]

/** A field of a type, as loaded from its row. */
const fieldOfType = (type: FieldType, change: Partial<Field> = {}): Field => ({
  ...fieldOf({
    account_id: 1,
    id: 300,
    entity_type: 'leads',
    catalog_id: null,
    group_id: null,
    type,
    name: 'F',
    code: 'CODE',
    sort: 1,
    is_api_only: 0,
    is_predefined: 0,
    is_deletable: 1,
    is_disabled: 0,
    origin: null,
    enums: JSON.stringify(typeOf(type).enums ? offered : []),
    settings: '{}',
    created_at: 1,
    updated_at: 1,
  }),
  ...change,
})

/** Writes these values to a field of the type, like a request body. */
function write(type: FieldType, values: unknown[], change: Partial<Field> = {}, by_person = false) {
  const faults: [code: string, path: string][] = []
  const fields = fieldSetOf([fieldOfType(type, change)])
  const written = [{ field_id: 300, values: values as WireValue[] }]
  const read = readWritten(fields, written, { by_person }, (code, path) => faults.push([code, path]))
  return { faults, stored: read.get(300) ?? [], fields }
}

const shown = (type: FieldType, stored: StoredValue[]) =>
  showValues(fieldSetOf([fieldOfType(type)]), { 300: stored })?.[0]?.values ?? null
const texts = (type: FieldType, stored: StoredValue[]) =>
  changedFields(fieldSetOf([fieldOfType(type)]), {}, { 300: stored })[0]?.after.map(
    ({ custom_field_value: { enum_id, text } }) => [enum_id, text],
  )
const keys = (type: FieldType, stored: StoredValue[]) =>
  stored.flatMap((value) => valueKindOf(type).keys(value))

const APRIL = Date.UTC(2026, 3, 5, 6, 7, 8) / 1000
const APRIL_5 = Date.UTC(2026, 3, 5) / 1000
const red = { value: 'Red', enum_id: 7, enum_code: 'RED' }
const blue = { value: 'Blue, dark', enum_id: 8, enum_code: null }

interface Case {
  type: FieldType
  /** All notations of the same values. */
  written: unknown[][]
  shown: unknown
  texts: unknown
  keys: string[]
}

const text = (type: FieldType): Case => ({
  type,
  written: [[{ value: ' Hello World ' }]],
  shown: [{ value: ' Hello World ' }],
  texts: [[null, ' Hello World ']],
  keys: ['hello world'],
})
const number = (type: FieldType): Case => ({
  type,
  written: ['12.5', '12.50', '+012.5', 12.5].map((value) => [{ value }]),
  shown: [{ value: '12.5' }],
  texts: [[null, '12.5']],
  keys: [numberKey(12.5)],
})
const moment: Case = {
  type: 'date_time',
  written: [APRIL, '2026-04-05T06:07:08Z', '2026-04-05t08:07:08.9+02:00', '2026-04-05 06:07:08+00:00'].map(
    (value) => [{ value }],
  ),
  shown: [{ value: APRIL }],
  texts: [[null, String(APRIL)]],
  keys: [numberKey(APRIL)],
}
const day = (type: FieldType): Case => ({
  type,
  written: [
    APRIL_5,
    '2026-04-05',
    '2026-04-05T06:07:08Z',
    // Midnight in the zones of the callers.
    '2026-04-05T00:00:00+14:00',
    '2026-04-05t00:00:00.0-11:00',
    '2026-04-05 23:59:59-05:00',
  ].map((value) => [{ value }]),
  shown: [{ value: APRIL_5 }],
  texts: [[null, String(APRIL_5)]],
  keys: [numberKey(APRIL_5)],
})
const choice = (type: FieldType): Case => ({
  type,
  written: [
    [{ value: 'Red' }],
    [{ enum_id: 7 }],
    [{ enum_code: 'RED' }],
    [red],
    [{ value: 'Old name', enum_id: 7, enum_code: null }],
  ],
  shown: [red],
  texts: [[7, 'Red']],
  keys: ['7'],
})

const person = { name: 'Acme', entity_type: 2, vat_id: '77' }
const item = { sku: 'A1', unit_price: 10.1, quantity: 3, discount: { type: 'percentage', value: 10 } }
const discount = { type: 'percentage', value: '10' }
const itemInTexts = { ...item, unit_price: '10.10', quantity: '3', discount }

const cases: Case[] = [
  ...(['text', 'textarea', 'streetaddress', 'tracking_data', 'org_legal_name'] as const).map(text),
  ...(['numeric', 'price', 'monetary'] as const).map(number),
  moment,
  ...(['date', 'birthday'] as const).map(day),
  ...(['select', 'radiobutton', 'multiselect', 'category'] as const).map(choice),
  {
    type: 'checkbox',
    written: [[{ value: true }]],
    shown: [{ value: true }],
    texts: [[null, '1']],
    keys: ['1'],
  },
  {
    type: 'url',
    written: [[{ value: 'https://Example.com/A' }]],
    shown: [{ value: 'https://Example.com/A' }],
    texts: [[null, 'https://Example.com/A']],
    keys: ['https://example.com/a'],
  },
  {
    type: 'multitext',
    written: [
      [
        { value: '+1 (555) 010-20-30', enum_code: 'RED' },
        { value: 'Ann@Example.com', enum_id: 8 },
      ],
      [
        { value: '+1 (555) 010-20-30' },
        { value: '+1 (555) 010-20-30', enum_code: 'RED' },
        { value: 'Ann@Example.com', enum_id: 8 },
      ],
    ],
    shown: [
      { value: '+1 (555) 010-20-30', enum_id: 7, enum_code: 'RED' },
      { value: 'Ann@Example.com', enum_id: 8, enum_code: null },
    ],
    texts: [
      [7, '+1 (555) 010-20-30'],
      [8, 'Ann@Example.com'],
    ],
    keys: ['15550102030', '5550102030', 'ann@example.com'],
  },
  {
    type: 'smart_address',
    written: [
      [
        { value: 'Main St 1', enum_code: 'address_line_1' },
        { value: 'Lima', enum_id: 3 },
      ],
    ],
    shown: [
      { value: 'Main St 1', enum_id: 1, enum_code: 'address_line_1' },
      { value: 'Lima', enum_id: 3, enum_code: 'city' },
    ],
    texts: [
      [1, 'Main St 1'],
      [3, 'Lima'],
    ],
    keys: ['main st 1', 'lima'],
  },
  {
    type: 'legal_entity',
    written: [[{ value: person }], [{ value: { ...person, kpp: null, unknown: 1 } }]],
    shown: [{ value: person }],
    texts: [[null, 'Acme']],
    keys: ['acme', '77'],
  },
  {
    type: 'items',
    written: [[{ value: item }], [{ value: { ...item, total_sum: 1 } }], [{ value: itemInTexts }]],
    shown: [
      {
        value: {
          ...item,
          is_discount_recalculated: false,
          is_total_sum_recalculated: false,
          total_sum: 27.27,
        },
      },
    ],
    texts: [[null, 'A1']],
    keys: ['a1'],
  },
  {
    type: 'linked_entity',
    written: [[{ value: { name: 'Ann', entity_id: 5, entity_type: 'contacts', catalog_id: null } }]],
    shown: [{ value: { name: 'Ann', entity_id: 5, entity_type: 'contacts' } }],
    texts: [[null, 'Ann']],
    keys: ['ann', '5'],
  },
  {
    type: 'chained_list',
    written: [
      [
        { catalog_id: 1, catalog_element_id: 2 },
        { catalog_id: 3, catalog_element_id: 4 },
      ],
    ],
    shown: [
      { catalog_id: 1, catalog_element_id: 2 },
      { catalog_id: 3, catalog_element_id: 4 },
    ],
    texts: [
      [null, '2'],
      [null, '4'],
    ],
    keys: ['2', '4'],
  },
  {
    type: 'file',
    written: [[{ value: { file_uuid: 'u', version_uuid: 'v', file_name: 'Offer.pdf', file_size: 9 } }]],
    shown: [{ value: { file_uuid: 'u', version_uuid: 'v', file_name: 'Offer.pdf', file_size: 9 } }],
    texts: [[null, 'Offer.pdf']],
    keys: ['offer.pdf', 'u'],
  },
  {
    type: 'payer',
    written: [[{ value: { name: 'Ann', entity_type: 'contacts', entity_id: 5, type: 'individual' } }]],
    shown: [{ value: { name: 'Ann', entity_type: 'contacts', entity_id: 5, type: 'individual' } }],
    texts: [[null, 'Ann']],
    keys: ['ann', '5'],
  },
  {
    type: 'supplier',
    written: [[{ value: { entity_id: 5 } }]],
    shown: [{ value: { entity_id: 5 } }],
    texts: [[null, '5']],
    keys: ['5'],
  },
]

describe('Every type of field', () => {
  test('has a case below', () => {
    expect(cases.map(({ type }) => type).sort()).toEqual([...fieldTypeNames].sort())
  })

  test.each(cases.map((one) => [one.type, one] as const))(
    '%s: what is written is kept, shown, found and logged',
    (type, one) => {
      for (const written of one.written) {
        const { faults, stored } = write(type, written)
        expect(faults).toEqual([])
        expect(shown(type, stored)).toEqual(one.shown)
        expect(texts(type, stored)).toEqual(one.texts)
        expect(keys(type, stored)).toEqual(one.keys)
        expect(JSON.parse(JSON.stringify(stored))).toEqual(stored)
        // A value can be written back unchanged.
        expect(write(type, shown(type, stored) as unknown[]).stored).toEqual(stored)
      }
    },
  )

  test('has an example in the documentation that is accepted and shown as documented', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/fields-and-notes.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` \| `(\[.*?\])` \| `(\[.*?\])` \|$/gm)]
    expect(rows.map(([, type]) => type).sort()).toEqual([...fieldTypeNames].sort())
    for (const [, type, written, answer] of rows) {
      const { faults, stored } = write(type as FieldType, JSON.parse(written as string))
      expect([type, faults, shown(type as FieldType, stored)]).toEqual([
        type,
        [],
        JSON.parse(answer as string),
      ])
    }
  })

  test('has its own number in the legacy interface', () => {
    const numbers = fieldTypeNames.map((type) => [fieldTypes[type].number, type] as const)
    expect(Object.fromEntries(numbers.filter(([n]) => n <= 16))).toEqual({
      1: 'text',
      2: 'numeric',
      3: 'checkbox',
      4: 'select',
      5: 'multiselect',
      6: 'date',
      7: 'url',
      8: 'multitext',
      9: 'textarea',
      10: 'radiobutton',
      11: 'streetaddress',
      13: 'smart_address',
      14: 'birthday',
      15: 'legal_entity',
      16: 'items',
    })
    expect(numbers.map(([n]) => fieldTypeOf(n))).toEqual(fieldTypeNames)
  })
})

test('Items without a discount are accepted with nulls in it', () => {
  const { faults, stored } = write('items', [{ value: { sku: 'A1', discount: { type: null, value: null } } }])
  expect([faults, stored]).toEqual([[], write('items', [{ value: { sku: 'A1' } }]).stored])
})

/** A type, the written value, and its fault. */
const refused: [FieldType, unknown, code: string, path: string][] = [
  ['text', {}, 'FieldMissing', '0.value'],
  ['text', { value: null }, 'NotNullable', '0.value'],
  ['text', { value: 5 }, 'InvalidType', '0.value'],
  ['text', { value: 'x'.repeat(1_025) }, 'TooLong', '0.value'],
  ['numeric', { value: 'five' }, 'InvalidFormat', '0.value'],
  ['numeric', { value: '1e5' }, 'InvalidFormat', '0.value'],
  ['numeric', { value: 1e21 }, 'InvalidFormat', '0.value'],
  ['numeric', { value: 9_007_199_254_740_991 }, 'InvalidFormat', '0.value'],
  ['numeric', { value: '0.30000000000000004' }, 'InvalidFormat', '0.value'],
  ['numeric', { value: '1234567890.1234567' }, 'InvalidFormat', '0.value'],
  ['numeric', { value: true }, 'InvalidType', '0.value'],
  ['numeric', { value: null }, 'NotNullable', '0.value'],
  ['price', {}, 'FieldMissing', '0.value'],
  ['checkbox', { value: 1 }, 'InvalidType', '0.value'],
  ['checkbox', { value: 'true' }, 'InvalidType', '0.value'],
  ['checkbox', { value: null }, 'NotNullable', '0.value'],
  ['checkbox', {}, 'FieldMissing', '0.value'],
  ['date', { value: true }, 'InvalidType', '0.value'],
  ['date', { value: 253_402_300_800_000 }, 'OutOfRange', '0.value'],
  ['date', { value: '2026-02-30' }, 'InvalidFormat', '0.value'],
  ['date', { value: '2026-02-28T24:00:01Z' }, 'InvalidFormat', '0.value'],
  ['date', { value: 'tomorrow' }, 'InvalidFormat', '0.value'],
  ['date', { value: null }, 'NotNullable', '0.value'],
  ['date', {}, 'FieldMissing', '0.value'],
  ['select', { value: 'Green' }, 'NotSupportedChoice', '0.value'],
  ['select', { value: 7 }, 'InvalidType', '0.value'],
  ['select', { value: null }, 'NotNullable', '0.value'],
  ['select', {}, 'FieldMissing', '0.value'],
  ['select', { enum_id: 9 }, 'NotSupportedChoice', '0.enum_id'],
  ['select', { enum_id: '7' }, 'InvalidType', '0.enum_id'],
  ['select', { enum_code: 'GREEN' }, 'NotSupportedChoice', '0.enum_code'],
  ['select', { enum_code: 7 }, 'InvalidType', '0.enum_code'],
  ['url', { value: 'javascript:alert(1)' }, 'InvalidFormat', '0.value'],
  ['url', { value: ' \tjavascript:alert(1)' }, 'InvalidFormat', '0.value'],
  ['url', { value: 'data:text/html,x' }, 'InvalidFormat', '0.value'],
  ['url', { value: 'https://' }, 'InvalidFormat', '0.value'],
  ['multitext', { value: '+1555', enum_code: 'GREEN' }, 'NotSupportedChoice', '0.enum_code'],
  ['smart_address', { value: 'Lima', enum_id: 7 }, 'NotSupportedChoice', '0.enum_id'],
  ['legal_entity', {}, 'FieldMissing', '0.value'],
  ['legal_entity', { value: 'Acme' }, 'InvalidType', '0.value'],
  ['legal_entity', { value: { vat_id: '1' } }, 'FieldMissing', '0.value.name'],
  ['legal_entity', { value: { name: 'Acme', entity_type: 3 } }, 'NotSupportedChoice', '0.value.entity_type'],
  ['items', { value: { quantity: -1 } }, 'OutOfRange', '0.value.quantity'],
  ['items', { value: { unit_price: 'ten' } }, 'InvalidType', '0.value.unit_price'],
  ['items', { value: 'ten' }, 'InvalidType', '0.value'],
  [
    'items',
    { value: { discount: { type: 'gift', value: 1 } } },
    'NotSupportedChoice',
    '0.value.discount.type',
  ],
  ['items', { value: { discount: { type: null, value: 1 } } }, 'NotNullable', '0.value.discount.type'],
  [
    'linked_entity',
    { value: { entity_id: 1, entity_type: 'tasks' } },
    'NotSupportedChoice',
    '0.value.entity_type',
  ],
  ['chained_list', { catalog_id: 1 }, 'FieldMissing', '0.catalog_element_id'],
  ['file', { value: {} }, 'FieldMissing', '0.value.file_uuid'],
  ['payer', { value: { vat_id: '1' } }, 'FieldMissing', '0.value.name'],
  ['payer', { value: { name: '' } }, 'FieldMissing', '0.value.name'],
  ['supplier', { value: { entity_id: 1.5 } }, 'InvalidType', '0.value.entity_id'],
]

test('a payer that is a record needs no name', () => {
  const value = { entity_type: 'contacts', entity_id: 5 }
  const { faults, stored } = write('payer', [{ value }])
  expect(faults).toEqual([])
  expect([shown('payer', stored), texts('payer', stored)]).toEqual([[{ value }], [[null, '5']]])
})

describe('An invalid value for a type', () => {
  test.each(refused)('%s %j is %s at %s', (type, value, code, path) => {
    const { faults, stored } = write(type, [value])
    expect(faults).toContainEqual([code, `custom_fields_values.0.values.${path}`])
    expect(stored).toEqual([])
  })

  test.each([
    ['numeric', 'five', 'a number with at most 15 digits, such as 12.5'],
    ['date', '01.12.2026', 'Unix seconds, a date such as 2026-12-01, or a time with its zone'],
    ['date_time', '2026-12-01T10:00', 'a time with its zone such as 2026-12-01T10:00:00Z'],
  ] as const)('%s: the refusal of %j shows what is read', (type, value, expected) => {
    const details: string[] = []
    const written = [{ field_id: 300, values: [{ value }] }]
    readWritten(fieldSetOf([fieldOfType(type)]), written, { by_person: false }, (_code, _path, detail) =>
      details.push(detail),
    )
    expect(details).toEqual([expect.stringContaining(expected)])
  })

  test('is rejected if it is one too many', () => {
    expect(write('text', [{ value: 'a' }, { value: 'b' }]).faults).toEqual([
      ['TooMany', 'custom_fields_values.0.values'],
    ])
    const six = Array(6).fill({ catalog_id: 1, catalog_element_id: 2 })
    expect(write('chained_list', six).faults).toEqual([['TooMany', 'custom_fields_values.0.values']])
  })
})

describe('Written field values', () => {
  const fields = fieldSetOf([fieldOfType('text')])
  const read = (written: Parameters<typeof readWritten>[1], by_person = false, set = fields) => {
    const faults: [string, string][] = []
    const changes = readWritten(set, written, { by_person }, (code, path) => faults.push([code, path]))
    return { faults, changes: [...changes] }
  }

  test('name a field by id or code; null or an empty list clears it', () => {
    expect(read([{ field_id: 300, values: [{ value: 'a' }] }]).changes).toEqual([[300, ['a']]])
    expect(read([{ field_code: 'CODE', field_id: null, values: [{ value: 'a' }] }]).changes).toEqual([
      [300, ['a']],
    ])
    for (const values of [null, [], [{ value: '' }], [{ value: '  ' }]])
      expect(read([{ field_id: 300, values }])).toEqual({ faults: [], changes: [[300, []]] })
    for (const type of ['numeric', 'date', 'select'] as const)
      expect(write(type, [{ value: '' }])).toMatchObject({ faults: [], stored: [] })
    expect(read(null)).toEqual({ faults: [], changes: [] })
  })

  test('are rejected if they name no field, an unknown field, or a field twice', () => {
    expect(
      read([
        { values: null },
        { field_id: 301, values: null },
        { field_code: 'code', values: null },
        { field_id: 300, values: null },
        { field_code: 'CODE', values: null },
      ]).faults,
    ).toEqual([
      ['FieldMissing', 'custom_fields_values.0.field_id'],
      ['NotSupportedChoice', 'custom_fields_values.1.field_id'],
      ['NotSupportedChoice', 'custom_fields_values.2.field_code'],
      ['NotUnique', 'custom_fields_values.4.field_code'],
    ])
  })

  test('are rejected from a person if only services can write the field (F2)', () => {
    for (const lock of [{ is_api_only: true }, { is_disabled: true }]) {
      expect(write('text', [{ value: 'a' }], lock, true).faults).toEqual([
        ['NotSupportedChoice', 'custom_fields_values.0.field_id'],
      ])
      expect(write('text', [{ value: 'a' }], lock, false).stored).toEqual(['a'])
    }
  })

  test('are hidden when their choice is deleted, but a text stays when its label is', () => {
    expect(shown('multiselect', [7, 99])).toEqual([red])
    expect(shown('select', [99])).toBeNull()
    expect(shown('multiselect', [7, 8])).toEqual([red, blue])
    expect(shown('multitext', [['+1555', 99]])).toEqual([{ value: '+1555', enum_id: 8, enum_code: null }])
  })

  test('are found by their words, and by a telephone number in any notation', () => {
    expect(searchTexts(fieldSetOf([fieldOfType('multitext')]), { 300: [['+1 555-01-02', 7]] })).toEqual([
      '+1 555-01-02',
      '15550102',
    ])
    expect(searchTexts(fieldSetOf([fieldOfType('numeric')]), { 300: ['5'] })).toEqual([])
  })
})

describe('Keys', () => {
  test('of numbers sort like the numbers', () => {
    const number = fc.double({ noNaN: true })
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [x, y] = [numberKey(a), numberKey(b)]
        expect(x).toMatch(/^[0-9a-f]{16}$/)
        expect(x < y).toBe(a < b)
        expect(x === y).toBe(a === b)
      }),
    )
    expect(numberKey(-0)).toBe(numberKey(0))
  })

  test('of texts are short, consist of whole characters, and are equal for equal words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
        const key = textKey(text)
        expect(key.length).toBeLessThanOrEqual(255)
        expect(key.isWellFormed()).toBe(true)
        expect(textKey(` ${text} `)).toBe(key)
      }),
    )
    expect(textKey(`${'x'.repeat(254)}😀`)).toBe('x'.repeat(254))
    expect(textKey('ПРИВЕТ')).toBe('привет')
  })

  test.each([
    ['+7 (999) 123-45-67', '79991234567', '9991234567'],
    ['8 999 123.45.67', '89991234567', '9991234567'],
    ['12345', '12345', '12345'],
    ['1234', null, null],
    ['ann@example.com', null, null],
    ['call 12345', null, null],
  ])('of the telephone number %s are %s and %s', (text, digits, key) => {
    expect([phoneDigits(text), phoneKey(text)]).toEqual([digits, key])
  })
})

describe('Numbers', () => {
  test('are returned in their shortest form', () => {
    const written = fc
      .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
      .map(([digits, places]) => digits / 10 ** places)
    fc.assert(
      fc.property(written, (value) => {
        const { stored, faults } = write('numeric', [{ value }])
        expect(faults).toEqual([])
        expect(Number(stored[0])).toBe(value)
        expect(String(stored[0])).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
        expect(write('numeric', [{ value: stored[0] }]).stored).toEqual(stored)
      }),
    )
  })

  test.each([
    ['007', '7'],
    ['-0.0', '0'],
    ['0', '0'],
    ['-1.50', '-1.5'],
    ['999999999999999', '999999999999999'],
    ['0.000000000000001', '0.000000000000001'],
    [1e-7, '0.0000001'],
    [0.1 + 0.2, '0.3'],
    [1.1 * 1.1, '1.21'],
    [-59.969999999999999, '-59.97'],
    [999_999_999_999_999, '999999999999999'],
  ])('%s is %s', (written, kept) => {
    expect(write('numeric', [{ value: written }]).stored).toEqual([kept])
  })
})

test.each(['value', 'enum_code'])(
  'finding a choice by its %s takes the same time with a thousand choices as with ten',
  async (name) => {
    const costOfChoices = async (count: number) => {
      const enums = Array.from({ length: count }, (_, i) => ({
        id: i,
        value: `v${i}`,
        sort: i,
        code: `v${i}`,
      }))
      const fields = fieldSetOf([fieldOfType('multiselect', offerOf(enums))])
      const values = Array(250).fill({ [name]: `v${count - 1}` })
      const fault = () => expect.unreachable()
      const { cpu } = await leastCost(3, async () => {
        for (let i = 0; i < 1_000; i++)
          readWritten(fields, [{ field_id: 300, values }], { by_person: false }, fault)
      })
      return cpu
    }
    expect(await costOfChoices(1_000)).toBeLessThan(5 * (await costOfChoices(10)))
  },
)

test('validation stops after the reported number of faults, and reads only values of one field', () => {
  const field = (id: number) => fieldOfType('multiselect', { id })
  const fields = fieldSetOf(Array.from({ length: 200 }, (_, id) => field(id)))
  const entries = fields.list.map(({ id }) => ({ field_id: id, values: Array(60).fill({ value: 'x' }) }))
  const paths: string[] = []
  readWritten(fields, entries, { by_person: false }, (_code, path) => paths.push(path))
  expect(paths.length).toBe(120)
  expect(paths.at(-1)).toBe('custom_fields_values.1.values.59.value')
})
