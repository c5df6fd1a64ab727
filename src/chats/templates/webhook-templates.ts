import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatTemplateReviewRow, ChatTemplateRow } from '../../db/tables.ts'
import type { Cause } from '../../events/events.ts'
import { announce, type FormObject, findSubscriptions, type Sample } from '../../webhooks/webhooks.ts'
import { latestWabaTemplate, reviewsOf } from './template-queries.ts'
import { isOnReview, reviewView } from './template-view.ts'

/** Announces that a locked template was sent for review. */
export async function announceReview(
  ctx: Context,
  tx: Tx,
  by: Cause,
  template: ChatTemplateRow,
  reviews: readonly ChatTemplateReviewRow[],
): Promise<void> {
  const subscriptions = await findSubscriptions(tx, by.account_id)
  if (!subscriptions?.has('add_chat_template_review')) return
  const record = `chat_templates ${template.id}`
  const item = itemOf(template, reviews)
  await announce(ctx, tx, by, subscriptions, [{ codes: ['add_chat_template_review'], record, item }])
}

/** The item that a review of the latest template of WhatsApp would announce. */
export const sampleTemplate: Sample = async (db, account_id) => {
  const template = await latestWabaTemplate(db, account_id)
  return template ? itemOf(template, await reviewsOf(db, account_id, [template.id])) : null
}

/** A template with its members in the platform's order (docs/wire/webhooks.md#template-reviews). */
const itemOf = (row: ChatTemplateRow, reviews: readonly ChatTemplateReviewRow[]): FormObject => ({
  id: row.id,
  type: row.type,
  account_id: row.account_id,
  name: row.name,
  content: row.content,
  created_at: row.created_at,
  updated_at: row.updated_at,
  is_editable: row.is_editable === 1,
  reviews: reviews.map(reviewView),
  is_on_review: isOnReview(reviews),
  waba_footer: row.waba_footer,
  waba_category: row.waba_category,
  waba_language: row.waba_language,
})
