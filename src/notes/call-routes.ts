import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { self } from '../http/hal.ts'
import { baseOf } from '../http/queries/paging.ts'
import { AddedCalls, NewCalls, type UnmatchedCall } from './call-schemas.ts'
import { addCalls } from './calls.ts'
import { type CardType, cardKinds, type Parents } from './parents.ts'

/** Largest body of a batch, in bytes. */
const BATCH_BODY = 2 * 1024 * 1024

/** The platform's answer for a call without a matching record. Clients check the text or the number. */
const NOWHERE = { title: 'Entity not found', status: 263, detail: 'Entity not found' }

const operations = {
  create: {
    operationId: 'calls.create',
    summary: 'Adds calls as notes to the records that have their telephone numbers.',
    returns: 'The calls that were added, and an error for each call whose number no record has.',
    tags: ['Notes'],
    body: NewCalls,
    response: { 200: AddedCalls },
  },
}

/** `/calls`. */
export function callRoutes(ctx: Context, parents: Parents): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.post('/calls', { bodyLimit: BATCH_BODY, schema: operations.create }, async (request) => {
      const { actor, body } = request
      const notes = await addCalls(ctx, parents, actor, body)
      const nameOf = (i: number) => body[i]?.request_id ?? String(i)
      const calls = notes.flatMap((note, i) => {
        if (!note) return []
        const { id, entity_id, entity_type, account_id } = note
        const _links = self(`${base(request)}/${entity_type}/${entity_id}`)
        return [
          {
            id,
            entity_id,
            entity_type: cardKinds[entity_type as CardType],
            account_id,
            request_id: nameOf(i),
            _embedded: { entity: { id: entity_id, _links } },
          },
        ]
      })
      const errors = notes.flatMap((note, i): UnmatchedCall[] =>
        note ? [] : [{ ...NOWHERE, request_id: nameOf(i) }],
      )
      // The platform also refuses a batch without any match.
      if (calls.length === 0)
        throw new Refusal('invalid', 'No phone number belongs to a record.', {
          code: 'no_call_matched',
          members: { _total_items: 0, errors, _embedded: { calls } },
        })
      return { _total_items: calls.length, errors, _embedded: { calls } }
    })
  }
}
