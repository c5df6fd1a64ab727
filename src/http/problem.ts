import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isContention } from '../db/dialect.ts'
import { type Fault, type Reason, Refusal } from '../errors.ts'

/** A refusal in the form of RFC 9457, with the members that clients of the platform read (V1). */
export interface Problem {
  title: string
  type: string
  status: number
  detail: string
  retry_after?: number
  'validation-errors'?: { request_id: string; errors: Omit<Fault, 'request_id'>[] }[]
}

/** Each reason on the wire, and what the reader of its documentation is told. */
export const reasons: Record<Reason, { status: number; title: string; meaning: string }> = {
  invalid: {
    status: 400,
    title: 'Bad Request',
    meaning:
      'The request does not hold what this address takes. Each entry of validation-errors names an item, a place in it and what is wrong there.',
  },
  not_authorized: {
    status: 401,
    title: 'Unauthorized',
    meaning:
      'There is no valid access token, or the installation it came from was switched off. Refresh the pair, or ask for permission again.',
  },
  unpaid: { status: 402, title: 'Payment Required', meaning: 'The account is not paid.' },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    meaning:
      'The person whose rights the request acts with may not do this, or the token lacks the permission.',
  },
  not_found: {
    status: 404,
    title: 'Not Found',
    meaning: 'There is nothing at this address that the person may see.',
  },
  conflict: { status: 409, title: 'Conflict', meaning: 'The request contradicts what is stored.' },
  changed: {
    status: 412,
    title: 'Precondition Failed',
    meaning: 'What If-Match says was read is not what is stored any more. Read it again, and then decide.',
  },
  too_large: {
    status: 413,
    title: 'Payload Too Large',
    meaning: 'The body is larger than this address takes.',
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
}

/** Fastify's own refusals, by its stable codes. What is in neither table is a fault of ours. */
const frameworkReasons: Record<string, Reason> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid',
  FST_ERR_BAD_URL: 'invalid',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid',
}

/** Whether the caller went away, or was cut off, before the end of the body: then there is nobody to answer. */
export const isCutOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.errored !== null && error === raw.errored

/** The refusal in an error, or undefined when it is no refusal but a fault of ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (isContention(error))
    return new Refusal('unavailable', 'Others are writing the same. Repeat the request.', {
      retry_after: 1,
      cause: error,
    })
  const reason = frameworkReasons[(error as FastifyError | undefined)?.code ?? '']
  return reason && new Refusal(reason, (error as Error).message)
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

/** Where the errors are documented, on the address that was asked. */
export const docsOf = (request: FastifyRequest): string => `${request.protocol}://${request.host}/docs/errors`

/** Renders every refusal as a problem document; anything else is a 500 with a constant sentence. */
export function problemHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = isCutOff(error, request)
    ? new Refusal('invalid', 'The body did not come to its end.')
    : refusalOf(error)
  if (refusal) {
    if (refusal.cause) request.log.info({ err: refusal.cause }, refusal.message)
    sendProblem(reply, problemOf(refusal, docsOf(request)))
    return
  }
  request.log.error({ err: error }, 'unexpected error')
  sendProblem(reply, {
    title: 'Internal Server Error',
    type: `${docsOf(request)}#internal`,
    status: 500,
    detail: `Something went wrong on our side. The request id is ${request.id}.`,
  })
}

export function notFoundHandler(request: FastifyRequest, reply: FastifyReply): void {
  const address = `${request.protocol}://${request.host}${request.url.split('?')[0]}`
  sendProblem(
    reply,
    problemOf(new Refusal('not_found', `Cannot ${request.method} ${address}`), docsOf(request)),
  )
}

export function sendProblem(reply: FastifyReply, problem: Problem): void {
  if (problem.retry_after !== undefined) reply.header('retry-after', problem.retry_after)
  // A serializer of its own keeps Fastify from adding a charset to the type, which clients compare exactly (V1).
  reply
    .code(problem.status)
    .header('content-type', 'application/problem+json')
    .serializer(JSON.stringify)
    .send(problem)
}
