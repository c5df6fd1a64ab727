import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Company, Contact, Customer, Element, Lead } from '../../src/entities/record-schemas.ts'
import { exchange, query, request } from '../api/client.ts'
import { pagesOf, readPage, readRows } from '../api/lists.ts'
import { Problem } from '../api/problem.ts'

export type { Company, Contact, Customer, Lead }
export type CatalogElement = Static<typeof Element>

export const cardKinds = ['leads', 'contacts', 'companies', 'customers'] as const
export type CardKind = (typeof cardKinds)[number]
/** Where records of a kind are, below `/api/v4`; the elements of each list are a collection of their own. */
export type Collection = CardKind | `catalogs/${number}/elements`

export const elementsOf = (catalog_id: number): Collection => `catalogs/${catalog_id}/elements`

/** A record of any kind: what every kind has, and what some have. */
export type AnyRecord = Pick<Lead, 'id' | 'name' | 'created_at' | 'updated_at' | 'custom_fields_values'> &
  Partial<Lead & Omit<Contact, keyof Lead> & Omit<Customer, keyof Lead> & Omit<CatalogElement, keyof Lead>>
/** A record as it was read alone: a change of it can say which state of it was seen. */
export type ReadRecord = AnyRecord & { etag?: string }
export type FieldValues = AnyRecord['custom_fields_values']

/** What is asked for along with a record. */
const embedded: Record<CardKind | 'elements', string | undefined> = {
  leads: 'contacts,catalog_elements,loss_reason',
  contacts: 'leads,customers,catalog_elements',
  companies: 'leads,contacts,customers,catalog_elements',
  customers: 'contacts,companies,catalog_elements',
  elements: undefined,
}
/** The last word of a collection is also under which its records stand in an answer. */
export const wordOf = (collection: Collection) => collection.split('/').at(-1) as CardKind | 'elements'

export const recordKeys = {
  one: (collection: Collection) => ['record', collection] as const,
  lists: (collection: Collection) => ['records', collection] as const,
  totals: (collection: Collection) => ['totals', collection] as const,
}
const path = (collection: Collection) => `/web/v4/${collection}`

/** What was moved to the trash is read there. Throws a Problem of status 404 when the API answers nothing (V4). */
export async function readRecord(collection: Collection, id: number, place?: 'trash'): Promise<ReadRecord> {
  const names = [embedded[wordOf(collection)], place && 'only_deleted'].filter(Boolean).join(',')
  const { answer, etag } = await exchange<AnyRecord | undefined>(
    'GET',
    `${path(collection)}/${id}${query({ with: names || undefined })}`,
  )
  if (answer === undefined) throw new Problem(404, { type: '#not_found' })
  return { ...answer, etag }
}

export const recordOptions = (collection: Collection, id: number) =>
  queryOptions({
    queryKey: [...recordKeys.one(collection), id],
    queryFn: () => readRecord(collection, id),
  })

/** How many rows of a list are read at once. */
export const PAGE = 100

/** A list of records. `search` has the parameters of the API, as the address of the page has them. */
export const listOptions = (collection: Collection, search: Record<string, string>) =>
  infiniteQueryOptions({
    queryKey: [...recordKeys.lists(collection), search],
    ...pagesOf((next) => {
      const asked = query({ ...search, with: listed[wordOf(collection)], limit: PAGE })
      return readPage<AnyRecord>(next ?? `${path(collection)}${asked}`, wordOf(collection))
    }),
  })

/** What a row of a list shows beside the record. */
const listed: Record<CardKind | 'elements', string | undefined> = {
  leads: 'contacts',
  contacts: undefined,
  companies: undefined,
  customers: 'contacts,companies',
  elements: undefined,
}

/** Records by their ids, in one request; those that may not be seen are not among them. */
export const readRecords = async (collection: Collection, ids: number[]) => {
  const filter = Object.fromEntries(ids.map((id, i) => [`filter[id][${i}]`, id]))
  const search = query({ ...filter, with: listed[wordOf(collection)], limit: ids.length })
  return readRows<AnyRecord>(`${path(collection)}${search}`, wordOf(collection))
}

export const addRecord = (collection: Collection) =>
  mutationOptions({
    mutationFn: async (draft: Record<string, unknown>) => {
      const answer = await request<{ _embedded: Record<string, { id: number }[]> }>(
        'POST',
        path(collection),
        [draft],
      )
      return answer._embedded[wordOf(collection)]?.[0]?.id as number
    },
  })

/** The values of a record's field that is known by a code. */
export const valuesOf = (record: Pick<AnyRecord, 'custom_fields_values'>, code: string): string[] =>
  (record.custom_fields_values ?? [])
    .filter(({ field_code }) => field_code === code)
    .flatMap(({ values }) => values.map(({ value }) => String(value)))
