import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { accountRoutes } from '../accounts/routes.ts'
import { automationRoutes } from '../automation/routes.ts'
import { callNoticeTexts } from '../call-notices/call-notices.ts'
import { hasCatalog, invoicesList } from '../catalogs/catalogs.ts'
import { catalogRoutes } from '../catalogs/routes.ts'
import { actionRoutes } from '../chats/actions/action-routes.ts'
import { intentRoutes } from '../chats/bot/intent-routes.ts'
import { botRoutes } from '../chats/bot-api/bot-routes.ts'
import { moveConversations } from '../chats/chats.ts'
import { contactChatRoutes } from '../chats/conversations/contact-chat-routes.ts'
import { talkRoutes } from '../chats/conversations/talk-routes.ts'
import { chatRoutes } from '../chats/inbox/chat-routes.ts'
import { talkMessageRoutes } from '../chats/inbox/talk-message-routes.ts'
import { templateRoutes } from '../chats/templates/template-routes.ts'
import type { Context } from '../context.ts'
import { customFieldRoutes } from '../custom-fields/routes.ts'
import { deliveryKinds } from '../delivery-kinds.ts'
import { noteParents, type RecordHooks } from '../entities/entities.ts'
import { fileLinkRoutes } from '../entities/files/file-link-routes.ts'
import { recordRoutes } from '../entities/routes.ts'
import { eventRoutes } from '../events/routes.ts'
import { answerEmptyLists } from '../http/bodies/empty-lists.ts'
import { lenient } from '../http/bodies/lenient-bodies.ts'
import { acceptRepeats, type KeyOwner } from '../http/idempotency/idempotency.ts'
import { mount } from '../http/mount.ts'
import { buttonRoutes } from '../incoming-leads/button-routes.ts'
import { enterArrivals } from '../incoming-leads/incoming-leads.ts'
import { incomingLeadRoutes } from '../incoming-leads/routes.ts'
import { sourcesOfChats, sourcesOfLeads } from '../integrations/integrations.ts'
import { sourceRoutes } from '../integrations/sources/source-routes.ts'
import { widgetRoutes } from '../integrations/widgets/widget-routes.ts'
import { jobRoutes } from '../jobs/routes.ts'
import { outgoingRoutes } from '../listening/routes.ts'
import { bindVisitors, moveAudienceMembers } from '../marketing/marketing.ts'
import { marketingRoutes } from '../marketing/routes.ts'
import { callRoutes } from '../notes/call-routes.ts'
import { noteRoutes } from '../notes/routes.ts'
import { pipelineRoutes } from '../pipelines/pipeline-routes.ts'
import { findStages } from '../pipelines/pipelines.ts'
import { subscriptionRoutes } from '../subscriptions/routes.ts'
import { moveSubscriptions } from '../subscriptions/subscriptions.ts'
import { taskRoutes } from '../tasks/routes.ts'
import { eventSubjects, moveTasks } from '../tasks/tasks.ts'
import { timelineRoutes } from '../timeline/routes.ts'
import { webhookRoutes } from '../webhooks/routes.ts'
import { fileUses } from './file-uses.ts'
import { stageUseOf } from './stage-use.ts'
import { tellUnreadInput } from './unread-input.ts'

/** Work of higher slices in the transactions of records. */
const recordHooks = (ctx: Context): RecordHooks => ({
  written: bindVisitors,
  merged: [moveTasks(ctx), moveAudienceMembers, moveSubscriptions, moveConversations(ctx)],
  arrived: enterArrivals,
  sources: sourcesOfLeads,
})

/** The routes of the v4 API. They are mounted twice: for bearer tokens, and for sessions of the web application. */
const v4Routes: ((ctx: Context) => FastifyPluginAsync)[] = [
  (ctx) => accountRoutes(ctx, { invoicesList }),
  (ctx) => pipelineRoutes(ctx, stageUseOf(ctx)),
  automationRoutes,
  (ctx) => customFieldRoutes(ctx, { hasCatalog, findStages }),
  (ctx) => recordRoutes(ctx, recordHooks(ctx)),
  (ctx) => incomingLeadRoutes(ctx, recordHooks(ctx)),
  buttonRoutes,
  catalogRoutes,
  marketingRoutes,
  subscriptionRoutes,
  taskRoutes,
  jobRoutes,
  chatRoutes,
  actionRoutes,
  contactChatRoutes,
  (ctx) => talkRoutes(ctx, sourcesOfChats),
  talkMessageRoutes,
  (ctx) => templateRoutes(ctx, sourcesOfChats),
  intentRoutes,
  botRoutes,
  (ctx) => eventRoutes(ctx, eventSubjects, callNoticeTexts),
  sourceRoutes,
  widgetRoutes,
  (ctx) => noteRoutes(ctx, noteParents),
  (ctx) => callRoutes(ctx, noteParents),
  (ctx) => fileLinkRoutes(ctx, fileUses),
  timelineRoutes,
  webhookRoutes,
  (ctx) => outgoingRoutes(ctx, deliveryKinds(ctx)),
]

/**
 * Mounts v4 below a surface that has authenticated the caller. Writes accept an Idempotency-Key (V9). Empty lists are
 * 204 (V4).
 */
export async function mountV4(ctx: Context, surface: FastifyInstance): Promise<void> {
  acceptRepeats(ctx, surface, keyOwner)
  answerEmptyLists(surface)
  readBodiesLeniently(surface)
  if (ctx.config.mode === 'dev') tellUnreadInput(surface)
  for (const routes of v4Routes) await mount(surface, routes(ctx))
}

/** A key belongs to the integration, regardless of who granted it, or to the person in a browser. */
export const keyOwner = ({ actor }: FastifyRequest): KeyOwner => ({
  account_id: actor.account_id,
  caller: actor.integration?.id ?? String(actor.user_id),
})

/** Converts bodies from the notations of existing clients before validation (V14). */
function readBodiesLeniently(surface: FastifyInstance): void {
  surface.addHook('preValidation', (request, _reply, done) => {
    const schema = request.routeOptions.schema?.body
    if (schema && request.body) request.body = lenient(schema as object)(request.body)
    done()
  })
}
