import { queryOptions } from '@tanstack/react-query'
import type { CustomField } from '../../src/custom-fields/schemas.ts'
import { query } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import type { Collection } from './records.ts'

export type { CustomField }

/** Whose fields: a kind of card, or the elements of one list. */
const path = (collection: Collection) =>
  collection.startsWith('catalogs/') ? collection.replace(/\/elements$/, '') : collection

export const fieldKeys = { all: ['fields'] as const }

/** Every field of a kind, in the order in which cards show them. */
export const fieldsOptions = (collection: Collection) =>
  queryOptions({
    queryKey: [...fieldKeys.all, collection],
    queryFn: async () => {
      const from = `/web/v4/${path(collection)}/custom_fields${query({ limit: 250 })}`
      const fields = await readRows<CustomField>(from, 'custom_fields')
      return fields.toSorted((a, b) => a.sort - b.sort)
    },
    staleTime: 60_000,
  })
