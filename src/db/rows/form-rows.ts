import type { Flag, Json } from './column-types.ts'

/** A form that a company puts on its site. */
export interface SiteFormRow {
  account_id: number
  id: number
  /** Names the form in its address. It is no secret. */
  token: string
  name: string
  pipeline_id: number
  /** A list of FormField, see `incoming-leads/form-schemas.ts`. */
  fields: Json
  /** The text that visitors read after they have sent the form; empty for the usual words. */
  thanks: string
  is_enabled: Flag
  /** The source of the website button that the form belongs to; null if it belongs to none. */
  source_id: number | null
  /** The hosts of the pages that can have the button, see `incoming-leads/trusted-websites.ts`. */
  trusted_websites: Json
  /** The company's own app opens the form, so the button needs no website. */
  is_used_in_app: Flag
  created_by: number
  created_at: number
  updated_at: number
}
