import { type TSchema, Type } from 'typebox'
import { noteTypes, StoredAttachment, systemNotes } from './note-types.ts'

type Members = Record<string, TSchema>

const written = Object.entries(noteTypes).map(([type, { params }]): [string, TSchema] => [type, params])

const read = Object.entries({ ...Object.fromEntries(written), ...systemNotes, attachment: StoredAttachment })

/** One variant per schema of params: `note_type` selects it. */
const byType = (params: [type: string, params: TSchema][], form = (schema: TSchema) => schema): TSchema[] =>
  [...Map.groupBy(params, ([, schema]) => schema)].map(([schema, types]) =>
    Type.Object({ note_type: Type.Enum(types.map(([type]) => type)), params: form(schema) }),
  )

/** A note that was stored under other limits is still read, so a response promises none. */
function withoutLimits(params: TSchema): TSchema {
  const { properties } = params as { properties?: Members }
  const shown = Object.entries(properties ?? {}).map(([name, schema]) => {
    const { minLength, maxLength, pattern, format, minimum, maximum, ...rest } = schema as Members
    return [name, rest]
  })
  return Type.Unsafe({ ...params, properties: Object.fromEntries(shown) })
}

const NoteContent = { title: 'NoteContent', oneOf: byType(read, withoutLimits) }
const NewNoteContent = { title: 'NewNoteContent', oneOf: byType(written) }

/** A note in the API description: a union that narrows by `note_type`. */
export const publishedNote = (members: Members): TSchema =>
  Type.Unsafe({ title: 'Note', allOf: [Type.Object(members, { title: 'NoteBase' }), NoteContent] })

/** A new note in the API description. `place` names its record; `members` are those that all types share. */
export const publishedNewNote = (title: string, place: Members, members: Members): TSchema =>
  Type.Unsafe({
    title,
    allOf: [Type.Object(place), Type.Object(members, { title: 'NewNoteBase' }), NewNoteContent],
  })
