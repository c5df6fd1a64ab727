import { queryOptions } from '@tanstack/react-query'
import { query, request } from '../api/client.ts'
import { type Collection, recordKeys } from './records.ts'

/** How many records a list has and what they are worth, as a whole and by stage. */
export interface Totals {
  total: number
  sum: number
  _embedded: { statuses: StageTotal[] }
}
export interface StageTotal {
  pipeline_id: number
  status_id: number
  total: number
  sum: number
}

/** Of the list that the same members of a query give. */
export const totalsOptions = (collection: Collection, search: Record<string, string>) =>
  queryOptions({
    queryKey: [...recordKeys.totals(collection), search],
    queryFn: () => request<Totals>('GET', `/web/v4/${collection}/totals${query(search)}`),
  })
