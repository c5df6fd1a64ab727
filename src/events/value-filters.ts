import { invalid } from '../errors.ts'
import { listOf, type Query, type QueryValue } from '../http/queries/bracket-query.ts'
import { numberOf } from '../http/queries/query-values.ts'
import {
  type EventType,
  eventTypes,
  type FilteredType,
  impliedType,
  takesFilter,
  type ValueFilter,
} from './event-types.ts'
import { keyOf, type Side, values } from './value-keys.ts'

/** The parsed `filter[type]`. */
export interface AskedTypes {
  types: FilteredType[]
  /** The field of `custom_field_<id>_value_changed`. */
  field_id: number | null
}

/** The form of each value filter, and the key parts that it looks for. */
const forms: Record<ValueFilter, (path: string, value: QueryValue, field_id: number | null) => string[]> = {
  leads_statuses: (path, value) =>
    pairs(path, value, (at, { pipeline_id, status_id }) =>
      values.stage(idOf(`${at}.pipeline_id`, pipeline_id), idOf(`${at}.status_id`, status_id)),
    ),
  customers_statuses: (path, value) =>
    pairs(path, value, (at, { status_id }) => values.id(idOf(`${at}.status_id`, status_id))),
  responsible_user_id: (path, value) => listOf(value).map((text) => values.id(numberOf(path, text))),
  custom_field_values: (path, value, field_id) =>
    listOf(value).map((text) => values.choice(field_id as number, numberOf(path, text))),
  // An exact value. A comma is part of it, so only arrays are lists.
  value: (path, value) => textsOf(path, value).map(values.exact),
}

/** Of one filter, in all types together: each is a range of an index. */
const MAX_VALUES = 100

/**
 * Parses `filter[value_after]` and `filter[value_before]` into keys, and says whether the keys imply the field. A text
 * or a list of texts is an exact value: `filter[value_after]=155` means `filter[value_after][value]=155`.
 */
export function readValueFilters(
  filter: Query,
  asked: AskedTypes | null,
): { keys: string[][]; ofField: boolean } {
  const keys: string[][] = []
  const implied = new Set<EventType>()
  let ofField = false
  for (const side of ['after', 'before'] as const) {
    const given = filter[`value_${side}`]
    if (given === undefined) continue
    const isNamed = typeof given === 'object' && !Array.isArray(given)
    for (const [name, value] of Object.entries(isNamed ? given : { value: given })) {
      const path = isNamed ? `filter.value_${side}.${name}` : `filter.value_${side}`
      if (!isFilter(name))
        throw invalid(
          path,
          'NotSupportedChoice',
          `Unknown filter. The filters are ${known.slice(0, -1).join(', ')} and ${known.at(-1)}.`,
        )
      const types = typesFor(name, path, asked)
      for (const type of types) implied.add(type)
      if (implied.size > 1 && !asked)
        throw invalid(path, 'InvalidFormat', 'No event type supports all of these value filters.')
      ofField ||= name === 'custom_field_values'
      const parts = forms[name](path, value, asked?.field_id ?? null)
      if (parts.length === 0) throw invalid(path, 'NotBlank', 'This value should not be blank.')
      if (parts.length * types.length > MAX_VALUES)
        throw invalid(path, 'TooMany', tooMany(parts.length, types.length))
      keys.push(
        types.flatMap((type) => parts.map((part) => keyOf(eventTypes[type].number, side as Side, part))),
      )
    }
  }
  return { keys: keys.map((group) => [...new Set(group)]), ofField }
}

const tooMany = (values: number, types: number): string =>
  types === 1
    ? `This filter accepts at most ${MAX_VALUES} values.`
    : `This filter accepts at most ${MAX_VALUES} values in all types together; it has ${values} in each of ${types} types.`

const known = Object.keys(forms)
const isFilter = (name: string): name is ValueFilter => Object.hasOwn(forms, name)

/** The types to search: the requested ones, all of which must support the filter. */
function typesFor(name: ValueFilter, path: string, asked: AskedTypes | null): EventType[] {
  if (name === 'custom_field_values' && !asked?.field_id)
    throw invalid(
      path,
      'InvalidFormat',
      `${name} requires exactly one custom_field_{FIELD_ID}_value_changed in filter[type].`,
    )
  if (!asked) {
    const type = impliedType(name)
    if (!type) throw invalid(path, 'InvalidFormat', `${name} requires filter[type].`)
    return [type]
  }
  const misfit = asked.types.find((type) => !takesFilter(type, name))
  if (misfit) throw invalid(path, 'InvalidFormat', `${name} does not apply to events of type ${misfit}.`)
  return asked.types as EventType[]
}

/**
 * `[n][pipeline_id]`, `[n][status_id]`. Pairs without numbers, `[][pipeline_id]` and `[][status_id]`, arrive as one pair of
 * lists.
 */
function pairs(path: string, value: QueryValue, read: (at: string, pair: Query) => string): string[] {
  if (typeof value !== 'object')
    throw invalid(path, 'InvalidType', 'Stages must be an indexed list, [n][status_id].')
  return Object.entries(value).flatMap(([n, pair]) => {
    const at = `${path}.${n}`
    if (typeof pair !== 'object' || Array.isArray(pair))
      throw invalid(at, 'InvalidType', 'Stages must be an indexed list, [n][status_id].')
    return separate(pair).map((one) => read(at, one))
  })
}

/** The pairs in a pair of lists. A list of one value belongs to each of them. */
function separate(pair: Query): Query[] {
  const members = Object.entries(pair).map(([name, value]) => [name, listOf(value)] as const)
  const count = Math.max(0, ...members.map(([, list]) => list.length))
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      members.flatMap(([name, list]) => {
        const value = list.length === 1 ? list[0] : list[i]
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  )
}

function idOf(path: string, value: QueryValue | undefined): number {
  if (typeof value !== 'string') throw invalid(path, 'FieldMissing', 'This field is missing.')
  return numberOf(path, value)
}

function textsOf(path: string, value: QueryValue): string[] {
  if (typeof value === 'string') return [value]
  const texts = Object.values(value).filter((item) => typeof item === 'string')
  if (texts.length < Object.keys(value).length)
    throw invalid(path, 'InvalidType', 'This value should be of type string.')
  return texts
}
