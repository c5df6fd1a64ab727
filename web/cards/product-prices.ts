import { useQueries, useQuery } from '@tanstack/react-query'
import { productsOptions } from '../data/products.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { type AnyRecord, elementsOf, type ReadRecord } from '../data/records.ts'

type Linked = NonNullable<NonNullable<ReadRecord['_embedded']>['catalog_elements']>[number]

/** The prices of the linked items of a card by their ids. Items without a price have none. */
export function usePrices(linked: readonly Linked[]): Map<number, number> {
  const briefs = useQueries({
    queries: linked.map(({ id, metadata }) => briefOptions(elementsOf(metadata.catalog_id), id)),
  })
  return new Map(
    linked.flatMap(({ id, metadata }, i): [number, number][] => {
      const price = priceOf(briefs[i]?.data, metadata.price_id)
      return price === undefined ? [] : [[id, price]]
    }),
  )
}

/** The costs of the linked products that have a price. Items of other lists are not among them, as in the sale of a lead. */
export function useProductCosts(linked: readonly Linked[], prices: Map<number, number>): number[] {
  const { data: settings } = useQuery(productsOptions)
  return linked.flatMap(({ id, metadata: { catalog_id, quantity } }) => {
    const price = catalog_id === settings?.catalog_id ? prices.get(id) : undefined
    return price === undefined ? [] : [quantity * price]
  })
}

/** The price in the field that the link names, otherwise in the field PRICE, as the server takes it. */
function priceOf(item: AnyRecord | null | undefined, price_id: number | null): number | undefined {
  const fields = item?.custom_fields_values ?? []
  const field =
    fields.find(({ field_id }) => field_id === price_id) ??
    fields.find(({ field_code }) => field_code === 'PRICE')
  const value = (field?.values[0] as { value?: unknown } | undefined)?.value
  return value === undefined ? undefined : Number(value)
}

/** Whether the price of this lead is the sum of its products, so that nobody writes it. */
export function useIsSummed(record: ReadRecord): boolean {
  const { data: settings } = useQuery(productsOptions)
  if (!settings?.is_enabled || !settings.sums_leads) return false
  const linked = record._embedded?.catalog_elements ?? []
  return linked.some(({ metadata }) => metadata.catalog_id === settings.catalog_id)
}
