import type { EntityRow } from '../../db/tables.ts'

/** A link to be made, with its members and its place in the request. */
export interface LinkRequest {
  from: EntityRow
  to: EntityRow
  is_main?: boolean | undefined
  quantity?: number | undefined
  price_id?: number | null | undefined
  /** Its location in the request. */
  request_id?: string
  path?: string
}
