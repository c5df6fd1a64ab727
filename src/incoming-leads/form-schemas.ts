import { type Static, Type } from 'typebox'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const ByFormId = Type.Object({ id: Id })

/** A field that visitors fill in: a part of the contact, a message, or a field of the lead or the contact by its id. */
const FormField = Type.Object(
  {
    key: Type.String({ pattern: '^(name|phone|email|text|(leads|contacts)\\.[1-9]\\d{0,15})$' }),
    is_required: Type.Boolean(),
  },
  { title: 'FormField' },
)
export type FormField = Static<typeof FormField>

const Websites = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  maxItems: 10,
  description: 'Hosts such as `shop.example` and `*.shop.example`, on whose pages the button works.',
})
/** The members that make a form the form of a website button. */
const WrittenButton = Type.Object(
  { trusted_websites: Websites, is_used_in_app: Type.Optional(Type.Boolean()) },
  { title: 'WrittenSiteButton' },
)

const written = {
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  pipeline_id: Id,
  fields: Type.Array(FormField, { minItems: 1, maxItems: 20 }),
  thanks: Type.String({ maxLength: 1_000 }),
  is_enabled: Type.Boolean(),
}

export const NewSiteForm = Type.Object(
  {
    name: written.name,
    pipeline_id: written.pipeline_id,
    fields: written.fields,
    thanks: Type.Optional(written.thanks),
    is_enabled: Type.Optional(written.is_enabled),
    button: Type.Optional(WrittenButton),
  },
  { title: 'NewSiteForm' },
)
export type NewSiteForm = Static<typeof NewSiteForm>
export const SiteFormPatch = Type.Partial(Type.Object({ ...written, button: WrittenButton }), {
  title: 'SiteFormPatch',
})
export type SiteFormPatch = Static<typeof SiteFormPatch>

const SiteButton = Type.Object(
  {
    source_id: Type.Integer(),
    trusted_websites: Type.Array(Type.String()),
    is_used_in_app: Type.Boolean(),
    code: Type.String({ description: 'The element that puts the button on a page.' }),
  },
  { title: 'SiteButton' },
)

export const SiteForm = Type.Object(
  {
    id: Type.Integer(),
    ...written,
    url: Type.String({ description: 'The address of the form.' }),
    button: Type.Union([SiteButton, Type.Null()]),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
  },
  { title: 'SiteForm' },
)
export type SiteForm = Static<typeof SiteForm>
export const SiteFormList = Type.Object({ forms: Type.Array(SiteForm) }, { title: 'SiteFormList' })
