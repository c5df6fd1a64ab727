import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Note as NoteSchema } from '../../src/notes/schemas.ts'
import type { Timeline, TimelineItem as TimelineItemSchema } from '../../src/timeline/schemas.ts'
import { pathOf, query, request } from '../api/client.ts'
import { timelineKey } from './events.ts'
import { type GrowingList, type Stretch, withHead } from './growing-list.ts'
import { readPage } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import type { CardKind, Collection } from './records.ts'
import { watchWrite, writeAnswered } from './writes.ts'

export type Note = NoteSchema
export type TimelineItem = TimelineItemSchema
export type TimelineKind = TimelineItem['kind']
export const timelineKinds: TimelineKind[] = ['change', 'note', 'call', 'file', 'message', 'task']

/** A card: where it is, and its id. */
export interface Card {
  collection: Collection
  id: number
  /** It lies in the trash, where one still reads what happened to it. */
  isTrashed?: boolean
}

/** How many rows of a timeline are read at once, and how many when something happened. */
const PAGE = 50
const HEAD = 30

const path = ({ collection, id }: Card) => `/web/v4/${collection}/${id}/timeline`
const notesPath = ({ collection, id }: Card) => `/web/v4/${collection}/${id}/notes`
const storyKey = ({ collection, id }: Card) => ['story', collection, id]
const headKey = ({ collection, id }: Card) => [...timelineKey, collection, id]

const readStretch = async (from: string): Promise<Stretch<TimelineItem>> => {
  const { _links, _embedded } = await readPage<Static<typeof Timeline>>(from, 'items')
  return { items: _embedded.items, next: pathOf(_links.next) }
}
/** The newest rows, as soon as what this page has written there is answered. */
const readHead = async (card: Card, kinds: string, limit: number) => {
  await writeAnswered(notesPath(card))
  const asked = query({
    'filter[kind]': kinds || undefined,
    with: card.isTrashed ? 'only_deleted' : undefined,
    limit,
  })
  return readStretch(`${path(card)}${asked}`)
}

/** Everything that a card tells, newest first. Read again at its head alone, however far back one has read. */
export const storyOptions = (card: Card, kinds: string) =>
  infiniteQueryOptions({
    queryKey: [...storyKey(card), kinds],
    queryFn: ({ pageParam }) =>
      pageParam === undefined ? readHead(card, kinds, PAGE) : readStretch(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

/** Reads the newest rows whenever something happened, and puts them where they belong. */
export const storyHeadOptions = (card: Card, kinds: string) =>
  queryOptions({
    queryKey: [...headKey(card), kinds],
    queryFn: async () => {
      const head = await readHead(card, kinds, HEAD)
      const key = [...storyKey(card), kinds]
      const list = queryClient.getQueryData<GrowingList<TimelineItem>>(key)
      const grown = list && withHead(list, head)
      if (grown) queryClient.setQueryData(key, grown)
      else if (list) queryClient.resetQueries({ queryKey: key, exact: true })
      return head.items[0]?.id ?? null
    },
    staleTime: 0,
  })

/** Changes rows of a card in all its lists before the server has agreed; the answer puts them back. */
function changeRows(card: Card, change: (item: TimelineItem) => TimelineItem): () => void {
  const before = queryClient.getQueriesData<GrowingList<TimelineItem>>({ queryKey: storyKey(card) })
  for (const [key, list] of before) {
    const pages = list?.pages.map(({ items, next }) => ({ items: items.map(change), next }))
    if (list && pages) queryClient.setQueryData(key, { ...list, pages })
  }
  return () => {
    for (const [key, list] of before) queryClient.setQueryData(key, list)
  }
}

/** Only the head is read again; what was changed further back is known from the change. */
export const settleStory = (card: Card) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: headKey(card) }),
    queryClient.invalidateQueries({ queryKey: ['pinned', card.collection, card.id] }),
  ])

export interface NewNote {
  note_type: 'common' | 'call_in' | 'call_out' | 'sms_out' | 'attachment'
  params: object
}

/** Adds a note once, however often it is sent under its key. */
export const postNote = (card: Card, note: NewNote, key: string) =>
  watchWrite(
    notesPath(card),
    key,
    request<{ _embedded: { notes: Note[] } }>('POST', notesPath(card), [note], key),
    ({ _embedded }) => _embedded.notes[0]?.id,
  )

/** Another text of a note; the rest of its params stays. */
export const editNote = (card: Card) =>
  mutationOptions({
    mutationFn: ({ note, text }: { note: Note; text: string }) =>
      request<Note>('PATCH', `${notesPath(card)}/${note.id}`, { params: { ...note.params, text } }),
    onMutate: ({ note, text }) =>
      changeRows(card, (item) =>
        item.note?.id === note.id
          ? { ...item, note: { ...item.note, params: { ...item.note.params, text } } }
          : item,
      ),
    onError: (_error, _input, undo) => undo?.(),
    onSettled: () => settleStory(card),
  })

export const pinNote = (card: Card) =>
  mutationOptions({
    mutationFn: ({ id, pin }: { id: number; pin: boolean }) =>
      request<void>('POST', `/web/v4/${card.collection}/notes/${id}/${pin ? 'pin' : 'unpin'}`),
    onMutate: ({ id, pin }) =>
      changeRows(card, (item) =>
        item.note?.id === id ? { ...item, note: { ...item.note, is_pinned: pin } } : item,
      ),
    onError: (_error, _input, undo) => undo?.(),
    onSettled: () => settleStory(card),
  })

/** A deleted note has left its line in the log, without its text. */
export const deleteNote = (card: Card) =>
  mutationOptions({
    mutationFn: (id: number) => request<void>('DELETE', `/web/v4/${card.collection}/notes/${id}`),
    onMutate: (id) => changeRows(card, (item) => (item.note?.id === id ? { ...item, note: null } : item)),
    onError: (_error, _input, undo) => undo?.(),
    onSettled: () => settleStory(card),
  })

/** As many notes as are shown on top of a card. */
const MOST_PINNED = 50

/** The notes that are pinned to a card, newest first. Lists have no notes. */
export const pinnedOptions = (kind: CardKind, id: number) =>
  queryOptions({
    queryKey: ['pinned', kind, id],
    queryFn: async () => {
      const asked = query({
        'filter[is_pinned]': 1,
        with: 'is_pinned',
        limit: MOST_PINNED,
        'order[id]': 'desc',
      })
      const page = await request<{ _embedded: { notes: Note[] } }>(
        'GET',
        `/web/v4/${kind}/${id}/notes${asked}`,
      )
      return page._embedded.notes
    },
  })
