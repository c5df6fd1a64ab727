import type { Static, TSchema } from 'typebox'
import { validatorCompiler } from '../http/validation.ts'

/** What was given on the command line, held to the schema that a request of the same is held to. Throws Refusal('invalid'). */
export function checked<Schema extends TSchema>(schema: Schema, value: Static<Schema>): Static<Schema> {
  const validate = validatorCompiler({ schema, httpPart: 'body', method: '', url: '' })
  const { error } = validate(value) as { error?: Error }
  if (error) throw error
  return value
}
