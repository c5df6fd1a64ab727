import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '../../data/accounts.ts'
import { useFormat } from './format.ts'

/** An amount in the currency of the account. */
export function Money({ amount }: { amount: number }) {
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  return account ? format.money(amount, account.currency) : null
}
