import { type Static, type TSchema, Type } from 'typebox'
import { tokenReasons } from '../integrations/tokens/token-reason-types.ts'

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Word = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$', description }))

export const ById = Type.Object({ id: Id })

/** The filters of the rows of the log. */
const filters = {
  account: Word('The subdomain of the account, if the host does not name it.'),
  direction: Type.Optional(
    Type.Enum(['in', 'out'], { description: 'Requests to the server, or attempts of the server.' }),
  ),
  integration: Word('The id of the integration.'),
  operation: Word('The operation of the API description, or the kind of an attempt.'),
  method: Word('The method in capital letters.'),
  path: Word('The whole path, without the query.'),
  status: Type.Optional(
    Type.String({
      pattern: '^([1-5](xx|[0-9]{2})|none)$',
      description: 'A status, a class such as `4xx`, or `none`: there was no answer.',
    }),
  ),
  text: Word('A text in the path, the query or a body, in the same case.'),
  request_id: Word('The `X-Request-Id`: a request and the attempts that it caused.'),
  unread: Type.Optional(
    Type.Boolean({ default: false, description: 'Only requests with members that nothing reads.' }),
  ),
  refused: Type.Optional(
    Type.Boolean({ default: false, description: 'Only requests with a status from 400 to 499.' }),
  ),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only newer rows than this id.',
    }),
  ),
}

export const RequestQuery = Type.Object({
  ...filters,
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only older rows than this id: the `next` of the previous page.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
})
export type RequestQuery = Static<typeof RequestQuery>

/** The longest wait in seconds. */
export const LONGEST_WAIT = 30

const { text: _text, ...compared } = filters
export const WaitQuery = Type.Object({
  ...compared,
  count: Type.Integer({ minimum: 1, maximum: 100, default: 1, description: 'How many must have happened.' }),
  timeout: Type.Integer({ minimum: 0, maximum: LONGEST_WAIT, default: 5, description: 'In seconds.' }),
})
export type WaitQuery = Static<typeof WaitQuery>

export const AccountQuery = Type.Object({ account: filters.account })

const DeadToken = Type.Object(
  {
    kind: Type.Enum(['access_token', 'refresh_token', 'code']),
    state: Type.Enum(['valid', 'expired', 'replaced', 'revoked', 'unknown', 'missing']),
    reason: Nullable(Type.Enum([...tokenReasons], { description: 'Why it is dead.' })),
    at: Nullable(Type.Integer({ description: 'When the state began.' })),
    by: Type.Optional(Nullable(Type.Integer({ description: 'The person who ended it; 0 if none did.' }))),
    caused_by: Nullable(Type.String({ description: 'The id of the request that caused it.' })),
    used_by: Nullable(
      Type.String({ description: 'The id of the request that first used the pair that replaced it.' }),
    ),
  },
  { title: 'DeadToken' },
)

const RefusedSignature = Type.Object(
  {
    recipe: Type.String({ description: 'The recipe that was meant, as in the check of signatures.' }),
    mistakes: Type.Array(
      Type.Object({
        id: Type.String(),
        detail: Nullable(Type.String({ description: 'What it is about, such as the other method.' })),
      }),
    ),
    is_explained: Type.Boolean({ description: 'It is known how the signature was made.' }),
  },
  { title: 'RefusedSignature', description: 'Which mistake is in the signature, if it was looked for.' },
)

const Refused = Type.Object(
  {
    rule: Type.String({ description: 'The rule in a sentence.' }),
    code: Nullable(Type.String({ description: 'The code of the problem.' })),
    docs: Type.String({ description: 'The address of the rule in the documentation of this server.' }),
    token: Type.Union([DeadToken, Type.Null()], {
      description: 'What became of the token. Null: the reason is another one.',
    }),
    faults: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'The member, dotted; empty for the whole body.' }),
          detail: Type.String({ description: 'What is wrong with it, in a sentence.' }),
        }),
        { description: 'What is wrong with the input: the first five faults.' },
      ),
    ),
    signature: Type.Optional(RefusedSignature),
  },
  { title: 'Refused' },
)

const listed = {
  id: Type.Integer(),
  at: Type.Integer({ description: 'Milliseconds.' }),
  duration_ms: Type.Integer(),
  direction: Type.Enum(['in', 'out'], {
    description: 'A request to the server, or an attempt of the server.',
  }),
  method: Type.String(),
  host: Type.String(),
  path: Type.String(),
  query: Type.String(),
  operation: Nullable(
    Type.String({ description: 'The operation of the API description, or the kind of an attempt.' }),
  ),
  integration_id: Nullable(Type.String()),
  user_id: Nullable(Type.Integer({ description: 'The user whose rights it had. Null: none.' })),
  grant_id: Nullable(Type.String({ description: 'The consent of the token.' })),
  generation: Nullable(Type.Integer({ description: 'The number of the token in its consent.' })),
  request_id: Type.String({ description: 'The `X-Request-Id`; for an attempt, that of its cause.' }),
  status: Nullable(Type.Integer({ description: 'null: there was no answer.' })),
  error: Nullable(Type.String({ description: 'Why there was no answer.' })),
  unread: Type.Array(Type.String(), { description: 'Members and parameters that nothing reads.' }),
  why: Type.Union([Refused, Type.Null()], { description: 'Why it was refused. Null: it was not.' }),
}

const SIZE = 'The whole size in bytes.'

/** A row of a list. */
export const LoggedRequest = Type.Object(
  {
    ...listed,
    request_size: Type.Integer({ description: SIZE }),
    response_size: Type.Integer({ description: SIZE }),
  },
  { title: 'LoggedRequest' },
)
export type LoggedRequest = Static<typeof LoggedRequest>

const LoggedMessage = Type.Object(
  {
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Secrets are replaced by their kind and their last four characters.',
    }),
    body: Nullable(
      Type.String({ description: 'At most 64 KiB. null: there is none, it is no text, or it is not kept.' }),
    ),
    size: Type.Integer({ description: SIZE }),
    is_cut: Type.Boolean({ description: 'The body is longer than what is shown.' }),
  },
  { title: 'LoggedMessage' },
)

/** A row with both sides of its exchange. */
export const LoggedExchange = Type.Object(
  { ...listed, request: LoggedMessage, response: LoggedMessage },
  { title: 'LoggedExchange' },
)
export type LoggedExchange = Static<typeof LoggedExchange>

export const RequestPage = Type.Object(
  {
    requests: Type.Array(LoggedRequest),
    next: Nullable(Type.Integer({ description: 'The `before` of the next page; null at the end.' })),
    dropped: Type.Integer({
      description:
        'Requests of all accounts that this process did not record, because too many were waiting.',
    }),
  },
  { title: 'LoggedRequestPage' },
)
export type RequestPage = Static<typeof RequestPage>

export const FoundRequests = Type.Object({ requests: Type.Array(LoggedExchange) }, { title: 'FoundRequests' })

/** The largest number of days. */
export const MOST_DAYS = 30

export const Setting = Type.Object(
  {
    is_on: Type.Boolean(),
    days: Type.Integer({ minimum: 1, maximum: MOST_DAYS, description: 'How long rows are kept.' }),
    keeps_bodies: Type.Boolean(),
  },
  { title: 'RequestLogSetting' },
)
