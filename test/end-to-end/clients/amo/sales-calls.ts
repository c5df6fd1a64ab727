import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import type { Calls } from '../every-method.ts'
import { embeddedOf, idsOf } from './answers.ts'
import { hour, now, type Scene } from './scene.ts'

/** Customers with their purchases. */
export function customerCalls({ amo, ada, customer }: Scene): Calls {
  let [other, purchase] = [0, 0]
  const soon = now + 24 * hour
  return {
    'customer.addCustomers': async () => {
      const draft = { name: 'Berg AS', next_date: soon, next_price: 300, request_id: 'b' }
      const { _embedded } = await amo.customer.addCustomers([draft as never])
      partialDeepStrictEqual(_embedded.customers, [{ request_id: 'b' }])
      other = idsOf(_embedded.customers)[0] as number
    },
    'customer.getCustomers': async () => {
      const filter = {
        filter: (filter: { multi(name: string, ids: number[]): object }) => filter.multi('id', [other]),
      }
      deepEqual(idsOf((await amo.customer.getCustomers(filter as never))._embedded.customers), [other])
    },
    'customer.getCustomerById': async () =>
      partialDeepStrictEqual(await amo.customer.getCustomerById(other, { with: ['contacts'] }), {
        name: 'Berg AS',
        next_price: 300,
        next_date: soon,
      }),
    'customer.updateCustomers': async () => {
      const { _embedded } = await amo.customer.updateCustomers([{ id: other, next_price: 400 } as never])
      deepEqual(idsOf(_embedded.customers), [other])
    },
    'customer.updateCustomerById': async () => {
      await amo.customer.updateCustomerById(other, { name: 'Berg ASA' } as never)
      equal((await amo.customer.getCustomerById(other)).name, 'Berg ASA')
    },
    'customer.addTransactionsToCustomer': async () => {
      const draft = { price: 250, comment: 'A lamp', completed_at: now - hour }
      const added = await amo.customer.addTransactionsToCustomer(customer, [draft as never])
      purchase = idsOf(embeddedOf(added).transactions)[0] as number
    },
    'customer.getTransactions': async () => {
      const { transactions } = embeddedOf(await amo.customer.getTransactions())
      ok(idsOf(transactions).includes(purchase))
    },
    'customer.getTransactionsByCustomerId': async () => {
      const { transactions } = embeddedOf(await amo.customer.getTransactionsByCustomerId(customer))
      partialDeepStrictEqual(transactions, [{ id: purchase, price: 250, comment: 'A lamp' }] as object[])
    },
    'customer.deleteTransactionsById': () => amo.customer.deleteTransactionsById(purchase),
    'customer.updateBonusPointsByCustomerId': async () =>
      equal((await amo.customer.updateBonusPointsByCustomerId(customer, { earn: 30 })).bonus_points, 30),
    'customer.getCustomerSubscriptionById': async () => {
      const { _embedded } = await amo.customer.getCustomerSubscriptionById(customer)
      partialDeepStrictEqual(_embedded.subscriptions, [{ subscriber_id: ada, type: 'user' }])
    },
    'customer.updateCustomersMode': async () => {
      const mode = { mode: 'segments', is_enabled: true } as const
      deepEqual(await amo.customer.updateCustomersMode(mode), mode)
    },
  }
}

/** The stages and the segments of customers. */
export function stageCalls({ amo }: Scene): Calls {
  let [stage, segment] = [0, 0]
  return {
    'status.addStatuses': async () => {
      const { _embedded } = await amo.status.addStatuses([{ name: 'Loyal', sort: 50, color: '#ccc8f9' }])
      stage = idsOf(_embedded.statuses)[0] as number
    },
    'status.getStatuses': async () =>
      ok(idsOf((await amo.status.getStatuses())._embedded.statuses).includes(stage)),
    'status.getStatuseById': async () => equal((await amo.status.getStatuseById(stage)).name, 'Loyal'),
    'status.updateStatusById': async () =>
      equal((await amo.status.updateStatusById(stage, { name: 'Faithful' })).name, 'Faithful'),
    'status.deleteStatusById': async () => {
      await amo.status.deleteStatusById(stage)
      ok(!idsOf((await amo.status.getStatuses())._embedded.statuses).includes(stage))
    },
    'segment.addSegment': async () => {
      const draft = { name: 'Cafés', color: 'ae003f' } as never
      segment = (await amo.segment.addSegment(draft)).id
      ok(segment > 0)
    },
    'segment.getSegments': async () =>
      ok(idsOf((await amo.segment.getSegments())._embedded.segments).includes(segment)),
    'segment.getSegmenteById': async () =>
      partialDeepStrictEqual(await amo.segment.getSegmenteById(segment), { name: 'Cafés', color: 'ae003f' }),
    'segment.updateSegmentById': async () =>
      equal((await amo.segment.updateSegmentById(segment, { name: 'Bars' })).name, 'Bars'),
    'segment.deleteSegmentById': () => amo.segment.deleteSegmentById(segment),
  }
}

/** Lists with their elements, and the list of products. */
export function catalogCalls({ amo, catalog, element }: Scene): Calls {
  let other = 0
  return {
    'catalog.addCatalogs': async () => {
      const { _embedded } = await amo.catalog.addCatalogs([
        { name: 'Lamps', type: 'regular', request_id: 'l' },
      ])
      partialDeepStrictEqual(_embedded.catalogs, [{ name: 'Lamps', type: 'regular', request_id: 'l' }])
      other = idsOf(_embedded.catalogs)[0] as number
    },
    'catalog.getCatalogs': async () => {
      const { _embedded } = await amo.catalog.getCatalogs({ limit: 250 })
      ok(idsOf(_embedded.catalogs).includes(other))
    },
    'catalog.getCatalogById': async () => equal((await amo.catalog.getCatalogById(catalog)).name, 'Chairs'),
    'catalog.updateCatalogs': async () => {
      const { _embedded } = await amo.catalog.updateCatalogs([{ id: other, name: 'Lights' }] as never)
      partialDeepStrictEqual(_embedded.catalogs, [{ id: other, name: 'Lights' }])
    },
    'catalog.updateCatalogById': async () =>
      equal((await amo.catalog.updateCatalogById(other, { name: 'Lanterns' })).name, 'Lanterns'),
    'catalog.addCatalogElements': async () => {
      const { _embedded } = await amo.catalog.addCatalogElements(catalog, [{ name: 'Eames DSW' }] as never)
      partialDeepStrictEqual(_embedded, { elements: [{ name: 'Eames DSW' }] } as object)
    },
    'catalog.getCatalogElementsByCatalogId': async () => {
      const { _embedded } = await amo.catalog.getCatalogElementsByCatalogId(catalog, { query: 'thonet' })
      deepEqual(idsOf(_embedded.elements), [element])
    },
    'catalog.getCatalogElementById': async () =>
      partialDeepStrictEqual(await amo.catalog.getCatalogElementById(element, catalog), {
        name: 'Thonet 14',
        catalog_id: catalog,
      }),
    'catalog.updateCatalogElements': async () => {
      const patch = { id: element, name: 'Thonet 18' }
      const { _embedded } = await amo.catalog.updateCatalogElements(catalog, [patch] as never)
      partialDeepStrictEqual(_embedded, { elements: [patch] } as object)
    },
    'catalog.updateCatalogElementById': async () =>
      equal(
        (await amo.catalog.updateCatalogElementById(element, catalog, { name: 'No. 14' })).name,
        'No. 14',
      ),
    'product.enableProducts': async () => {
      const { is_enabled, catalog_id } = await amo.product.enableProducts(true)
      ok(is_enabled && catalog_id > 0)
    },
    'product.getStatusProducts': async () => {
      await amo.raw.post({ url: '/api/v2/products_settings', payload: { enabled: true } as never })
      equal((await amo.product.getStatusProducts()).is_enabled, true)
    },
  }
}
