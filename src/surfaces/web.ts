import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import {
  isWrite,
  requireCsrfToken,
  requirePageOwner,
  requireSameOrigin,
  requireSameOwner,
  requireSession,
} from '../accounts/accounts.ts'
import { auditRoutes } from '../accounts/audit/audit-routes.ts'
import { passwordLinkRoutes } from '../accounts/passwords/password-link-routes.ts'
import { colleagueRoutes } from '../accounts/people/colleague-routes.ts'
import { paidRoutes } from '../accounts/settings/paid-routes.ts'
import { sessionRoutes } from '../accounts/sign-in/session-routes.ts'
import { actorOfSession } from '../accounts/sign-in/session-view.ts'
import { channelRoutes } from '../chats/channels/channel-routes.ts'
import { incomingSettingsRoutes } from '../chats/channels/incoming-settings-routes.ts'
import { telephoneRoutes } from '../chats/telephone/telephone-routes.ts'
import type { Context } from '../context.ts'
import { checkAgain } from '../db/database-waits.ts'
import { deliveryRoutes } from '../deliveries/routes.ts'
import { erasureRoutes } from '../drive/erasure-routes.ts'
import { driveRoutes } from '../drive/routes.ts'
import { spaceRoutes } from '../drive/space-routes.ts'
import { survivorRoutes } from '../entities/merge/survivor-routes.ts'
import { acceptRepeats } from '../http/idempotency/idempotency.ts'
import { mount } from '../http/mount.ts'
import { notFoundHandler } from '../http/problems/problem.ts'
import { formSettingsRoutes } from '../incoming-leads/form-settings-routes.ts'
import {
  integrationsOfChannels,
  integrationsOfWebhooks,
  namesOfIntegrations,
} from '../integrations/integrations.ts'
import { integrationRoutes } from '../integrations/routes.ts'
import { tokenPageRoutes } from '../integrations/token-tools/routes.ts'
import { tokenUses } from '../request-log/request-log.ts'
import { requestLogRoutes } from '../request-log/routes.ts'
import { retentionRoutes } from '../retention/routes.ts'
import { savedViewRoutes } from '../saved-views/routes.ts'
import { signatureRoutes } from '../signatures/routes.ts'
import { followedRoutes } from '../subscriptions/routes.ts'
import { traceRoutes } from '../traces/routes.ts'
import { webhookSettingsRoutes } from '../webhooks/settings-routes.ts'
import { fileUses } from './file-uses.ts'
import { keyOwner, mountV4 } from './v4-routes.ts'
import { webApplication } from './web-application.ts'
import { webhookSamples } from './webhook-samples.ts'

/**
 * `/web`: the routes of the web application, authenticated by the cookie of a browser session (A9): all of v4, and
 * operations for people only. Every write must come from a page of the same origin.
 */
export function webSurface(ctx: Context): FastifyPluginAsync {
  return async (app) => {
    await app.register(apiOfPages(ctx), { prefix: '/web' })
    await app.register(webApplication())
  }
}

function apiOfPages(ctx: Context): FastifyPluginAsync {
  return async (web) => {
    web.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (isWrite(request.method)) requireSameOrigin(request)
    })
    web.alikeBelow.push(`${web.prefix}/`)
    web.setNotFoundHandler(notFoundHandler)
    await web.register(sessionRoutes(ctx))
    await web.register(memberRoutes(ctx))
  }
}

/** Routes for a member of the account in the address or session. */
function memberRoutes(ctx: Context): FastifyPluginAsync {
  const memberOf = (request: FastifyRequest) =>
    actorOfSession(ctx, request.session, request.tenant.subdomain, {
      request_id: request.id,
      address: request.ip,
    })
  return async (web) => {
    web.decorateRequest('session')
    web.decorateRequest('actor')
    web.decorateRequest('renewActor')
    web.addHook('onRequest', async (request) => {
      request.session = await requireSession(ctx, request)
      requireCsrfToken(request.session, request)
      request.actor = await memberOf(request)
      requirePageOwner(request.actor, request.query)
      request.renewActor = async () => {
        checkAgain()
        request.session = await requireSession(ctx, request)
        const renewed = await memberOf(request)
        requireSameOwner(request.actor, renewed)
        return renewed
      }
      request.account_id = request.actor.account_id
    })
    await web.register((v4) => mountV4(ctx, v4), { prefix: '/v4' })
    await web.register(driveRoutes(ctx, fileUses), { prefix: '/drive' })
    await web.register(routesOfPages(ctx))
  }
}

/** Operations that only pages have. Those that add something accept an Idempotency-Key, as all of v4 does (V9). */
function routesOfPages(ctx: Context): FastifyPluginAsync {
  return async (web) => {
    acceptRepeats(ctx, web, keyOwner, ({ routeOptions }) => routeOptions.schema?.repeats === true)
    await mount(web, savedViewRoutes(ctx))
    await mount(web, erasureRoutes(ctx))
    await mount(web, spaceRoutes(ctx))
    await mount(web, survivorRoutes(ctx))
    await mount(web, followedRoutes(ctx))
    await mount(web, auditRoutes(ctx, namesOfIntegrations))
    await mount(web, colleagueRoutes(ctx))
    await mount(web, passwordLinkRoutes(ctx))
    await mount(web, paidRoutes(ctx))
    await mount(web, integrationRoutes(ctx))
    await mount(web, incomingSettingsRoutes(ctx))
    await mount(web, formSettingsRoutes(ctx))
    await mount(web, channelRoutes(ctx, integrationsOfChannels))
    await mount(web, telephoneRoutes(ctx))
    await mount(web, requestLogRoutes(ctx, namesOfIntegrations))
    await mount(web, tokenPageRoutes(ctx, tokenUses))
    await mount(web, traceRoutes(ctx, namesOfIntegrations))
    await mount(web, deliveryRoutes(ctx, namesOfIntegrations))
    await mount(web, retentionRoutes(ctx))
    await mount(web, signatureRoutes(ctx))
    await mount(web, webhookSettingsRoutes(ctx, integrationsOfWebhooks, webhookSamples))
  }
}
