import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { type Collection, recordKeys, recordsPath } from './records.ts'

/** The number of records of a list and their sum, in total and by stage. */
export type Totals = Schemas['Totals']
export type StageTotal = Totals['_embedded']['statuses'][number]

/** Whether the totals say something. If not all records were counted, none of those that were may match. */
export const isCounted = ({ total, is_complete }: Totals): boolean => is_complete || total > 0

/** The totals of the list with the same parameters. */
export const totalsOptions = (collection: Collection, search: Record<string, string>) => {
  const [root, path] = recordsPath(collection)
  return queryOptions({
    queryKey: [...recordKeys.totals(collection), search],
    queryFn: () => dataOf(api.GET(`${root}/totals`, { params: { path, query: search } })),
  })
}
