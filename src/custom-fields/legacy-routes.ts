import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { setFields } from './legacy.ts'
import { readFieldsForm } from './legacy-forms.ts'
import { FieldsSet, FieldsWereSet } from './legacy-schemas.ts'

const BODY_LIMIT = 1_048_576

/** The operation with which services create their own fields. */
export function legacyFieldRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    legacy.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, bytes: Buffer) => readFieldsForm(bytes),
    )
    legacy.post(
      '/fields/set',
      { bodyLimit: BODY_LIMIT, schema: { body: FieldsSet, response: { 200: FieldsWereSet } } },
      (request) => setFields(ctx, request.actor, request.body),
    )
  }
}
