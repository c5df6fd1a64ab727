import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { KindName } from '../../src/retention/kind-types.ts'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type Retention = Schemas['Retention']
export type Forecast = Schemas['RetentionForecast']['kinds'][number]
export type Sizes = Schemas['DatabaseSizes']
/** The days of each kind; null is for ever. */
export type Periods = Partial<Record<KindName, number | null>>

/** Milliseconds between two updates, while a deletion runs and while none does. */
const REFRESH_MS = { running: 1_000, idle: 15_000 }

/** For how long the account keeps what is old, and its last deletion. */
export const retentionOptions = queryOptions({
  queryKey: ['retention'],
  queryFn: () => dataOf(api.GET('/web/retention')),
  refetchInterval: ({ state }) => {
    const now = state.data?.run.state
    return now === 'running' || now === 'waiting' ? REFRESH_MS.running : REFRESH_MS.idle
  },
})

/** The forecast of the next deletion with these periods. */
export const forecastOptions = (days: Periods, version: number | null) =>
  queryOptions({
    queryKey: ['retention', 'forecast', days, version],
    queryFn: async () =>
      (await dataOf(api.POST('/web/retention/forecasts', { body: { days } }))).kinds as Forecast[],
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** The sizes of the tables; null on a server with several accounts. */
export const sizesOptions = queryOptions({
  queryKey: ['retention', 'sizes'],
  queryFn: async (): Promise<Sizes | null> => (await dataOf(api.GET('/web/retention/sizes'))) ?? null,
  staleTime: 60_000,
})

const readAgain = () => queryClient.invalidateQueries({ queryKey: ['retention'] })

export const savePeriods = mutationOptions({
  mutationFn: (days: Periods) => api.PATCH('/web/retention', { body: { days } }),
  onSuccess: readAgain,
})

export const startDeletion = mutationOptions({
  mutationFn: () => api.POST('/web/retention/runs'),
  onSuccess: readAgain,
})
