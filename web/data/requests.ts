import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Body, dataOf, type QueryOf, type Schemas } from '../api/client.ts'
import type { RequestSearch } from './developer-filters.ts'
import { queryClient } from './query-client.ts'

export type LoggedRequest = Schemas['LoggedRequest']
export type LoggedExchange = Schemas['LoggedExchange']
export type LoggedMessage = Schemas['LoggedMessage']
export type LogSetting = Body<'/web/requests/settings', 'put'>

type RequestQuery = QueryOf<'/web/requests'>

export interface RequestRows {
  rows: LoggedRequest[]
  /** The `before` of the next page; null at the end. */
  next: number | null
}

const PAGE = 100
/** The rows that are read at once while the list is live, and the milliseconds between two reads. */
const HEAD = 250
const REFRESH_MS = 2_000
/** A longer list is read again from its beginning: an account keeps as many requests. */
const LONGEST = 20_000

const readRequests = async (query: RequestQuery): Promise<RequestRows> => {
  const { requests, next } = await dataOf(api.GET('/web/requests', { params: { query } }))
  return { rows: requests, next }
}

const listKey = (search: RequestSearch) => ['requests', 'list', search]

/** The request log, newest first. Only new rows are read again (`newRequestsOptions`), however long it has become. */
export const requestsOptions = (search: RequestSearch) =>
  infiniteQueryOptions({
    queryKey: listKey(search),
    queryFn: ({ pageParam: before }) => readRequests({ ...search, before, limit: PAGE }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

/** Reads the rows that are newer than the known ones, and puts them before these. A hidden page does not. */
export const newRequestsOptions = (search: RequestSearch) =>
  queryOptions({
    queryKey: ['requests', 'new', search],
    queryFn: async () => {
      const { queryKey } = requestsOptions(search)
      const list = queryClient.getQueryData(queryKey)
      const after = list?.pages[0]?.rows[0]?.id ?? 0
      const { rows, next } = await readRequests({ ...search, after, limit: HEAD })
      const isTooMany = next !== null || (list && countOf(list.pages) + rows.length > LONGEST)
      if (isTooMany) await queryClient.resetQueries({ queryKey, exact: true })
      else if (rows.length > 0)
        queryClient.setQueryData(queryKey, (now) => now && { ...now, pages: withNew(now.pages, rows) })
      return rows.length
    },
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })

const countOf = (pages: RequestRows[]): number => pages.reduce((sum, { rows }) => sum + rows.length, 0)

/** A page that was loaded meanwhile can contain some of the new rows. */
function withNew([first, ...others]: RequestRows[], rows: LoggedRequest[]): RequestRows[] {
  const newest = first?.rows[0]?.id ?? 0
  const added = rows.filter(({ id }) => id > newest)
  return [{ next: first?.next ?? null, rows: [...added, ...(first?.rows ?? [])] }, ...others]
}

/** One recorded request with both sides. It does not change. */
export const requestOptions = (id: number) =>
  queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: () => dataOf(api.GET('/web/requests/{id}', { params: { path: { id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** For this time after a request, in milliseconds, its attempts are read again. */
const FRESH_MS = 120_000
const RELATED_MS = 5_000

/** A request and the attempts that it caused, the first one first. */
export const relatedOptions = ({ request_id, at }: Pick<LoggedRequest, 'request_id' | 'at'>) =>
  queryOptions({
    queryKey: ['requests', 'related', request_id],
    queryFn: async () => (await readRequests({ request_id, limit: HEAD })).rows.toReversed(),
    refetchInterval: () => (Date.now() - at < FRESH_MS ? RELATED_MS : false),
  })

/** The settings for recording the requests of the account. */
export const logSettingOptions = queryOptions({
  queryKey: ['requests', 'setting'],
  queryFn: () => dataOf(api.GET('/web/requests/settings')),
})

export const changeLogSetting = mutationOptions({
  mutationFn: (setting: LogSetting) => api.PUT('/web/requests/settings', { body: setting }),
  onSuccess: (_, setting) => queryClient.setQueryData(logSettingOptions.queryKey, setting),
})

export const clearLog = mutationOptions({
  mutationFn: () => api.DELETE('/web/requests'),
  onSuccess: () => queryClient.resetQueries({ queryKey: ['requests', 'list'] }),
})

/** Sends a recorded request again. The answer is the id of the new one in the log. */
export const sendRequestAgain = mutationOptions({
  mutationFn: (id: number) => dataOf(api.POST('/web/requests/{id}/send', { params: { path: { id } } })),
})
