import { mutationOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient } from './query-client.ts'
import { type CardKind, type Collection, elementsOf, type ReadRecord, recordOptions } from './records.ts'

export type LinkedKind = CardKind | 'catalog_elements'

/** A link of a card to another record. */
export interface Link {
  collection: CardKind
  id: number
  to_entity_type: LinkedKind
  to_entity_id: number
  metadata?: { is_main?: boolean; quantity?: number; catalog_id?: number }
}

type Embedded = NonNullable<ReadRecord['_embedded']>

/** Adds or changes a link. It is shown at once. */
export const linkRecord = mutationOptions({
  mutationFn: (link: Link) => write('link', link),
  onMutate: (link): Promise<unknown> => showLink(link, added),
  onSettled: (_answer, _error, link) => readBoth(link),
})

export const unlinkRecord = mutationOptions({
  mutationFn: (link: Link) => write('unlink', link),
  onMutate: (link): Promise<unknown> => showLink(link, removed),
  onSettled: (_answer, _error, link) => readBoth(link),
})

const write = (verb: 'link' | 'unlink', { collection, id, ...link }: Link) =>
  api.POST(`/web/v4/${collection}/{id}/${verb}`, { params: { path: { id } }, body: [link] })

type Change = (linked: LinkedRecord[], link: Link) => LinkedRecord[]
interface LinkedRecord {
  id: number
  is_main?: boolean
  metadata?: { quantity: number; catalog_id: number; price_id: number | null }
}

const added: Change = (linked, { to_entity_id, metadata }) => {
  const known = linked.find(({ id }) => id === to_entity_id)
  const quantity = metadata?.quantity ?? known?.metadata?.quantity ?? 1
  const one: LinkedRecord = {
    ...known,
    id: to_entity_id,
    is_main: metadata?.is_main ?? known?.is_main ?? linked.length === 0,
    ...(metadata?.catalog_id && {
      metadata: { price_id: null, ...known?.metadata, quantity, catalog_id: metadata.catalog_id },
    }),
  }
  const rest = metadata?.is_main ? linked.map((other) => ({ ...other, is_main: false })) : linked
  return known ? rest.map((other) => (other.id === to_entity_id ? one : other)) : [...rest, one]
}
const removed: Change = (linked, { to_entity_id }) => linked.filter(({ id }) => id !== to_entity_id)

async function showLink(link: Link, change: Change): Promise<void> {
  const { queryKey } = recordOptions(link.collection, link.id)
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, (record) => {
    if (!record) return record
    const linked = (record._embedded?.[link.to_entity_type] ?? []) as LinkedRecord[]
    const _embedded = { ...record._embedded, [link.to_entity_type]: change(linked, link) } as Embedded
    return { ...record, _embedded }
  })
}

function readBoth({ collection, id, to_entity_type, to_entity_id, metadata }: Link): void {
  const other: Collection =
    to_entity_type === 'catalog_elements' ? elementsOf(metadata?.catalog_id ?? 0) : to_entity_type
  queryClient.invalidateQueries({ queryKey: ['record', collection, id] })
  queryClient.invalidateQueries({ queryKey: ['record', other, to_entity_id] })
}
