import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { membersWithin, parseJson } from '../http/bodies/json-body.ts'
import { readTextAsJson } from '../http/bodies/json-types.ts'
import { lenient } from '../http/bodies/lenient-bodies.ts'
import { isJsonText, parseNestedForm } from '../http/bodies/nested-form.ts'
import { keepReceived } from '../http/received.ts'

/** Accepts forms with nested names beside JSON, and reads both as clients of the older APIs write them (V14). */
export function acceptOlderBodies(ctx: Context, surface: FastifyInstance, depth: number): void {
  surface.addHook('onRequest', (request, _reply, done) => {
    readTextAsJson(request, true)
    done()
  })
  surface.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      keepReceived(ctx, request, bytes)
      if (isJsonText(bytes)) return parseJson(bytes, membersWithin(request.routeOptions.bodyLimit))
      return parseNestedForm(bytes, depth)
    },
  )
  surface.addHook('preValidation', (request, _reply, done) => {
    const schema = request.routeOptions.schema?.body
    if (schema && request.body) request.body = lenient(schema as object)(request.body)
    done()
  })
}
