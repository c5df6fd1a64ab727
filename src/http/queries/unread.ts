import { listOf, type Query, type QueryValue } from './bracket-query.ts'

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  patternProperties?: object
  additionalProperties?: unknown
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  discriminator?: { propertyName: string }
  const?: unknown
}

/** A known parameter, with `choices` if it is a list of names. */
export interface ReadParameter {
  name: string
  choices?: readonly unknown[]
}

/** The paths of body members that the schema does not have: `price_rub`, `_embedded.tags[0].colour`. */
export function unreadMembers(schema: object, body: unknown): string[] {
  const found = new Set<string>()
  const { items } = schema as JsonSchema
  // Paths in a batch start at an item, as in faults.
  if (items) for (const item of [body].flat()) walk([items], item, '', found)
  else walk([schema], body, '', found)
  return [...found]
}

function walk(schemas: readonly JsonSchema[], value: unknown, path: string, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const branches = schemas.flatMap((schema) => branchesOf(schema, value))
  if (Array.isArray(value)) {
    const items = branches.flatMap((branch) => branch.items ?? [])
    for (const item of value) walk(items, item, `${path}[]`, found)
    return
  }
  const objects = branches.filter(({ properties }) => properties)
  if (objects.length === 0) return
  const isOpen = branches.some(
    ({ patternProperties, additionalProperties }) => patternProperties || additionalProperties,
  )
  for (const [name, member] of Object.entries(value)) {
    const known = objects.flatMap(({ properties }) =>
      Object.hasOwn(properties ?? {}, name) ? [properties?.[name] as JsonSchema] : [],
    )
    const place = path === '' ? name : `${path}.${name}`
    if (known.length > 0) walk(known, member, place, found)
    else if (!isOpen) found.add(place)
  }
}

/** The possible schemas of a value, selected by its discriminator. */
function branchesOf(schema: JsonSchema, value: object): JsonSchema[] {
  const all = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (!all) return [schema]
  const tag = schema.discriminator?.propertyName
  const meant =
    tag === undefined ? all : all.filter(({ properties }) => isTagged(properties?.[tag], value, tag))
  return meant.flatMap((branch) => branchesOf(branch, value))
}

const isTagged = (schema: JsonSchema | undefined, value: object, tag: string): boolean =>
  schema?.const === (value as Record<string, unknown>)[tag]

/** The unknown parameters of a query, and the unknown names in its lists. */
export function unreadParameters(read: readonly ReadParameter[], query: Query): string[] {
  const known = read.map(({ name }) => partsOf(name))
  const unknown = flat(query).filter((parts) => !known.some((one) => isSame(one, parts.filter(isName))))
  const names = read.flatMap(({ name, choices }) =>
    choices
      ? listOf(query[name])
          .filter((one) => !choices.includes(one))
          .map((one) => `${name}=${one}`)
      : [],
  )
  return [...new Set([...unknown.map(written), ...names])]
}

/** `filter[a][0][b]` has the parts `filter`, `a` and `b`. List positions are not names. */
const partsOf = (name: string): string[] => name.split(/[[\]]+/).filter(isName)
const isName = (part: string): boolean => part !== '' && !/^\d+$/.test(part)

const written = ([first = '', ...rest]: string[]): string => first + rest.map((part) => `[${part}]`).join('')

/**
 * Whether one name is a prefix of the other. A filter is read as a whole and in parts, but `filter` alone is not read.
 */
const isSame = (known: readonly string[], asked: readonly string[]): boolean =>
  asked.length >= Math.min(known.length, 2) &&
  known.slice(0, asked.length).every((part, i) => part === asked[i])

/** The parts of the name of each value in a query. */
function flat(value: QueryValue, parts: string[] = []): string[][] {
  if (typeof value === 'string') return [parts]
  return Object.entries(value).flatMap(([name, one]) => flat(one, [...parts, name]))
}
