import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { fieldKeys } from './fields.ts'
import { type Collection, wordOf } from './records.ts'

/** The field groups of a card in their order. Lists have none. */
export const fieldGroupsOptions = (collection: Collection) =>
  queryOptions({
    queryKey: [...fieldKeys.all, collection, 'groups'],
    queryFn: async () => {
      const word = wordOf(collection)
      if (word === 'elements') return []
      const groups = await readRows(
        api.GET(`/web/v4/${word}/custom_fields/groups`),
        ({ custom_field_groups }) => custom_field_groups,
      )
      return groups.toSorted((a, b) => a.sort - b.sort)
    },
    staleTime: 60_000,
  })
