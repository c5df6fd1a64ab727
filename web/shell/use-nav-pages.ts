import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '../data/accounts.ts'
import { type NavPage, pagesFor } from './nav-pages.ts'
import { useIsAdministrator, useRights } from './use-session.ts'

/** Modes without customers; until the mode is loaded, customers are shown. */
const without = ['disabled', 'unavailable']

/** Returns the pages that the person can open, in groups. */
export function useNavPages(): NavPage[][] {
  const { data: account } = useQuery(accountOptions)
  const hasCustomers = !without.includes(account?.customers_mode ?? '')
  return pagesFor({ isAdministrator: useIsAdministrator(), rights: useRights(), hasCustomers })
}

/** Returns the same pages as one list, including nested ones. */
export const useAllNavPages = (): NavPage[] =>
  useNavPages()
    .flat()
    .flatMap((page) => [page, ...(page.pages ?? [])])
