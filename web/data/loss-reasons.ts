import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'

export type LossReason = Schemas['LossReason']

/** The loss reasons in their order. */
export const lossReasonsOptions = queryOptions({
  queryKey: ['loss-reasons'],
  queryFn: () =>
    readRows(
      api.GET('/web/v4/leads/loss_reasons', { params: { query: { limit: 250 } } }),
      ({ loss_reasons }) => loss_reasons,
    ),
  staleTime: 300_000,
})

export const settleLossReasons = () => queryClient.invalidateQueries(lossReasonsOptions)

export const addLossReason = mutationOptions({
  mutationFn: (name: string) => api.POST('/web/v4/leads/loss_reasons', { body: [{ name }] }),
  onSuccess: settleLossReasons,
})
export const patchLossReason = mutationOptions({
  mutationFn: ({ id, ...body }: Schemas['LeadsLossReasonsUpdateBody'] & { id: number }) =>
    api.PATCH('/web/v4/leads/loss_reasons/{id}', { params: { path: { id } }, body }),
  onSuccess: settleLossReasons,
})
export const removeLossReason = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/leads/loss_reasons/{id}', { params: { path: { id } } }),
  onSuccess: settleLossReasons,
})
