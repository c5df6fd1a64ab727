import { isSecretName } from './redaction.ts'

interface Schema {
  type?: unknown
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  patternProperties?: unknown
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

const simple: readonly unknown[] = ['string', 'integer', 'number', 'boolean', 'null']

/**
 * Whether an answer of this schema has only known members, and none of them is a secret by its name. The serializer leaves
 * out all other members, so such an answer need not be searched for names.
 */
export function isPlainSchema(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { type, properties, additionalProperties, patternProperties, items, anyOf, oneOf, allOf } =
    schema as Schema
  const branches = anyOf ?? oneOf ?? allOf
  if (branches) return branches.every(isPlainSchema)
  if (additionalProperties || patternProperties) return false
  if (properties)
    return Object.entries(properties).every(([name, one]) => !isSecretName(name) && isPlainSchema(one))
  if (items) return isPlainSchema(items)
  return 'const' in schema || 'enum' in schema || simple.includes(type)
}
