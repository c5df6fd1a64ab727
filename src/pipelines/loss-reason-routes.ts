import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ById } from '../accounts/members/schemas.ts'
import type { Context } from '../context.ts'
import { ListOf, wholeList, withRequestIds } from '../http/hal.ts'
import { baseOf, CountedList, countedPage, Paged, pageOf } from '../http/queries/paging.ts'
import {
  addLossReasons,
  changeLossReason,
  listLossReasons,
  readLossReason,
  removeLossReason,
} from './loss-reasons.ts'
import { lossReasonView } from './pipeline-view.ts'
import { LossReason, LossReasonPatch, NewLossReason } from './schemas.ts'

const REASONS = '/leads/loss_reasons'

const operations = {
  list: {
    operationId: 'leads.loss_reasons.list',
    summary: 'Lists the reasons why leads are lost.',
    returns: 'One page of loss reasons.',
    tags: ['Pipelines'],
    querystring: Paged,
    response: { 200: CountedList('loss_reasons', LossReason) },
  },
  get: {
    operationId: 'leads.loss_reasons.get',
    summary: 'Shows one loss reason.',
    returns: 'The loss reason.',
    tags: ['Pipelines'],
    params: ById,
    response: { 200: LossReason },
  },
  create: {
    operationId: 'leads.loss_reasons.create',
    summary: 'Adds reasons why leads are lost.',
    returns: 'The new loss reasons.',
    tags: ['Pipelines'],
    body: Type.Array(NewLossReason, { minItems: 1, maxItems: 250 }),
    response: { 200: ListOf('loss_reasons', LossReason) },
  },
  update: {
    operationId: 'leads.loss_reasons.update',
    summary: 'Changes one loss reason.',
    returns: 'The loss reason after the change.',
    tags: ['Pipelines'],
    params: ById,
    body: LossReasonPatch,
    response: { 200: LossReason },
  },
  remove: {
    operationId: 'leads.loss_reasons.delete',
    summary: 'Deletes one loss reason.',
    returns: 'The loss reason was deleted.',
    tags: ['Pipelines'],
    params: ById,
  },
}

/** Loss reasons. The platform's API is read-only; writing is ours (V8). */
export function lossReasonRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get(REASONS, { schema: operations.list }, async (request) => {
      const page = pageOf(request.query)
      const reasons = await listLossReasons(ctx, request.actor)
      const shown = reasons.slice(page.offset, page.offset + page.limit)
      return {
        ...countedPage(request, page, reasons.length),
        _embedded: { loss_reasons: shown.map((row) => lossReasonView(row, base(request))) },
      }
    })
    v4.get(`${REASONS}/:id`, { schema: operations.get }, async (request) =>
      lossReasonView(await readLossReason(ctx, request.actor, request.params.id), base(request)),
    )
    v4.post(REASONS, { schema: operations.create }, async (request) => {
      const added = await addLossReasons(ctx, request.actor, request.body)
      const reasons = added.map((row) => lossReasonView(row, base(request)))
      return wholeList('loss_reasons', withRequestIds(reasons, request.body), base(request) + REASONS)
    })
    v4.patch(`${REASONS}/:id`, { schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      return lossReasonView(await changeLossReason(ctx, actor, params.id, body), base(request))
    })
    v4.delete(`${REASONS}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removeLossReason(ctx, actor, params.id)
      return reply.code(204).send()
    })
  }
}
