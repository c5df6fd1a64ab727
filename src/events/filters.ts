import { integrationsIn } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { invalid, invalidChoice } from '../errors.ts'
import { listOf, type QueryValue } from '../http/queries/bracket-query.ts'
import { numberOf, type Range, timesAfter } from '../http/queries/query-values.ts'
import { eventTypes, type FilteredType, isFilteredType, numberOfType } from './event-types.ts'
import { type AskedTypes, readValueFilters } from './value-filters.ts'

/** The parsed `filter[…]` of the log. A null member does not restrict the result, and no list is empty. */
export interface EventFilter {
  ids: string[] | null
  /** Unix seconds, both ends inclusive. */
  created_at: Range
  created_by: number[] | null
  /** Numbers of integrations; 0 for one that does not exist. */
  integrations: number[] | null
  /** Type numbers. */
  types: number[] | null
  /** The field of `custom_field_<id>_value_changed`. */
  field_id: number | null
  /** `lead`, `contact`, `company`, `customer`, `task`, `catalog_<id>`. */
  entities: string[] | null
  entity_ids: number[] | null
  /** Keys of values, after and before. An event must have at least one key of each group. */
  values: string[][]
}

/** The filter that excludes nothing. */
export const EVERYTHING: EventFilter = {
  ids: null,
  created_at: { from: null, to: null },
  created_by: null,
  integrations: null,
  types: null,
  field_id: null,
  entities: null,
  entity_ids: null,
  values: [],
}

const MAX_PEOPLE = 10
const MAX_ENTITY_IDS = 10
const MAX_IDS = 250
const MAX_ENTITIES = 50

/** Whether a filter excludes any events. */
export function isNarrow({ created_at, values, ...lists }: EventFilter): boolean {
  const parts = [created_at.from, created_at.to, ...Object.values(lists)]
  return values.length > 0 || parts.some((part) => part !== null)
}

/** Parses `filter[…]`. Unknown keys are ignored (V2). A broken rule is refused with its own message (E4). */
export async function readEventFilter(ctx: Context, filter: QueryValue | undefined): Promise<EventFilter> {
  const asked = typeof filter === 'object' && !Array.isArray(filter) ? filter : {}
  const types = typesOf(asked.type)
  const entities = some(bounded('entity', asked.entity, MAX_ENTITIES, 'kinds of entities'))
  for (const entity of entities ?? [])
    if (!isEntity(entity)) throw invalidChoice('filter.entity', entityNames)
  const entity_ids = numbers('entity_id', asked.entity_id, MAX_ENTITY_IDS, 'ids')
  if (entity_ids && entities?.length !== 1)
    throw invalid(
      'filter.entity_id',
      'InvalidFormat',
      'filter[entity_id] requires filter[entity] with exactly one entity.',
    )
  const { keys, ofField } = readValueFilters(asked, types)
  // A value filter already fixes the types, and so does a field; a filter by choice also fixes the field.
  const isFixed = keys.length > 0 || (types !== null && types.field_id !== null)
  return {
    ids: some(bounded('id', asked.id, MAX_IDS, 'ids'))?.map((id) => id.toLowerCase()) ?? null,
    created_at:
      asked.created_at === undefined ? { from: null, to: null } : timesAfter('created_at', asked.created_at),
    created_by: numbers('created_by', asked.created_by, MAX_PEOPLE, 'users'),
    integrations: await integrationsIn(ctx, filter),
    types: isFixed ? null : some((types?.types ?? []).map(numberOfType)),
    field_id: ofField ? null : (types?.field_id ?? null),
    entities,
    entity_ids,
    values: keys,
  }
}

const ofField = /^custom_field_(\d{1,16})_value_changed$/

function typesOf(value: QueryValue | undefined): AskedTypes | null {
  const names = [...new Set(listOf(value))]
  if (names.length === 0) return null
  const field = names.map((name) => ofField.exec(name)).find((match) => match !== null)
  if (!field) return { types: names.map(typeNamed), field_id: null }
  if (names.length > 1)
    throw invalid('filter.type', 'InvalidFormat', `${field[0]} cannot be combined with other types.`)
  return { types: ['custom_field_value_changed'], field_id: numberOf('filter.type', field[1] as string) }
}

function typeNamed(name: string): FilteredType {
  if (!isFilteredType(name)) throw invalidChoice('filter.type', eventTypeNames)
  return name
}

const entityNames = ['lead', 'contact', 'company', 'customer', 'task', 'catalog_{id}']

const isEntity = (name: string): boolean =>
  entityNames.includes(name.replace(/^catalog_\d{1,16}$/, 'catalog_{id}')) && name !== 'catalog_{id}'

const eventTypeNames = Object.keys(eventTypes)

function numbers(name: string, value: QueryValue | undefined, most: number, what: string): number[] | null {
  return some(bounded(name, value, most, what).map((text) => numberOf(`filter.${name}`, text)))
}

function bounded(name: string, value: QueryValue | undefined, most: number, what: string): string[] {
  const values = [...new Set(listOf(value))]
  if (values.length > most)
    throw invalid(`filter.${name}`, 'TooMany', `filter[${name}] accepts at most ${most} ${what}.`)
  return values
}

/** An empty filter does not restrict the result. */
const some = <Item>(list: Item[]): Item[] | null => (list.length > 0 ? list : null)
