import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { fieldKeys, fieldsPath } from './fields.ts'
import type { Collection } from './records.ts'

/** The groups of the fields of a kind of card, or of a list, in their order. */
export const fieldGroupsOptions = (collection: Collection) => {
  const [root, path] = fieldsPath(collection)
  return queryOptions({
    queryKey: [...fieldKeys.all, collection, 'groups'],
    queryFn: async () => {
      const groups = await readRows(
        api.GET(`${root}/groups`, { params: { path } }),
        ({ custom_field_groups }) => custom_field_groups,
      )
      return groups.toSorted((a, b) => a.sort - b.sort)
    },
    staleTime: 60_000,
  })
}
