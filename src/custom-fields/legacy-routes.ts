import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { setFields } from './legacy.ts'
import { FieldsSet, FieldsWereSet } from './legacy-schemas.ts'

const BODY_LIMIT = 1_048_576

/** The operation by which services make fields of their own. */
export function legacyFieldRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    legacy.post(
      '/fields/set',
      { bodyLimit: BODY_LIMIT, schema: { body: FieldsSet, response: { 200: FieldsWereSet } } },
      (request) => setFields(ctx, request.actor, request.body),
    )
  }
}
