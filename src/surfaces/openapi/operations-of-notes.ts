import { type CardType, cardTypes } from '../../entities/entity-types.ts'
import { knownNoteTypes } from '../../notes/note-types.ts'
import type { OperationsMetadata } from './metadata.ts'
import { choices, ids, one, orders, type QueryParameter, spans, withAny } from './query-parameters.ts'

const ones: Record<CardType, string> = {
  leads: 'lead',
  contacts: 'contact',
  companies: 'company',
  customers: 'customer',
}

const pinned = withAny('is_pinned')
const list: QueryParameter[] = [
  ...pinned,
  ...ids('id', 'entity_id'),
  ...choices('note_type', [...knownNoteTypes]),
  ...one('filter[is_pinned]', { type: 'string', enum: ['0', '1'] }),
  ...spans('updated_at'),
  ...orders('updated_at', 'id'),
]

const operationsOf = (many: CardType): OperationsMetadata => ({
  [`GET /${many}/notes`]: { summary: `Lists notes of ${many}, a page at a time.`, query: list },
  [`POST /${many}/notes`]: `Adds notes to ${many}, all of the batch or none.`,
  [`PATCH /${many}/notes`]: `Changes notes of ${many}, all of the batch or none.`,
  [`DELETE /${many}/notes`]: `Deletes notes of ${many}, all of the batch or none.`,
  [`GET /${many}/notes/{id}`]: { summary: `Shows one note of any ${ones[many]}.`, query: pinned },
  [`PATCH /${many}/notes/{id}`]: `Changes one note of any ${ones[many]}.`,
  [`DELETE /${many}/notes/{id}`]: `Deletes one note of any ${ones[many]}.`,
  [`POST /${many}/notes/{id}/restore`]: `Brings one deleted note of any ${ones[many]} back.`,
  [`POST /${many}/notes/{id}/pin`]: `Pins one note of any ${ones[many]}.`,
  [`POST /${many}/notes/{id}/unpin`]: `Unpins one note of any ${ones[many]}.`,
  [`GET /${many}/{entity_id}/notes`]: { summary: `Lists notes of one ${ones[many]}.`, query: list },
  [`POST /${many}/{entity_id}/notes`]: `Adds notes to one ${ones[many]}.`,
  [`PATCH /${many}/{entity_id}/notes`]: `Changes notes of one ${ones[many]}, all of the batch or none.`,
  [`GET /${many}/{entity_id}/notes/{id}`]: { summary: `Shows one note of one ${ones[many]}.`, query: pinned },
  [`PATCH /${many}/{entity_id}/notes/{id}`]: `Changes one note of one ${ones[many]}.`,
  [`GET /${many}/{entity_id}/files`]: `Lists the files that are attached to one ${ones[many]}.`,
  [`PUT /${many}/{entity_id}/files`]: `Attaches files to one ${ones[many]}.`,
  [`DELETE /${many}/{entity_id}/files`]: `Takes files off one ${ones[many]}.`,
})

/** Notes, calls, and the files of cards. */
export const toldOfNotes: OperationsMetadata = {
  ...Object.assign({}, ...cardTypes.map(operationsOf)),
  'POST /calls': 'Adds calls as notes to the records that have their telephone numbers.',
}
