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
  title: Type.Optional(
    Type.Union([Type.String({ maxLength: 255 }), Type.Null()], { description: 'The label of the choice.' }),
  ),
  catalog_id: Id,
  parent_catalog_id: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: 'The list of the chain before this one. Null: this is the first.',
    }),
  ),
})
const Stages = Type.Array(Stage, { maxItems: 500 })
const Remind = Type.Enum(['never', 'day', 'week', 'month'])
/** Members that are written as they are read. */
const meaning = {
  code: 'A name for requests, such as `PHONE`, in the place of the id. Null: it has none.',
  choice: 'The text that people see.',
  enum_code: 'A name for requests, such as `WORK`. Null: it has none.',
  is_api_only: 'People cannot change the values, only the API can.',
  group_id: 'The id of the group of fields. Null: none.',
  nested: 'Of the type `category`: all categories as a tree. Otherwise null.',
  required_statuses: 'The stages in which people must fill the field. The API need not.',
  hidden_statuses: 'The stages in which cards hide the field.',
  remind: 'Of dates: how long before. Stored without effect.',
  currency: 'Of the type `monetary`: ISO 4217, such as `EUR`. Otherwise null.',
  tracking_callback: 'Of the type `tracking_data`: stored as it was sent, without effect.',
  chained_lists: 'Of the type `chained_list`: the lists, each with the one before. Otherwise null.',
  is_visible: 'Of lists: whether people see the field.',
  is_required: 'Of lists: whether people must fill the field in a new element. The API need not.',
  settings: 'Of lists: stored as it was sent, without effect.',
  search_in: 'Of the type `linked_entity`: the kind that people choose from, such as `contacts`.',
}

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
    code: Nullable(Type.String({ description: meaning.code })),
    sort: Type.Integer(),
    is_api_only: Type.Boolean({ description: meaning.is_api_only }),
    enums: Nullable(
      Type.Array(
        Type.Object({
          id: Type.Integer({ description: 'The `enum_id` of values.' }),
          value: Type.String({ description: meaning.choice }),
          sort: Type.Integer(),
          code: Nullable(Type.String({ description: meaning.enum_code })),
        }),
        { description: 'The choices or labels. Null: the type has none.' },
      ),
    ),
    group_id: Type.Optional(Nullable(Type.String({ description: meaning.group_id }))),
    required_statuses: Type.Optional(Type.Array(Stage, { description: meaning.required_statuses })),
    is_deletable: Type.Boolean({ description: 'Read-only.' }),
    is_predefined: Type.Boolean(),
    entity_type: Type.Enum([...fieldOwners]),
    is_computed: Type.Optional(Type.Boolean()),
    tracking_callback: Type.Optional(Nullable(Type.String({ description: meaning.tracking_callback }))),
    remind: Type.Union([Remind, Type.Null()], { description: meaning.remind }),
    triggers: Type.Optional(Type.Array(Type.Object({}), { description: 'Always empty.' })),
    currency: Type.Optional(Nullable(Type.String({ description: meaning.currency }))),
    hidden_statuses: Type.Optional(Type.Array(Stage, { description: meaning.hidden_statuses })),
    chained_lists: Type.Optional(
      Nullable(
        Type.Array(publishedAs(Type.Unsafe<Record<string, unknown>>({}), ChainedList), {
          description: meaning.chained_lists,
        }),
      ),
    ),
    catalog_id: Type.Optional(Type.Integer({ description: 'The list whose elements have the field.' })),
    is_visible: Type.Optional(Type.Boolean({ description: meaning.is_visible })),
    is_required: Type.Optional(Type.Boolean({ description: meaning.is_required })),
    nested: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            id: Type.Integer(),
            parent_id: Nullable(Type.Integer({ description: 'The category above. Null: the top.' })),
            value: Type.String({ description: meaning.choice }),
            sort: Type.Integer(),
          }),
          { description: meaning.nested },
        ),
      ),
    ),
    settings: Type.Optional(Nullable(Type.Array(Type.String(), { description: meaning.settings }))),
    search_in: Type.Optional(Nullable(Type.String({ description: meaning.search_in }))),
    /** Ours (F2). */
    disabled: Type.Boolean({ description: 'Whether people cannot change the values.' }),
    origin: Nullable(Type.String({ description: 'The service that owns the field. Null: none.' })),
    request_id: Type.Optional(RequestId),
    _links: Self,
  },
  { title: 'CustomField' },
)
export type CustomField = Static<typeof CustomField>

const WrittenEnums = Type.Array(
  Type.Object({
    id: Type.Optional(
      Type.Integer({ ...Id, description: 'Of a choice that exists. Without it, the choice is new.' }),
    ),
    value: Type.Optional(Type.String({ ...Name(255), description: meaning.choice })),
    sort: Type.Optional(Sort),
    code: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 255, description: meaning.enum_code })),
    ),
  }),
  {
    maxItems: MAX_ENUMS,
    description: 'All choices or labels of the field. Those that a change leaves out are deleted.',
  },
)

/** A category: an entry names its parent by id, or by the request_id of another new entry. */
const WrittenTree = Type.Array(
  Type.Object({
    id: Type.Optional(
      Type.Integer({ ...Id, description: 'Of a category that exists. Without it, the category is new.' }),
    ),
    parent_id: Type.Optional(
      Nullable(Type.Integer({ ...Id, description: 'The category above. Null: the top.' })),
    ),
    value: Type.Optional(Type.String({ ...Name(255), description: meaning.choice })),
    sort: Type.Optional(Sort),
    request_id: Type.Optional(RequestId),
    parent_request_id: Type.Optional(
      Type.Union([RequestId, Type.Null()], { description: 'The `request_id` of a new category above.' }),
    ),
  }),
  { maxItems: MAX_ENUMS, description: meaning.nested },
)

const writable = {
  name: Name(255),
  type: FieldTypeName,
  code: Nullable(Type.String({ minLength: 1, maxLength: 255, description: meaning.code })),
  sort: Sort,
  is_api_only: Type.Boolean({ description: meaning.is_api_only }),
  group_id: Nullable(Type.String({ maxLength: 255, description: meaning.group_id })),
  enums: Nullable(WrittenEnums),
  nested: Nullable(WrittenTree),
  required_statuses: Type.Union([Stages, Type.Null()], { description: meaning.required_statuses }),
  hidden_statuses: Type.Union([Stages, Type.Null()], { description: meaning.hidden_statuses }),
  remind: Type.Union([Remind, Type.Null()], { description: meaning.remind }),
  currency: Nullable(Type.String({ pattern: '^[A-Z]{3}$', description: meaning.currency })),
  tracking_callback: Nullable(Type.String({ maxLength: 2_048, description: meaning.tracking_callback })),
  chained_lists: Nullable(Type.Array(ChainedList, { maxItems: 5, description: meaning.chained_lists })),
  is_visible: Type.Boolean({ description: meaning.is_visible }),
  is_required: Type.Boolean({ description: meaning.is_required }),
  settings: Nullable(
    Type.Array(Type.String({ maxLength: 255 }), { maxItems: 50, description: meaning.settings }),
  ),
  search_in: Nullable(Type.String({ maxLength: 255, description: meaning.search_in })),
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
    origin: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'The service that owns the field, if one does. Only it can change the field.',
      }),
    ),
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
  fields: Type.Array(Id, { maxItems: 1_000, description: 'The ids of the fields in the group.' }),
}
export const FieldGroup = Type.Object(
  {
    id: Type.String({ description: 'A text, such as `default` or `leads_12`.' }),
    name: Type.String(),
    is_predefined: Type.Boolean(),
    type: Type.Enum(['custom_field_group', 'linked_group']),
    entity_type: Type.Enum([...fieldOwners]),
    sort: Type.Integer(),
    fields: Type.Array(Type.Integer(), { description: 'The ids of the fields in the group.' }),
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
