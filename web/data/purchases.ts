import { infiniteQueryOptions, mutationOptions } from '@tanstack/react-query'
import type { Transaction } from '../../src/entities/transaction-schemas.ts'
import { query, request } from '../api/client.ts'
import { pagesOf, readPage } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { recordKeys } from './records.ts'

export type Purchase = Transaction

const FEW = 10
const path = (customer_id: number) => `/web/v4/customers/${customer_id}/transactions`

/** What a customer has bought; under the key of the customer, so that live updates bring it. */
export const purchasesOptions = (customer_id: number) =>
  infiniteQueryOptions({
    queryKey: [...recordKeys.one('customers'), customer_id, 'purchases'],
    ...pagesOf((next) =>
      readPage<Purchase>(next ?? `${path(customer_id)}${query({ limit: FEW })}`, 'transactions'),
    ),
  })

const readAgain = (customer_id: number) =>
  queryClient.invalidateQueries({ queryKey: [...recordKeys.one('customers'), customer_id] })

export interface NewPurchase {
  customer_id: number
  price: number
  comment: string | null
  completed_at: number
}

export const addPurchase = mutationOptions({
  mutationFn: ({ customer_id, ...draft }: NewPurchase) => request<void>('POST', path(customer_id), [draft]),
  onSuccess: (_answer, { customer_id }) => readAgain(customer_id),
})

export const removePurchase = mutationOptions({
  mutationFn: ({ customer_id, id }: Pick<Purchase, 'customer_id' | 'id'>) =>
    request<void>('DELETE', `${path(customer_id)}/${id}`),
  onSuccess: (_answer, { customer_id }) => readAgain(customer_id),
})
