import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { type Fault, type FaultCode, Refusal } from '../errors.ts'

/** Bodies are read as they are (V2): "5" is not 5. */
const strict = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: true,
  removeAdditional: false,
  strict: false,
  discriminator: true,
  formats: { 'web-address': isWebAddress },
})
/** What http or https leads to. Nothing written is no address that is wrong: where one is needed, it has a length. */
function isWebAddress(text: string): boolean {
  return text === '' || (/^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text))
}

/** Addresses know only text, so their values are turned into what the schema asks for. */
const coercing = new Ajv({
  allErrors: true,
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: false,
  strict: false,
})

/**
 * Validates with JSON Schema and throws, for what does not fit, the same Refusal that a rule would. A schema is compiled
 * when it is first met: a server has hundreds, and Ajv keeps one for both places in which v4 is mounted.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  let validate: ValidateFunction | undefined
  const isBatch = httpPart === 'body' && (schema as { type?: unknown }).type === 'array'
  return (value: unknown) => {
    validate ??= (httpPart === 'body' ? strict : coercing).compile(schema)
    if (validate(value)) return { value }
    // Without a body the framework hands null on.
    if (isBatch && (value === null || value === undefined))
      return { error: new Refusal('invalid', 'Request data can not be empty') }
    return { error: refuse(validate.errors ?? [], value, isBatch) }
  }
}

function refuse(errors: ErrorObject[], value: unknown, isBatch: boolean): Refusal {
  const faults = faultsOf(errors, value, isBatch)
  return new Refusal('invalid', 'Request validation failed', { faults: faults.slice(0, 100) })
}

/**
 * What of a value does not fit a schema, for what only a rule knows the schema of; as a fault of the item of this name,
 * in which the value stands at `path`.
 */
export function faultsIn(schema: object, value: unknown, request_id: string, path: string): Fault[] {
  const validate = strict.compile(schema)
  if (validate(value)) return []
  return faultsOf(validate.errors ?? [], value, false).map((fault) => ({
    ...fault,
    request_id,
    path: [path, fault.path].filter((part) => part !== '').join('.'),
  }))
}

function faultsOf(errors: ErrorObject[], value: unknown, isBatch: boolean): Fault[] {
  const faults = new Map<string, Fault>()
  for (const error of errors.filter((error) => !isOnlyTheNull(error, errors))) {
    const fault = faultOf(error, value, isBatch)
    // The branches of a choice each complain; the first complaint about a place says enough.
    const place = `${fault.request_id} ${fault.path}`
    if (error.keyword !== 'anyOf' && !faults.has(place)) faults.set(place, fault)
  }
  return [...faults.values()]
}

/** Where null would do as well, what is wrong with a value of the other type says more than that it is not null. */
const isOnlyTheNull = ({ keyword, params, instancePath }: ErrorObject, errors: ErrorObject[]): boolean =>
  keyword === 'type' &&
  params.type === 'null' &&
  errors.some(
    (other) =>
      other.instancePath.startsWith(`${instancePath}/`) ||
      (other.instancePath === instancePath && other.keyword !== 'type' && other.keyword !== 'anyOf'),
  )

function faultOf(error: ErrorObject, value: unknown, isBatch: boolean): Fault {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  if (error.keyword === 'required') path.push(String(error.params.missingProperty))
  if (error.keyword === 'discriminator') path.push(String(error.params.tag))
  const index = isBatch ? path.shift() : undefined
  const items: { request_id?: unknown }[] = isBatch && Array.isArray(value) ? value : []
  const named = items[Number(index)]?.request_id
  // Whatever else stands there names nothing, and may not even be a text: `{ "toString": 1 }`.
  const request_id = typeof named === 'string' || typeof named === 'number' ? named : (index ?? '0')
  const [code, detail] = wordings[error.keyword]?.(error) ?? ['InvalidFormat', 'This value is not valid.']
  return { request_id: String(request_id), code, path: path.join('.'), detail }
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** JSON Schema's keywords in the platform's codes and sentences. */
const wordings: Record<string, (error: ErrorObject) => [FaultCode, string]> = {
  required: () => ['FieldMissing', 'This field is missing.'],
  type: ({ params }) =>
    params.type === 'null'
      ? ['InvalidType', 'This value should be null.']
      : ['InvalidType', `This value should be of type ${typeNames[params.type as string] ?? params.type}.`],
  enum: () => ['NotSupportedChoice', 'The value you selected is not a valid choice.'],
  const: () => ['NotSupportedChoice', 'The value you selected is not a valid choice.'],
  // The member that says which of several schemas is meant.
  discriminator: ({ params }) =>
    params.tagValue === undefined
      ? ['FieldMissing', 'This field is missing.']
      : params.error === 'tag'
        ? ['InvalidType', 'This value should be of type string.']
        : ['NotSupportedChoice', 'The value you selected is not a valid choice.'],
  minLength: ({ params }) =>
    params.limit === 1
      ? ['NotBlank', 'This value should not be blank.']
      : ['TooShort', `This value is too short. It should have ${params.limit} characters or more.`],
  maxLength: ({ params }) => [
    'TooLong',
    `This value is too long. It should have ${params.limit} characters or less.`,
  ],
  minItems: ({ params }) => ['TooFew', `This collection should contain ${params.limit} elements or more.`],
  maxItems: ({ params }) => ['TooMany', `This collection should contain ${params.limit} elements or less.`],
  format: () => ['InvalidFormat', 'This value is not a valid URL.'],
  uniqueItems: () => ['NotUnique', 'This collection should contain only unique elements.'],
  minimum: ({ params }) => ['OutOfRange', `This value should be ${params.limit} or more.`],
  maximum: ({ params }) => ['OutOfRange', `This value should be ${params.limit} or less.`],
}

const typeNames: Record<string, string> = { integer: 'int', boolean: 'bool' }
