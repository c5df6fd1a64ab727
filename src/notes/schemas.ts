import { type Static, Type } from 'typebox'
import { ByIntegration } from '../accounts/members/schemas.ts'
import { Self } from '../http/hal.ts'
import { publishedAs } from '../http/published.ts'
import { Time } from '../http/times.ts'
import { FileUuid, noteTypes, type WritableNoteType, writableNoteTypes } from './note-types.ts'
import { publishedNewNote, publishedNote } from './published-notes.ts'

const safe = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const Id = Type.Integer(safe)
const UserId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const RequestId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])
/** Without a type, which would have each member written for itself: most of the time that a page takes. */
const ShownParams = Type.Unsafe<object>({ description: 'An object; `note_type` says which members it has.' })
const AnyParams = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'The params to change. Params that are absent stay. `note_type` says which params a note has.',
})

/** Members in the order of the platform. */
const shown = {
  id: Type.Integer(),
  entity_id: Type.Integer({ description: 'The id of the record of the note.' }),
  created_by: Type.Integer({ description: 'The id of the user. 0 is the server.' }),
  updated_by: Type.Integer({ description: 'The id of the user. 0 is the server.' }),
  created_by_integration: Type.Optional(ByIntegration),
  updated_by_integration: Type.Optional(ByIntegration),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  updated_at: Type.Integer({ description: 'Unix seconds.' }),
  responsible_user_id: Type.Integer(),
  group_id: Type.Integer({ description: 'The group of the responsible user. 0 is none. Read-only.' }),
  note_type: Type.String(),
  params: ShownParams,
  account_id: Type.Integer(),
  is_pinned: Type.Optional(Type.Boolean({ description: 'With `with=is_pinned`.' })),
  _links: Self,
}
const { note_type: _, params: __, ...ofAllTypes } = shown

/** A note in responses (docs/wire/notes.md). */
export const Note = publishedAs(Type.Object(shown, { title: 'Note' }), publishedNote(ofAllTypes))
export type Note = Static<typeof Note>

const people = {
  responsible_user_id: Type.Optional(UserId),
  created_by: Type.Optional(UserId),
  updated_by: Type.Optional(UserId),
  created_at: Type.Optional(Time),
  updated_at: Type.Optional(Time),
}
const written = {
  ...people,
  request_id: Type.Optional(RequestId),
  is_need_to_trigger_digital_pipeline: Type.Optional(
    Type.Boolean({ description: 'Accepted without effect: there is no digital pipeline.' }),
  ),
}

/** The members of a note besides its type and params. */
export type NotePeople = Static<typeof People>
const People = Type.Object(people)

export interface NewNote extends NotePeople {
  entity_id?: number
  note_type: WritableNoteType
  params: object
  request_id?: string | number
}

/** `note_type` selects the params. */
const newNote = (title: string, entity_id: typeof Id | ReturnType<typeof Type.Optional<typeof Id>>) =>
  publishedAs(
    Type.Unsafe<NewNote>({
      title,
      type: 'object',
      discriminator: { propertyName: 'note_type' },
      required: ['note_type'],
      oneOf: writableNoteTypes.map((note_type) =>
        Type.Object({
          entity_id,
          note_type: Type.Literal(note_type),
          params: noteTypes[note_type].params,
          ...written,
        }),
      ),
    }),
    publishedNewNote(title, { entity_id }, written),
  )

const patched = {
  entity_id: Type.Optional(Id),
  note_type: Type.Optional(Type.String({ maxLength: 255 })),
  params: Type.Optional(AnyParams),
  ...written,
}
export const NotePatch = Type.Object(patched, { title: 'NotePatch' })
export type NotePatch = Static<typeof NotePatch>

const batchOf = { minItems: 1, maxItems: 250 }
/** The record is named by the item, or by the address. */
export const NewNotes = Type.Array(newNote('NewNote', Id), batchOf)
export const NewNotesOfOne = Type.Array(newNote('NewNoteOfRecord', Type.Optional(Id)), batchOf)
export const NotePatches = Type.Array(Type.Object({ id: Id, ...patched }, { title: 'NoteInBatch' }), batchOf)
export const NamedNotes = Type.Array(
  Type.Object({ id: Id, request_id: Type.Optional(RequestId) }, { title: 'NamedNote' }),
  batchOf,
)

export const ById = Type.Object({ id: Id })
export const OfOne = Type.Object({ entity_id: Id })
export const ByIdOfOne = Type.Object({ entity_id: Id, id: Id })

const collection = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Object({ _links: Self, _embedded: Type.Object({ notes: Type.Array(item) }) })
export const AddedNotes = collection(
  Type.Object(
    { id: Type.Integer(), entity_id: Type.Integer(), request_id: RequestId, _links: Self },
    { title: 'AddedNote' },
  ),
)
export const EditedNotes = collection(
  Type.Object(
    { id: Type.Integer(), entity_id: Type.Integer(), updated_at: Type.Integer(), _links: Self },
    { title: 'EditedNote' },
  ),
)

/** Files of a card. */
export const NamedFiles = Type.Array(
  Type.Object({ file_uuid: FileUuid, request_id: Type.Optional(RequestId) }, { title: 'NamedCardFile' }),
  batchOf,
)
export const CardFilesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
  before_id: Type.Optional(Type.Integer({ ...safe, description: 'The last `id` of the previous page.' })),
})
const Href = Type.Object({ href: Type.String() })
export const CardFiles = Type.Object({
  _links: Type.Object({ self: Href, next: Type.Optional(Href) }),
  _embedded: Type.Object({
    files: Type.Array(
      Type.Object(
        { file_uuid: Type.String(), id: Type.Integer({ description: 'The id of the note with the file.' }) },
        { title: 'CardFile' },
      ),
    ),
  }),
})
