import { type Static, type TSchema, Type } from 'typebox'
import { pairStates, tokenReasons } from '../tokens/token-reason-types.ts'

const Nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
const Seconds = Type.Integer({ description: 'Unix seconds.' })
const ACCEPTED = 'Why it is not accepted any more. Null: it is.'
const CanAlter = Type.Boolean({ description: 'Whether the server has the test helpers.' })
const Time = (description: string) => Type.Integer({ description })

const Person = Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'TokenPerson' })

const Use = Type.Object(
  { at: Seconds, request_id: Nullable(Type.String(), 'The id of the request. Null: it is not known.') },
  { title: 'TokenUse', description: 'When, and by which request.' },
)

const End = Type.Object(
  {
    reason: Type.Enum([...tokenReasons]),
    at: Nullable(Type.Integer(), 'Unix seconds. Null: it is not known.'),
    by: Nullable(Person, 'The person who caused it. Null: no person did.'),
    request_id: Nullable(Type.String({ description: 'The request that caused it.' })),
    used_at: Nullable(Time('Of a token that was replaced: when the next pair was first used.')),
    used_request_id: Nullable(Type.String({ description: 'The request that first used the next pair.' })),
  },
  { title: 'TokenEnd', description: 'Why a token is not accepted any more.' },
)

const Elsewhere = Type.Object(
  { at: Seconds, host: Type.String(), request_id: Type.String() },
  { title: 'TokenElsewhere', description: 'The last refusal at the address of another account.' },
)

const OneToken = Type.Object(
  { expires_at: Type.Integer(), end: Nullable(End, ACCEPTED) },
  { title: 'TokenOfPair' },
)

const Pair = Type.Object(
  {
    generation: Type.Integer({ description: 'The number of the pair, from 0.' }),
    state: Type.Enum([...pairStates], {
      description:
        'unused: waiting for its first use; in_use; replaced by the next pair; revoked with its family; expired.',
    }),
    issued_at: Type.Integer(),
    issued_request_id: Nullable(Type.String()),
    first_use: Nullable(Use, 'Null: not used yet.'),
    last_use: Nullable(Use, 'Null: not used yet.'),
    access_token: OneToken,
    refresh_token: Nullable(OneToken, 'Null: a long-lived token has none.'),
    elsewhere: Nullable(Elsewhere, 'The last refusal at the address of another account. Null: none.'),
  },
  { title: 'TokenPair' },
)
export type Pair = Static<typeof Pair>

const family = {
  id: Type.String(),
  integration: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Person,
  long_lived: Nullable(Type.String({ description: 'The name of a long-lived token.' })),
  scopes: Type.Array(Type.String(), { description: 'The permissions of the tokens.' }),
  created_at: Type.Integer(),
  end: Nullable(End, 'Why the tokens are not accepted any more. Null: they are.'),
}

const TokenFamily = Type.Object(
  { ...family, newest: Nullable(Pair, 'The newest pair. Null: all pairs were deleted.') },
  {
    title: 'TokenFamily',
    description: 'The tokens of one consent.',
  },
)
export type TokenFamily = Static<typeof TokenFamily>

export const FamilyPage = Type.Object(
  {
    families: Type.Array(TokenFamily),
    next: Nullable(Type.String({ description: 'The `before` of the next page; null at the end.' })),
    can_alter: CanAlter,
  },
  { title: 'TokenFamilyPage' },
)
export type FamilyPage = Static<typeof FamilyPage>

const Fault = Type.Object(
  { kind: Type.Enum(['lost_answer', 'race']), expires_at: Type.Integer() },
  { title: 'TokenFault', description: 'What happens to the next refreshes.' },
)

export const FamilyHistory = Type.Object(
  {
    ...family,
    pairs: Type.Array(Pair, { description: 'The newest first.' }),
    next: Nullable(Type.Integer({ description: 'The `before` of older pairs; null at the end.' })),
    secret_regenerated: Nullable(
      Type.Object(
        {
          at: Seconds,
          by: Nullable(Person, 'The person who did it. Null: the integration belongs to another account.'),
        },
        {
          description:
            'The last time that the secret of the integration was regenerated since. Tokens stay valid; a refresh needs the new secret.',
        },
      ),
    ),
    uses_are_exact: Type.Boolean({ description: 'If not, the last use can be a minute old.' }),
    faults: Type.Array(Fault),
    can_alter: CanAlter,
  },
  { title: 'TokenFamilyHistory' },
)
export type FamilyHistory = Static<typeof FamilyHistory>

const account = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\u0000]*$',
    description: 'The subdomain of the account, if the host does not name it.',
  }),
)

export const AccountQuery = Type.Object({ account })

export const FamilyQuery = Type.Object({
  account,
  integration: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[^\\u0000]*$',
      description: 'The id of the integration.',
    }),
  ),
  before: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}_[0-9a-f-]{36}$',
      description: 'The `next` of the previous page.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
})
export type FamilyQuery = Static<typeof FamilyQuery>

const MAX_GENERATION = 1_000_000_000

export const PairQuery = Type.Object({
  account,
  before: Type.Integer({
    minimum: 0,
    maximum: MAX_GENERATION,
    default: MAX_GENERATION,
    description: 'Only older pairs than this number.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
})
export type PairQuery = Static<typeof PairQuery>

export const ByGrant = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[0-9a-f-]*$' }),
})

const generation = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_GENERATION,
    description: 'The number of the pair; by default the newest.',
  }),
)

export const Expiry = Type.Object({ token: Type.Enum(['access_token', 'refresh_token']), generation })
export type Expiry = Static<typeof Expiry>

export const Ageing = Type.Object({
  by: Type.Enum(['day', 'three_months'], { description: 'How much older the pair becomes.' }),
  generation,
})
export type Ageing = Static<typeof Ageing>

/** The longest time for which a fault is armed, in seconds. */
const LONGEST_FAULT = 600
export const Arming = Type.Object({
  timeout: Type.Integer({
    minimum: 1,
    maximum: LONGEST_FAULT,
    default: 60,
    description: 'For how many seconds it waits for refreshes.',
  }),
})

/** Longer than any token of this server, so that more is no token. */
const LONGEST_TOKEN = 4_096
export const Pasted = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: LONGEST_TOKEN,
    description: 'A token or an authorization code.',
  }),
})

const unknowns = ['not_issued', 'malformed', 'deleted', 'renewed', 'other_kind'] as const

export const Explanation = Type.Object(
  {
    sentence: Type.String({ description: 'What became of it, in English.' }),
    kind: Nullable(Type.Enum(['access_token', 'refresh_token', 'code']), 'Null: it is not known.'),
    is_long_lived: Type.Boolean(),
    state: Type.Enum(['valid', 'expired', 'replaced', 'revoked', 'unknown']),
    unknown: Nullable(
      Type.Enum([...unknowns], {
        description:
          'Why it is unknown: not issued to this account; cut or changed; deleted long after its end; an access token that was renewed before its first use; a secret of another kind.',
      }),
    ),
    end: Nullable(End, ACCEPTED),
    consent_end: Nullable(End, 'Why no token of the consent is accepted any more. Null: they are.'),
    grant_id: Nullable(Type.String()),
    generation: Nullable(Type.Integer()),
    integration: Nullable(
      Type.Object({ id: Type.String(), name: Type.String() }),
      'The integration that has it. Null: it is not known.',
    ),
    issued_at: Nullable(Type.Integer()),
    issued_request_id: Nullable(Type.String()),
    expires_at: Nullable(Type.Integer()),
    last_use: Nullable(Use, 'Null: not used yet.'),
    elsewhere: Nullable(Elsewhere, 'The last refusal at the address of another account. Null: none.'),
    waiting_pair: Nullable(
      Type.Object(
        { at: Seconds, request_id: Nullable(Type.String(), 'The id of the request that issued it.') },
        {
          description:
            'The next pair, which was issued and not used yet. A repeated refresh returns it again.',
        },
      ),
    ),
  },
  { title: 'TokenExplanation' },
)
export type Explanation = Static<typeof Explanation>
