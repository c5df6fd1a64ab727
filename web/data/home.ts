import { queryOptions } from '@tanstack/react-query'
import { countsOptions, readEvents, recordNames } from './events.ts'

/** The number of events shown, and the milliseconds between two counts. */
const FEW = 8
const AGAIN = 60_000

/** The latest events since a time. */
export const latestOptions = (from: number) =>
  queryOptions({
    queryKey: ['home', 'latest', from],
    queryFn: async () =>
      (await readEvents({ 'filter[created_at][from]': from, with: recordNames, limit: FEW })).rows,
  })

/** The number of events per hour since a time. */
export const hoursOptions = (from: number) => ({
  ...countsOptions({ 'filter[created_at][from]': String(from) }, 'hour'),
  refetchInterval: AGAIN,
})
