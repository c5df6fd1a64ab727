import { type Static, type TSchema, Type } from 'typebox'
import { Name } from '../../accounts/members/schemas.ts'
import { Self } from '../../http/hal.ts'
import { CountedList, Paged } from '../../http/queries/paging.ts'

const orNone = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const RequestId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Uuid = Type.String({ pattern: '^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$' })

/** Templates in a batch and on a page, as on the platform. */
const MOST_AT_ONCE = 50
const BATCH = { minItems: 1, maxItems: MOST_AT_ONCE }

const Button = Type.Object({
  type: Type.Enum(['inline', 'url'], {
    description: '`inline` sends its text as an answer, `url` opens a page.',
  }),
  text: Type.String({ minLength: 1, maxLength: 255 }),
  url: Type.Optional(
    Type.String({ maxLength: 2048, description: 'Of the type `url`: where the button leads.' }),
  ),
})
export type Button = Static<typeof Button>

const FILE = 'A file that is sent with the text. Null: none.'
const attachmentTypes = ['picture', 'file', 'document', 'video'] as const
const AttachmentType = Type.Enum([...attachmentTypes])

const fields = {
  name: Name(255),
  content: Type.String({
    minLength: 1,
    maxLength: 20_000,
    description: 'The text. `{{contact.name}}` and other markers stand for values of the records.',
  }),
  buttons: Type.Array(Button, { maxItems: 10 }),
  attachment: orNone(
    Type.Object(
      {
        id: Type.String({ ...Uuid, description: 'The uuid of the file.' }),
        name: Type.Optional(Type.String({ maxLength: 255 })),
        type: Type.Optional(AttachmentType),
      },
      { description: FILE },
    ),
  ),
  is_editable: Type.Boolean({ description: 'Whether administrators can change it in the application.' }),
  external_id: orNone(Type.String({ maxLength: 255 })),
  type: Type.Enum(['amocrm', 'waba'], {
    description: '`waba` is for WhatsApp and can be sent for review; `amocrm` is for every channel.',
  }),
  waba_footer: orNone(Type.String({ maxLength: 255 })),
  waba_category: orNone(Type.Enum(['UTILITY', 'AUTHENTICATION', 'MARKETING', ''])),
  waba_language: orNone(Type.String({ maxLength: 35 })),
  waba_examples: Type.Record(Type.String({ maxLength: 255 }), Type.String({ maxLength: 1_000 }), {
    maxProperties: 100,
    description: 'An example for each marker: `{"{{contact.name}}": "Jo"}`.',
  }),
  waba_header: orNone(Type.String({ maxLength: 60 })),
  waba_header_type: orNone(Type.Enum(['text', 'media'])),
}
const { name, content, ...others } = fields
const optional = { ...Type.Partial(Type.Object(others)).properties, request_id: Type.Optional(RequestId) }

export const NewTemplate = Type.Object({ name, content, ...optional }, { title: 'NewChatTemplate' })
export type NewTemplate = Static<typeof NewTemplate>
export const NewTemplates = Type.Array(NewTemplate, BATCH)

export const TemplatePatch = Type.Object({
  name: Type.Optional(name),
  content: Type.Optional(content),
  ...optional,
})
export type TemplatePatch = Static<typeof TemplatePatch>
export const TemplatePatches = Type.Array(Type.Intersect([TemplatePatch, Type.Object({ id: Id })]), BATCH)

export const ById = Type.Object({ id: Id })
export const NamedTemplates = Type.Array(ById, BATCH)
export const TemplatesQuery = Type.Object({
  ...Paged.properties,
  limit: Type.Integer({ minimum: 1, maximum: MOST_AT_ONCE, default: MOST_AT_ONCE }),
  filter: Type.Optional(Type.Unknown()),
  query: Type.Optional(Type.Unknown()),
})
export const TemplateQuery = Type.Object({ with: Type.Optional(Type.Unknown()) })

const reviewStatuses = ['review', 'approved', 'paused', 'rejected'] as const
const ReviewStatus = Type.Enum([...reviewStatuses], { description: '`review`: it waits for its result.' })
export type ReviewStatus = Static<typeof ReviewStatus>

/** The review of a template by the provider of a source. */
export const Review = Type.Object(
  {
    id: Type.Integer(),
    source_id: orNone(Type.Integer({ description: 'Null: the integration has no sources.' })),
    status: ReviewStatus,
    reject_reason: Type.String(),
  },
  { title: 'TemplateReview' },
)
export type Review = Static<typeof Review>

/** A prepared message (docs/wire/templates.md#templates). */
export const Template = Type.Object(
  {
    id: Type.Integer(),
    account_id: Type.Integer(),
    name: Type.String(),
    content: Type.String({ description: 'The text with its markers.' }),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    buttons: Type.Array(Button),
    attachment: orNone(
      Type.Object(
        {
          id: Type.String({ description: 'The uuid of the file.' }),
          name: Type.String(),
          type: AttachmentType,
          is_external: Type.Boolean({ description: 'Always true: the file is in the file service.' }),
        },
        { description: FILE },
      ),
    ),
    is_editable: fields.is_editable,
    external_id: orNone(Type.String()),
    type: fields.type,
    waba_footer: Type.String(),
    waba_category: Type.String(),
    waba_language: Type.String(),
    waba_examples: Type.Unsafe<Record<string, string> | []>({
      anyOf: [
        { type: 'object', additionalProperties: { type: 'string' } },
        { type: 'array', maxItems: 0 },
      ],
      description: 'An object of examples; an empty array if there are none.',
    }),
    waba_header: orNone(Type.String()),
    waba_header_type: orNone(Type.Enum(['text', 'media'])),
    review_status: Type.Optional(orNone(ReviewStatus)),
    is_on_review: Type.Optional(Type.Boolean()),
    request_id: Type.Optional(RequestId),
    _links: Self,
    _embedded: Type.Optional(Type.Object({ reviews: Type.Array(Review) })),
  },
  { title: 'ChatTemplate' },
)
export type Template = Static<typeof Template>

export const TemplatePage = CountedList('chat_templates', Template)
export const Templates = Type.Object({
  _total_items: Type.Integer(),
  _links: Self,
  _embedded: Type.Object({ chat_templates: Type.Array(Template) }),
})

export const ReviewRequest = Type.Union([Type.Object({}), Type.Null()])
export const Reviews = Type.Object({ _embedded: Type.Object({ reviews: Type.Array(Review) }) })
export const ByReview = Type.Object({ id: Id, review_id: Id })
export const ReviewResult = Type.Object({
  status: Type.Enum(['approved', 'paused', 'rejected']),
  reject_reason: Type.Optional(orNone(Type.String({ maxLength: 65_535 }))),
})
export type ReviewResult = Static<typeof ReviewResult>
