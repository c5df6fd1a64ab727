import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ById } from '../accounts/members/schemas.ts'
import type { Context } from '../context.ts'
import { ListOf, wholeList, withRequestIds } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import { baseOf } from '../http/queries/paging.ts'
import { withAny } from '../http/queries/query-parameters.ts'
import { customerStatusRoutes } from './customer-status-routes.ts'
import { lossReasonRoutes } from './loss-reason-routes.ts'
import {
  addPipelines,
  changePipeline,
  changePipelines,
  listPipelines,
  type PipelineWithStages,
  readPipeline,
  removePipeline,
} from './pipeline-settings.ts'
import { pipelineView, stageParts } from './pipeline-view.ts'
import { Named, NewPipeline, Pipeline, PipelinePatch } from './schemas.ts'
import { stageRoutes } from './stage-routes.ts'
import type { StageUse } from './stage-use.ts'

const PIPELINES = '/leads/pipelines'
const Pipelines = ListOf('pipelines', Pipeline)
const Asked = Type.Object({ with: Type.Optional(Type.Unknown()) })

const operations = {
  list: {
    operationId: 'leads.pipelines.list',
    summary: 'Lists the pipelines with their stages.',
    returns: 'The pipelines.',
    tags: ['Pipelines'],
    parameters: withAny(...stageParts),
    querystring: Asked,
    response: { 200: Pipelines },
  },
  get: {
    operationId: 'leads.pipelines.get',
    summary: 'Shows one pipeline with its stages.',
    returns: 'The pipeline.',
    tags: ['Pipelines'],
    parameters: withAny(...stageParts),
    params: ById,
    querystring: Asked,
    response: { 200: Pipeline },
  },
  create: {
    operationId: 'leads.pipelines.create',
    summary: 'Adds pipelines.',
    returns: 'The new pipelines.',
    tags: ['Pipelines'],
    body: Type.Array(NewPipeline, { minItems: 1, maxItems: 250 }),
    response: { 200: Pipelines },
  },
  updateMany: {
    operationId: 'leads.pipelines.update_many',
    summary: 'Changes pipelines, all of the batch or none.',
    returns: 'The pipelines after the change.',
    tags: ['Pipelines'],
    body: Type.Array(Type.Intersect([PipelinePatch, Named]), { minItems: 1, maxItems: 250 }),
    response: { 200: Pipelines },
  },
  update: {
    operationId: 'leads.pipelines.update',
    summary: 'Changes one pipeline.',
    returns: 'The pipeline after the change.',
    tags: ['Pipelines'],
    params: ById,
    body: PipelinePatch,
    response: { 200: Pipeline },
  },
  remove: {
    operationId: 'leads.pipelines.delete',
    summary: 'Deletes one pipeline that contains no leads.',
    returns: 'The pipeline was deleted.',
    tags: ['Pipelines'],
    params: ById,
  },
}

/** Pipelines, stages, loss reasons and customer stages. Everybody can read them, administrators can change them. */
export function pipelineRoutes(ctx: Context, use: StageUse): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const view = (request: FastifyRequest, pipeline: PipelineWithStages): Pipeline => {
      const parts = withNames((request.query as { with?: QueryValue }).with, stageParts)
      return pipelineView(pipeline, { base: base(request), descriptions: parts.has('descriptions') })
    }

    // At most fifty, so they fit on one page.
    v4.get(PIPELINES, { schema: operations.list }, async (request) => {
      const pipelines = await listPipelines(ctx, request.actor)
      const views = pipelines.map((pipeline) => view(request, pipeline))
      return wholeList('pipelines', views, base(request) + PIPELINES)
    })
    v4.get(`${PIPELINES}/:id`, { schema: operations.get }, async (request) =>
      view(request, await readPipeline(ctx, request.actor, request.params.id)),
    )
    v4.post(PIPELINES, { schema: operations.create }, async (request) => {
      const added = await addPipelines(ctx, request.actor, request.body)
      const views = added.map((pipeline) => view(request, pipeline))
      return wholeList('pipelines', withRequestIds(views, request.body), base(request) + PIPELINES)
    })
    v4.patch(PIPELINES, { schema: operations.updateMany }, async (request) => {
      const changed = await changePipelines(ctx, request.actor, use, request.body)
      const views = changed.map((pipeline) => view(request, pipeline))
      return wholeList('pipelines', withRequestIds(views, request.body), base(request) + PIPELINES)
    })
    v4.patch(`${PIPELINES}/:id`, { schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      return view(request, await changePipeline(ctx, actor, use, params.id, body))
    })
    v4.delete(`${PIPELINES}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removePipeline(ctx, actor, use, params.id)
      return reply.code(204).send()
    })
    await mount(v4, stageRoutes(ctx, use))
    await mount(v4, lossReasonRoutes(ctx))
    await mount(v4, customerStatusRoutes(ctx, use))
  }
}
