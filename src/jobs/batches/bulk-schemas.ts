import { type Static, Type } from 'typebox'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const TagNames = Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }), {
  minItems: 1,
  maxItems: 100,
  description: 'Names of tags.',
})

/** The maximum number of records of a bulk change. */
export const MAX_CHANGED = 50_000

export const Changes = Type.Object(
  {
    status: Type.Optional(Type.Object({ pipeline_id: Type.Optional(Id), status_id: Id })),
    responsible_user_id: Type.Optional(Id),
    tags_to_add: Type.Optional(TagNames),
    tags_to_delete: Type.Optional(TagNames),
    delete: Type.Optional(Type.Literal(true, { description: 'Moves the records to the trash.' })),
  },
  { title: 'BulkChanges' },
)
export type Changes = Static<typeof Changes>

export const NewBulkChange = Type.Object({
  entity_type: Type.Enum(['leads', 'contacts', 'companies', 'customers', 'catalog_elements']),
  catalog_id: Type.Optional(Id),
  ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: MAX_CHANGED,
      description: 'The records. A bulk change has either `ids` or `search`.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 8_000,
      description: 'A query of the list, such as `filter[price][from]=100`. An unknown parameter is refused.',
    }),
  ),
  changes: Changes,
})
export type NewBulkChange = Static<typeof NewBulkChange>
