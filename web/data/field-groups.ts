import { queryOptions } from '@tanstack/react-query'
import type { FieldGroup } from '../../src/custom-fields/schemas.ts'
import { readRows } from '../api/lists.ts'
import { fieldKeys } from './fields.ts'
import { type Collection, wordOf } from './records.ts'

/** The groups in which the fields of a card stand, in their order; elements of lists have none. */
export const fieldGroupsOptions = (collection: Collection) =>
  queryOptions({
    queryKey: [...fieldKeys.all, collection, 'groups'],
    queryFn: async () => {
      if (wordOf(collection) === 'elements') return []
      const from = `/web/v4/${collection}/custom_fields/groups`
      const groups = await readRows<FieldGroup>(from, 'custom_field_groups')
      return groups.toSorted((a, b) => a.sort - b.sort)
    },
    staleTime: 60_000,
  })
