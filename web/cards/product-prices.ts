import { useQueries, useQuery } from '@tanstack/react-query'
import { productsOptions } from '../data/products.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { type AnyRecord, elementsOf, type ReadRecord } from '../data/records.ts'

type Linked = NonNullable<NonNullable<ReadRecord['_embedded']>['catalog_elements']>[number]

/** The prices of the linked products of a card by their ids. Other items and products without a price have none. */
export function useProductPrices(linked: readonly Linked[]): Map<number, number> {
  const { data: settings } = useQuery(productsOptions)
  const list = settings?.catalog_id
  const products = linked.filter(({ metadata }) => metadata.catalog_id === list)
  const briefs = useQueries({
    queries: products.map(({ id }) => briefOptions(elementsOf(list as number), id)),
  })
  return new Map(
    products.flatMap(({ id, metadata }, i): [number, number][] => {
      const price = priceOf(briefs[i]?.data, metadata.price_id)
      return price === undefined ? [] : [[id, price]]
    }),
  )
}

/** The price in the field that the link names, otherwise in the field PRICE, as the server takes it. */
function priceOf(product: AnyRecord | null | undefined, price_id: number | null): number | undefined {
  const fields = product?.custom_fields_values ?? []
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
