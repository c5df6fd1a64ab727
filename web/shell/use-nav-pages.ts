import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '../data/accounts.ts'
import { type NavPage, pagesFor } from './nav-pages.ts'
import { useIsAdministrator, useRights } from './use-session.ts'

/** An account may do without customers; until it has said so they have their page. */
const without = ['disabled', 'unavailable']

/** The pages that the person may enter, in their groups. */
export function useNavPages(): NavPage[][] {
  const { data: account } = useQuery(accountOptions)
  const hasCustomers = !without.includes(account?.customers_mode ?? '')
  return pagesFor({ isAdministrator: useIsAdministrator(), rights: useRights(), hasCustomers })
}

/** The same one after another, with the pages within pages. */
export const useAllNavPages = (): NavPage[] =>
  useNavPages()
    .flat()
    .flatMap((page) => [page, ...(page.pages ?? [])])
