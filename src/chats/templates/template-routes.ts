import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { ChatTemplateRow } from '../../db/tables.ts'
import { wholeList, withRequestIds } from '../../http/hal.ts'
import { mount } from '../../http/mount.ts'
import type { RequestOf } from '../../http/operation.ts'
import { type QueryValue, withNames } from '../../http/queries/bracket-query.ts'
import { baseOf, countedPage, pageOf } from '../../http/queries/paging.ts'
import { anyText, one, withAny } from '../../http/queries/query-parameters.ts'
import type { SourcesOfChats } from '../scopes/sources.ts'
import { reviewRoutes } from './review-routes.ts'
import { addTemplates, changeTemplates, removeTemplates } from './template-changes.ts'
import {
  ById,
  NamedTemplates,
  NewTemplates,
  Template,
  TemplatePage,
  TemplatePatch,
  TemplatePatches,
  TemplateQuery,
  Templates,
  TemplatesQuery,
} from './template-schemas.ts'
import { templateView } from './template-view.ts'
import { listTemplates, readTemplate } from './templates.ts'

const TEMPLATES = '/chats/templates'
/** Fifty contents with every character escaped. */
const BATCH_BYTES = 8 * 1024 * 1024
const tags = ['Chat templates']

const operations = {
  list: {
    operationId: 'chats.templates.list',
    summary: 'Lists chat templates, the oldest first, one page at a time.',
    description: 'A token sees the templates of its integration.',
    returns: 'One page of templates.',
    tags,
    parameters: [
      ...anyText('external_id'),
      ...one('query', { type: 'string' }, 'A part of the name.'),
      ...withAny('reviews'),
    ],
    querystring: TemplatesQuery,
    response: { 200: TemplatePage },
  },
  get: {
    operationId: 'chats.templates.get',
    summary: 'Shows one chat template.',
    returns: 'The template.',
    tags,
    parameters: withAny('reviews'),
    params: ById,
    querystring: TemplateQuery,
    response: { 200: Template },
  },
  create: {
    operationId: 'chats.templates.create',
    summary: 'Adds chat templates, all of the batch or none.',
    description: 'For administrators.',
    returns: 'The new templates.',
    tags,
    body: NewTemplates,
    response: { 200: Templates },
    otherResponses: { 422: { description: 'The account has a thousand templates.', problem: true as const } },
  },
  updateMany: {
    operationId: 'chats.templates.update_many',
    summary: 'Changes chat templates, all of the batch or none.',
    description: 'For administrators.',
    returns: 'The templates after the change.',
    tags,
    body: TemplatePatches,
    response: { 200: Templates },
  },
  update: {
    operationId: 'chats.templates.update',
    summary: 'Changes one chat template.',
    description: 'For administrators. A template of WhatsApp cannot be changed after it was sent for review.',
    returns: 'The template after the change.',
    tags,
    params: ById,
    body: TemplatePatch,
    response: { 200: Template },
  },
  deleteMany: {
    operationId: 'chats.templates.delete_many',
    summary: 'Deletes chat templates, all of the batch or none.',
    description: 'For administrators.',
    returns: 'The templates were deleted.',
    tags,
    body: NamedTemplates,
  },
  remove: {
    operationId: 'chats.templates.delete',
    summary: 'Deletes one chat template.',
    description: 'For administrators.',
    returns: 'The template was deleted.',
    tags,
    params: ById,
  },
}

/** `/chats/templates`: prepared messages (C16). */
export function templateRoutes(ctx: Context, sources: SourcesOfChats): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const address = (request: FastifyRequest) => base(request) + TEMPLATES
    const bodyLimit = BATCH_BYTES

    v4.get(TEMPLATES, { schema: operations.list }, (request) => list(ctx, request, address(request)))
    v4.get(`${TEMPLATES}/:id`, { schema: operations.get }, async (request) => {
      const { actor, params, query } = request
      return templateView(await readTemplate(ctx.db, actor, params.id, asksReviews(query)), address(request))
    })
    v4.post(TEMPLATES, { bodyLimit, schema: operations.create }, async (request) => {
      const { templates, href } = shown(
        await addTemplates(ctx, request.actor, request.body),
        address(request),
      )
      return wholeList('chat_templates', withRequestIds(templates, request.body), href)
    })
    v4.patch(TEMPLATES, { bodyLimit, schema: operations.updateMany }, async (request) => {
      const { actor, body } = request
      const { templates, href } = shown(await changeTemplates(ctx, actor, body), address(request))
      return wholeList('chat_templates', withRequestIds(templates, body), href)
    })
    v4.patch(`${TEMPLATES}/:id`, { bodyLimit, schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      requireAdmin(actor)
      await readTemplate(ctx.db, actor, params.id)
      const [row] = await changeTemplates(ctx, actor, [{ ...body, id: params.id }])
      return templateView({ row: row as ChatTemplateRow, reviews: null }, address(request))
    })
    v4.delete(TEMPLATES, { schema: operations.deleteMany }, async ({ actor, body }, reply) => {
      await removeTemplates(ctx, actor, body)
      return reply.code(204).send()
    })
    v4.delete(`${TEMPLATES}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      requireAdmin(actor)
      await readTemplate(ctx.db, actor, params.id)
      await removeTemplates(ctx, actor, [params])
      return reply.code(204).send()
    })
    await mount(v4, reviewRoutes(ctx, sources))
  }
}

async function list(ctx: Context, request: RequestOf<typeof operations.list>, address: string) {
  const { actor, query } = request
  const page = pageOf(query)
  const asked = query as { filter?: QueryValue; query?: QueryValue }
  const { templates, total } = await listTemplates(ctx.db, actor, asked, page, asksReviews(query))
  return {
    ...countedPage(request, page, total),
    _embedded: { chat_templates: templates.map((template) => templateView(template, address)) },
  }
}

const asksReviews = (query: { with?: unknown }): boolean =>
  withNames(query.with as QueryValue | undefined, ['reviews']).has('reviews')

const shown = (rows: readonly ChatTemplateRow[], href: string) => ({
  templates: rows.map((row) => templateView({ row, reviews: null }, href)),
  href,
})
