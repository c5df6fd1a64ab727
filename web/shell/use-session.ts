import { useSuspenseQuery } from '@tanstack/react-query'
import type { Rights } from '../data/accounts.ts'
import { type Collection, wordOf } from '../data/records.ts'
import { type Session, type SignedIn, sessionOptions } from '../data/session.ts'

/** Returns the session, which the router loads before any page renders. */
export const useSession = (): Session => useSuspenseQuery(sessionOptions).data

/** Returns the session on pages behind sign-in. */
export function useSignedIn(): SignedIn {
  const session = useSession()
  if (!session.user) throw new Error('this page is behind sign-in')
  return { ...session, user: session.user }
}

export const useIsAdministrator = () => useSession().account?.is_admin === true

/** Returns the person's permissions. The server checks again. */
export function useRights(): Rights {
  const { rights } = useSession()
  if (!rights) throw new Error('this page is behind sign-in')
  return rights
}

type Action = keyof Rights['leads']

/** Returns the scope of a permission. Customers use the permissions of leads, and lists may have their own. */
export function widthOf(rights: Rights, collection: Collection, action: Action): 'A' | 'G' | 'M' | 'L' | 'D' {
  const word = wordOf(collection)
  if (word === 'customers') return rights.leads[action]
  if (word !== 'elements') return rights[word][action]
  const catalog_id = Number(collection.split('/')[1])
  const own = rights.catalog_rights?.find((one) => one.catalog_id === catalog_id)
  return own?.rights[action] ?? (rights.catalog_access ? 'A' : 'D')
}

/** Returns whether a permission allows at least some records, so that pages offer its actions. */
export function hasRight(rights: Rights, collection: Collection, action: Action): boolean {
  const opened = collection === 'leads' && action !== 'add' ? (rights.status_rights ?? []) : []
  return (
    widthOf(rights, collection, action) !== 'D' ||
    opened.some((stage) => stage.rights[action as 'view'] === 'A')
  )
}

export const useRight = (collection: Collection, action: Action): boolean =>
  hasRight(useRights(), collection, action)
