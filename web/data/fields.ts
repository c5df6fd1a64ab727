import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { readAllRows, readPage } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { type Collection, cardKinds, catalogOf, wordOf } from './records.ts'

export type CustomField = Schemas['CustomField']

/** Where the fields of a kind of card, or of the elements of a list, are in the API: the path and its parameters. */
export const fieldsPath = (collection: Collection) => {
  const word = wordOf(collection)
  const root =
    word === 'elements'
      ? ('/web/v4/catalogs/{catalog_id}/custom_fields' as const)
      : (`/web/v4/${word}/custom_fields` as const)
  return [root, { catalog_id: catalogOf(collection) }] as const
}

export const fieldKeys = { all: ['fields'] as const }

/** All fields of a kind, in the order of the cards. */
export const fieldsOptions = (collection: Collection) =>
  queryOptions({
    queryKey: [...fieldKeys.all, collection],
    queryFn: async () => {
      const [root, path] = fieldsPath(collection)
      const fields = await readAllRows((next) =>
        readPage(
          api.GET(root, { params: { path, query: next ?? { limit: 250 } } }),
          ({ custom_fields }) => custom_fields,
        ),
      )
      return fields.toSorted((a, b) => a.sort - b.sort)
    },
    staleTime: 60_000,
  })

/** The choices of a field; none if it has no choices. */
export const fieldChoicesOptions = (field_id: number) =>
  queryOptions({
    queryKey: ['fields', 'choices', field_id],
    queryFn: async () => {
      const all = await Promise.all(cardKinds.map((kind) => queryClient.fetchQuery(fieldsOptions(kind))))
      return all.flat().find(({ id }) => id === field_id)?.enums ?? []
    },
    staleTime: 60_000,
  })
