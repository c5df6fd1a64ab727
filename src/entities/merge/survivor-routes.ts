import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { loadAccess } from '../records/access.ts'
import { cardTypes } from '../records/entity-types.ts'
import { findRecord, readRecord } from '../records/records.ts'
import { findSurvivor } from './merge-queries.ts'

const TrashedRecord = Type.Object({
  entity_type: Type.Enum([...cardTypes]),
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})
const Survivor = Type.Object({
  is_merged: Type.Boolean({ description: 'Whether the record was merged into another one.' }),
  survivor: Type.Union([Type.Object({ id: Type.Integer(), name: Type.String() }), Type.Null()], {
    description: 'The record that has its data now. Null: none, or it is deleted or hidden from the reader.',
  }),
})

/** The record into which a record in the trash was merged, for its card: a merged record cannot be restored. */
export function survivorRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/survivors/:entity_type/:id',
      { schema: { params: TrashedRecord, response: { 200: Survivor } } },
      async ({ actor, params: { entity_type, id } }) => {
        const access = await loadAccess(ctx.db, actor)
        const { merged_into } = await readRecord(ctx.db, access, entity_type, id, true)
        if (merged_into === null) return { is_merged: false, survivor: null }
        const standing = await findSurvivor(ctx.db, actor.account_id, entity_type, merged_into)
        const found = standing && (await findRecord(ctx.db, access, entity_type, standing))
        return { is_merged: true, survivor: found ? { id: found.id, name: found.name } : null }
      },
    )
  }
}
