import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { changeWebhookPlan, requireConfirmed, webhookPlan } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import { deliveryDetails, pageOfDeliveries, replay } from './history.ts'
import { type Samples, sampleBody } from './samples.ts'
import {
  ById,
  DeliveryPlan,
  DeliveryQuery,
  NewWebhook,
  Replay,
  Replayed,
  SampleBody,
  SampleQuery,
  SigningSecret,
  WebhookDeliveries,
  WebhookDeliveryDetails,
  WebhookList,
  WebhookPatch,
  WebhookSettings,
} from './schemas.ts'
import {
  addWebhook,
  changeWebhook,
  deleteSettings,
  type FindIntegrations,
  listSettings,
  ownWebhook,
  readSettings,
  signRequests,
  stopSigning,
} from './settings.ts'

const OfDelivery = Type.Object({ ...ById.properties, delivery: ById.properties.id })

/** `/web/webhooks`: the webhooks of the account in the web application, for administrators. */
export function webhookSettingsRoutes(
  ctx: Context,
  integrations: FindIntegrations,
  samples: Samples,
): FastifyPluginAsyncTypebox {
  return async (web) => {
    await mount(web, settingRoutes(ctx, integrations))
    await mount(web, sampleRoutes(ctx, samples))
    await mount(web, secretRoutes(ctx))
    await mount(web, deliveryRoutes(ctx))
  }
}

function settingRoutes(ctx: Context, integrations: FindIntegrations): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/webhooks', { schema: { response: { 200: WebhookList } } }, async ({ actor }) => ({
      webhooks: await listSettings(ctx, actor, integrations),
    }))
    web.post(
      '/webhooks',
      { schema: { repeats: true, body: NewWebhook, response: { 201: WebhookSettings } } },
      async ({ actor, body }, reply) => {
        const id = await addWebhook(ctx, actor, body)
        return reply.code(201).send(await readSettings(ctx, actor, id, integrations))
      },
    )
    web.get(
      '/webhooks/:id',
      { schema: { params: ById, response: { 200: WebhookSettings } } },
      ({ actor, params }) => readSettings(ctx, actor, params.id, integrations),
    )
    web.patch(
      '/webhooks/:id',
      { schema: { params: ById, body: WebhookPatch, response: { 200: WebhookSettings } } },
      async ({ actor, params, body }) => {
        await changeWebhook(ctx, actor, params.id, body)
        return readSettings(ctx, actor, params.id, integrations)
      },
    )
    web.delete('/webhooks/:id', { schema: { params: ById } }, async ({ actor, params }, reply) => {
      await deleteSettings(ctx, actor, params.id)
      return reply.code(204).send()
    })
    web.get('/webhooks/plan', { schema: { response: { 200: DeliveryPlan } } }, async ({ actor }) => ({
      plan: await webhookPlan(ctx, actor),
    }))
    web.put('/webhooks/plan', { schema: { body: DeliveryPlan } }, async ({ actor, body }, reply) => {
      await changeWebhookPlan(ctx, actor, body.plan)
      return reply.code(204).send()
    })
  }
}

function sampleRoutes(ctx: Context, samples: Samples): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/webhooks/sample',
      { schema: { querystring: SampleQuery, response: { 200: SampleBody } } },
      async ({ actor, query }) => ({ body: await sampleBody(ctx, actor, query.code, samples) }),
    )
  }
}

function secretRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.post(
      '/webhooks/:id/secret',
      { schema: { params: ById, response: { 200: SigningSecret } } },
      async ({ actor, params, session }) => {
        await ownWebhook(ctx, actor, params.id)
        requireConfirmed(session, ctx.now())
        return signRequests(ctx, actor, params.id)
      },
    )
    web.delete('/webhooks/:id/secret', { schema: { params: ById } }, async ({ actor, params }, reply) => {
      await stopSigning(ctx, actor, params.id)
      return reply.code(204).send()
    })
  }
}

function deliveryRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/webhooks/:id/deliveries',
      { schema: { params: ById, querystring: DeliveryQuery, response: { 200: WebhookDeliveries } } },
      ({ actor, params, query }) => pageOfDeliveries(ctx, actor, params.id, query),
    )
    web.get(
      '/webhooks/:id/deliveries/:delivery',
      { schema: { params: OfDelivery, response: { 200: WebhookDeliveryDetails } } },
      ({ actor, params }) => deliveryDetails(ctx, actor, params.id, params.delivery),
    )
    web.post(
      '/webhooks/:id/replay',
      { schema: { repeats: true, params: ById, body: Replay, response: { 200: Replayed } } },
      ({ actor, params, body }) => replay(ctx, actor, params.id, body),
    )
  }
}
