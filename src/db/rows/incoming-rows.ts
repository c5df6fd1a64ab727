import type { Json } from './column-types.ts'

/** Where a lead of the incoming stage comes from. The row stays after the lead was accepted or declined. */
export interface IncomingLeadRow {
  account_id: number
  /** Sixty hexadecimal digits. */
  uid: string
  lead_id: number
  /** `sip`, `forms` or `chats`. */
  category: string
  source_uid: string | null
  source_name: string
  pipeline_id: number
  /** The metadata as it is shown. */
  metadata: Json
  /** A hash of what was sent, to recognise the same data. */
  content_hash: string
  /** `waiting`, `accepted` or `declined`. */
  state: string
  /** When it was accepted or declined. */
  sorted_at: number | null
  created_at: number
  updated_at: number
}
