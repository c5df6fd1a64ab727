import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'

export type Trace = Schemas['Trace']
export type TraceNode = Schemas['TraceNode']

/** How often a trace is read again while something in it is waiting, in milliseconds. */
const AGAIN_MS = 3_000

/** The effects of a request. The name of a run or a job leads to the trace that contains it. */
export const traceOptions = (request_id: string) =>
  queryOptions({
    queryKey: ['trace', request_id],
    queryFn: () => dataOf(api.GET('/web/traces/{request_id}', { params: { path: { request_id } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.nodes.some(({ outcome }) => outcome === 'waiting') ? AGAIN_MS : false,
  })
