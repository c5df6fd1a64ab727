import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Body, dataOf, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type TokenFamily = Schemas['TokenFamily']
export type TokenFamilyHistory = Schemas['TokenFamilyHistory']
export type TokenPair = Schemas['TokenPair']
export type TokenEnd = Schemas['TokenEnd']
export type TokenExplanation = Schemas['TokenExplanation']

/** The families of tokens of the account, the newest consent first. */
export const tokenFamiliesOptions = infiniteQueryOptions({
  queryKey: ['tokens', 'list'],
  queryFn: ({ pageParam: before }) => dataOf(api.GET('/web/tokens', { params: { query: { before } } })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
})

/** One family with its newest pairs. */
export const tokenFamilyOptions = (id: string) =>
  queryOptions({
    queryKey: ['tokens', 'one', id],
    queryFn: () => dataOf(api.GET('/web/tokens/{id}', { params: { path: { id } } })),
  })

/** The explanation of the state of a token. Neither the token nor the answer is kept. */
export const explainToken = mutationOptions({
  mutationFn: (token: string) => dataOf(api.POST('/web/tokens/explain', { body: { token } })),
  gcTime: 0,
})

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['tokens'] }),
    queryClient.invalidateQueries({ queryKey: ['installations'] }),
  ])

export const revokeFamily = mutationOptions({
  mutationFn: (id: string) => api.POST('/web/tokens/{id}/revoke', { params: { path: { id } } }),
  onSuccess: refresh,
})

export const expireToken = mutationOptions({
  mutationFn: ({ id, ...body }: { id: string } & Body<'/web/tokens/{id}/expire', 'post'>) =>
    api.POST('/web/tokens/{id}/expire', { params: { path: { id } }, body }),
  onSuccess: refresh,
})

export const agePair = mutationOptions({
  mutationFn: ({ id, ...body }: { id: string } & Body<'/web/tokens/{id}/age', 'post'>) =>
    api.POST('/web/tokens/{id}/age', { params: { path: { id } }, body }),
  onSuccess: refresh,
})

/** Seconds for which a fault waits for refreshes. */
const FAULT_SECONDS = 60

export const loseAnswer = mutationOptions({
  mutationFn: (id: string) =>
    api.POST('/web/tokens/{id}/lose_answer', {
      params: { path: { id } },
      body: { timeout: FAULT_SECONDS },
    }),
  onSuccess: refresh,
})

export const raceRefreshes = mutationOptions({
  mutationFn: (id: string) =>
    api.POST('/web/tokens/{id}/race', { params: { path: { id } }, body: { timeout: FAULT_SECONDS } }),
  onSuccess: refresh,
})
