import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { type Collection, recordKeys, recordsPath } from './records.ts'

/** The number of records of a list and their sum, in total and by stage. */
export type Totals = Schemas['Totals']
export type StageTotal = Totals['_embedded']['statuses'][number]

/** The totals of the list with the same parameters. */
export const totalsOptions = (collection: Collection, search: Record<string, string>) => {
  const [root, path] = recordsPath(collection)
  return queryOptions({
    queryKey: [...recordKeys.totals(collection), search],
    queryFn: () => dataOf(api.GET(`${root}/totals`, { params: { path, query: search } })),
  })
}
