import { Ajv, type ErrorObject, type Options } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { type Fault, type FaultCode, notAChoice, Refusal } from '../../errors.ts'
import { inSlices } from '../../fair-turns.ts'
import { sentenceOf } from '../problems/fault-types.ts'
import { UNIX_TIME } from '../times.ts'
import { ANY_CASE } from './lenient-bodies.ts'

const options: Options = {
  useDefaults: true,
  removeAdditional: false,
  strict: false,
  discriminator: true,
  verbose: true,
  // Makes the compilation of a schema twice as long, and its use no faster.
  code: { optimize: false },
}

/** Bodies are not coerced (V2): "5" is not 5. */
const ofBodies: Options = {
  ...options,
  coerceTypes: false,
  formats: { 'web-address': isWebAddress, [UNIX_TIME]: true, [ANY_CASE]: true },
}

/** Addresses contain only text, so their values are coerced to the types of the schema. */
const ofAddresses: Options = { ...options, coerceTypes: 'array' }

/**
 * Whether a text is an http or https URL. An empty text passes: where one is required, the schema has a minimum length.
 */
function isWebAddress(text: string): boolean {
  return text === '' || (/^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text))
}

/**
 * Validation stops at the first fault, so that invalid values cost no more than valid ones. Only small values are then
 * validated again for all their faults.
 */
class Validator {
  readonly #first: Ajv
  readonly #all: Ajv

  constructor(options: Options) {
    this.#first = new Ajv(options)
    this.#all = new Ajv({ ...options, allErrors: true })
  }

  /** The faults of a value; empty if it is valid. A schema is compiled at its first use. */
  errors(schema: object, value: unknown): ErrorObject[] {
    const isValid = this.#first.compile(schema)
    if (isValid(value)) return []
    if (partsOf(value, MAX_PARTS) > MAX_PARTS) return isValid.errors ?? []
    const isValidInAll = this.#all.compile(schema)
    return (isValidInAll(value) ? isValid.errors : isValidInAll.errors) ?? []
  }
}

const strict = new Validator(ofBodies)
const coercing = new Validator(ofAddresses)

/** Larger values, counted in members and items, only report their first fault. */
const MAX_PARTS = 1_000
/** Items of a batch whose faults are reported. Validation stops after them. */
const MAX_FAULTY = 20

/** The number of members and items of a value, counted up to `most` + 1. */
function partsOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Array.isArray(value) ? value : Object.values(value)
  let count = parts.length
  for (let i = 0; i < parts.length && count <= most; i++) count += partsOf(parts[i], most - count)
  return count
}

/**
 * Validates with JSON Schema and throws the Refusal that a rule would throw. A schema is compiled at its first use,
 * because a server has hundreds, and shared by both mounts of v4.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  if (httpPart === 'body' && isBatch(schema))
    return batchValidator(schema) as ReturnType<FastifySchemaCompiler<object>>
  const validator = httpPart === 'body' ? strict : coercing
  const isAddress = httpPart === 'params'
  return (value) => {
    if (isAddress && !hasDigits(schema, value)) return { error: otherAddress() }
    const faults = faultsOf(validator.errors(schema, value), '0')
    if (faults.length === 0) return { value }
    if (isAddress) return { error: otherAddress() }
    return { error: isAbsent(value) ? noData() : refusalOf(faults) }
  }
}

/** Fastify passes null if there is no body. */
const isAbsent = (body: unknown): boolean => body === null || body === undefined

const noData = () => new Refusal('invalid', 'Request data can not be empty')

/** An address with an invalid id does not exist (V13). */
const otherAddress = () => new Refusal('not_found', 'There is nothing at this address.')

/** Whether every integer of an address consists of digits. Coercion would also accept `1e3` and ` 7`. */
const hasDigits = (schema: object, value: unknown): boolean =>
  Object.entries((schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {}).every(
    ([name, { type }]) => type !== 'integer' || DIGITS.test((value as Record<string, string>)[name] ?? '0'),
  )
const DIGITS = /^\d{1,16}$/

type BatchSchema = { type: 'array'; items: object }

const isBatch = (schema: object): schema is BatchSchema => 'type' in schema && schema.type === 'array'

/** Validates a batch as a list first, so that one that is too long costs nothing more, then its items. */
function batchValidator({ items, ...list }: BatchSchema) {
  return (value: unknown) => {
    if (isAbsent(value)) return { error: noData() }
    const faults = faultsOf(strict.errors(list, value), '0')
    if (faults.length > 0) return { error: refusalOf(faults) }
    const refusal = inSlices(validateItems(items, value as unknown as unknown[]))
    // Fastify treats a rejected promise as the error and every other promise as success.
    if (refusal instanceof Promise)
      return refusal.then((refusal) => {
        if (refusal) throw refusal
      })
    return refusal ? { error: refusal } : { value }
  }
}

function* validateItems(schema: object, batch: unknown[]): Generator<undefined, Refusal | undefined> {
  const faults: Fault[] = []
  let faulty = 0
  for (const [i, item] of batch.entries()) {
    const errors = strict.errors(schema, item)
    if (errors.length > 0) {
      faults.push(...faultsOf(errors, nameOfItem(item, i)))
      if (++faulty === MAX_FAULTY) break
    }
    yield
  }
  return faults.length > 0 ? refusalOf(faults) : undefined
}

/**
 * The name of an item in faults: its request_id or its position. The item can be any value, for example `{ "toString":
 * 1 }`.
 */
export function nameOfItem(item: unknown, i: number): string {
  const { request_id } = Object(item) as { request_id?: unknown }
  return typeof request_id === 'string' || typeof request_id === 'number' ? String(request_id) : String(i)
}

/** The refusal of a list that is longer than its schema allows, in the words of validation. */
export const tooManyItems = (limit: number): Refusal =>
  refusalOf(faultsOf([{ keyword: 'maxItems', instancePath: '', schemaPath: '', params: { limit } }], '0'))

const refusalOf = (faults: Fault[]) => new Refusal('invalid', 'Request validation failed', { faults })

/** Validates a value against a schema that only a rule knows. The faults are those of item `request_id`, at `path`. */
export const faultsIn = (schema: object, value: unknown, request_id: string, path: string): Fault[] =>
  faultsOf(strict.errors(schema, value), request_id).map((fault) => ({
    ...fault,
    path: [path, fault.path].filter((part) => part !== '').join('.'),
  }))

function faultsOf(errors: ErrorObject[], request_id: string): Fault[] {
  const faults = new Map<string, Fault>()
  const explained = explainedPlaces(errors)
  for (const error of withLiteralsTogether(errors)) {
    // If null is one of several types, the fault of the other type is more useful.
    if (error.keyword === 'type' && error.params.type === 'null' && explained.has(error.instancePath))
      continue
    // Each alternative of a choice reports errors. The first error per path is enough.
    const fault = faultOf(error, request_id)
    if (error.keyword !== 'anyOf' && !faults.has(fault.path)) faults.set(fault.path, fault)
  }
  return [...faults.values()]
}

/** Merges several literals at one path into one choice. */
function withLiteralsTogether(errors: ErrorObject[]): ErrorObject[] {
  const literals = Map.groupBy(errors, ({ keyword, instancePath }) =>
    keyword === 'const' ? instancePath : null,
  )
  return errors.map((error) => {
    if (error.keyword !== 'const') return error
    const allowedValues = new Set(literals.get(error.instancePath)?.map(({ params }) => params.allowedValue))
    return { ...error, keyword: 'enum', params: { allowedValues: [...allowedValues] } }
  })
}

/** The paths that have a better fault than a wrong type, at themselves or below. */
function explainedPlaces(errors: ErrorObject[]): Set<string> {
  const places = new Set<string>()
  for (const { keyword, instancePath } of errors) {
    if (keyword !== 'type' && keyword !== 'anyOf') places.add(instancePath)
    for (let end = instancePath.lastIndexOf('/'); end > -1; end = instancePath.slice(0, end).lastIndexOf('/'))
      places.add(instancePath.slice(0, end))
  }
  return places
}

function faultOf(error: ErrorObject, request_id: string): Fault {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  if (error.keyword === 'required') path.push(String(error.params.missingProperty))
  if (error.keyword === 'discriminator') path.push(String(error.params.tag))
  // One of several members is required: the fault is at the first.
  if (error.keyword === 'minProperties') path.push(...membersOf(error).slice(0, 1))
  const [code, detail] = isOfNull(error)
    ? (['NotNullable', sentenceOf('not_null')] as const)
    : (wordings[error.keyword]?.(error) ?? ['InvalidFormat', sentenceOf('invalid')])
  return { request_id, code, path: path.join('.'), detail }
}

/** Whether the value is null, where null is not allowed. */
const isOfNull = ({ keyword, params, data }: ErrorObject): boolean =>
  (keyword === 'discriminator' ? params.tagValue : data) === null

/** The names of the members that the schema of an invalid object has. */
const membersOf = ({ parentSchema }: ErrorObject): string[] => Object.keys(parentSchema?.properties ?? {})

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** The end of patterns that exclude control characters. */
const ONE_LINE = '[^\\u0000-\\u001f\\u007f]*$'

/** JSON Schema keywords as the platform's codes and sentences. */
const wordings: Record<string, (error: ErrorObject) => [FaultCode, string]> = {
  required: () => ['FieldMissing', sentenceOf('missing')],
  type: ({ params }) =>
    params.type === 'null'
      ? ['InvalidType', sentenceOf('null')]
      : ['InvalidType', sentenceOf('type', { type: typeName(params.type) })],
  enum: ({ params }) => ['NotSupportedChoice', notAChoice(params.allowedValues)],
  additionalProperties: (error) => [
    'NotSupportedChoice',
    sentenceOf('unknown_field', {
      name: String(error.params.additionalProperty).slice(0, 100),
      names: membersOf(error).join(', '),
    }),
  ],
  // The member that selects one of several schemas.
  discriminator: ({ params, parentSchema }) =>
    params.tagValue === undefined
      ? ['FieldMissing', sentenceOf('missing')]
      : params.error === 'tag'
        ? ['InvalidType', sentenceOf('type', { type: 'string' })]
        : ['NotSupportedChoice', notAChoice(tagsOf(parentSchema as Discriminated, params.tag))],
  // A pattern is no help to people, so the common ones have sentences.
  pattern: ({ params, data }) => [
    'InvalidFormat',
    String(data).trim() === ''
      ? sentenceOf('blank')
      : String(params.pattern).endsWith(ONE_LINE)
        ? sentenceOf('one_line')
        : sentenceOf('pattern', params),
  ],
  minLength: ({ params }) =>
    params.limit === 1 ? ['NotBlank', sentenceOf('blank')] : ['TooShort', sentenceOf('too_short', params)],
  maxLength: ({ params }) => ['TooLong', sentenceOf('too_long', params)],
  minItems: ({ params }) => ['TooFew', sentenceOf('too_few', params)],
  maxItems: ({ params }) => ['TooMany', sentenceOf('too_many', params)],
  minProperties: (error) => [
    'FieldMissing',
    sentenceOf('one_required', { names: membersOf(error).join(', ') }),
  ],
  maxProperties: ({ params }) => ['TooMany', sentenceOf('too_many_fields', params)],
  format: () => ['InvalidFormat', sentenceOf('url')],
  uniqueItems: () => ['NotUnique', sentenceOf('repeated')],
  minimum: ({ params }) => ['OutOfRange', sentenceOf('at_least', params)],
  maximum: ({ params }) => ['OutOfRange', sentenceOf('at_most', params)],
}

/** The keywords whose faults have a sentence of their own. */
export const explainedKeywords: readonly string[] = Object.keys(wordings)

interface Discriminated {
  oneOf: { properties: Record<string, { const?: unknown }> }[]
}

const tagsOf = ({ oneOf }: Discriminated, tag: string): unknown[] =>
  oneOf.map(({ properties }) => properties[tag]?.const)

const typeNames: Record<string, string> = { integer: 'int', boolean: 'bool' }

/** The platform's names of the types that a schema allows. Null is not worth naming beside another type. */
const typeName = (types: string | string[]): string =>
  [types]
    .flat()
    .filter((type) => type !== 'null')
    .map((type) => typeNames[type] ?? type)
    .join(' or ')
