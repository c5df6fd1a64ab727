import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type QueryOf, type Schemas } from '../api/client.ts'
import { pagesOf, type Query, readPage, readRows } from '../api/lists.ts'
import { timelineKey } from './events.ts'
import { type NewRow, rowWrites, useNewRows, writesAnswered } from './new-rows.ts'
import { queryClient } from './query-client.ts'
import { type CardKind, type Collection, kindOf, recordsPath } from './records.ts'
import { beginHead, changeLists, mapRows, putHead } from './row-lists.ts'

export type Note = Schemas['Note']
export type TimelineItem = Schemas['TimelineItem']

/** A card: its collection and its id. */
export interface Card {
  collection: Collection
  id: number
  /** The record is in the trash, where its timeline can still be read. */
  isTrashed?: boolean
}

/** The number of rows of a page, and of a read of new rows. */
const PAGE = 50
const HEAD = 30

const notesPath = ({ collection }: Card) => `/web/v4/${kindOf(collection)}` as const
const newNotesOf = ({ collection, id }: Card) => ['note', collection, id]
const rowsKey = ({ collection, id }: Card) => ['timeline_rows', collection, id]
const headKey = ({ collection, id }: Card) => [...timelineKey, collection, id]

const readItems = ({ collection, id }: Card, query: TimelineQuery | Query) => {
  const [root, path] = recordsPath(collection)
  return readPage(
    api.GET(`${root}/{id}/timeline`, { params: { path: { ...path, id }, query } }),
    ({ items }) => items,
  )
}
type TimelineQuery = QueryOf<'/web/v4/leads/{id}/timeline'>

/** The rows of a timeline to show. */
export interface TimelineFilter {
  kinds: TimelineItem['kind'][]
  /** The id of the integration that acted; '' for everybody. */
  integration: string
}

const readHead = async (card: Card, { kinds, integration }: TimelineFilter, limit: number) => {
  await writesAnswered(newNotesOf(card))
  return readItems(card, {
    'filter[kind]': kinds.length > 0 ? kinds : undefined,
    'filter[integration]': integration === '' ? undefined : [integration],
    with: card.isTrashed ? ['only_deleted', 'integration'] : ['integration'],
    limit,
  })
}

/** The timeline of a card, newest first. Only its head is read again, however long it has become. */
export const timelineOptions = (card: Card, filter: TimelineFilter) =>
  infiniteQueryOptions({
    queryKey: [...rowsKey(card), filter],
    ...pagesOf((next) => {
      if (next) return readItems(card, next)
      beginHead(timelineHeadOptions(card, filter).queryKey)
      return readHead(card, filter, PAGE)
    }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

/** Reads the newest rows and puts them in their places. */
export const timelineHeadOptions = (card: Card, filter: TimelineFilter) =>
  queryOptions({
    queryKey: [...headKey(card), filter],
    queryFn: async () => putHead([...rowsKey(card), filter], await readHead(card, filter, HEAD)),
  })

/** Changes the row of a note in all lists of its card before the server confirms it. The result undoes the change. */
const changeNote = (card: Card, id: number, change: (note: Note) => Note | null): (() => void) =>
  changeLists<TimelineItem>(rowsKey(card), (list) =>
    mapRows(list, (item) => (item.note?.id === id ? { ...item, note: change(item.note) } : item)),
  )

/** Only the head is read again. Changes further back are already applied. */
const settleTimeline = (card: Card) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: headKey(card) }),
    queryClient.invalidateQueries({ queryKey: ['pinned', card.collection, card.id] }),
  ])

/** A note that the server has not confirmed. */
export interface NewNote extends NewRow {
  note: Pick<Schemas['NewNoteOfRecord'], 'note_type'> & { params: object }
}

/** Notes of one card are added in order. A refused note goes to `onRefused`. */
export const addNote = <Row extends NewNote>(card: Card, onRefused: (error: Error, row: Row) => void) =>
  rowWrites<Row, Schemas['AddedNoteList']>({
    place: newNotesOf(card),
    post: ({ note: { note_type, params } }, file_uuid) => {
      const note = { note_type, params: file_uuid ? { ...params, file_uuid } : params }
      return dataOf(
        api.POST(`${notesPath(card)}/{entity_id}/notes`, {
          params: { path: { entity_id: card.id } },
          body: [note as Schemas['NewNoteOfRecord']],
        }),
      )
    },
    idOf: ({ _embedded }) => _embedded.notes[0]?.id,
    onStored: () => settleTimeline(card),
    onRefused,
  })

/** The notes of a card that are not among its rows yet, newest first. */
export const useNewNotes = (card: Card, items: TimelineItem[]): NewNote[] =>
  useNewRows<NewNote>(newNotesOf(card), (id) => items.some(({ note }) => note?.id === id)).toReversed()

/** Changes the text of a note and keeps its other params. */
export const editNote = (card: Card) =>
  mutationOptions({
    mutationFn: ({ note, text }: { note: Note; text: string }) =>
      api.PATCH(`${notesPath(card)}/{entity_id}/notes/{id}`, {
        params: { path: { entity_id: card.id, id: note.id } },
        body: { params: { ...note.params, text } },
      }),
    onMutate: ({ note, text }) =>
      changeNote(card, note.id, (before) => ({ ...before, params: { ...before.params, text } }) as Note),
    onError: (_error, _input, undo) => undo?.(),
    onSettled: () => settleTimeline(card),
  })

export const pinNote = (card: Card) =>
  mutationOptions({
    scope: { id: `pin ${headKey(card).join(' ')}` },
    mutationFn: ({ id, pin }: { id: number; pin: boolean }) =>
      api.POST(`${notesPath(card)}/notes/{id}/${pin ? 'pin' : 'unpin'}`, { params: { path: { id } } }),
    onMutate: ({ id, pin }) => changeNote(card, id, (note) => ({ ...note, is_pinned: pin })),
    onError: (_error, _input, undo) => undo?.(),
    onSettled: () => settleTimeline(card),
  })

/** The log keeps the event of a deleted note, without its text. */
export const deleteNote = (card: Card) =>
  mutationOptions({
    mutationFn: (id: number) => api.DELETE(`${notesPath(card)}/notes/{id}`, { params: { path: { id } } }),
    onMutate: (id) => changeNote(card, id, () => null),
    onError: (_error, _input, undo) => undo?.(),
    onSettled: () => settleTimeline(card),
  })

/** The number of pinned notes that a card shows. */
const MOST_PINNED = 50

/** The pinned notes of a card, newest first. Lists have no notes. */
export const pinnedOptions = (kind: CardKind, id: number) =>
  queryOptions({
    queryKey: ['pinned', kind, id],
    queryFn: () =>
      readRows(
        api.GET(`/web/v4/${kind}/{entity_id}/notes`, {
          params: {
            path: { entity_id: id },
            query: {
              'filter[is_pinned]': '1',
              with: ['is_pinned', 'integration'],
              limit: MOST_PINNED,
              'order[id]': 'desc',
            },
          },
        }),
        ({ notes }) => notes,
      ),
  })
