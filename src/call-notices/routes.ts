import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import type { CallNoticeRow } from '../db/tables.ts'
import { elementTypes } from '../webhooks/webhooks.ts'
import { addCallNotices } from './call-notices.ts'

/** A form contains only text. */
const UserId = Type.Union([
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  Type.String({ pattern: '^[1-9]\\d{0,15}$' }),
])
const PhoneDigits = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const orNull = <T extends ReturnType<typeof Type.Integer>>(schema: T) => Type.Union([schema, Type.Null()])

const operations = {
  add: {
    operationId: 'legacy.call_notices.add',
    summary: 'Shows people that somebody calls, with a link to the card of the caller.',
    description:
      'A form with nested names (`add[0][type]`) is accepted as well as JSON, with or without a final slash.',
    returns:
      'The contact or company with each number: `element_type` is 1 for a contact and 3 for a company.',
    tags: ['Legacy'],
    body: Type.Object({
      add: Type.Array(
        Type.Object({
          type: Type.Literal('phone_call'),
          phone_number: Type.Union([Type.String({ minLength: 1, maxLength: 64 }), PhoneDigits]),
          users: Type.Optional(
            Type.Array(UserId, { maxItems: 250, description: 'Without them, everybody sees the notice.' }),
          ),
        }),
        { minItems: 1, maxItems: 50 },
      ),
    }),
    response: {
      200: Type.Object({
        _links: Type.Object({ self: Type.Object({ href: Type.String(), method: Type.String() }) }),
        _embedded: Type.Object({
          items: Type.Array(
            Type.Object({
              element_id: orNull(
                Type.Integer({ description: 'The record with the number. Null: there is none.' }),
              ),
              element_type: orNull(
                Type.Integer({ description: '1: contact, 3: company. Null: there is none.' }),
              ),
              uid: Type.String({ description: 'The id of the notice.' }),
              phone_number: Type.String(),
            }),
          ),
        }),
      }),
    },
  },
}

/** `/api/v2/events`: notices of calls, as dialler widgets and their servers send them. */
export function callNoticeRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v2) => {
    v2.post('/events', { schema: operations.add }, async ({ actor, body }) => {
      const drafts = body.add.map(({ phone_number, users }) => ({
        phone_number: String(phone_number),
        users: users?.map(Number),
      }))
      const rows = await addCallNotices(ctx, actor, drafts)
      return {
        _links: { self: { href: '/api/v2/events', method: 'post' } },
        _embedded: { items: rows.map(itemOf) },
      }
    })
  }
}

const itemOf = ({ id, phone, entity_type, entity_id }: CallNoticeRow) => ({
  element_id: entity_id,
  element_type: entity_type === null ? null : elementTypes[entity_type as keyof typeof elementTypes],
  uid: id,
  phone_number: phone,
})
