import { type Actor, auditAs, lockAccount, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextIds } from '../../db/dialect.ts'
import type { ChatTemplateReviewRow, ChatTemplateRow } from '../../db/tables.ts'
import { invalid, Refusal } from '../../errors.ts'
import type { SourcesOfChats } from '../scopes/sources.ts'
import { findTemplates, insertReviews, replaceReviews, reviewsOf } from './template-queries.ts'
import type { ReviewResult } from './template-schemas.ts'
import { isOnReview } from './template-view.ts'
import { ownerOf, templateNotFound } from './templates.ts'
import { announceReview } from './webhook-templates.ts'

/**
 * Sends a template of WhatsApp for review, once for each source of its integration (C17), and announces it. While it is
 * on review, the answer is the same again.
 */
export function sendForReview(
  ctx: Context,
  sources: SourcesOfChats,
  actor: Actor,
  id: number,
): Promise<ChatTemplateReviewRow[]> {
  return change(ctx, actor, id, async (tx, template) => {
    if (template.type !== 'waba')
      throw invalid('type', 'NotSupportedChoice', 'Only templates of the type waba are reviewed.')
    const before = await reviewsOf(tx, actor.account_id, [id])
    if (isOnReview(before)) return before
    const reviews = before.length > 0 ? await reopen(ctx, tx, before) : await open(ctx, tx, sources, template)
    await auditAs(ctx, tx, actor, 'template.sent_for_review', { id, name: template.name })
    await announceReview(ctx, tx, actor, template, reviews)
    return reviews
  })
}

async function reopen(
  ctx: Context,
  tx: Tx,
  before: ChatTemplateReviewRow[],
): Promise<ChatTemplateReviewRow[]> {
  const reviews = before.map((row) => ({
    ...row,
    status: 'review',
    reject_reason: '',
    updated_at: ctx.now(),
  }))
  await replaceReviews(tx, reviews)
  return reviews
}

async function open(
  ctx: Context,
  tx: Tx,
  { listSourceIds }: SourcesOfChats,
  { account_id, id: template_id, integration_id }: ChatTemplateRow,
): Promise<ChatTemplateReviewRow[]> {
  const own = integration_id === null ? [] : await listSourceIds(tx, account_id, integration_id)
  const sources = own.length > 0 ? own : [null]
  const ids = await nextIds(tx, 'chat_template_reviews', sources.length)
  const now = ctx.now()
  const reviews = sources.map((source_id, i) => ({
    account_id,
    id: ids[i] as number,
    template_id,
    source_id,
    status: 'review',
    reject_reason: '',
    created_at: now,
    updated_at: now,
  }))
  await insertReviews(tx, reviews)
  return reviews
}

/** Stores what the provider decided about a template. */
export function decideReview(
  ctx: Context,
  actor: Actor,
  { id, review_id }: { id: number; review_id: number },
  { status, reject_reason }: ReviewResult,
): Promise<ChatTemplateReviewRow> {
  return change(ctx, actor, id, async (tx) => {
    const review = (await reviewsOf(tx, actor.account_id, [id])).find((row) => row.id === review_id)
    if (!review) throw new Refusal('not_found', 'There is no such review of this chat template.')
    const decided = { ...review, status, reject_reason: reject_reason ?? '', updated_at: ctx.now() }
    await replaceReviews(tx, [decided])
    return decided
  })
}

/** Changes of one account are serialised. Reviews are not edits, so the application may also order one. */
function change<T>(
  ctx: Context,
  actor: Actor,
  id: number,
  then: (tx: Tx, template: ChatTemplateRow) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const [template] = await findTemplates(tx, ownerOf(actor), [id])
    if (!template) throw templateNotFound()
    return then(tx, template)
  })
}
