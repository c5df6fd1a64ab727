import type { Reason } from '../../errors.ts'
import type { JsonSchema } from '../../http/operation.ts'
import type { ServedRoute } from './served-routes.ts'
import { isPaid } from './tags.ts'

/** A surface that integrations call, and what all of its operations have in common. */
export interface DescribedSurface {
  /** The prefix of its addresses. */
  below: string
  /** The prefix of the names of its refusals among the components. */
  name: string
  /** Exactly what it sends (V1). */
  content_type: string
  refusals: { content_type: string; schema: JsonSchema }
  security: readonly Record<string, readonly string[]>[]
  /** Whether a write may carry an Idempotency-Key (V9). */
  repeats?: true
  reasons(route: ServedRoute): Reason[]
}

const text = { type: 'string' }
const whole = { type: 'integer' }
const object = (required: string[], properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required,
  properties,
})
const RetryAfter = { type: 'integer', description: 'Seconds after which the same request may succeed.' }
const Fault = object(['code', 'path', 'detail'], {
  code: { type: 'string', description: 'The stable code of the fault, such as `FieldMissing`.' },
  path: { type: 'string', description: 'The member, with dots: `custom_fields_values.0.values`.' },
  detail: { type: 'string', description: 'What is wrong with it, in a sentence.' },
})

/** The body that http/problems/problem.ts sends. */
const Problem = {
  title: 'Problem',
  ...object(['title', 'type', 'status', 'detail'], {
    title: { type: 'string', description: 'The name of the status.' },
    type: { type: 'string', description: 'A URL. Its fragment is the stable code of the problem.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong, in a sentence for a developer.' },
    retry_after: RetryAfter,
    'validation-errors': {
      type: 'array',
      description: 'The items that are at fault. Absent if the request is refused as a whole.',
      items: object(['request_id', 'errors'], {
        request_id: { type: 'string', description: 'The `request_id` of the item, or its index.' },
        errors: {
          type: 'array',
          items: Fault,
        },
      }),
    },
  }),
}

/** The body that integrations/oauth/token-routes.ts sends: the members of the platform, and OAuth's beside them (A3). */
const OAuthProblem = {
  title: 'OAuthProblem',
  ...object(['hint', 'title', 'type', 'status', 'detail', 'error', 'error_description'], {
    hint: {
      type: 'string',
      description: 'The sentence of the platform, by which clients tell the causes apart.',
    },
    title: text,
    type: { type: 'string', description: 'A URL. Its fragment is the stable code of the problem.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong, in a sentence for a developer.' },
    error: { type: 'string', description: 'The code of RFC 6749, such as `invalid_grant`.' },
    error_description: { type: 'string', description: 'What is wrong, for generic OAuth clients.' },
    retry_after: RetryAfter,
  }),
}

/** The body that surfaces/legacy.ts sends. */
const LegacyProblem = {
  title: 'LegacyProblem',
  ...object(['response'], {
    response: object(['error', 'error_code', 'server_time'], {
      error: { type: 'string', description: 'What is wrong, in a sentence.' },
      error_code: {
        type: 'integer',
        description: 'A number of the platform: 110 is no valid sign-in, 244 no right.',
      },
      server_time: whole,
    }),
  }),
}

/** The body that surfaces/chat.ts sends. */
const ChatProblem = {
  title: 'ChatProblem',
  ...object(['status', 'error_code', 'error_type', 'error_description'], {
    status: { type: 'integer', enum: [0], description: 'Always 0.' },
    error_code: { type: 'integer', description: 'The status of the answer.' },
    error_type: { type: 'string', description: 'The stable code, such as `ORIGIN_INVALID_SIGNATURE`.' },
    error_description: { type: 'string', description: 'What is wrong, in a sentence.' },
    errors: {
      type: 'array',
      items: Fault,
    },
  }),
}

const isRead = ({ method }: ServedRoute): boolean => method === 'GET'

/** The refusals of every call, and those of writes only. */
const usual = (route: ServedRoute): Reason[] => [
  'invalid',
  'not_authorized',
  'forbidden',
  'not_found',
  'too_many',
  'unavailable',
  ...(isRead(route) ? [] : (['conflict', 'too_large', 'unsupported', 'full'] as const)),
]

const problems = { content_type: 'application/problem+json', schema: Problem }

const surfaces: DescribedSurface[] = [
  {
    below: '/api/v4',
    name: '',
    content_type: 'application/hal+json',
    refusals: problems,
    security: [{ bearer: [] }, { oauth2: ['crm'] }],
    repeats: true,
    reasons: (route) => [
      ...usual(route),
      ...(isRead(route) && isPaid(route.schema.tags) ? (['unpaid'] as const) : []),
    ],
  },
  ...['/api/v2', '/v3'].map(
    (below): DescribedSurface => ({
      below,
      name: '',
      content_type: 'application/hal+json',
      refusals: problems,
      security: [{ bearer: [] }, { oauth2: ['crm'] }],
      reasons: usual,
    }),
  ),
  {
    below: '/oauth2',
    name: 'OAuth',
    content_type: 'application/json',
    refusals: { content_type: 'application/json', schema: OAuthProblem },
    security: [],
    reasons: (route) =>
      isRead(route)
        ? ['invalid', 'not_authorized', 'too_many', 'unavailable']
        : ['invalid', 'not_authorized', 'too_large', 'unsupported', 'too_many', 'unavailable', 'full'],
  },
  {
    below: '/drive',
    name: '',
    content_type: 'application/json',
    refusals: problems,
    security: [{ bearer: [] }, { oauth2: ['files'] }],
    reasons: usual,
  },
  ...['/private/api/v2/json', '/api/unsorted'].map(
    (below): DescribedSurface => ({
      below,
      name: 'Legacy',
      content_type: 'application/json',
      refusals: { content_type: 'application/json', schema: LegacyProblem },
      security: [{ bearer: [] }, { oauth2: ['crm'] }],
      reasons: usual,
    }),
  ),
  {
    below: '/private/api',
    name: 'Legacy',
    content_type: 'application/json',
    refusals: { content_type: 'application/json', schema: LegacyProblem },
    security: [],
    reasons: usual,
  },
  {
    below: '/v2/origin/custom',
    name: 'Chat',
    content_type: 'application/json',
    refusals: { content_type: 'application/json', schema: ChatProblem },
    security: [{ signature: [] }],
    reasons: (route) => usual(route).filter((reason) => reason !== 'not_authorized'),
  },
  {
    below: '/test_helpers',
    name: '',
    content_type: 'application/json',
    refusals: problems,
    security: [{ testHelpers: [] }],
    reasons: (route) => [
      ...(['invalid', 'not_authorized', 'not_found', 'too_many', 'unavailable'] as const),
      ...(route.url.endsWith('/wait') ? (['timed_out'] as const) : []),
      ...(route.method === 'POST' ? (['conflict', 'too_large', 'unsupported'] as const) : []),
      ...(route.url.endsWith('/trigger') ? (['forbidden', 'unprocessable', 'full'] as const) : []),
    ],
  },
]

/** The routes that only the web application has. */
export const webSurface: DescribedSurface = {
  below: '/web',
  name: 'Web',
  content_type: 'application/json',
  refusals: problems,
  security: [],
  reasons: usual,
}

/** The surface of an address. Other surfaces are not described. */
export const surfaceOf = (url: string): DescribedSurface | undefined =>
  surfaces.find(({ below }) => url.startsWith(`${below}/`))
