import { useSuspenseQuery } from '@tanstack/react-query'
import { type Session, type SignedIn, sessionOptions } from '../api/session.ts'

/** The session; the router has read it before any page is drawn. */
export const useSession = (): Session => useSuspenseQuery(sessionOptions).data

/** For the pages behind sign-in, where the router lets nobody else. */
export function useSignedIn(): SignedIn {
  const session = useSession()
  if (!session.user) throw new Error('this page is behind sign-in')
  return { ...session, user: session.user }
}

export const useIsAdministrator = () => useSession().account?.is_admin === true
