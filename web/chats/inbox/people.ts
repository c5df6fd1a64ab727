import { useInfiniteQuery } from '@tanstack/react-query'
import { usersOptions } from '../../api/accounts.ts'
import { useIsAdministrator, useSignedIn } from '../../shell/use-session.ts'

/** The name of a person of the account; only administrators may ask for those of others. */
export function usePersonName(): (id: number) => string | undefined {
  const { user } = useSignedIn()
  const { data } = useInfiniteQuery({ ...usersOptions, enabled: useIsAdministrator() })
  const people = data?.pages.flatMap(({ _embedded }) => _embedded.users)
  return (id) => (id === user.id ? user.name : people?.find((person) => person.id === id)?.name)
}
