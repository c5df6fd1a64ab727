import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type {
  FirstSetUp,
  Language as LanguageSchema,
  NewPassword,
  ProfilePatch,
  Session,
  SignIn,
} from '../../src/accounts/schemas.ts'
import { connection, request } from '../api/client.ts'
import { forgetDrafts } from './draft-storage.ts'
import { queryClient } from './query-client.ts'

export type { Session }
export type Language = Static<typeof LanguageSchema>
export type SessionAccount = Session['accounts'][number]
export type SignedIn = Session & { user: NonNullable<Session['user']> }

/** Every answer of the session's addresses is the session as it now is. */
export function keepSession(session: Session): Session {
  begin(session)
  queryClient.setQueryData(sessionOptions.queryKey, session)
  return session
}

function begin({ csrf_token, user }: Session): void {
  connection.csrfToken = csrf_token
  // Somebody else has signed in since.
  if (user) forgetDrafts(user.id)
}

export const sessionOptions = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await request<Session>('GET', '/web/session')
    begin(session)
    return session
  },
  staleTime: 60_000,
})

export const signIn = mutationOptions({
  mutationFn: async (input: Static<typeof SignIn>) => {
    const session = await request<Session>('POST', '/web/session', input)
    queryClient.clear()
    return keepSession(session)
  },
})

/** Whoever calls this loads a new page afterwards, so that nothing of the old session stays in memory. */
export const signOut = mutationOptions({
  mutationFn: async () => {
    await request<void>('DELETE', '/web/session')
    forgetDrafts()
  },
})

/** As with signing out, a new page follows. */
export const chooseAccount = mutationOptions({
  mutationFn: (account_id: number) => request<Session>('PATCH', '/web/session', { account_id }),
})

export const confirmPassword = mutationOptions({
  mutationFn: async (password: string) =>
    keepSession(await request<Session>('POST', '/web/session/confirm', { password })),
})

export const patchProfile = mutationOptions({
  mutationFn: async (patch: Static<typeof ProfilePatch>) =>
    keepSession(await request<Session>('PATCH', '/web/profile', patch)),
})

export const takePasswordLink = mutationOptions({
  mutationFn: (input: Static<typeof NewPassword>) => request<Session>('POST', '/web/password', input),
})

export const setUp = mutationOptions({
  mutationFn: async (input: FirstSetUp) => keepSession(await request<Session>('POST', '/web/setup', input)),
})
