import { KeysetList, KeysetPaged } from '../http/queries/paging.ts'
import {
  choices,
  createdByIntegration,
  ids,
  orders,
  one as single,
  spans,
  withAny,
} from '../http/queries/query-parameters.ts'
import { knownNoteTypes } from './note-types.ts'
import type { CardType } from './parents.ts'
import {
  AddedNotes,
  ById,
  ByIdOfOne,
  EditedNotes,
  NamedNotes,
  NewNotes,
  NewNotesOfOne,
  Note,
  NotePatch,
  NotePatches,
  OfOne,
} from './schemas.ts'

const page = {
  parameters: [
    ...withAny('is_pinned', 'integration'),
    ...ids('id', 'entity_id'),
    ...choices('note_type', [...knownNoteTypes]),
    ...single('filter[is_pinned]', { type: 'string', enum: ['0', '1'] }, '1: pinned notes, 0: the others.'),
    ...single('filter[updated_at]', { type: 'integer' }, 'Unix seconds: the notes changed after this time.'),
    ...spans('updated_at'),
    ...createdByIntegration,
    ...orders('updated_at', 'id'),
  ],
  querystring: KeysetPaged,
  response: { 200: KeysetList('notes', Note) },
}

/** The operations on the notes of all records of one kind. */
export const operationsOfKind = (type: CardType, one: string) => ({
  list: {
    operationId: `${type}.notes.list`,
    summary: `Lists notes of ${type}, one page at a time.`,
    returns: 'One page of notes.',
    tags: ['Notes'],
    ...page,
  },
  get: {
    operationId: `${type}.notes.get`,
    summary: `Shows one note of any ${one}.`,
    returns: 'The note.',
    tags: ['Notes'],
    parameters: withAny('is_pinned', 'integration'),
    params: ById,
    response: { 200: Note },
  },
  create: {
    operationId: `${type}.notes.create`,
    summary: `Adds notes to ${type}, all of the batch or none.`,
    returns: 'The ids of the new notes.',
    tags: ['Notes'],
    body: NewNotes,
    response: { 200: AddedNotes },
  },
  updateMany: {
    operationId: `${type}.notes.update_many`,
    summary: `Changes notes of ${type}, all of the batch or none.`,
    returns: 'The ids of the changed notes.',
    tags: ['Notes'],
    body: NotePatches,
    response: { 200: EditedNotes },
  },
  update: {
    operationId: `${type}.notes.update`,
    summary: `Changes one note of any ${one}.`,
    returns: 'The note after the change.',
    tags: ['Notes'],
    params: ById,
    body: NotePatch,
    response: { 200: Note },
  },
})

/** The operations on the notes of one record. */
export const operationsOfRecord = (one: string) => ({
  list: {
    operationId: `${one}.notes.list`,
    summary: `Lists notes of one ${one}.`,
    returns: 'One page of notes.',
    tags: ['Notes'],
    params: OfOne,
    ...page,
  },
  get: {
    operationId: `${one}.notes.get`,
    summary: `Shows one note of one ${one}.`,
    returns: 'The note.',
    tags: ['Notes'],
    parameters: withAny('is_pinned', 'integration'),
    params: ByIdOfOne,
    response: { 200: Note },
  },
  create: {
    operationId: `${one}.notes.create`,
    summary: `Adds notes to one ${one}.`,
    returns: 'The ids of the new notes.',
    tags: ['Notes'],
    params: OfOne,
    body: NewNotesOfOne,
    response: { 200: AddedNotes },
  },
  updateMany: {
    operationId: `${one}.notes.update_many`,
    summary: `Changes notes of one ${one}, all of the batch or none.`,
    returns: 'The ids of the changed notes.',
    tags: ['Notes'],
    params: OfOne,
    body: NotePatches,
    response: { 200: EditedNotes },
  },
  update: {
    operationId: `${one}.notes.update`,
    summary: `Changes one note of one ${one}.`,
    returns: 'The note after the change.',
    tags: ['Notes'],
    params: ByIdOfOne,
    body: NotePatch,
    response: { 200: Note },
  },
})

/** The operations that are ours (V8): the platform's v4 can neither delete nor pin notes. */
export const ownOperations = (type: CardType, one: string) => ({
  remove: {
    operationId: `${type}.notes.delete`,
    summary: `Deletes one note of any ${one}.`,
    returns: 'The note was deleted.',
    tags: ['Notes'],
    params: ById,
  },
  deleteMany: {
    operationId: `${type}.notes.delete_many`,
    summary: `Deletes notes of ${type}, all of the batch or none.`,
    returns: 'The notes were deleted.',
    tags: ['Notes'],
    body: NamedNotes,
  },
  restore: {
    operationId: `${type}.notes.restore`,
    summary: `Restores one deleted note of any ${one}.`,
    returns: 'The restored note.',
    tags: ['Notes'],
    params: ById,
    response: { 200: Note },
  },
  pin: {
    operationId: `${type}.notes.pin`,
    summary: `Pins one note of any ${one}.`,
    returns: 'The note is pinned.',
    tags: ['Notes'],
    params: ById,
  },
  unpin: {
    operationId: `${type}.notes.unpin`,
    summary: `Unpins one note of any ${one}.`,
    returns: 'The note is not pinned.',
    tags: ['Notes'],
    params: ById,
  },
})
