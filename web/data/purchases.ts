import { infiniteQueryOptions, mutationOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { pagesOf, readPage } from '../api/lists.ts'
import { onlyOnce } from '../api/only-once.ts'
import { queryClient } from './query-client.ts'
import { recordKeys } from './records.ts'

export type Purchase = Schemas['Transaction']

const FEW = 10

/** The purchases of a customer, newest first. Its key is below that of the customer, so that live updates include it. */
export const purchasesOptions = (customer_id: number) =>
  infiniteQueryOptions({
    queryKey: [...recordKeys.one('customers'), customer_id, 'purchases'],
    ...pagesOf((next) =>
      readPage(
        api.GET('/web/v4/customers/{customer_id}/transactions', {
          params: { path: { customer_id }, query: next ?? { limit: FEW, 'order[id]': 'desc' } },
        }),
        ({ transactions }) => transactions,
      ),
    ),
  })

const readAgain = (customer_id: number) =>
  queryClient.invalidateQueries({ queryKey: [...recordKeys.one('customers'), customer_id] })

export type NewPurchase = Schemas['CustomerTransactionsCreateBody'][number] & { customer_id: number }

export const addPurchase = mutationOptions({
  mutationFn: ({ customer_id, ...draft }: NewPurchase) =>
    onlyOnce(['purchase', customer_id, draft.price, draft.comment], [draft], (body, header) =>
      api.POST('/web/v4/customers/{customer_id}/transactions', {
        params: { path: { customer_id }, header },
        body,
      }),
    ),
  onSuccess: (_answer, { customer_id }) => readAgain(customer_id),
})

export const removePurchase = mutationOptions({
  mutationFn: ({ customer_id, id }: Pick<Purchase, 'customer_id' | 'id'>) =>
    api.DELETE('/web/v4/customers/{customer_id}/transactions/{id}', {
      params: { path: { customer_id, id } },
    }),
  onSuccess: (_answer, { customer_id }) => readAgain(customer_id),
})
