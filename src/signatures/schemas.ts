import { type Static, type TSchema, Type } from 'typebox'
import { mistakes } from './mistake-types.ts'
import { recipes } from './recipes.ts'

const Nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** The largest body of a checked request, in characters and in bytes. */
export const LARGEST_BODY = 262_144
const LONGEST_LINE = 8_192
const MOST_HEADERS = 100

const Word = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))

export const AccountQuery = Type.Object({
  account: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000]*$',
      description: 'The subdomain of the account, if the host does not name it.',
    }),
  ),
})

/** A request whose signature is checked. */
export const CheckedRequest = Type.Object(
  {
    request: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The `id` of a recorded request. The other members replace what it has.',
      }),
    ),
    channel_id: Word('The channel. Without it, the address names it, or all channels are tried.'),
    webhook_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The webhook that sent it.',
      }),
    ),
    method: Type.Optional(
      Type.String({ minLength: 1, maxLength: 20, description: 'POST, if it is absent.' }),
    ),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_LINE,
        description: 'The path with its query, or a URL.',
      }),
    ),
    headers: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        maxProperties: MOST_HEADERS,
        additionalProperties: { type: 'string', maxLength: LONGEST_LINE },
        description: 'With X-Signature, and for the newer recipe Date, Content-MD5 and Content-Type.',
      }),
    ),
    body: Type.Optional(
      Type.String({ maxLength: LARGEST_BODY, description: 'The body as it was sent, in UTF-8.' }),
    ),
    body_base64: Type.Optional(
      Type.String({
        maxLength: Math.ceil(LARGEST_BODY / 3) * 4,
        pattern: '^[A-Za-z0-9+/]*={0,2}$',
        description: 'The bytes of the body, in the place of `body`.',
      }),
    ),
  },
  { title: 'CheckedRequest' },
)
export type CheckedRequest = Static<typeof CheckedRequest>

const Mistake = Type.Object(
  {
    id: Type.Enum(Object.keys(mistakes) as (keyof typeof mistakes)[]),
    detail: Nullable(Type.String({ description: 'What it is about, such as the other method.' })),
    sentence: Type.String(),
  },
  { title: 'SignatureMistake' },
)

const SignedText = Type.Object(
  {
    text: Type.String({ description: 'At most the first 16 KiB.' }),
    size: Type.Integer({ description: 'In bytes.' }),
    is_cut: Type.Boolean({ description: 'The text is longer than what is shown.' }),
  },
  { title: 'SignedText' },
)

export const SignatureCheck = Type.Object(
  {
    holds: Type.Boolean({ description: 'Whether the signature is right.' }),
    sentence: Type.String({ description: 'The finding.' }),
    recipe: Type.Enum(Object.keys(recipes) as (keyof typeof recipes)[], {
      description:
        'What was meant to be signed: the body (`chat_body`), the lines with method, digest, type, date and path ' +
        '(`chat_lines`), the body of a webhook (`webhook`, `webhook_standard`), or the call of a disable hook.',
    }),
    mistakes: Type.Array(Mistake, { description: 'At most two of the signature, and those of the headers.' }),
    others: Type.Array(Type.Array(Mistake), { description: 'Other explanations of the same signature.' }),
    is_explained: Type.Boolean({ description: 'It is known how the signature was made.' }),
    is_complete: Type.Boolean({ description: 'All known mistakes and all pairs of them were tried.' }),
    tried: Type.Integer({ description: 'The number of signatures that were computed.' }),
    owner: Nullable(
      Type.Object({
        kind: Type.Enum(['channel', 'webhook', 'integration']),
        id: Type.String(),
        name: Type.String(),
      }),
      'The owner of the secret. Null: it was not found.',
    ),
    expected: Nullable(SignedText, 'The text to sign. Null: the log does not have the whole body.'),
    signed: Nullable(SignedText, 'The text that was signed. Null: it was not found.'),
    difference: Nullable(
      Type.Object(
        {
          at: Type.Integer({ description: 'The first byte in which the two texts differ, from 0.' }),
          expected: Type.String({ description: 'The text from a little before this byte.' }),
          signed: Type.String(),
        },
        { title: 'SignedDifference' },
      ),
      'Where the two texts differ. Null: nowhere, or one is not known.',
    ),
    samples: Type.Object(
      {
        typescript: Type.String(),
        php: Type.String(),
        python: Type.String(),
        go: Type.String(),
        ruby: Type.String(),
      },
      { title: 'SignatureSamples', description: 'How to sign correctly in some languages.' },
    ),
  },
  { title: 'SignatureCheck' },
)
export type SignatureCheck = Static<typeof SignatureCheck>
