import { type Static, Type } from 'typebox'
import { Name } from '../../accounts/members/schemas.ts'
import { Self } from '../../http/hal.ts'

/** Characters of a trimmed phrase. */
export const PHRASE_LETTERS = 255

const fields = {
  name: Name(255),
  phrases: Type.Array(Type.String({ maxLength: 1_000 }), {
    minItems: 1,
    maxItems: 50,
    description: 'Words of questions, at most 255 characters each.',
  }),
  answer: Type.String({ minLength: 1, maxLength: 20_000, description: 'The reply of the bot.' }),
}

export const NewIntent = Type.Object(fields)
export type NewIntent = Static<typeof NewIntent>
export const IntentPatch = Type.Partial(NewIntent)
export type IntentPatch = Static<typeof IntentPatch>

/** The phrases that the reply bot listens for, and its answer (C10). */
export const Intent = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    phrases: Type.Array(Type.String(), { description: 'Words of questions.' }),
    answer: Type.String({ description: 'The reply of the bot.' }),
    created_at: Type.Integer(),
    created_by: Type.Integer(),
    updated_at: Type.Integer(),
    updated_by: Type.Integer(),
    account_id: Type.Integer(),
    _links: Self,
  },
  { title: 'Intent' },
)
export type Intent = Static<typeof Intent>

export const IntentList = Type.Object({
  _links: Self,
  _embedded: Type.Object({ intents: Type.Array(Intent) }),
})
