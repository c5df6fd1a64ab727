import type { IncomingLead } from '../../data/incoming-leads.ts'

/** The first detail of an incoming lead: the latest message, the telephone number, or the form; null if it has none. */
export const detailOf = ({ metadata }: IncomingLead): string | null =>
  metadata.last_message_text || metadata.phone || metadata.form_name || metadata.referer || null
