import { type CardType, cardTypes } from '../../src/entities/records/entity-types.ts'
import type { Declarations, IdPlace, NoteKind, Right, Template } from './declaration.ts'
import { inPath, people } from './places.ts'

const text = { note_type: 'common', params: { text: 'Noted {n}' } }
const file = { note_type: 'attachment', params: { file_uuid: '{id}' } }
const patch = { params: { text: 'Other {n}' } }

const id = '{id}'
const notesOf = (type: CardType): NoteKind => `notes of ${type}`
const ownOf = (type: CardType) => `{own ${type}}`

/** Notes have the rights of their record: view rights to read them, edit rights to write. */
const notes = (type: CardType): Declarations => ({
  ...reading(type),
  ...adding(type),
  ...changing(type),
  ...deleting(type),
  ...files(type),
})

function reading(type: CardType): Declarations {
  const of = notesOf(type)
  return {
    [`GET /${type}/notes`]: {
      paid: true,
      answers: 200,
      asks: { query: 'limit=250&with=is_pinned' },
      shows: 'links',
      ids: [
        { at: 'filter', of, right: 'view', request: { query: 'filter[id]={id}' } },
        {
          at: 'filter',
          of: type,
          right: 'view',
          request: { query: `filter[entity_id]={id},${ownOf(type)}` },
        },
      ],
    },
    [`GET /${type}/:entity_id/notes`]: {
      paid: true,
      answers: 200,
      shows: 'links',
      ids: [ofRecord(type, 'view')],
    },
    [`GET /${type}/notes/:id`]: { paid: true, answers: 200, ids: [inPath(of, 'view')] },
    [`GET /${type}/:entity_id/notes/:id`]: { paid: true, answers: 200, ids: below(type, 'view', {}, 'path') },
  }
}

function adding(type: CardType): Declarations {
  const own = ownOf(type)
  const beside: IdPlace['beside'] = [[type, 'edit']]
  return {
    [`POST /${type}/notes`]: {
      answers: 200,
      ids: [
        { at: 'entity_id', of: type, right: 'edit', request: { body: [{ ...text, entity_id: id }] } },
        ...once(type, [
          {
            at: 'entity_id after their own',
            of: type,
            right: 'edit',
            beside,
            request: {
              body: [
                { ...text, entity_id: own },
                { ...text, entity_id: id },
              ],
            },
          },
          ...people((body) => ({ body: [{ ...text, entity_id: own, ...body }] }), beside),
        ]),
      ],
    },
    [`POST /${type}/:entity_id/notes`]: {
      answers: 200,
      ids: [
        ofRecord(type, 'edit', { body: [text] }),
        ...once(type, [fileIn(type, 'params.file_uuid', { body: [text, file] })]),
      ],
    },
  }
}

function changing(type: CardType): Declarations {
  const of = notesOf(type)
  return {
    [`PATCH /${type}/notes`]: {
      answers: 200,
      ids: [
        ...several(type, (id) => ({ id, ...patch })),
        ...once(
          type,
          people((body) => ({ body: [{ id: `{new ${of}}`, ...body }] }), [[of, 'edit']]),
        ),
      ],
    },
    [`PATCH /${type}/:entity_id/notes`]: {
      answers: 200,
      ids: below(type, 'edit', { body: [{ id, ...patch }] }, 'item'),
    },
    [`PATCH /${type}/notes/:id`]: { answers: 200, ids: [inPath(of, 'edit', { body: patch })] },
    [`PATCH /${type}/:entity_id/notes/:id`]: {
      answers: 200,
      ids: below(type, 'edit', { body: patch }, 'path'),
    },
  }
}

function deleting(type: CardType): Declarations {
  const inAddress = inPath(notesOf(type), 'edit')
  return {
    [`DELETE /${type}/notes/:id`]: { answers: 204, ids: [inAddress] },
    [`DELETE /${type}/notes`]: { answers: 204, ids: several(type, (id) => ({ id })) },
    [`POST /${type}/notes/:id/restore`]: { answers: 200, ids: [{ ...inAddress, trashed: true }] },
    [`POST /${type}/notes/:id/pin`]: { answers: 204, ids: [inAddress] },
    [`POST /${type}/notes/:id/unpin`]: { answers: 204, ids: [inAddress] },
  }
}

/** Only people who can see the file (D1), which file-links.test.ts checks. */
export const fileLinks: Declarations = {
  'GET /files/:file_uuid/links': {
    paid: true,
    answers: 404,
    asks: { params: { file_uuid: '00000000-0000-4000-8000-000000000000' } },
  },
}

const files = (type: CardType): Declarations => ({
  [`GET /${type}/:entity_id/files`]: { paid: true, answers: 200, ids: [ofRecord(type, 'view')] },
  [`PUT /${type}/:entity_id/files`]: {
    answers: 202,
    ids: [
      ofRecord(type, 'edit', { body: [{ file_uuid: '{own files}' }] }),
      ...once(type, [fileIn(type, 'file_uuid', { body: [{ file_uuid: '{own files}' }, { file_uuid: id }] })]),
    ],
  },
  [`DELETE /${type}/:entity_id/files`]: {
    answers: 204,
    ids: [ofRecord(type, 'edit', { body: [{ file_uuid: '{its file}' }] })],
  },
})

/** All kinds share their code, so one is enough for places that do not depend on the record. */
const once = (type: CardType, places: IdPlace[]): IdPlace[] => (type === 'leads' ? places : [])

const ofRecord = (type: CardType, right: Right, request: Template = {}): IdPlace =>
  inPath(type, right, { params: { entity_id: id }, ...request })

/** Below the note's own record, and below another one. */
function below(type: CardType, right: Right, request: Template, at: 'path' | 'item'): IdPlace[] {
  const of = notesOf(type)
  return [
    {
      at,
      of,
      right,
      within: 'its record',
      request: { ...request, params: { id, entity_id: '{its parent}' } },
    },
    {
      at: `${at} below their own record`,
      of,
      right,
      within: 'own record',
      beside: [[type, right]],
      request: { ...request, params: { id, entity_id: ownOf(type) } },
    },
  ]
}

const fileIn = (type: CardType, at: string, request: Template): IdPlace => ({
  at,
  of: 'files',
  beside: [[type, 'edit']],
  request: { ...request, params: { entity_id: ownOf(type) } },
})

function several(type: CardType, draft: (id: string) => object): IdPlace[] {
  const of = notesOf(type)
  return [
    { at: 'item', of, right: 'edit', request: { body: [draft(id)] } },
    ...once(type, [
      {
        at: 'item after their own',
        of,
        right: 'edit',
        beside: [[of, 'edit']],
        request: { body: [draft(`{new ${of}}`), draft(id)] },
      },
    ]),
  ]
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
