import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { LossReason } from '../../src/pipelines/schemas.ts'
import { query, request } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'

export type { LossReason }

const REASONS = '/web/v4/leads/loss_reasons'

/** Why leads are lost, in their order. */
export const lossReasonsOptions = queryOptions({
  queryKey: ['loss-reasons'],
  queryFn: () => readRows<LossReason>(`${REASONS}${query({ limit: 250 })}`, 'loss_reasons'),
  staleTime: 300_000,
})

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
