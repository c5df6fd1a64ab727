import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { LossReason } from '../../src/pipelines/schemas.ts'
import { query, request } from './client.ts'
import { queryClient } from './query-client.ts'

export type { LossReason }

/** Why leads are lost, in their order. */
export const lossReasonsOptions = queryOptions({
  queryKey: ['loss-reasons'],
  queryFn: async () => {
    const search = query({ limit: 250 })
    const page = await request<{ _embedded: { loss_reasons: LossReason[] } }>(
      'GET',
      `/web/v4/leads/loss_reasons${search}`,
    )
    return page._embedded.loss_reasons
  },
  staleTime: 300_000,
})

const REASONS = '/web/v4/leads/loss_reasons'
export const settleLossReasons = () => queryClient.invalidateQueries(lossReasonsOptions)

export const addLossReason = mutationOptions({
  mutationFn: (name: string) => request<unknown>('POST', REASONS, [{ name }]),
  onSuccess: settleLossReasons,
})
export const patchLossReason = mutationOptions({
  mutationFn: ({ id, ...patch }: { id: number; name?: string; sort?: number }) =>
    request<unknown>('PATCH', `${REASONS}/${id}`, patch),
  onSuccess: settleLossReasons,
})
export const removeLossReason = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `${REASONS}/${id}`),
  onSuccess: settleLossReasons,
})
