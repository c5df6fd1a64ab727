import type { CustomFieldRow, Json } from '../../db/tables.ts'
import type { FieldOwner, FieldType } from './field-types.ts'
import { type Offer, offerOf } from './value-kinds.ts'

export { type FieldOwner, fieldOwners } from './field-types.ts'

/** A choice or a label of a field. */
export interface FieldEnum {
  id: number
  value: string
  sort: number
  code: string | null
  /** The parent of a category. */
  parent_id?: number | null
}

export interface Stage {
  pipeline_id: number
  status_id: number
}

/** Settings that only some types or owners have; a missing one has its default. */
export interface FieldSettings {
  /** Stages in which a value is required. */
  required_statuses?: Stage[]
  /** Stages in which the card hides the field. */
  hidden_statuses?: Stage[]
  is_required?: boolean
  is_visible?: boolean
  /** How often people are reminded of the date. */
  remind?: 'never' | 'day' | 'week' | 'month' | null
  currency?: string | null
  tracking_callback?: string | null
  chained_lists?: { title?: string; catalog_id: number; parent_catalog_id?: number | null }[] | null
  search_in?: string | null
  settings?: string[] | null
}

export interface Field extends Offer {
  account_id: number
  id: number
  entity_type: FieldOwner
  catalog_id: number | null
  group_id: string | null
  type: FieldType
  name: string
  code: string | null
  sort: number
  is_api_only: boolean
  is_predefined: boolean
  is_deletable: boolean
  /** Visible but read-only for people (F2). */
  is_disabled: boolean
  /** The service that created the field. Only it can change or delete the field (F1). */
  origin: string | null
  settings: Readonly<FieldSettings>
  created_at: number
  updated_at: number
}

/** The fields of one owner. */
export interface FieldSet {
  /** By sort, then by id. */
  list: Field[]
  byId: Map<number, Field>
  byCode: Map<string, Field>
}

export function fieldOf(row: CustomFieldRow): Field {
  return {
    account_id: row.account_id,
    id: row.id,
    entity_type: row.entity_type as FieldOwner,
    catalog_id: row.catalog_id,
    group_id: row.group_id,
    type: row.type as FieldType,
    name: row.name,
    code: row.code,
    sort: row.sort,
    is_api_only: row.is_api_only === 1,
    is_predefined: row.is_predefined === 1,
    is_deletable: row.is_deletable === 1,
    is_disabled: row.is_disabled === 1,
    origin: row.origin,
    ...parseEnums(row.enums),
    settings: parseSettings(row.settings),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export function fieldSetOf(list: Field[]): FieldSet {
  list.sort((a, b) => a.sort - b.sort || a.id - b.id)
  return {
    list,
    byId: new Map(list.map((field) => [field.id, field])),
    byCode: new Map(list.flatMap((field) => (field.code === null ? [] : [[field.code, field]]))),
  }
}

/** Caches the parsed texts: fields are loaded with every record. */
function parsedOnce<T extends object>(parse: (text: Json) => T): (text: Json) => T {
  const parsed = new Map<Json, T>()
  return (text) => {
    let value = parsed.get(text)
    if (!value) {
      value = Object.freeze(parse(text))
      if (parsed.size >= 2_000) parsed.clear()
      parsed.set(text, value)
    }
    return value
  }
}

const parseEnums = parsedOnce((text) => {
  const enums = JSON.parse(text) as FieldEnum[]
  enums.sort((a, b) => a.sort - b.sort || a.id - b.id)
  return offerOf(enums)
})

const parseSettings = parsedOnce((text) => JSON.parse(text) as FieldSettings)
