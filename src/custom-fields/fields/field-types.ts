/** Owners of fields, as stored. Segments and each list have their own fields, separate from those of the records. */
export const fieldOwners = ['leads', 'contacts', 'companies', 'customers', 'segments', 'catalogs'] as const
export type FieldOwner = (typeof fieldOwners)[number]

/** A setting that only some types have. */
export type TypeSetting = 'remind' | 'currency' | 'tracking_callback' | 'chained_lists' | 'search_in'

/** A type of field. How its values are read and shown is in `field-values.ts`. */
export interface FieldTypeRow {
  /** The number in the legacy interface and in events. Numbers up to 16 are the platform's; the others are ours. */
  number: number
  /** Owners for which the v4 interface can create the field. */
  owners: readonly FieldOwner[]
  /** The most values that a record can have. */
  most: number
  /** The choices of the field: plain choices, labels (with defaults), or a tree of choices. */
  enums: 'choices' | 'labels' | 'tree' | null
  setting?: TypeSetting
}

/** The parts of an address in reading order. */
export const addressParts = ['address_line_1', 'address_line_2', 'city', 'state', 'zip', 'country'] as const

const everywhere = ['leads', 'contacts', 'companies', 'customers', 'segments', 'catalogs'] as const
const cards = ['leads', 'contacts', 'companies'] as const
const one = { most: 1, enums: null } as const

// biome-ignore format: one line a type
export const fieldTypes = {
  text: { number: 1, owners: everywhere, ...one },
  numeric: { number: 2, owners: everywhere, ...one },
  checkbox: { number: 3, owners: everywhere, ...one },
  select: { number: 4, owners: everywhere, most: 1, enums: 'choices' },
  multiselect: { number: 5, owners: everywhere, most: 250, enums: 'choices' },
  date: { number: 6, owners: everywhere, ...one, setting: 'remind' },
  url: { number: 7, owners: everywhere, ...one },
  multitext: { number: 8, owners: ['contacts'], most: 100, enums: 'labels' },
  textarea: { number: 9, owners: everywhere, ...one },
  radiobutton: { number: 10, owners: everywhere, most: 1, enums: 'choices' },
  streetaddress: { number: 11, owners: everywhere, ...one },
  smart_address: { number: 13, owners: cards, most: 6, enums: null },
  birthday: { number: 14, owners: cards, ...one, setting: 'remind' },
  legal_entity: { number: 15, owners: cards, most: 20, enums: null },
  items: { number: 16, owners: ['catalogs'], most: 250, enums: null },
  org_legal_name: { number: 17, owners: ['companies'], ...one },
  category: { number: 18, owners: ['catalogs'], most: 1, enums: 'tree' },
  date_time: { number: 19, owners: everywhere, ...one, setting: 'remind' },
  price: { number: 20, owners: ['catalogs'], ...one },
  tracking_data: { number: 21, owners: ['leads'], ...one, setting: 'tracking_callback' },
  linked_entity: { number: 22, owners: ['catalogs'], ...one, setting: 'search_in' },
  monetary: { number: 23, owners: ['leads', 'contacts', 'companies', 'customers'], ...one, setting: 'currency' },
  chained_list: { number: 24, owners: ['leads', 'customers'], most: 5, enums: null, setting: 'chained_lists' },
  file: { number: 25, owners: ['leads', 'contacts', 'companies', 'customers', 'catalogs'], ...one },
  payer: { number: 26, owners: ['catalogs'], ...one },
  supplier: { number: 27, owners: ['catalogs'], ...one },
} as const satisfies Record<string, FieldTypeRow>

export type FieldType = keyof typeof fieldTypes

export const fieldTypeNames = Object.keys(fieldTypes) as FieldType[]

/** The row of a type, without the literal types of the table. */
export const typeOf = (type: FieldType): FieldTypeRow => fieldTypes[type]

const byNumber = new Map(fieldTypeNames.map((name) => [fieldTypes[name].number as number, name]))

export const fieldTypeOf = (number: number): FieldType | undefined => byNumber.get(number)
