import { type Static, Type } from 'typebox'
import { Name } from '../accounts/members/schemas.ts'
import { WrittenValues } from '../custom-fields/custom-fields.ts'
import { Self } from '../http/hal.ts'
import { OneOf } from '../http/published.ts'
import { Time } from '../http/times.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const RequestId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])

/** The purpose of a list. An account has at most one list of each type except `regular`. */
export const catalogTypes = ['regular', 'invoices', 'products', 'suppliers'] as const
const TYPE =
  'Selects the fields that a new list has. An account has at most one list of each type but `regular`.'

const written = {
  name: Name(255),
  sort: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  can_add_elements: Type.Boolean(),
  can_show_in_cards: Type.Boolean(),
  can_link_multiple: Type.Boolean(),
  can_be_deleted: Type.Boolean(),
  sdk_widget_code: Type.Union([Type.String({ maxLength: 255 }), Type.Null()]),
}

/** A list in responses, with the members in the platform's order (docs/wire/catalogs.md). */
export const Catalog = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created_by: Type.Integer(),
    updated_by: Type.Integer(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    sort: Type.Integer(),
    type: OneOf(catalogTypes, { description: TYPE }),
    can_add_elements: Type.Boolean(),
    can_show_in_cards: Type.Boolean(),
    can_link_multiple: Type.Boolean(),
    can_be_deleted: Type.Boolean(),
    sdk_widget_code: Type.Union([Type.String(), Type.Null()]),
    account_id: Type.Integer(),
    request_id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
    _links: Self,
  },
  { title: 'Catalog' },
)
export type Catalog = Static<typeof Catalog>

export const NewCatalog = Type.Object({
  ...Type.Partial(Type.Object(written)).properties,
  name: written.name,
  type: Type.Optional(Type.Enum([...catalogTypes], { description: TYPE })),
  request_id: Type.Optional(RequestId),
})
export type NewCatalog = Static<typeof NewCatalog>

/** The type of a list cannot be changed: `type` in the body is ignored, like every read-only member (V2). */
export const CatalogPatch = Type.Object({
  ...Type.Partial(Type.Object(written)).properties,
  request_id: Type.Optional(RequestId),
})
export type CatalogPatch = Static<typeof CatalogPatch>
export const CatalogInBatch = Type.Object({ id: Id, ...CatalogPatch.properties })

/** A non-blank name. Its content is up to the integration, as in other records. */
const ElementName = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })
const element = {
  created_at: Type.Optional(Time),
  custom_fields_values: Type.Optional(WrittenValues),
  request_id: Type.Optional(RequestId),
}
export const NewElement = Type.Object({ name: ElementName, ...element })
export type NewElement = Static<typeof NewElement>
export const ElementPatch = Type.Object({ name: Type.Optional(ElementName), ...element })
export type ElementPatch = Static<typeof ElementPatch>
export const ElementInBatch = Type.Object({ id: Id, ...ElementPatch.properties })

export const ById = Type.Object({ id: Id })
export const InCatalog = Type.Object({ catalog_id: Id })
export const OfCatalog = Type.Object({ catalog_id: Id, id: Id })
