import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { pagesOf, readPage, readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { settleLists } from './record-lists.ts'
import { type AnyRecord, readList, readRecord, recordKeys, valuesOf } from './records.ts'

export type IncomingLead = Schemas['IncomingLead']

const all = ['incoming'] as const

/** Milliseconds between two updates of a visible list. */
const REFRESH_MS = 10_000

/** The incoming leads of a pipeline, the newest first. */
export const incomingOptions = (pipeline_id: number) =>
  infiniteQueryOptions({
    queryKey: [...all, 'pipeline', pipeline_id],
    ...pagesOf((next) =>
      readPage(
        api.GET('/web/v4/leads/unsorted', {
          params: { query: next ?? { 'filter[pipeline_id]': [pipeline_id] } },
        }),
        ({ unsorted }) => unsorted,
      ),
    ),
    refetchInterval: REFRESH_MS,
  })

/** The incoming lead that a lead is; null if it was accepted. */
export const incomingOfOptions = (lead_id: number) =>
  queryOptions({
    queryKey: [...all, 'lead', lead_id],
    queryFn: async () => {
      const query = { 'filter[lead_id]': [lead_id] }
      const [item] = await readRows(
        api.GET('/web/v4/leads/unsorted', { params: { query } }),
        ({ unsorted }) => unsorted,
      )
      return item ?? null
    },
  })

/** The number of contacts that are offered. */
const FEW = 3

/** Contacts of the lists that have a telephone number or an e-mail address of a contact. */
export const sameContactsOptions = (id: number) =>
  queryOptions({
    queryKey: [...all, 'same', id],
    queryFn: async (): Promise<AnyRecord[]> => {
      const contact = await readRecord('contacts', id)
      const details = [...valuesOf(contact, 'PHONE'), ...valuesOf(contact, 'EMAIL')].slice(0, FEW)
      const found = await Promise.all(
        details.map(async (query) => (await readList('contacts', { query, limit: FEW })).rows),
      )
      const others = new Map(found.flat().map((one) => [one.id, one]))
      others.delete(id)
      return [...others.values()].slice(0, FEW)
    },
    staleTime: 30_000,
  })

/** The lead, its people and all lists are read again. */
export async function readIncomingAgain({ _embedded }: IncomingLead): Promise<void> {
  for (const kind of ['leads', 'contacts', 'companies'] as const) {
    settleLists(kind)
    for (const { id } of _embedded[kind])
      queryClient.invalidateQueries({ queryKey: [...recordKeys.one(kind), id] })
  }
  queryClient.invalidateQueries({ queryKey: ['chats'] })
  await queryClient.invalidateQueries({ queryKey: all })
}

export interface Acceptance {
  item: IncomingLead
  status_id?: number | undefined
  /** A contact of the lists that takes the place of the incoming one. */
  contact_id?: number | undefined
}

export async function acceptIncoming({ item, status_id, contact_id }: Acceptance): Promise<void> {
  const own = item._embedded.contacts[0]?.id
  if (contact_id !== undefined && own !== undefined)
    await api.POST('/web/v4/contacts/merge', { body: { id: contact_id, merge: [own] } })
  await api.POST('/web/v4/leads/unsorted/{uid}/accept', {
    params: { path: { uid: item.uid } },
    body: status_id === undefined ? {} : { status_id },
  })
}

export const declineIncoming = mutationOptions({
  mutationFn: (item: IncomingLead) =>
    api.DELETE('/web/v4/leads/unsorted/{uid}/decline', { params: { path: { uid: item.uid } }, body: {} }),
  onSettled: (_answer, _error, item) => readIncomingAgain(item),
})

/** Links an incoming chat to a lead, and to the main contact of that lead. */
export const linkIncoming = mutationOptions({
  mutationFn: async ({ item, lead_id }: { item: IncomingLead; lead_id: number }) => {
    const { _embedded } = await readRecord('leads', lead_id)
    const contact = _embedded?.contacts?.find(({ is_main }) => is_main)
    const metadata = contact && { contact_id: contact.id }
    await api.POST('/web/v4/leads/unsorted/{uid}/link', {
      params: { path: { uid: item.uid } },
      body: { link: { entity_id: lead_id, entity_type: 'leads', ...(metadata && { metadata }) } },
    })
  },
  onSettled: (_answer, _error, { item }) => readIncomingAgain(item),
})

/** Whether the leads of new chats wait. */
export const newChatsOptions = queryOptions({
  queryKey: ['new-chats'],
  queryFn: async () => (await dataOf(api.GET('/web/new-chats'))).are_chats_unsorted,
})

export const changeNewChats = mutationOptions({
  mutationFn: (are_chats_unsorted: boolean) => api.PUT('/web/new-chats', { body: { are_chats_unsorted } }),
  onSuccess: (_answer, isOn) => queryClient.setQueryData(newChatsOptions.queryKey, isOn),
})
