import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type QueryOf, type Schemas, taggedOf } from '../api/client.ts'
import { type Page, pagesOf, readPage } from '../api/lists.ts'
import { onlyOnce } from '../api/only-once.ts'
import { Problem } from '../api/problem.ts'

export type Lead = Schemas['Lead']
export type Contact = Schemas['Contact']
export type Company = Schemas['Company']
export type Customer = Schemas['Customer']
export type CatalogElement = Schemas['Element']

export const cardKinds = ['leads', 'contacts', 'companies', 'customers'] as const
export type CardKind = (typeof cardKinds)[number]
/** The path of a collection below `/api/v4`. The elements of each list are a collection of their own. */
export type Collection = CardKind | `catalogs/${number}/elements`

/** The kind of a collection that has cards; elements of lists have no groups of fields, no notes and no merges. */
export const kindOf = (collection: Collection) => collection as CardKind

export const elementsOf = (catalog_id: number): Collection => `catalogs/${catalog_id}/elements`

type Embedded = Lead['_embedded'] & Contact['_embedded'] & Company['_embedded'] & Customer['_embedded']
type OfAnyKind = Lead &
  Omit<Contact, keyof Lead> &
  Omit<Customer, keyof Lead> &
  Omit<CatalogElement, keyof Lead>
/** A record of any kind, with the properties of all kinds. */
export type AnyRecord = Pick<Lead, 'id' | 'name' | 'created_at' | 'updated_at' | 'custom_fields_values'> &
  Partial<Omit<OfAnyKind, '_embedded'>> & { _embedded?: Partial<Embedded> }
/** A new record, or a change of one. */
export type RecordDraft = Schemas['LeadDraft'] &
  Omit<Schemas['ContactDraft'], keyof Schemas['LeadDraft']> &
  Omit<Schemas['CustomerDraft'], keyof Schemas['LeadDraft']>
/** The parameters of a query that several kinds of records have. */
export type RecordQuery = Record<string, string | number | undefined>
/** A record that was read alone, with its version. */
export type ReadRecord = AnyRecord & { etag?: string }
export type FieldValues = AnyRecord['custom_fields_values']

type With<Kind extends CardKind> =
  QueryOf<`/web/v4/${Kind}`> extends { with?: infer Names } ? NonNullable<Names> : never
/** The values of `with` for a card. */
const embedded: { [Kind in CardKind]: With<Kind> } = {
  leads: ['contacts', 'catalog_elements', 'loss_reason', 'integration'],
  contacts: ['leads', 'customers', 'catalog_elements', 'integration'],
  companies: ['leads', 'contacts', 'customers', 'catalog_elements', 'integration'],
  customers: ['contacts', 'companies', 'catalog_elements', 'integration'],
}
/** The values of `with` for the rows of a list. */
const listed: { [Kind in CardKind]?: With<Kind> } = {
  leads: ['contacts', 'integration'],
  contacts: ['integration'],
  companies: ['integration'],
  customers: ['contacts', 'companies', 'integration'],
}
/** Elements of lists have only their authors. */
const namesIn = (names: typeof listed, collection: Collection): readonly string[] =>
  names[collection as CardKind] ?? ['integration']

/** Responses have the records below the last word of the collection. */
export const wordOf = (collection: Collection) => collection.split('/').at(-1) as CardKind | 'elements'
/** The id of the list that has these elements; 0 for cards. */
export const catalogOf = (collection: Collection) => Number(collection.split('/')[1] ?? 0)

/** Where records are in the API: the path of their collection and its parameters. */
export const recordsPath = (collection: Collection) => {
  const word = wordOf(collection)
  const root =
    word === 'elements' ? ('/web/v4/catalogs/{catalog_id}/elements' as const) : (`/web/v4/${word}` as const)
  return [root, { catalog_id: catalogOf(collection) }] as const
}

export const recordKeys = {
  one: (collection: Collection) => ['record', collection] as const,
  lists: (collection: Collection) => ['records', collection] as const,
  totals: (collection: Collection) => ['totals', collection] as const,
}

/** Also reads a record in the trash. Throws a Problem of status 404 if the API returns nothing (V4). */
export async function readRecord(collection: Collection, id: number, place?: 'trash'): Promise<ReadRecord> {
  const [root, path] = recordsPath(collection)
  const names = [...namesIn(embedded, collection), ...(place ? ['only_deleted'] : [])]
  const query: RecordQuery = { with: names.join(',') || undefined }
  const { data, etag } = await taggedOf(api.GET(`${root}/{id}`, { params: { path: { ...path, id }, query } }))
  if (data === undefined) throw new Problem(404, { type: '#not_found' })
  return { ...data, etag }
}

export const recordOptions = (collection: Collection, id: number) =>
  queryOptions({
    queryKey: [...recordKeys.one(collection), id],
    queryFn: () => readRecord(collection, id),
  })

/** The number of rows of a page. */
export const PAGE = 100

/** A list of records. `search` has the parameters of the API, as the address of the page has them. */
export const listOptions = (collection: Collection, search: Record<string, string>) =>
  infiniteQueryOptions({
    queryKey: [...recordKeys.lists(collection), search],
    ...pagesOf((next) => readList(collection, next ?? { ...search, ...shown(collection), limit: PAGE })),
  })

/** Records by their ids, in one request. Hidden records are missing. */
export const readRecords = async (collection: Collection, ids: number[]): Promise<AnyRecord[]> =>
  (await readList(collection, { 'filter[id]': ids.join(','), ...shown(collection), limit: ids.length })).rows

const shown = (collection: Collection) => ({ with: namesIn(listed, collection).join(',') || undefined })

/** Reads a page of a collection. */
export function readList(collection: Collection, query: RecordQuery): Promise<Page<AnyRecord>> {
  const [root, path] = recordsPath(collection)
  return readPage(api.GET(root, { params: { path, query } }), recordsIn)
}

const recordsIn = (embedded: Record<string, AnyRecord[]>): AnyRecord[] => Object.values(embedded).flat()

/** The person who made the last change, and the integration that acted for them. */
export interface Author {
  id: number
  integration: AnyRecord['updated_by_integration']
}

export const authorOf = ({ updated_by = 0, updated_by_integration }: AnyRecord): Author => ({
  id: updated_by,
  integration: updated_by_integration,
})

/** Whether this person made the last change themselves, and no integration with their rights. */
export const isChangedBy = (record: AnyRecord, user_id: number | undefined): boolean =>
  record.updated_by === user_id && !record.updated_by_integration

/** Adds a record and returns its id. */
export async function createRecord(collection: Collection, draft: RecordDraft): Promise<number> {
  const [root, path] = recordsPath(collection)
  const { _embedded } = await onlyOnce([collection, draft], [draft], (body, header) =>
    dataOf(api.POST(root, { params: { path, header }, body })),
  )
  return Object.values(_embedded).flat()[0]?.id as number
}

export const addRecord = (collection: Collection) =>
  mutationOptions({ mutationFn: (draft: RecordDraft) => createRecord(collection, draft) })

/** The values of a field by its code. */
export const valuesOf = (record: Pick<AnyRecord, 'custom_fields_values'>, code: string): string[] =>
  (record.custom_fields_values ?? [])
    .filter(({ field_code }) => field_code === code)
    .flatMap(({ values }) => values.flatMap((one) => ('value' in one ? String(one.value) : [])))
