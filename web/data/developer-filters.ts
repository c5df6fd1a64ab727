import type { QueryOf } from '../api/client.ts'

/** The filters of requests, as the address of the page and the API have them. */
export const requestFilters = [
  'direction',
  'integration',
  'operation',
  'method',
  'path',
  'status',
  'text',
  'request_id',
  'unread',
  'refused',
] as const satisfies (keyof QueryOf<'/web/requests'>)[]
export type RequestSearch = Readonly<Record<string, string>>

/** The filters of deliveries. */
export const deliveryFilters = [
  'kind',
  'receiver',
  'integration',
  'state',
] as const satisfies (keyof QueryOf<'/web/deliveries'>)[]
export type DeliverySearch = Readonly<Record<string, string>>
