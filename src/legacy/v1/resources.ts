import type { TObject } from 'typebox'
import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { RecordHooks } from '../../entities/entities.ts'
import type { Customer } from '../../entities/records/record-schemas.ts'
import { LegacyQuery } from '../list-parameters.ts'
import { findRecords } from '../list-records.ts'
import { ElementsQuery, findV2Elements } from '../v2/elements.ts'
import { findV2Lists } from '../v2/lists.ts'
import { findPurchases, PurchasesQuery } from '../v2/purchases.ts'
import { resourcesOf, type Resource as SecondResource } from '../v2/resources.ts'
import {
  customerView,
  elementView,
  LegacyCustomer,
  LegacyElement,
  LegacyList,
  LegacyPurchase,
  listView,
  purchaseView,
} from './views.ts'

/** How a resource of the first API is listed and written. It is written as in the second API. */
export interface Resource {
  item: TObject
  query: TObject
  /** Whether the list is an object by ids, and no array. */
  isById: boolean
  /** Whether an account that is not paid cannot list it, as in v4. */
  isPaid: boolean
  list: (ctx: Context, actor: Actor, query: LegacyQuery, modified_since?: string) => Promise<{ id: number }[]>
  set: SecondResource['set']
}

/** The resources by their paths, which are their names in bodies, too. */
export function resourcesOfFirst(hooks: Pick<RecordHooks, 'written'>): Record<string, Resource> {
  const second = resourcesOf(hooks)
  const setOf = (path: string) => (second[path] as SecondResource).set
  return {
    customers: {
      item: LegacyCustomer,
      query: LegacyQuery,
      isById: false,
      isPaid: true,
      list: async (ctx, actor, query, modified_since) =>
        ((await findRecords(ctx, actor, 'customers', query, modified_since)) as Customer[]).map(customerView),
      set: setOf('customers'),
    },
    transactions: {
      item: LegacyPurchase,
      query: PurchasesQuery,
      isById: true,
      isPaid: true,
      list: async (ctx, actor, query) => (await findPurchases(ctx, actor, query)).map(purchaseView),
      set: setOf('transactions'),
    },
    catalogs: {
      item: LegacyList,
      query: LegacyQuery,
      isById: true,
      isPaid: false,
      list: async (ctx, actor, query) => (await findV2Lists(ctx, actor, query)).map(listView),
      set: setOf('catalogs'),
    },
    catalog_elements: {
      item: LegacyElement,
      query: ElementsQuery,
      isById: false,
      isPaid: false,
      list: async (ctx, actor, query) => (await findV2Elements(ctx, actor, query)).map(elementView),
      set: setOf('catalog_elements'),
    },
  }
}
