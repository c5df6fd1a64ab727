import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../../context.ts'
import type { SourcesOfChats } from '../scopes/sources.ts'
import { decideReview, sendForReview } from './template-reviews.ts'
import { ById, ByReview, Review, ReviewRequest, ReviewResult, Reviews } from './template-schemas.ts'
import { reviewView } from './template-view.ts'

const tags = ['Chat templates']

/** The longest reason with every character escaped. */
const RESULT_BYTES = 512 * 1024

const operations = {
  send: {
    operationId: 'chats.templates.review',
    summary: 'Sends one chat template of WhatsApp for review.',
    description: 'For administrators. It is announced to webhooks as `add_chat_template_review`.',
    returns: 'The reviews, one for each source of the integration.',
    tags,
    params: ById,
    body: ReviewRequest,
    response: { 200: Reviews },
  },
  decide: {
    operationId: 'chats.template.review.update',
    summary: 'Sets the result of one review of a chat template.',
    description: 'For administrators: the provider reports what was decided.',
    returns: 'The review.',
    tags,
    params: ByReview,
    body: ReviewResult,
    response: { 200: Review },
  },
}

/** `/chats/templates/{id}/review` (C17). */
export function reviewRoutes(ctx: Context, sources: SourcesOfChats): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.post('/chats/templates/:id/review', { schema: operations.send }, async ({ actor, params }) => {
      const reviews = await sendForReview(ctx, sources, actor, params.id)
      return { _embedded: { reviews: reviews.map(reviewView) } }
    })
    v4.post(
      '/chats/templates/:id/review/:review_id',
      { bodyLimit: RESULT_BYTES, schema: operations.decide },
      async ({ actor, params, body }) => reviewView(await decideReview(ctx, actor, params, body)),
    )
  }
}
