import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { PipelineWithStages, StageUse } from '../../pipelines/pipelines.ts'
import { pipelineViews } from '../account.ts'
import { answerOf, batchesOf, bodyOf } from '../bodies.ts'
import { answer } from '../link-routes.ts'
import { removeLegacyPipelines, setLegacyPipelines } from './pipelines.ts'

const SET = ['add', 'update'] as const
const Pipelines = Type.Object({
  pipelines: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'By their ids.',
  }),
  errors: Type.Array(Type.Unknown(), { maxItems: 0 }),
})

const operations = {
  set: {
    operationId: 'legacy.pipelines.set',
    summary: 'Adds and changes pipelines with their stages in the legacy form.',
    description: 'All items are written, or none. Stages that a change does not name stay as they are.',
    returns: 'The pipelines of each action that was sent.',
    tags: ['Legacy'],
    body: bodyOf('pipelines', SET),
    response: {
      200: answerOf({
        pipelines: Type.Object({ add: Type.Optional(Pipelines), update: Type.Optional(Pipelines) }),
      }),
    },
  },
  remove: {
    operationId: 'legacy.pipelines.delete',
    summary: 'Deletes pipelines without leads in the legacy form, all of them or none.',
    returns: 'The ids of the pipelines.',
    tags: ['Legacy'],
    body: Type.Object({ request: Type.Object({ id: Type.Unknown({ description: 'An id, or several.' }) }) }),
    response: { 200: answerOf({ pipelines: Type.Object({ delete: Type.Array(Type.Integer()) }) }) },
  },
}

/** `pipelines/set` and `pipelines/delete`, for administrators. */
export function pipelineRoutes(ctx: Context, use: StageUse): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    legacy.post('/pipelines/set', { schema: operations.set }, async ({ actor, body }) => {
      const done = await setLegacyPipelines(ctx, actor, use, batchesOf(body, 'pipelines', SET))
      const sent = SET.filter((action) => done[action].length > 0)
      return answer(ctx, {
        pipelines: Object.fromEntries(sent.map((action) => [action, written(done[action])])),
      })
    })
    legacy.post('/pipelines/delete', { schema: operations.remove }, async ({ actor, body }) => {
      const gone = await removeLegacyPipelines(ctx, actor, use, body.request.id)
      return answer(ctx, { pipelines: { delete: gone } })
    })
  }
}

const written = (pipelines: readonly PipelineWithStages[]) => ({
  pipelines: pipelineViews(pipelines),
  errors: [],
})
