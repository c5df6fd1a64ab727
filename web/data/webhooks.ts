import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { WebhookCode } from '../../src/webhooks/webhook-types.ts'
import { type Answer, api, type Body, dataOf, type Schemas } from '../api/client.ts'
import type { DeliveryState } from './delivery-states.ts'
import { queryClient } from './query-client.ts'

export type Webhook = Schemas['WebhookSettings']
export type NewWebhook = Body<'/web/webhooks', 'post'>
export type WebhookPatch = Body<'/web/webhooks/{id}', 'patch'>
export type DeliveryPlan = Answer<'/web/webhooks/plan', 'get'>['plan']
export type Delivery = Schemas['WebhookDelivery']
export type DeliveryDetails = Schemas['WebhookDeliveryDetails']

/** Milliseconds between two updates of what deliveries change. */
const REFRESH_MS = 3_000

/** The webhooks of this account. */
export const webhooksOptions = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async () => (await dataOf(api.GET('/web/webhooks'))).webhooks,
  refetchInterval: REFRESH_MS,
})

export const webhookOptions = (id: number) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: () => dataOf(api.GET('/web/webhooks/{id}', { params: { path: { id } } })),
    refetchInterval: REFRESH_MS,
  })

export const planOptions = queryOptions({
  queryKey: ['webhooks', 'plan'],
  queryFn: async () => (await dataOf(api.GET('/web/webhooks/plan'))).plan,
})

/** The body that a change of the latest record would send; null if the account has no such record. */
export const sampleOptions = (code: WebhookCode) =>
  queryOptions({
    queryKey: ['webhooks', 'sample', code],
    queryFn: async () =>
      (await dataOf(api.GET('/web/webhooks/sample', { params: { query: { code } } }))).body,
  })

/** The deliveries of a webhook, the latest first. Only the first page is kept up to date. */
export const deliveriesOptions = (id: number, state?: DeliveryState) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', { state }],
    queryFn: ({ pageParam: before }) =>
      dataOf(
        api.GET('/web/webhooks/{id}/deliveries', { params: { path: { id }, query: { before, state } } }),
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state: { data } }) => (data && data.pages.length > 1 ? false : REFRESH_MS),
  })

/** A delivery with its request and its attempts. It changes until it has ended. */
export const deliveryOptions = (id: number, delivery: number) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', delivery],
    queryFn: () =>
      dataOf(api.GET('/web/webhooks/{id}/deliveries/{delivery}', { params: { path: { id, delivery } } })),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : REFRESH_MS),
  })

/** Whether no further attempt will be made. */
export const hasEnded = ({ state }: Pick<Delivery, 'state'>): boolean =>
  state === 'delivered' || state === 'failed'

const refresh = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })

const keep = (webhook: Webhook) => {
  queryClient.setQueryData(webhookOptions(webhook.id).queryKey, webhook)
  return refresh()
}

export const addWebhook = mutationOptions({
  mutationFn: (draft: NewWebhook) => dataOf(api.POST('/web/webhooks', { body: draft })),
  onSuccess: refresh,
})

export const patchWebhook = mutationOptions({
  mutationFn: ({ id, ...body }: WebhookPatch & { id: number }) =>
    dataOf(api.PATCH('/web/webhooks/{id}', { params: { path: { id } }, body })),
  onSuccess: keep,
})

export const removeWebhook = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/webhooks/{id}', { params: { path: { id } } }),
  onSuccess: () => queryClient.invalidateQueries({ ...webhooksOptions, exact: true }),
})

/** Drops what was loaded of a removed webhook. Its page must be closed. */
export const forgetWebhook = (id: number) =>
  queryClient.removeQueries({ queryKey: webhookOptions(id).queryKey })

export const changePlan = mutationOptions({
  mutationFn: (plan: DeliveryPlan) => api.PUT('/web/webhooks/plan', { body: { plan } }),
  onSuccess: (_, plan) => queryClient.setQueryData(planOptions.queryKey, plan),
})

const refreshOne = (id: number) => queryClient.invalidateQueries(webhookOptions(id))

export const signWebhook = mutationOptions({
  mutationFn: (id: number) => dataOf(api.POST('/web/webhooks/{id}/secret', { params: { path: { id } } })),
  onSuccess: (_, id) => refreshOne(id),
  gcTime: 0,
})

export const stopSigning = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/webhooks/{id}/secret', { params: { path: { id } } }),
  onSuccess: (_, id) => refreshOne(id),
})

const replay = (id: number, body: Body<'/web/webhooks/{id}/replay', 'post'>) =>
  dataOf(api.POST('/web/webhooks/{id}/replay', { params: { path: { id } }, body }))

/** Sends one delivery again, as a new delivery. */
export const sendAgain = mutationOptions({
  mutationFn: ({ id, delivery }: { id: number; delivery: number }) => replay(id, { ids: [delivery] }),
  onSuccess: refresh,
})

interface FailedSince {
  id: number
  from: number
  /** Called with the number of deliveries so far, after each portion. */
  onProgress: (count: number) => void
}

/** The number of deliveries that a portion has sent again, and the place of the next portion. */
export interface Replayed {
  replayed: number
  next: number | null
  up_to: number
}
/** Where a portion begins, and up to which delivery all of them go. */
export type ReplayPlace = { after?: number; up_to?: number } | null

/** Sends all failed deliveries since a time again, in portions, and returns their number. */
export const sendFailedAgain = mutationOptions({
  mutationFn: async ({ id, from, onProgress }: FailedSince) => {
    let count = 0
    for (let place: ReplayPlace = {}; place; ) {
      const { replayed, next, up_to }: Replayed = await replay(id, { from, state: 'failed', ...place })
      count += replayed
      onProgress(count)
      place = next === null ? null : { after: next, up_to }
    }
    return count
  },
  onSettled: refresh,
})
