import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { membersWithin, parseJson } from '../../http/bodies/json-body.ts'
import { readTextAsJson } from '../../http/bodies/json-types.ts'
import { isJsonText } from '../../http/bodies/nested-form.ts'
import { keepReceived } from '../../http/received.ts'
import { setFields } from './legacy.ts'
import { readDisabledFlags, readFieldsForm } from './legacy-forms.ts'
import { FieldsSet, FieldsWereSet } from './legacy-schemas.ts'

const BODY_LIMIT = 1_048_576

const operations = {
  set: {
    operationId: 'legacy.fields.set',
    summary: 'Adds and deletes fields of an integration, all of them or none.',
    description:
      'A form with nested names (`request[fields][add][0][name]`) is accepted as well as JSON. Clients without an ' +
      '`Authorization` header send a person and their long-lived token as `USER_LOGIN` and `USER_HASH` in the query.',
    returns: 'The ids of the fields.',
    tags: ['Fields'],
    body: FieldsSet,
    response: { 200: FieldsWereSet },
  },
}

/** The operation with which services create their own fields. */
export function legacyFieldRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    legacy.addHook('onRequest', (request, _reply, done) => {
      readTextAsJson(request, true)
      done()
    })
    legacy.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => {
        keepReceived(ctx, request, bytes)
        return isJsonText(bytes) ? parseJson(bytes, membersWithin(BODY_LIMIT)) : readFieldsForm(bytes)
      },
    )
    legacy.addHook('preValidation', (request, _reply, done) => {
      readDisabledFlags(request.body)
      done()
    })
    legacy.post('/fields/set', { bodyLimit: BODY_LIMIT, schema: operations.set }, (request) =>
      setFields(ctx, request.actor, request.body),
    )
  }
}
