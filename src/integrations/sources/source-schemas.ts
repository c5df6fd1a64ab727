import { type Static, Type } from 'typebox'
import { Name } from '../../accounts/members/schemas.ts'
import { Self } from '../../http/hal.ts'

/** The services that a source speaks for, as the platform describes them. */
const Service = Type.Object({
  type: Type.Enum(['whatsapp']),
  params: Type.Optional(
    Type.Object({
      waba: Type.Optional(Type.Boolean({ description: 'Whether it is a WhatsApp Business account.' })),
      is_supports_list_message: Type.Optional(
        Type.Boolean({ description: 'Whether it can show lists of choices.' }),
      ),
    }),
  ),
  pages: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Union([Type.String({ maxLength: 255 }), Type.Integer()]),
        name: Type.String({ maxLength: 255 }),
        link: Type.String({ maxLength: 2048 }),
      }),
      { maxItems: 50 },
    ),
  ),
})

const fields = {
  name: Name(255),
  pipeline_id: Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
    description: 'The pipeline of its leads. Null: the main one.',
  }),
  external_id: Type.String({
    minLength: 1,
    maxLength: 36,
    description: 'Chosen by the integration, unique among its sources. It cannot be changed.',
  }),
  default: Type.Boolean({ description: 'Whether it is the default. An integration has at most one.' }),
  origin_code: Type.Union([Type.String({ maxLength: 255 }), Type.Null()]),
  services: Type.Array(Service, {
    maxItems: 10,
    description: 'The services that it speaks for. Stored as they were sent.',
  }),
}

export const Source = Type.Object(
  {
    id: Type.Integer(),
    ...fields,
    request_id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
    _links: Self,
  },
  { title: 'Source' },
)
export type Source = Static<typeof Source>

export const NewSource = Type.Object({
  name: fields.name,
  external_id: fields.external_id,
  pipeline_id: Type.Optional(fields.pipeline_id),
  default: Type.Optional(fields.default),
  origin_code: Type.Optional(fields.origin_code),
  services: Type.Optional(fields.services),
  request_id: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])),
})
export type NewSource = Static<typeof NewSource>

/** `external_id` cannot be changed; where it is sent it is ignored, as every read-only member is (V2). */
export const SourcePatch = Type.Object({
  name: Type.Optional(fields.name),
  pipeline_id: Type.Optional(fields.pipeline_id),
  default: Type.Optional(fields.default),
  origin_code: Type.Optional(fields.origin_code),
  services: Type.Optional(fields.services),
  request_id: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])),
})
export type SourcePatch = Static<typeof SourcePatch>
