import type { IncomingLead } from '../../data/incoming-leads.ts'

/**
 * The first detail of an incoming lead: the latest message, the telephone number, the form if it is not the source, or the
 * page; null if it has none.
 */
export const detailOf = ({ metadata, source_name }: IncomingLead): string | null =>
  metadata.last_message_text ||
  metadata.phone ||
  (metadata.form_name !== source_name && metadata.form_name) ||
  metadata.referer ||
  null
