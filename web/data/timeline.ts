import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Note as NoteSchema } from '../../src/notes/schemas.ts'
import type { TimelineItem as TimelineItemSchema } from '../../src/timeline/schemas.ts'
import { query, request } from '../api/client.ts'
import { pagesOf, readPage } from '../api/lists.ts'
import { timelineKey } from './events.ts'
import { queryClient } from './query-client.ts'
import type { CardKind, Collection } from './records.ts'
import { changeLists, type List, mapRows, withHead } from './row-lists.ts'
import { type NewRow, rowWrites, useNewRows, writesAnswered } from './writes.ts'

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
const newNotesOf = ({ collection, id }: Card) => ['note', collection, id]
const storyKey = ({ collection, id }: Card) => ['story', collection, id]
const headKey = ({ collection, id }: Card) => [...timelineKey, collection, id]

const readItems = (from: string) => readPage<TimelineItem>(from, 'items')
const readHead = async (card: Card, kinds: string, limit: number) => {
  await writesAnswered(newNotesOf(card))
  const asked = query({
    'filter[kind]': kinds || undefined,
    with: card.isTrashed ? 'only_deleted' : undefined,
    limit,
  })
  return readItems(`${path(card)}${asked}`)
}

/** Everything that a card tells, newest first. Read again at its head alone, however far back one has read. */
export const storyOptions = (card: Card, kinds: string) =>
  infiniteQueryOptions({
    queryKey: [...storyKey(card), kinds],
    ...pagesOf((next) => (next === undefined ? readHead(card, kinds, PAGE) : readItems(next))),
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
      const list = queryClient.getQueryData<List<TimelineItem>>(key)
      const grown = list && withHead(list, head)
      if (grown) queryClient.setQueryData(key, grown)
      else if (list) queryClient.resetQueries({ queryKey: key, exact: true })
      return head.rows[0]?.id ?? null
    },
    staleTime: 0,
  })

/** Changes the row of a note in all lists of its card before the server confirms it. The result undoes the change. */
const changeNote = (card: Card, id: number, change: (note: Note) => Note | null): (() => void) =>
  changeLists<TimelineItem>(storyKey(card), (list) =>
    mapRows(list, (item) => (item.note?.id === id ? { ...item, note: change(item.note) } : item)),
  )

/** Only the head is read again; what was changed further back is known from the change. */
export const settleStory = (card: Card) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: headKey(card) }),
    queryClient.invalidateQueries({ queryKey: ['pinned', card.collection, card.id] }),
  ])

/** A note between the composer and the server. */
export interface NewNote extends NewRow {
  note: { note_type: 'common' | 'call_in' | 'call_out' | 'sms_out' | 'attachment'; params: object }
}

/** Notes of one card are added in order. A refused note goes to `onRefused`. */
export const addNote = <Row extends NewNote>(card: Card, onRefused: (error: Error, row: Row) => void) =>
  rowWrites<Row, { _embedded: { notes: Note[] } }>({
    place: newNotesOf(card),
    post: ({ key, note: { note_type, params } }, file_uuid) => {
      const note = { note_type, params: file_uuid ? { ...params, file_uuid } : params }
      return request('POST', notesPath(card), [note], key)
    },
    idOf: ({ _embedded }) => _embedded.notes[0]?.id,
    onStored: () => settleStory(card),
    onRefused,
  })

/** The notes of a card that are not among its rows yet, newest first. */
export const useNewNotes = (card: Card, items: TimelineItem[]): NewNote[] =>
  useNewRows<NewNote>(newNotesOf(card), (id) => items.some(({ note }) => note?.id === id)).toReversed()

/** Another text of a note; the rest of its params stays. */
export const editNote = (card: Card) =>
  mutationOptions({
    mutationFn: ({ note, text }: { note: Note; text: string }) =>
      request<Note>('PATCH', `${notesPath(card)}/${note.id}`, { params: { ...note.params, text } }),
    onMutate: ({ note, text }) =>
      changeNote(card, note.id, (before) => ({ ...before, params: { ...before.params, text } })),
    onError: (_error, _input, undo) => undo?.(),
    onSettled: () => settleStory(card),
  })

export const pinNote = (card: Card) =>
  mutationOptions({
    mutationFn: ({ id, pin }: { id: number; pin: boolean }) =>
      request<void>('POST', `/web/v4/${card.collection}/notes/${id}/${pin ? 'pin' : 'unpin'}`),
    onMutate: ({ id, pin }) => changeNote(card, id, (note) => ({ ...note, is_pinned: pin })),
    onError: (_error, _input, undo) => undo?.(),
    onSettled: () => settleStory(card),
  })

/** A deleted note has left its line in the log, without its text. */
export const deleteNote = (card: Card) =>
  mutationOptions({
    mutationFn: (id: number) => request<void>('DELETE', `/web/v4/${card.collection}/notes/${id}`),
    onMutate: (id) => changeNote(card, id, () => null),
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
