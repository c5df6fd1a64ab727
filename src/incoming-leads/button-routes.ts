import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { self } from '../http/hal.ts'
import { type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import { baseOf, pageLinks, pageOf } from '../http/queries/paging.ts'
import { withAny } from '../http/queries/query-parameters.ts'
import {
  AddedWebsiteButton,
  ButtonQuery,
  ButtonsQuery,
  BySourceId,
  NewWebsiteButton,
  WebsiteButton,
  WebsiteButtonPatch,
  WebsiteButtons,
} from './button-schemas.ts'
import {
  addButton,
  addOnlineChat,
  type ButtonForm,
  changeButton,
  listButtons,
  readButton,
} from './buttons.ts'

const tags = ['Website buttons']

const operations = {
  list: {
    operationId: 'website_buttons.list',
    summary: 'Lists the buttons for the sites of the company.',
    description: 'For administrators.',
    returns: 'One page of buttons.',
    tags,
    parameters: withAny('scripts'),
    querystring: ButtonsQuery,
    response: { 200: WebsiteButtons },
  },
  get: {
    operationId: 'website_buttons.get',
    summary: 'Shows one website button by the id of its source.',
    description: 'For administrators.',
    returns: 'The button.',
    tags,
    parameters: withAny('scripts'),
    params: BySourceId,
    querystring: ButtonQuery,
    response: { 200: WebsiteButton },
  },
  create: {
    operationId: 'website_buttons.create',
    summary: 'Adds a website button with its form.',
    description: 'For administrators.',
    returns: 'The id of its source, its websites and its name.',
    tags,
    body: NewWebsiteButton,
    response: { 202: AddedWebsiteButton },
    otherResponses: { 422: { description: 'The account has a hundred forms.', problem: true as const } },
  },
  update: {
    operationId: 'website_buttons.update',
    summary: 'Adds websites that can have the button, or changes its name.',
    description: 'For administrators.',
    returns: 'The button after the change.',
    tags,
    params: BySourceId,
    body: WebsiteButtonPatch,
    response: { 200: WebsiteButton },
  },
  onlineChat: {
    operationId: 'website_buttons.online_chat',
    summary: 'Adds an online chat to a website button.',
    description: 'For administrators. This server has no online chat for websites, so the answer is 422.',
    returns: 'The live service has begun to add the chat.',
    tags,
    params: BySourceId,
    response: { 202: Type.Object({}) },
    otherResponses: { 422: { description: 'There is no online chat.', problem: true as const } },
  },
}

const AT = '/website_buttons'

/** `/website_buttons`: round buttons that open a form on the sites of the company (I11). */
export function buttonRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.get(AT, { schema: operations.list }, async (request) => {
      const { actor, query } = request
      const page = pageOf(query)
      const all = await listButtons(ctx, actor)
      const view = viewFor(actor.account_id, base(request), query.with)
      return {
        _page: page.page,
        _links: pageLinks(request, page, all.length > page.offset + page.limit),
        _embedded: { website_buttons: all.slice(page.offset, page.offset + page.limit).map(view) },
      }
    })
    v4.get(`${AT}/:source_id`, { schema: operations.get }, async (request) => {
      const { actor, params, query } = request
      const view = viewFor(actor.account_id, base(request), query.with)
      return view(await readButton(ctx, actor, params.source_id))
    })
    v4.post(AT, { schema: operations.create }, async ({ actor, body }, reply) =>
      reply.code(202).send(await addButton(ctx, actor, body)),
    )
    v4.patch(`${AT}/:source_id`, { schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      const button = await changeButton(ctx, actor, params.source_id, body)
      return viewFor(actor.account_id, base(request))(button)
    })
    v4.post(`${AT}/:source_id/online_chat`, { schema: operations.onlineChat }, ({ actor, params }) =>
      addOnlineChat(ctx, actor, params.source_id),
    )
  }
}

const viewFor =
  (account_id: number, base: string, asked?: unknown) =>
  ({ id, name, pipeline_id, has_pipeline, button }: ButtonForm): WebsiteButton => ({
    account_id,
    source_id: button.source_id,
    button_id: id,
    is_duplication_control_enabled: false,
    name,
    creation_status: 'created',
    pipeline_id: has_pipeline ? pipeline_id : null,
    script: withNames(asked as QueryValue, ['scripts']).size > 0 ? button.code : null,
    is_deleted: false,
    _links: self(`${base}${AT}/${button.source_id}`),
  })
