import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { Self, self } from '../../http/hal.ts'
import { baseOf } from '../../http/queries/paging.ts'
import { type CardType, cardTypes, entityTypes } from '../records/entity-types.ts'
import type { RecordHooks } from '../writing/hooks.ts'
import { mergeRecords } from './merge.ts'

/** The most records that can be merged into another one at once. */
const MAX_MERGED = 10

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Merge = Type.Object(
  {
    id: Type.Integer({ ...Id, description: 'The record that remains.' }),
    merge: Type.Array(Id, {
      minItems: 1,
      maxItems: MAX_MERGED,
      uniqueItems: true,
      description: 'The records that it takes over. They go to the trash for good.',
    }),
  },
  { title: 'Merge' },
)
const MergedRecord = Type.Object(
  {
    id: Type.Integer(),
    updated_at: Type.Integer(),
    merged: Type.Array(Type.Integer(), { description: 'The records that it took over.' }),
    _links: Self,
  },
  { title: 'MergedRecord' },
)

const operation = (type: CardType) => ({
  operationId: `${type}.merge`,
  summary: `Merges ${type} into one of them.`,
  returns: 'The id of the record that remains.',
  tags: entityTypes[type].tags,
  body: Merge,
  response: { 200: MergedRecord },
})

/** `POST /{kind}/merge` is ours (V8). */
export function mergeRoutes(ctx: Context, { merged }: RecordHooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    for (const type of cardTypes)
      v4.post(`/${type}/merge`, { schema: operation(type) }, async (request) => {
        const { actor, body } = request
        const { id, updated_at } = await mergeRecords(ctx, actor, type, body, merged)
        return { id, updated_at, merged: body.merge, _links: self(`${base(request)}/${type}/${id}`) }
      })
  }
}
