import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Id } from '../accounts/members/schemas.ts'
import type { Context } from '../context.ts'
import type { StatusRow } from '../db/tables.ts'
import { ListOf, wholeList, withRequestIds } from '../http/hal.ts'
import { type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import { baseOf } from '../http/queries/paging.ts'
import { withAny } from '../http/queries/query-parameters.ts'
import { stageParts, stageView } from './pipeline-view.ts'
import { Named, NewStatus, Status, StatusPatch } from './schemas.ts'
import { addStages, changeStage, changeStages, listStages, readStage, removeStage } from './stage-settings.ts'
import type { StageUse } from './stage-use.ts'

const STATUSES = '/leads/pipelines/:pipeline_id/statuses'
const InPipeline = Type.Object({ pipeline_id: Id })
const OneInPipeline = Type.Object({ pipeline_id: Id, id: Id })
const Statuses = ListOf('statuses', Status)
const Asked = Type.Object({ with: Type.Optional(Type.Unknown()) })

const operations = {
  list: {
    operationId: 'leads.pipeline.statuses.list',
    summary: 'Lists the stages of one pipeline.',
    returns: 'The stages.',
    tags: ['Pipelines'],
    parameters: withAny(...stageParts),
    params: InPipeline,
    querystring: Asked,
    response: { 200: Statuses },
  },
  get: {
    operationId: 'leads.pipeline.statuses.get',
    summary: 'Shows one stage.',
    returns: 'The stage.',
    tags: ['Pipelines'],
    parameters: withAny(...stageParts),
    params: OneInPipeline,
    querystring: Asked,
    response: { 200: Status },
  },
  create: {
    operationId: 'leads.pipeline.statuses.create',
    summary: 'Adds stages to one pipeline.',
    returns: 'The new stages.',
    tags: ['Pipelines'],
    params: InPipeline,
    body: Type.Array(NewStatus, { minItems: 1, maxItems: 250 }),
    response: { 200: Statuses },
  },
  updateMany: {
    operationId: 'leads.pipeline.statuses.update_many',
    summary: 'Changes stages of one pipeline, all of the batch or none.',
    returns: 'The stages after the change.',
    tags: ['Pipelines'],
    params: InPipeline,
    body: Type.Array(Type.Intersect([StatusPatch, Named]), { minItems: 1, maxItems: 250 }),
    response: { 200: Statuses },
  },
  update: {
    operationId: 'leads.pipeline.statuses.update',
    summary: 'Changes one stage.',
    returns: 'The stage after the change.',
    tags: ['Pipelines'],
    params: OneInPipeline,
    body: StatusPatch,
    response: { 200: Status },
  },
  remove: {
    operationId: 'leads.pipeline.statuses.delete',
    summary: 'Deletes one stage that contains no leads.',
    returns: 'The stage was deleted.',
    tags: ['Pipelines'],
    params: OneInPipeline,
  },
}

/** The stages of a pipeline. */
export function stageRoutes(ctx: Context, use: StageUse): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const view = (request: FastifyRequest, stage: StatusRow): Status => {
      const parts = withNames((request.query as { with?: QueryValue }).with, stageParts)
      return stageView(stage, { base: base(request), descriptions: parts.has('descriptions') })
    }
    const addressOf = (request: FastifyRequest, pipeline_id: number) =>
      `${base(request)}/leads/pipelines/${pipeline_id}/statuses`

    // At most a hundred, so they fit on one page.
    v4.get(STATUSES, { schema: operations.list }, async (request) => {
      const { pipeline_id } = request.params
      const stages = await listStages(ctx, request.actor, pipeline_id)
      const views = stages.map((stage) => view(request, stage))
      return wholeList('statuses', views, addressOf(request, pipeline_id))
    })
    v4.get(`${STATUSES}/:id`, { schema: operations.get }, async (request) => {
      const { pipeline_id, id } = request.params
      return view(request, await readStage(ctx, request.actor, pipeline_id, id))
    })
    v4.post(STATUSES, { schema: operations.create }, async (request) => {
      const { pipeline_id } = request.params
      const added = await addStages(ctx, request.actor, pipeline_id, request.body)
      const views = added.map((stage) => view(request, stage))
      return wholeList('statuses', withRequestIds(views, request.body), addressOf(request, pipeline_id))
    })
    v4.patch(STATUSES, { schema: operations.updateMany }, async (request) => {
      const { pipeline_id } = request.params
      const changed = await changeStages(ctx, request.actor, pipeline_id, request.body)
      const views = changed.map((stage) => view(request, stage))
      return wholeList('statuses', withRequestIds(views, request.body), addressOf(request, pipeline_id))
    })
    v4.patch(`${STATUSES}/:id`, { schema: operations.update }, async (request) => {
      const { pipeline_id, id } = request.params
      return view(request, await changeStage(ctx, request.actor, pipeline_id, id, request.body))
    })
    v4.delete(`${STATUSES}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removeStage(ctx, actor, use, params.pipeline_id, params.id)
      return reply.code(204).send()
    })
  }
}
