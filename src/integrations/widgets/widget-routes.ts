import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Actor, requireAdmin, requireConfirmed } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { self } from '../../http/hal.ts'
import { baseOf, Paged, pageLinks, pageOf } from '../../http/queries/paging.ts'
import { idNamed } from '../registry/handles.ts'
import { callableWidgets } from './widget-calls.ts'
import { CallableWidget, InstalledWidget, Manifest, type Settings, Widget } from './widget-schemas.ts'
import { withoutPasswords } from './widget-settings.ts'
import { widgetToken } from './widget-tokens.ts'
import {
  installWidget,
  listWidgets,
  readInstalled,
  readManifest,
  readWidget,
  uninstallWidget,
  type WidgetOfAccount,
  writeManifest,
} from './widgets.ts'

const ByCode = Type.Object({ code: Type.String({ maxLength: 64 }) })
const ById = Type.Object({ id: Type.String({ maxLength: 64 }) })
const Href = Type.Object({ href: Type.String() })

const operations = {
  list: {
    operationId: 'widgets.list',
    is_confidential: true,
    summary: 'Lists the widgets of the integrations that the account has enabled.',
    returns: 'One page of widgets.',
    tags: ['Widgets'],
    querystring: Paged,
    response: {
      200: Type.Object({
        _page: Type.Integer(),
        _links: Type.Object({ self: Href, prev: Type.Optional(Href), next: Type.Optional(Href) }),
        _embedded: Type.Object({ widgets: Type.Array(Widget) }),
      }),
    },
  },
  get: {
    operationId: 'widgets.get',
    is_confidential: true,
    summary: 'Shows one widget.',
    returns: 'The widget.',
    tags: ['Widgets'],
    params: ByCode,
    response: { 200: Widget },
  },
  install: {
    operationId: 'widgets.install',
    is_confidential: true,
    summary: 'Installs one widget, or changes its settings.',
    returns: 'The widget with its settings.',
    tags: ['Widgets'],
    params: ByCode,
    body: Type.Object({}, { additionalProperties: true, description: 'Settings by their keys.' }),
    response: { 200: Widget },
  },
  uninstall: {
    operationId: 'widgets.uninstall',
    summary: 'Uninstalls one widget and deletes its settings.',
    returns: 'The widget was uninstalled.',
    tags: ['Widgets'],
    params: ByCode,
  },
}

/** `/widgets`. Everybody can read, administrators can install. */
export function widgetRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.get('/widgets', { schema: operations.list }, async (request) => {
      const page = pageOf(request.query)
      const all = await listWidgets(ctx, request.actor)
      const view = viewFor(request.actor, base(request))
      const widgets = all.slice(page.offset, page.offset + page.limit).map((widget) => view(widget))
      const hasNext = all.length > page.offset + page.limit
      return { _page: page.page, _links: pageLinks(request, page, hasNext), _embedded: { widgets } }
    })
    v4.get('/widgets/:code', { schema: operations.get }, async (request) =>
      viewFor(request.actor, base(request))(await readWidget(ctx, request.actor, request.params.code)),
    )
    v4.post('/widgets/:code', { schema: operations.install }, async (request) => {
      const { actor, params, body } = request
      const widget = await installWidget(ctx, actor, params.code, body as Settings)
      return viewFor(actor, base(request))(widget, body as Settings)
    })
    v4.delete('/widgets/:code', { schema: operations.uninstall }, async ({ actor, params }, reply) => {
      await uninstallWidget(ctx, actor, params.code)
      return reply.code(204).send()
    })
  }
}

const viewFor =
  (actor: Actor, base: string) =>
  (widget: WidgetOfAccount, written?: Settings): Widget => {
    const { code, manifest, settings, integration_id, developer_id } = widget
    const isOwn = actor.integration?.id === integration_id
    const shown = written && withoutPasswords(manifest.settings_template, settings ?? {}, written)
    return {
      id: widget.id,
      code,
      version: manifest.version,
      rating: '0,0',
      settings_template: manifest.settings_template,
      is_lead_source: manifest.is_lead_source,
      is_work_with_dp: manifest.is_work_with_dp,
      is_crm_template: manifest.is_crm_template,
      client_uuid: isOwn || developer_id === actor.account_id ? integration_id : null,
      is_active_in_account: settings !== null,
      pipeline_id: null,
      ...(settings && isOwn ? { settings } : shown && { settings: shown }),
      _links: self(`${base}/widgets/${code}`),
    }
  }

const MaybeManifest = Type.Object({ widget: Type.Union([Manifest, Type.Null()]) })
const MaybeInstalled = Type.Object({ widget: Type.Union([InstalledWidget, Type.Null()]) })
const Callable = Type.Object({ widgets: Type.Array(CallableWidget) })
const Token = Type.Object({ token: Type.String(), expires_at: Type.Integer() }, { title: 'WidgetToken' })

/** The manifest of a widget, for its developers, and one-time tokens for everybody in an account. */
export function widgetPageRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/integrations/:id/widget',
      { schema: { params: ById, response: { 200: MaybeManifest } } },
      async ({ actor, params }) => ({ widget: await readManifest(ctx, actor, params.id) }),
    )
    web.put(
      '/integrations/:id/widget',
      { schema: { params: ById, body: Manifest, response: { 200: MaybeManifest } } },
      async ({ actor, params, body, session }) => {
        // The settings of all accounts, with their passwords, are sent to this address.
        const url = body.webhook_url
        const before = await readManifest(ctx, actor, params.id)
        if (url !== undefined && url !== before?.webhook_url) requireConfirmed(session, ctx.now())
        return { widget: await writeManifest(ctx, actor, params.id, body) }
      },
    )
    web.get(
      '/installations/:id/widget',
      { schema: { params: ById, response: { 200: MaybeInstalled } } },
      async ({ actor, params }) => ({
        widget: await readInstalled(ctx, actor, await idNamed(ctx, params.id)),
      }),
    )
    web.get('/widgets/callable', { schema: { response: { 200: Callable } } }, async ({ actor }) => {
      requireAdmin(actor)
      return { widgets: await callableWidgets(ctx.db, actor.account_id) }
    })
    web.post(
      '/installations/:id/widget_token',
      { schema: { params: ById, response: { 200: Token } } },
      async ({ actor, params }) => widgetToken(ctx, actor, await idNamed(ctx, params.id)),
    )
  }
}
