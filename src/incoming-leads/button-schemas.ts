import { type Static, Type } from 'typebox'
import { Self } from '../http/hal.ts'
import { Paged } from '../http/queries/paging.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Website = Type.String({ minLength: 1, maxLength: 255 })
const FormName = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  description: 'The name of the button and of its form.',
})
export const BySourceId = Type.Object({ source_id: Id })

export const WebsiteButton = Type.Object(
  {
    account_id: Type.Integer(),
    source_id: Type.Integer({ description: 'The id of the button.' }),
    button_id: Type.Integer({ description: 'The id of its form.' }),
    is_duplication_control_enabled: Type.Boolean(),
    name: Type.String(),
    creation_status: Type.Enum(['created', 'creation_pending'], { description: 'Always `created`.' }),
    pipeline_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The pipeline of its leads. Null: it was deleted, and the main one gets them.',
    }),
    script: Type.Union([Type.String(), Type.Null()], {
      description: 'The element that puts the button on a page, with `with=scripts`.',
    }),
    is_deleted: Type.Boolean({ description: 'Always false.' }),
    _links: Self,
  },
  { title: 'WebsiteButton' },
)
export type WebsiteButton = Static<typeof WebsiteButton>

const Href = Type.Object({ href: Type.String() })
export const WebsiteButtons = Type.Object({
  _page: Type.Integer(),
  _links: Type.Object({ self: Href, prev: Type.Optional(Href), next: Type.Optional(Href) }),
  _embedded: Type.Object({ website_buttons: Type.Array(WebsiteButton) }),
})

export const ButtonQuery = Type.Object({ with: Type.Optional(Type.Unknown()) })
export const ButtonsQuery = Type.Object({
  ...Paged.properties,
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 250 }),
})

export const NewWebsiteButton = Type.Object(
  {
    pipeline_id: Id,
    trusted_websites: Type.Optional(Type.Array(Website, { maxItems: 10 })),
    is_used_in_app: Type.Optional(
      Type.Boolean({ description: 'Whether it is for an app. Then it needs no trusted website.' }),
    ),
    name: Type.Optional(FormName),
  },
  { title: 'NewWebsiteButton' },
)
export type NewWebsiteButton = Static<typeof NewWebsiteButton>
export const AddedWebsiteButton = Type.Object(
  {
    source_id: Type.Integer({ description: 'The id of the button.' }),
    trusted_websites: Type.Array(Type.String()),
    name: Type.String(),
  },
  { title: 'AddedWebsiteButton' },
)
export type AddedWebsiteButton = Static<typeof AddedWebsiteButton>

export const WebsiteButtonPatch = Type.Object(
  {
    trusted_websites: Type.Optional(Type.Object({ add: Type.Array(Website, { minItems: 1, maxItems: 10 }) })),
    name: Type.Optional(FormName),
  },
  { title: 'WebsiteButtonPatch', description: 'Websites to add, a new name, or both.' },
)
export type WebsiteButtonPatch = Static<typeof WebsiteButtonPatch>
