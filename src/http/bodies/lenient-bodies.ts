import { secondsIn, UNIX_TIME, unixSeconds } from '../times.ts'

/** The format of a choice that may be written in any case. */
export const ANY_CASE = 'any-case'

/** Converts a value of a body to the form of its schema, for notations that clients are known to send (V14). */
type Reading = (value: unknown) => unknown

interface JsonSchema {
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  maxItems?: number
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  discriminator?: { propertyName: string }
}

type Json = Record<string, unknown>

const readings = new WeakMap<object, Reading>()

/**
 * The lenient reading of a schema's bodies. `null` in an optional member that does not allow null is removed. `[]` is
 * an empty object where an object is expected. An object with only numeric names is an array where an array is
 * expected, or an object with other names. Times become whole seconds, 0 is null where a time can be absent, and choices get
 * the case that the schema has. Changes the value in place, in linear time. Does not convert an array that is longer than
 * its schema allows.
 */
export function lenient(schema: object): Reading {
  const known = readings.get(schema)
  if (known) return known
  const reading = readingOf(schema as JsonSchema) ?? asItIs
  readings.set(schema, reading)
  return reading
}

const asItIs: Reading = (value) => value

/** Undefined if the schema needs no conversion. */
function readingOf(schema: JsonSchema): Reading | undefined {
  const branches = branchesOf(schema)
  const arrays = branches.find((branch) => hasType(branch, 'array'))
  const objects = branches.filter((branch) => hasType(branch, 'object'))
  const isTime = branches.some(({ format }) => format === UNIX_TIME)
  const choices = branches.find(({ format }) => format === ANY_CASE)?.enum?.map(String)
  const byCase = choices && new Map(choices.map((choice) => [choice.toLowerCase(), choice]))
  const readArray = arrays && readingOfArray(arrays)
  const readObject = objects.length > 0 ? readingOfObject(schema, objects) : undefined
  const isNamed = objects.every(({ required = [] }) => required.length > 0)
  if (!readArray && !readObject && !isTime && !byCase) return undefined
  return (value) => {
    if (typeof value === 'string')
      return byCase?.get(value.toLowerCase()) ?? (isTime ? secondsIn(value) : value)
    if (typeof value === 'number') return isTime ? unixSeconds(value) : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      if (readArray) return readArray(value)
      return value.length === 0 && readObject ? readObject({}) : value
    }
    if (readArray && isNamed && isNumbered(value)) return readArray(Object.values(value))
    return readObject ? readObject(value as Json) : value
  }
}

/** The alternatives of a schema. */
const branchesOf = (schema: JsonSchema): JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema.allOf ? joined(schema.allOf) : schema]).flatMap((branch) =>
    branch === schema || branch.allOf === undefined ? [branch] : [joined(branch.allOf)],
  )

/** Merges object schemas that all apply to one value. */
const joined = (all: JsonSchema[]): JsonSchema => ({
  type: 'object',
  properties: Object.assign({}, ...all.map(({ properties }) => properties)),
  required: all.flatMap(({ required }) => required ?? []),
})

const typesOf = ({ type }: JsonSchema): string[] => (type === undefined ? [] : [type].flat())
const hasType = (schema: JsonSchema, type: string): boolean => typesOf(schema).includes(type)

/** PHP encodes an array with gaps in this way. */
const isNumbered = (value: object): boolean => {
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => /^\d{1,16}$/.test(name))
}

function readingOfArray({ items, maxItems = Number.POSITIVE_INFINITY }: JsonSchema): Reading {
  const read = items && readingOf(items)
  return (value) => {
    const array = value as unknown[]
    if (read && array.length <= maxItems) for (let i = 0; i < array.length; i++) array[i] = read(array[i])
    return array
  }
}

function readingOfObject({ discriminator }: JsonSchema, objects: JsonSchema[]): Reading {
  if (!discriminator) return readingOfMembers(objects)
  const name = discriminator.propertyName
  const byTag = new Map(
    objects.map((branch) => [branch.properties?.[name]?.const, readingOfMembers([branch])]),
  )
  return (value) => byTag.get((value as Json)[name])?.(value) ?? value
}

/** If several objects are possible, a member is converted in the way that fits all of them. */
function readingOfMembers(objects: JsonSchema[]): Reading {
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})))
  const members = [...names].flatMap((name) => {
    const schemas = objects.flatMap(({ properties }) => properties?.[name] ?? [])
    const isNullable = schemas.some(takesNull)
    const isLeftOut = !objects.some(({ required }) => required?.includes(name)) && !isNullable
    const isTime = schemas.flatMap(branchesOf).some(({ format }) => format === UNIX_TIME)
    const read = readingOf(schemas.length === 1 ? (schemas[0] as JsonSchema) : { anyOf: schemas })
    return isLeftOut || read ? [{ name, isLeftOut, isNullable, isTime, read }] : []
  })
  return (value) => {
    const object = value as Json
    for (const { name, isLeftOut, isNullable, isTime, read } of members) {
      if (!Object.hasOwn(object, name)) continue
      if (object[name] === null || (isTime && object[name] === 0)) {
        if (isLeftOut) delete object[name]
        else if (isNullable) object[name] = null
      } else if (read) object[name] = read(object[name])
    }
    return object
  }
}

/** Whether the schema allows null. */
const takesNull = (schema: JsonSchema): boolean => {
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return branches.some(takesNull)
  if (schema.allOf) return schema.allOf.every(takesNull)
  if (schema.enum) return schema.enum.includes(null)
  if ('const' in schema) return schema.const === null
  return typesOf(schema).length === 0 || hasType(schema, 'null')
}
