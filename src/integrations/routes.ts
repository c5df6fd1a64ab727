import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { listAudit, requireConfirmed } from '../accounts/accounts.ts'
import { AuditPage } from '../accounts/members/schemas.ts'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import { disable, freshCode, install, listInstallations } from './installations/installations.ts'
import { issueLongLivedToken, revoke } from './installations/long-lived-tokens.ts'
import { issueShortLivedToken } from './installations/single-tokens.ts'
import {
  checkIntegration,
  createIntegration,
  isSensitive,
  listIntegrations,
  readIntegration,
  regenerateSecret,
  showKeys,
  updateIntegration,
} from './integrations.ts'
import { idNamed } from './registry/handles.ts'
import { ICON_BYTES, removeIcon, setIcon } from './registry/icons.ts'
import { ownIntegration } from './registry/own-integration.ts'
import {
  Code,
  InstallationList,
  Integration,
  IntegrationList,
  IntegrationPatch,
  Keys,
  LongLivedToken,
  NewInstallation,
  NewIntegration,
  NewLongLivedToken,
  SavedIntegration,
  ShortLivedToken,
} from './registry/schemas.ts'
import { widgetPageRoutes } from './widgets/widget-routes.ts'

/** HTML of 65,000 characters in any script, and the rest of the form. */
const FORM_BYTES = 512 * 1024
const ById = Type.Object({ id: Type.String({ maxLength: 64 }) })
const ByGrant = Type.Object({ id: Type.String({ maxLength: 64 }), grant_id: Type.String({ maxLength: 64 }) })
const Before = Type.Object({ before: Type.Optional(Type.String({ maxLength: 26 })) })

/**
 * The integration window and the list of installations, for the session of an administrator. Not part of v4, because
 * operations with secrets require a password, which a token does not have (A11).
 */
export function integrationRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    await mount(web, ownRoutes(ctx))
    await mount(web, installationRoutes(ctx))
    await mount(web, widgetPageRoutes(ctx))
    await web.register(iconRoutes(ctx))
  }
}

function ownRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/integrations', { schema: { response: { 200: IntegrationList } } }, async ({ actor }) => ({
      integrations: await listIntegrations(ctx, actor),
    }))
    web.post(
      '/integrations',
      {
        bodyLimit: FORM_BYTES,
        schema: {
          repeats: true,
          is_confidential: true,
          body: NewIntegration,
          response: { 201: SavedIntegration },
        },
      },
      async ({ actor, body }, reply) => reply.code(201).send(await createIntegration(ctx, actor, body)),
    )
    web.get(
      '/integrations/:id',
      { schema: { params: ById, response: { 200: Integration } } },
      ({ actor, params }) => readIntegration(ctx, actor, params.id),
    )
    web.patch(
      '/integrations/:id',
      {
        bodyLimit: FORM_BYTES,
        schema: { params: ById, body: IntegrationPatch, response: { 200: Integration } },
      },
      async ({ actor, params, body, session }) => {
        await ownIntegration(ctx, actor, params.id)
        if (isSensitive(body)) requireConfirmed(session, ctx.now())
        return updateIntegration(ctx, actor, params.id, body)
      },
    )
    web.post(
      '/integrations/:id/keys',
      { schema: { params: ById, response: { 200: Keys } } },
      async (request) => {
        await requireConfirmedOwner(ctx, request, request.params.id)
        return showKeys(ctx, request.actor, request.params.id)
      },
    )
    web.post(
      '/integrations/:id/secret',
      { schema: { params: ById, response: { 200: Keys } } },
      async (request) => {
        await requireConfirmedOwner(ctx, request, request.params.id)
        return regenerateSecret(ctx, request.actor, request.params.id)
      },
    )
    web.post(
      '/integrations/:id/check',
      { schema: { params: ById, response: { 200: Integration } } },
      ({ actor, params }) => checkIntegration(ctx, actor, params.id),
    )
    web.get(
      '/integrations/:id/log',
      { schema: { params: ById, querystring: Before, response: { 200: AuditPage } } },
      async ({ actor, params, query }) => {
        const integration = await ownIntegration(ctx, actor, params.id)
        return listAudit(ctx, actor, { integration_id: integration.id, before: query.before })
      },
    )
  }
}

/** Operations with secrets need an integration of the own account, and a password that was entered recently (A11). */
async function requireConfirmedOwner(
  ctx: Context,
  { actor, session }: FastifyRequest,
  id: string,
): Promise<void> {
  await ownIntegration(ctx, actor, id)
  requireConfirmed(session, ctx.now())
}

function installationRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/installations', { schema: { response: { 200: InstallationList } } }, async ({ actor }) => ({
      installations: await listInstallations(ctx, actor),
    }))
    web.post(
      '/installations',
      { schema: { body: NewInstallation, response: { 200: Code } } },
      async ({ actor, body }) => install(ctx, actor, await idNamed(ctx, body.client_id)),
    )
    web.post(
      '/installations/:id/code',
      { schema: { params: ById, response: { 200: Code } } },
      async ({ actor, params }) => freshCode(ctx, actor, await idNamed(ctx, params.id)),
    )
    web.post('/installations/:id/disable', { schema: { params: ById } }, async ({ actor, params }, reply) => {
      await disable(ctx, actor, await idNamed(ctx, params.id))
      return reply.code(204).send()
    })
    web.post(
      '/installations/:id/long-lived-tokens',
      {
        schema: {
          repeats: true,
          is_confidential: true,
          params: ById,
          body: NewLongLivedToken,
          response: { 200: LongLivedToken },
        },
      },
      async (request) => {
        const { actor, params, body } = request
        await requireConfirmedOwner(ctx, request, params.id)
        return issueLongLivedToken(ctx, actor, params.id, body)
      },
    )
    web.post(
      '/installations/:id/short-lived-tokens',
      { schema: { params: ById, response: { 200: ShortLivedToken } } },
      async ({ actor, params }) => issueShortLivedToken(ctx, actor, await idNamed(ctx, params.id)),
    )
    web.delete(
      '/installations/:id/grants/:grant_id',
      { schema: { params: ByGrant } },
      async ({ actor, params }, reply) => {
        await revoke(ctx, actor, await idNamed(ctx, params.id), params.grant_id)
        return reply.code(204).send()
      },
    )
  }
}

function iconRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.addContentTypeParser(
      /^image\//,
      { parseAs: 'buffer', bodyLimit: ICON_BYTES },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    )
    web.put(
      '/integrations/:id/icon',
      {
        bodyLimit: ICON_BYTES,
        schema: {
          params: ById,
          requestBody: { 'image/*': { type: 'string', format: 'binary' } },
          response: { 200: Integration },
        },
      },
      async (request) => {
        const { actor, params, body } = request
        await setIcon(ctx, actor, params.id, Buffer.isBuffer(body) ? body : Buffer.alloc(0))
        return readIntegration(ctx, actor, params.id)
      },
    )
    web.delete(
      '/integrations/:id/icon',
      { schema: { params: ById, response: { 200: Integration } } },
      async ({ actor, params }) => {
        await removeIcon(ctx, actor, params.id)
        return readIntegration(ctx, actor, params.id)
      },
    )
  }
}
