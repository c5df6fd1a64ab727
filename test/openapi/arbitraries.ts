import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '../../src/http/operation.ts'

/** A placeholder for the id or name of an object that exists when the request is sent. */
export interface Known {
  [KNOWN]: true
  name: string
  pick: number
  /** Sent if there is no such object, and sometimes otherwise. */
  otherwise: unknown
  /** How often an existing object is used, out of ten. */
  often: number
}
const KNOWN = Symbol('known')

export const isKnown = (value: unknown): value is Known =>
  typeof value === 'object' && value !== null && KNOWN in value

const known = (name: string, often: number, otherwise: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.record({ pick: fc.nat(), otherwise }).map((one): Known => ({ [KNOWN]: true, name, often, ...one }))

/** Likely members of objects without a described shape. */
const MEMBERS = ['value', 'text', 'enum_id', 'enum_code', 'name', 'id', 'uniq', 'phone', 'file_uuid', 'link']
/** The depth up to which values are complete. Below it, optional members are omitted. */
const DEEP = 5
const LONGEST = 2_000

const shortText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'Anna',
    'a b',
    'Ünïcode ж 😀',
    '+7 (999) 123-45-67',
    'a@example.com',
    'https://example.com/a?b=1',
  ),
)
const anything = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  shortText,
  fc.constant([]),
  fc.constant({}),
)

/** By schema, name and depth: fast-check takes longer to create an arbitrary than to generate a value. */
const created = new WeakMap<JsonSchema, Map<string, Arbitrary<unknown>>>()

/** Values of a schema: typical ones, its limits, and ids of existing objects. */
export function valuesOf(
  shared: Record<string, JsonSchema>,
  schema: JsonSchema,
  name = '',
  depth = 0,
): Arbitrary<unknown> {
  const own = created.getOrInsertComputed(schema, () => new Map())
  return own.getOrInsertComputed(`${depth} ${name}`, () => createValues(shared, schema, name, depth))
}

function createValues(
  shared: Record<string, JsonSchema>,
  schema: JsonSchema,
  name: string,
  depth: number,
): Arbitrary<unknown> {
  const of = (part: JsonSchema, called = name) => valuesOf(shared, part, called, depth + 1)
  if (typeof schema.$ref === 'string') return of(shared[schema.$ref.slice(1)] as JsonSchema)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) {
    const few = depth > DEEP ? choices.filter(({ type }) => type === 'null') : choices
    return fc.oneof(...(few.length > 0 ? few : choices).map((one) => of(one)))
  }
  if (schema.allOf)
    return fc
      .tuple(...(schema.allOf as JsonSchema[]).map((one) => of(one)))
      .map((parts) => (parts.every(isPlain) ? Object.assign({}, ...parts) : parts[0]))
  const types = [schema.type ?? []].flat() as string[]
  if (types.length === 0) return anything
  return fc.oneof(...types.map((type) => (makers[type] ?? (() => anything))({ schema, name, depth, of })))
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isKnown(value)

interface Making {
  schema: JsonSchema
  name: string
  depth: number
  of(part: JsonSchema, called?: string): Arbitrary<unknown>
}

const makers: Record<string, (making: Making) => Arbitrary<unknown>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ schema, name }) => {
    const { min, max } = boundsOf(schema)
    const free = fc.oneof(
      { weight: 2, arbitrary: fc.integer({ min: Math.max(min, 0), max: Math.min(max, 3_000_000_000) }) },
      { weight: 1, arbitrary: fc.constantFrom(min, min + 1, max) },
    )
    return known(name, 8, free)
  },
  number: ({ schema }) => {
    const { min, max } = boundsOf(schema)
    return fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max))
  },
  string: ({ schema, name }) => {
    const { minLength = 0, maxLength = LONGEST, pattern } = schema as Record<string, never>
    const at = [minLength, Math.min(maxLength, LONGEST)].map((length) =>
      fc.constantFrom('a'.repeat(length), 'ж'.repeat(length)),
    )
    const fits = (text: string) =>
      text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern).test(text))
    const words = fc.oneof(shortText, ...at).filter(fits)
    const matching = pattern ? matchingOf(pattern) : null
    return known(name, 4, matching ? matching.filter(fits) : words)
  },
  array: ({ schema, depth, of }) => {
    const { minItems = 0, maxItems = 250, items = {}, uniqueItems } = schema as Record<string, never>
    const item = of(items)
    const most = depth > DEEP ? minItems : Math.min(maxItems, Math.max(minItems, 3))
    const few = uniqueItems
      ? fc.uniqueArray(item, { minLength: minItems, maxLength: most })
      : fc.array(item, { minLength: minItems, maxLength: most })
    if (depth > 0 || maxItems < 250) return few
    // A whole batch for one object.
    return fc.oneof(
      { weight: 60, arbitrary: few },
      { weight: 1, arbitrary: item.map((one) => Array(maxItems).fill(one)) },
    )
  },
  object: ({ schema, depth, of }) => {
    const { properties = {}, required = [] } = schema as {
      properties?: Record<string, JsonSchema>
      required?: string[]
    }
    const names = Object.keys(properties)
    if (names.length === 0) return fc.dictionary(fc.constantFrom(...MEMBERS), anything, { maxKeys: 3 })
    const optional = depth > DEEP ? [] : names.filter((name) => !required.includes(name))
    return fc
      .subarray(optional, { maxLength: Math.min(optional.length, 4) })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(
            [...required, ...chosen].map((name) => [name, of(properties[name] as JsonSchema, name)]),
          ),
        ),
      )
  },
}

function boundsOf(schema: JsonSchema): { min: number; max: number } {
  const { minimum = -1_000_000, maximum = Number.MAX_SAFE_INTEGER } = schema as Record<string, number>
  return { min: minimum, max: maximum }
}

/** Texts that match a pattern. Patterns with lookahead are not supported, so texts are filtered. */
function matchingOf(pattern: string): Arbitrary<string> | null {
  try {
    return fc.stringMatching(new RegExp(pattern))
  } catch {
    return null
  }
}
