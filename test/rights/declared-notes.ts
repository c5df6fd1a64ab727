import { type CardType, cardTypes } from '../../src/entities/entity-types.ts'
import type { Declarations, IdPlace, NoteKind, Right, Template } from './declaration.ts'
import { inPath, people } from './places.ts'

const text = { note_type: 'common', params: { text: 'Noted {n}' } }
const file = { note_type: 'attachment', params: { file_uuid: '{id}' } }
const patch = { params: { text: 'Other {n}' } }

/** Notes have the rights of their record: view rights to read them, edit rights to write. */
function notes(type: CardType): Declarations {
  const of: NoteKind = `notes of ${type}`
  const id = '{id}'
  const own = `{own ${type}}`
  const itsRecord = { entity_id: '{its parent}' }
  const edit: IdPlace['beside'] = [[type, 'edit']]
  /** All kinds share their code, so one is enough for places that do not depend on the record. */
  const once = (places: IdPlace[]): IdPlace[] => (type === 'leads' ? places : [])
  /** Below the note's own record, and below another one. */
  const below = (right: Right, request: Template, at: 'path' | 'item'): IdPlace[] => [
    { at, of, right, within: 'its record', request: { ...request, params: { id, ...itsRecord } } },
    {
      at: `${at} below their own record`,
      of,
      right,
      within: 'own record',
      beside: [[type, right]],
      request: { ...request, params: { id, entity_id: own } },
    },
  ]
  const ofRecord = (right: Right, request: Template = {}): IdPlace =>
    inPath(type, right, { params: { entity_id: id }, ...request })
  const fileIn = (at: string, request: Template): IdPlace => ({
    at,
    of: 'files',
    beside: edit,
    request: { ...request, params: { entity_id: own } },
  })
  const several = (right: Right, draft: (id: string) => object): IdPlace[] => [
    { at: 'item', of, right, request: { body: [draft(id)] } },
    ...once([
      {
        at: 'item after their own',
        of,
        right,
        beside: [[of, right]],
        request: { body: [draft(`{new ${of}}`), draft(id)] },
      },
    ]),
  ]
  return {
    [`GET /${type}/notes`]: {
      paid: true,
      answers: 200,
      asks: { query: 'limit=250&with=is_pinned' },
      shows: 'links',
      ids: [
        { at: 'filter', of, right: 'view', request: { query: 'filter[id]={id}' } },
        { at: 'filter', of: type, right: 'view', request: { query: `filter[entity_id]={id},${own}` } },
      ],
    },
    [`GET /${type}/:entity_id/notes`]: {
      paid: true,
      answers: 200,
      shows: 'links',
      ids: [ofRecord('view')],
    },
    [`GET /${type}/notes/:id`]: { paid: true, answers: 200, ids: [inPath(of, 'view')] },
    [`GET /${type}/:entity_id/notes/:id`]: { paid: true, answers: 200, ids: below('view', {}, 'path') },
    [`POST /${type}/notes`]: {
      answers: 200,
      ids: [
        { at: 'entity_id', of: type, right: 'edit', request: { body: [{ ...text, entity_id: id }] } },
        ...once([
          {
            at: 'entity_id after their own',
            of: type,
            right: 'edit',
            beside: edit,
            request: {
              body: [
                { ...text, entity_id: own },
                { ...text, entity_id: id },
              ],
            },
          },
          ...people((body) => ({ body: [{ ...text, entity_id: own, ...body }] }), edit),
        ]),
      ],
    },
    [`POST /${type}/:entity_id/notes`]: {
      answers: 200,
      ids: [
        ofRecord('edit', { body: [text] }),
        ...once([fileIn('params.file_uuid', { body: [text, file] })]),
      ],
    },
    [`PATCH /${type}/notes`]: {
      answers: 200,
      ids: [
        ...several('edit', (id) => ({ id, ...patch })),
        ...once(people((body) => ({ body: [{ id: `{new ${of}}`, ...body }] }), [[of, 'edit']])),
      ],
    },
    [`PATCH /${type}/:entity_id/notes`]: {
      answers: 200,
      ids: below('edit', { body: [{ id, ...patch }] }, 'item'),
    },
    [`PATCH /${type}/notes/:id`]: { answers: 200, ids: [inPath(of, 'edit', { body: patch })] },
    [`PATCH /${type}/:entity_id/notes/:id`]: { answers: 200, ids: below('edit', { body: patch }, 'path') },
    [`DELETE /${type}/notes/:id`]: { answers: 204, ids: [inPath(of, 'edit')] },
    [`DELETE /${type}/notes`]: { answers: 204, ids: several('edit', (id) => ({ id })) },
    [`POST /${type}/notes/:id/restore`]: { answers: 200, ids: [{ ...inPath(of, 'edit'), trashed: true }] },
    [`POST /${type}/notes/:id/pin`]: { answers: 204, ids: [inPath(of, 'edit')] },
    [`POST /${type}/notes/:id/unpin`]: { answers: 204, ids: [inPath(of, 'edit')] },
    [`GET /${type}/:entity_id/files`]: { paid: true, answers: 200, ids: [ofRecord('view')] },
    [`PUT /${type}/:entity_id/files`]: {
      answers: 202,
      ids: [
        ofRecord('edit', { body: [{ file_uuid: '{own files}' }] }),
        ...once([fileIn('file_uuid', { body: [{ file_uuid: '{own files}' }, { file_uuid: id }] })]),
      ],
    },
    [`DELETE /${type}/:entity_id/files`]: {
      answers: 204,
      ids: [ofRecord('edit', { body: [{ file_uuid: '{its file}' }] })],
    },
  }
}

const call = { direction: 'inbound', duration: 5, source: 'exchange' }
const nobodys = { ...call, phone: '+{n}' }
const own = { ...call, phone: '{own telephone}' }

/** A call is added to the record with its phone number. Records that the caller cannot change are ignored. */
const calls: Declarations = {
  'POST /calls': {
    hides: true,
    answers: 200,
    ids: [
      ...(['contacts', 'companies'] as const).map(
        (of): IdPlace => ({
          at: 'telephone',
          of,
          right: 'edit',
          request: { body: [nobodys, { ...call, phone: '{its telephone}' }] },
        }),
      ),
      ...people((body) => ({ body: [{ ...own, ...body }] }), [['contacts', 'edit']]),
      {
        at: 'call_responsible',
        of: 'users',
        beside: [['contacts', 'edit']],
        request: { body: [{ ...own, call_responsible: '{id}' }] },
      },
    ],
  },
}

export const declaredNotes: Declarations = Object.assign({}, ...cardTypes.map(notes), calls)
