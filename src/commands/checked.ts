import type { Static, TSchema } from 'typebox'
import { validatorCompiler } from '../http/bodies/validation.ts'

/** Validates command-line input with the schema of the corresponding request. Throws Refusal('invalid'). */
export function checked<Schema extends TSchema>(schema: Schema, value: Static<Schema>): Static<Schema> {
  const validate = validatorCompiler({ schema, httpPart: 'body', method: '', url: '' })
  const { error } = validate(value) as { error?: Error }
  if (error) throw error
  return value
}
