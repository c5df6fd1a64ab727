import type { ChatTemplateReviewRow, ChatTemplateRow } from '../../db/tables.ts'
import { self } from '../../http/hal.ts'
import type { Review, ReviewStatus, Template } from './template-schemas.ts'
import type { ReadTemplate } from './templates.ts'

/** A template in a response. `address` is that of the collection. */
export function templateView({ row, reviews }: ReadTemplate, address: string): Template {
  const examples = JSON.parse(row.waba_examples) as Record<string, string>
  return {
    id: row.id,
    account_id: row.account_id,
    name: row.name,
    content: row.content,
    created_at: row.created_at,
    updated_at: row.updated_at,
    buttons: JSON.parse(row.buttons),
    attachment: attachmentOf(row),
    is_editable: row.is_editable === 1,
    external_id: row.external_id,
    type: row.type as Template['type'],
    waba_footer: row.waba_footer,
    waba_category: row.waba_category,
    waba_language: row.waba_language,
    waba_examples: Object.keys(examples).length > 0 ? examples : [],
    waba_header: row.waba_header,
    waba_header_type: row.waba_header_type as Template['waba_header_type'],
    ...(reviews && { review_status: statusOf(reviews), is_on_review: isOnReview(reviews) }),
    _links: self(`${address}/${row.id}`),
    ...(reviews && { _embedded: { reviews: reviews.map(reviewView) } }),
  }
}

function attachmentOf({
  file_uuid,
  attachment_name,
  attachment_type,
}: ChatTemplateRow): Template['attachment'] {
  if (file_uuid === null) return null
  type Attachment = NonNullable<Template['attachment']>
  const type = attachment_type as Attachment['type']
  return { id: file_uuid, name: attachment_name ?? '', type, is_external: true }
}

export const reviewView = ({ id, source_id, status, reject_reason }: ChatTemplateReviewRow): Review => ({
  id,
  source_id,
  status: status as ReviewStatus,
  reject_reason,
})

export const isOnReview = (reviews: readonly ChatTemplateReviewRow[]): boolean =>
  reviews.some(({ status }) => status === 'review')

/** The worst status counts, because a template is only useful where it is approved. */
const fromWorst = ['rejected', 'paused', 'review', 'approved'] as const

function statusOf(reviews: readonly ChatTemplateReviewRow[]): ReviewStatus | null {
  return fromWorst.find((one) => reviews.some(({ status }) => status === one)) ?? null
}
