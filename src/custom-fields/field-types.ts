import type { FieldOwner } from './fields.ts'
import { chainedList, file, items, legalEntity, linkedEntity, payer, supplier } from './structured-kinds.ts'
import { choice, decimal, flag, labelled, moment, offerOf, text, url, type ValueKind } from './value-kinds.ts'

/** Everything that is specific to one type of field. */
export interface FieldTypeRow {
  /** The number in the legacy interface and in events. Numbers up to 16 are the platform's; the others are ours. */
  number: number
  /** Owners for which the v4 interface can create the field. */
  owners: readonly FieldOwner[]
  /** The most values that a record can have. */
  most: number
  /** How the field has choices: they are required, they are labels (with defaults), or they are a tree. */
  enums: 'required' | 'labels' | 'tree' | null
  values: ValueKind
}

const everywhere = ['leads', 'contacts', 'companies', 'customers', 'segments', 'catalogs'] as const
const cards = ['leads', 'contacts', 'companies'] as const
const one = { most: 1, enums: null } as const

/** The parts of an address, which are the same in every account. */
const addressParts = ['address_line_1', 'address_line_2', 'city', 'state', 'zip', 'country'].map(
  (code, i) => ({ id: i + 1, value: code, sort: i + 1, code }),
)
const address = offerOf(addressParts)

// biome-ignore format: one line a type
export const fieldTypes = {
  text: { number: 1, owners: everywhere, ...one, values: text(1_024) },
  numeric: { number: 2, owners: everywhere, ...one, values: decimal },
  checkbox: { number: 3, owners: everywhere, ...one, values: flag },
  select: { number: 4, owners: everywhere, most: 1, enums: 'required', values: choice },
  multiselect: { number: 5, owners: everywhere, most: 250, enums: 'required', values: choice },
  date: { number: 6, owners: everywhere, ...one, values: moment },
  url: { number: 7, owners: everywhere, ...one, values: url(2_048) },
  multitext: { number: 8, owners: ['contacts'], most: 100, enums: 'labels', values: labelled(1_024) },
  textarea: { number: 9, owners: everywhere, ...one, values: text(20_000) },
  radiobutton: { number: 10, owners: everywhere, most: 1, enums: 'required', values: choice },
  streetaddress: { number: 11, owners: everywhere, ...one, values: text(1_024) },
  smart_address: { number: 13, owners: cards, most: 6, enums: null, values: labelled(1_024, address) },
  birthday: { number: 14, owners: cards, ...one, values: moment },
  legal_entity: { number: 15, owners: cards, most: 20, enums: null, values: legalEntity },
  items: { number: 16, owners: ['catalogs'], most: 250, enums: null, values: items },
  org_legal_name: { number: 17, owners: ['companies'], ...one, values: text(1_024) },
  category: { number: 18, owners: ['catalogs'], most: 1, enums: 'tree', values: choice },
  date_time: { number: 19, owners: everywhere, ...one, values: moment },
  price: { number: 20, owners: ['catalogs'], ...one, values: decimal },
  tracking_data: { number: 21, owners: ['leads'], ...one, values: text(4_096) },
  linked_entity: { number: 22, owners: ['catalogs'], ...one, values: linkedEntity },
  monetary: { number: 23, owners: ['leads', 'contacts', 'companies', 'customers'], ...one, values: decimal },
  chained_list: { number: 24, owners: ['leads', 'customers'], most: 5, enums: null, values: chainedList },
  file: { number: 25, owners: ['leads', 'contacts', 'companies', 'customers', 'catalogs'], ...one, values: file },
  payer: { number: 26, owners: ['catalogs'], ...one, values: payer },
  supplier: { number: 27, owners: ['catalogs'], ...one, values: supplier },
} as const satisfies Record<string, FieldTypeRow>

export type FieldType = keyof typeof fieldTypes

export const fieldTypeNames = Object.keys(fieldTypes) as FieldType[]

/** The row of a type, without the literal types of the table. */
export const typeOf = (type: FieldType): FieldTypeRow => fieldTypes[type]

const byNumber = new Map(fieldTypeNames.map((name) => [fieldTypes[name].number as number, name]))

export const fieldTypeOf = (number: number): FieldType | undefined => byNumber.get(number)
