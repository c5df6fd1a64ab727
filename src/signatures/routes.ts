import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifySchema } from 'fastify'
import { requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { checkSignature } from './check.ts'
import { AccountQuery, CheckedRequest, LARGEST_BODY, SignatureCheck } from './schemas.ts'

/** A body in base64 or with every character escaped, and the other members. */
const BODY_LIMIT = 2 * LARGEST_BODY + 1_048_576

const check = {
  operationId: 'test_helpers.signatures.check',
  summary: 'Finds the mistake in the signature of a request.',
  description:
    'Tries the usual mistakes and their pairs. The answer never contains a secret or a right signature. A recorded ' +
    'request was explained when it was refused; with `headers` that have its whole X-Signature, it is checked again.',
  returns: 'What is wrong, the text to sign, and how to sign it.',
  tags: ['Test helpers'],
  querystring: AccountQuery,
  body: CheckedRequest,
  response: { 200: SignatureCheck },
} as const satisfies FastifySchema

/** `/test_helpers/signatures/check`, for tests of integrations. */
export function signatureHelperRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (helpers) => {
    helpers.post(
      '/signatures/check',
      { schema: check, bodyLimit: BODY_LIMIT },
      ({ helped_account_id, body }) => checkSignature(ctx, helped_account_id, body),
    )
  }
}

/** `/web/signatures/check`, for administrators in the web application. */
export function signatureRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    const schema = { body: CheckedRequest, response: { 200: SignatureCheck } }
    web.post('/signatures/check', { schema, bodyLimit: BODY_LIMIT }, ({ actor, body }) => {
      requireAdmin(actor)
      return checkSignature(ctx, actor.account_id, body)
    })
  }
}
