import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Body, connection, dataOf, type Schemas } from '../api/client.ts'
import { Cancelled } from '../api/problem.ts'
import { forgetDrafts } from './draft-storage.ts'
import { queryClient } from './query-client.ts'

export type Session = Schemas['Session']
export type Language = SignedIn['user']['lang']
export type SessionAccount = Session['accounts'][number]
export type SignedIn = Session & { user: NonNullable<Session['user']> }

/** Each of these responses is the current session. */
export function keepSession(session: Session): Session {
  begin(session)
  queryClient.setQueryData(sessionOptions.queryKey, session)
  return session
}

/** When the page began to read for the person of its session, in milliseconds of `performance.now()`. */
let began = 0
export const pageBegan = (): number => began

function begin({ csrf_token, user }: Session): void {
  connection.csrfToken = csrf_token
  if (!queryClient.getQueryData<Session>(['session'])?.user) began = performance.now()
  // Another person has signed in meanwhile.
  if (user) forgetDrafts(user.id)
}

/** A page keeps its session: what was entered on it must not be written as another person or into another account. */
async function readSession(): Promise<Session> {
  const own = queryClient.getQueryData<Session>(['session'])
  const session = await dataOf(api.GET('/web/session'))
  if (own && isReplaced(own, session)) {
    connection.replaced(session)
    throw new Cancelled()
  }
  begin(session)
  return session
}

/** A session that has ended, or that has lost its account, is shown by the requests that are refused. */
export const isReplaced = (own: SessionOwner, current: SessionOwner): boolean =>
  (own.user !== null && current.user !== null && own.user.id !== current.user.id) ||
  (own.account !== null && current.account !== null && own.account.id !== current.account.id)

/** The person and the account of the page, for the addresses of its streams, which have no header with the token. */
export function pageOwner(): string {
  const session = queryClient.getQueryData<Session>(['session'])
  return `${session?.user?.id}.${session?.account?.id}`
}

interface SessionOwner {
  user: { id: number } | null
  account: { id: number } | null
}

export const sessionOptions = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
  // Another tab may have replaced it.
  refetchOnWindowFocus: 'always',
})

connection.renewToken = async () => {
  await queryClient.fetchQuery({ ...sessionOptions, staleTime: 0 })
}

/** The page then offers only what the person may still do. */
connection.forbidden = () => {
  queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey })
}

export const signIn = mutationOptions({
  mutationFn: async (body: Body<'/web/session', 'post'>) => {
    const session = await dataOf(api.POST('/web/session', { body }))
    queryClient.clear()
    return keepSession(session)
  },
})

/** The caller loads a new page afterwards, so that nothing of the old session stays in memory. */
export const signOut = mutationOptions({
  mutationFn: async () => {
    await api.DELETE('/web/session')
    forgetDrafts()
  },
})

/** The caller loads a new page afterwards, as after signing out. */
export const chooseAccount = mutationOptions({
  mutationFn: (account_id: number) => dataOf(api.PATCH('/web/session', { body: { account_id } })),
})

export const confirmPassword = mutationOptions({
  mutationFn: async (password: string) =>
    keepSession(await dataOf(api.POST('/web/session/confirm', { body: { password } }))),
})

export const patchProfile = mutationOptions({
  mutationFn: async (body: Body<'/web/profile', 'patch'>) =>
    keepSession(await dataOf(api.PATCH('/web/profile', { body }))),
  onSuccess: () => queryClient.invalidateQueries({ queryKey: ['colleagues'] }),
})

export const takePasswordLink = mutationOptions({
  mutationFn: (body: Body<'/web/password', 'post'>) => dataOf(api.POST('/web/password', { body })),
})

export const setUp = mutationOptions({
  mutationFn: async (body: Body<'/web/setup', 'post'>) =>
    keepSession(await dataOf(api.POST('/web/setup', { body }))),
  // Another tab may have set the server up.
  onError: () => queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey }),
})
