import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, failureOf } from '../../db/failures.ts'
import { type Fault, type Reason, Refusal } from '../../errors.ts'
import { challengeOf } from './challenge.ts'

/**
 * A refusal in the form of RFC 9457, with the members that the platform's clients read (V1;
 * docs/wire/problems.md#problem-bodies).
 */
export interface Problem {
  title: string
  type: string
  status: number
  detail: string
  retry_after?: number
  'validation-errors'?: { request_id: string; errors: Omit<Fault, 'request_id'>[] }[]
}

/** The status, title and documentation of each reason. */
export const reasons: Record<Reason, { status: number; title: string; meaning: string }> = {
  invalid: {
    status: 400,
    title: 'Bad Request',
    meaning:
      'The request is invalid. If the answer has validation-errors, each entry names an item, a path in it and the fault.',
  },
  not_authorized: {
    status: 401,
    title: 'Unauthorized',
    meaning:
      'There is no valid access token, or its installation was disabled. Refresh the pair, or ask for consent again.',
  },
  unpaid: { status: 402, title: 'Payment Required', meaning: 'The account is not paid.' },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The person is not allowed to do this, or the token does not have the permission.',
  },
  not_found: {
    status: 404,
    title: 'Not Found',
    meaning: 'There is nothing at this address, or the person cannot see it.',
  },
  wrong_method: {
    status: 405,
    title: 'Method Not Allowed',
    meaning: 'The address exists, and does not accept this method.',
  },
  timed_out: {
    status: 408,
    title: 'Request Timeout',
    meaning: 'What the request waited for did not happen in time.',
  },
  conflict: { status: 409, title: 'Conflict', meaning: 'The request conflicts with the stored data.' },
  changed: {
    status: 412,
    title: 'Precondition Failed',
    meaning: 'The stored version is not the one in If-Match. Read it again before you change it.',
  },
  too_large: {
    status: 413,
    title: 'Payload Too Large',
    meaning: 'The body is larger than this address accepts.',
  },
  unsupported: {
    status: 415,
    title: 'Unsupported Media Type',
    meaning: 'The body has an encoding that this address does not accept. The detail names the header.',
  },
  unprocessable: {
    status: 422,
    title: 'Unprocessable Entity',
    meaning: 'The request is valid, and the present state of the account does not allow it.',
  },
  too_many: {
    status: 429,
    title: 'Too Many Requests',
    meaning: 'A documented limit was reached. Wait for the seconds in retry_after and repeat.',
  },
  unavailable: {
    status: 503,
    title: 'Service Unavailable',
    meaning: 'The server cannot answer now. Repeat later.',
  },
  full: {
    status: 507,
    title: 'Insufficient Storage',
    meaning: 'The server has no space to store the request. Reading still works.',
  },
}

/** Fastify's own refusals, by their stable codes. Every other error of Fastify is an internal one. */
const frameworkReasons: Record<string, Reason> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid',
  FST_ERR_BAD_URL: 'invalid',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid',
  // QUERY, the only method whose requests must have the type of their content (RFC 10008, section 2).
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'invalid',
}

/** The refusal of a request while the database is unavailable. */
const databaseRefusals: Record<
  Failure,
  { reason: Reason; message: string; code?: string; retry_after?: number }
> = {
  contention: {
    reason: 'unavailable',
    message: 'Other requests are changing the same data. Repeat the request.',
    retry_after: 1,
  },
  unavailable: {
    reason: 'unavailable',
    message: 'The database cannot be reached. Repeat the request later.',
    code: 'database_unavailable',
    retry_after: 2,
  },
  unknown: {
    reason: 'unavailable',
    message: 'The connection to the database was lost while the change was saved. It may have been saved.',
    code: 'outcome_unknown',
    retry_after: 2,
  },
  disk_full: {
    reason: 'full',
    message: 'The disk of the server is full. Nothing can be written.',
    code: 'disk_full',
    retry_after: 60,
  },
}

/** Whether the client disconnected, or was disconnected, before the end of the body. There is nobody to answer then. */
export const isCutOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.errored !== null && error === raw.errored

/** The refusal in an error; undefined for an internal error. */
export function refusalOf(error: unknown, request: FastifyRequest): Refusal | undefined {
  if (error instanceof Refusal) return error
  const failure = failureOf(error)
  if (failure) {
    const { reason, message, ...details } = databaseRefusals[failure]
    return new Refusal(reason, message, { ...details, cause: error })
  }
  const code = (error as FastifyError | undefined)?.code ?? ''
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongType(request)
  const reason = frameworkReasons[code]
  return reason && new Refusal(reason, (error as Error).message)
}

function wrongType({ headers }: FastifyRequest): Refusal {
  const found = headers['content-type']
  const what = found ? `is ${JSON.stringify(found.slice(0, 100))}` : 'is missing'
  return new Refusal('invalid', `The header Content-Type ${what}; it should be application/json.`)
}

/** The level of the log for a refusal: a warning if only the operator can mend its cause, such as a full disk. */
export const levelOf = ({ reason, cause }: Refusal): 'warn' | 'info' =>
  reason === 'full' || (reason === 'unavailable' && cause && !failureOf(cause)) ? 'warn' : 'info'

/** Logs the private cause of a refusal, if it has one. */
export function logCause({ log }: FastifyRequest, refusal: Refusal): void {
  if (refusal.cause) log[levelOf(refusal)]({ err: refusal.cause }, refusal.message)
}

export function problemOf(refusal: Refusal, docs: string): Problem {
  const { status, title } = reasons[refusal.reason]
  return {
    ...(refusal.faults.length > 0 && { 'validation-errors': byItem(refusal.faults) }),
    title,
    type: `${docs}#${refusal.code}`,
    status,
    detail: refusal.message,
    ...(refusal.retry_after !== undefined && { retry_after: refusal.retry_after }),
    ...refusal.members,
  }
}

function byItem(faults: Fault[]): Problem['validation-errors'] {
  const items = Map.groupBy(faults, ({ request_id }) => request_id)
  return [...items].map(([request_id, errors]) => ({
    request_id,
    errors: errors.map(({ code, path, detail }) => ({ code, path, detail })),
  }))
}

/** The documentation of the errors, at the requested address. */
export const docsOf = (request: FastifyRequest): string => `${request.origin}/docs/errors`

/** Renders a refusal as a problem document, and every other error as a 500 with a constant sentence. */
export function problemHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // An address that does not match its route's schema is unknown.
  if ((error as FastifyError | undefined)?.validationContext === 'params') {
    notFoundHandler(request, reply)
    return
  }
  sendProblem(reply, problemOfError(error, request, reply))
}

/** The body of the answer to an error. Logs the error and sets the headers of the answer. */
export function problemOfError(error: unknown, request: FastifyRequest, reply: FastifyReply): Problem {
  const refusal = isCutOff(error, request)
    ? new Refusal('invalid', 'The body is incomplete.')
    : refusalOf(error, request)
  if (refusal) {
    logCause(request, refusal)
    const challenge = challengeOf(refusal)
    if (challenge) reply.header('www-authenticate', challenge)
    return problemOf(refusal, docsOf(request))
  }
  request.log.error({ err: error }, 'unexpected error')
  return {
    title: 'Internal Server Error',
    type: `${docsOf(request)}#internal`,
    status: 500,
    detail: `Something went wrong on our side. The request id is ${request.id}.`,
  }
}

/** Refuses a request to an unknown address, or with a method that the address does not accept. */
export function notFoundHandler(request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?')[0] as string
  const sentence = `Cannot ${request.method} ${request.origin}${path}`
  const methods = request.server.methodsOf(path)
  const isUnknown = methods.length === 0 || methods.includes(request.method)
  if (!isUnknown) reply.header('allow', methods.join(', '))
  const refusal = isUnknown
    ? new Refusal('not_found', sentence)
    : new Refusal('wrong_method', `${sentence}. This address accepts ${methods.join(', ')}.`)
  sendProblem(reply, problemOf(refusal, docsOf(request)))
}

export function sendProblem(reply: FastifyReply, problem: Problem): void {
  if (problem.retry_after !== undefined) reply.header('retry-after', problem.retry_after)
  // A custom serializer keeps Fastify from adding a charset to the type, which clients compare exactly (V1).
  reply
    .code(problem.status)
    .header('content-type', 'application/problem+json')
    .serializer(JSON.stringify)
    .send(problem)
}
