import { type Static, type TSchema, Type } from 'typebox'
import { Name } from '../../accounts/members/schemas.ts'
import { Self } from '../../http/hal.ts'
import { publishedAs } from '../../http/published.ts'
import { fieldTypeNames } from './field-types.ts'
import { fieldOwners } from './fields.ts'

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Sort = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const RequestId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])
const Stage = Type.Object({ pipeline_id: Id, status_id: Id })
const ChainedList = Type.Object({
  title: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
  catalog_id: Id,
  parent_catalog_id: Type.Optional(Type.Union([Id, Type.Null()])),
})
const Stages = Type.Array(Stage, { maxItems: 500 })
const Remind = Type.Enum(['never', 'day', 'week', 'month'])
/** The most choices of a field. */
const MAX_ENUMS = 1_000

const FieldTypeName = Type.Enum([...fieldTypeNames])

/** A field in responses, with the members in the platform's order (docs/wire/fields.md#fields). */
export const CustomField = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    type: FieldTypeName,
    account_id: Type.Integer(),
    code: Nullable(Type.String()),
    sort: Type.Integer(),
    is_api_only: Type.Boolean({ description: 'People cannot change the values, only the API can.' }),
    enums: Nullable(
      Type.Array(
        Type.Object({
          id: Type.Integer(),
          value: Type.String(),
          sort: Type.Integer(),
          code: Nullable(Type.String()),
        }),
      ),
    ),
    group_id: Type.Optional(
      Nullable(Type.String({ description: 'The id of the group of fields. Null: none.' })),
    ),
    required_statuses: Type.Optional(
      Type.Array(Stage, { description: 'The stages in which the field must have a value.' }),
    ),
    is_deletable: Type.Boolean({ description: 'Read-only.' }),
    is_predefined: Type.Boolean(),
    entity_type: Type.Enum([...fieldOwners]),
    is_computed: Type.Optional(Type.Boolean()),
    tracking_callback: Type.Optional(Nullable(Type.String())),
    remind: Nullable(Remind),
    triggers: Type.Optional(Type.Array(Type.Object({}), { description: 'Always empty.' })),
    currency: Type.Optional(Nullable(Type.String())),
    hidden_statuses: Type.Optional(
      Type.Array(Stage, { description: 'The stages in which cards hide the field.' }),
    ),
    chained_lists: Type.Optional(
      Nullable(Type.Array(publishedAs(Type.Unsafe<Record<string, unknown>>({}), ChainedList))),
    ),
    catalog_id: Type.Optional(Type.Integer({ description: 'The list whose elements have the field.' })),
    is_visible: Type.Optional(Type.Boolean()),
    is_required: Type.Optional(Type.Boolean()),
    nested: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            id: Type.Integer(),
            parent_id: Nullable(Type.Integer({ description: 'The category above. Null: the top.' })),
            value: Type.String(),
            sort: Type.Integer(),
          }),
        ),
      ),
    ),
    settings: Type.Optional(Nullable(Type.Array(Type.String()))),
    search_in: Type.Optional(Nullable(Type.String())),
    /** Ours: whether the field is read-only for people (F2), and the service that owns it. */
    disabled: Type.Boolean(),
    origin: Nullable(Type.String()),
    request_id: Type.Optional(RequestId),
    _links: Self,
  },
  { title: 'CustomField' },
)
export type CustomField = Static<typeof CustomField>

const WrittenEnums = Type.Array(
  Type.Object({
    id: Type.Optional(Id),
    value: Type.Optional(Name(255)),
    sort: Type.Optional(Sort),
    code: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 255 }))),
  }),
  { maxItems: MAX_ENUMS },
)

/** A category: an entry names its parent by id, or by the request_id of another new entry. */
const WrittenTree = Type.Array(
  Type.Object({
    id: Type.Optional(Id),
    parent_id: Type.Optional(Nullable(Id)),
    value: Type.Optional(Name(255)),
    sort: Type.Optional(Sort),
    request_id: Type.Optional(RequestId),
    parent_request_id: Type.Optional(Nullable(RequestId)),
  }),
  { maxItems: MAX_ENUMS },
)

const writable = {
  name: Name(255),
  type: FieldTypeName,
  code: Nullable(Type.String({ minLength: 1, maxLength: 255 })),
  sort: Sort,
  is_api_only: Type.Boolean(),
  group_id: Nullable(Type.String({ maxLength: 255 })),
  enums: Nullable(WrittenEnums),
  nested: Nullable(WrittenTree),
  required_statuses: Nullable(Stages),
  hidden_statuses: Nullable(Stages),
  remind: Nullable(Remind),
  currency: Nullable(Type.String({ pattern: '^[A-Z]{3}$' })),
  tracking_callback: Nullable(Type.String({ maxLength: 2_048 })),
  chained_lists: Nullable(Type.Array(ChainedList, { maxItems: 5 })),
  is_visible: Type.Boolean(),
  is_required: Type.Boolean(),
  settings: Nullable(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 50 })),
  search_in: Nullable(Type.String({ maxLength: 255 })),
  request_id: RequestId,
}
const { name, type, ...rest } = writable

export const NewField = Type.Object(
  { name, type, ...Type.Partial(Type.Object(rest)).properties },
  { title: 'NewCustomField' },
)
export type NewField = Static<typeof NewField>

export const FieldPatch = Type.Object(
  {
    ...Type.Partial(Type.Object(writable)).properties,
    /** Ours: the owner of the field proves its ownership by naming it. */
    origin: Type.Optional(Type.String({ maxLength: 255 })),
  },
  { title: 'CustomFieldPatch' },
)
export type FieldPatch = Static<typeof FieldPatch>
export const FieldInBatch = Type.Object({ ...FieldPatch.properties, id: Id }, { title: 'CustomFieldInBatch' })

export const FieldUsage = Type.Object(
  {
    records: Type.Integer({
      description: 'Number of records with a value in this field, including those in the trash.',
    }),
  },
  { title: 'FieldUsage' },
)

const groupFields = {
  name: Name(255),
  sort: Sort,
  fields: Type.Array(Id, { maxItems: 1_000 }),
}
export const FieldGroup = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    is_predefined: Type.Boolean(),
    type: Type.Enum(['custom_field_group', 'linked_group']),
    entity_type: Type.Enum([...fieldOwners]),
    sort: Type.Integer(),
    fields: Type.Array(Type.Integer()),
    request_id: Type.Optional(RequestId),
    _links: Self,
  },
  { title: 'CustomFieldGroup' },
)
export type FieldGroup = Static<typeof FieldGroup>

export const NewFieldGroup = Type.Object(
  {
    name: groupFields.name,
    sort: groupFields.sort,
    fields: Type.Optional(groupFields.fields),
    request_id: Type.Optional(RequestId),
  },
  { title: 'NewCustomFieldGroup' },
)
export type NewFieldGroup = Static<typeof NewFieldGroup>
export const FieldGroupPatch = Type.Partial(Type.Object(groupFields), { title: 'CustomFieldGroupPatch' })
export type FieldGroupPatch = Static<typeof FieldGroupPatch>
