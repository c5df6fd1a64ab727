import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { type Answer, api, dataOf } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type OwnSession = Answer<'/web/sessions', 'get'>['sessions'][number]

/** The active sessions of the person, the one of this browser first. */
export const ownSessionsOptions = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async () => (await dataOf(api.GET('/web/sessions'))).sessions,
})

/** Ends all sessions of the person but the one of this browser. */
export const endOtherSessions = mutationOptions({
  mutationFn: async () => (await dataOf(api.DELETE('/web/sessions'))).sessions,
  onSuccess: (sessions) => queryClient.setQueryData(ownSessionsOptions.queryKey, sessions),
})
