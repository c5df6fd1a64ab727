import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { isCutOff, reasons, refusalOf } from '../http/problem.ts'

/**
 * Renders every refusal in the form that channel providers know (C4); every other error is a 500 with a constant
 * sentence.
 */
export function chatErrorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = isCutOff(error, request)
    ? new Refusal('invalid', 'The body is incomplete.')
    : refusalOf(error, request)
  if (!refusal) request.log.error({ err: error }, 'unexpected error')
  if (refusal?.cause) request.log.info({ err: refusal.cause }, refusal.message)
  if (refusal?.retry_after !== undefined) reply.header('retry-after', refusal.retry_after)
  const status = refusal ? reasons[refusal.reason].status : 500
  reply
    .code(status)
    .type('application/json')
    .serializer(JSON.stringify)
    .send({
      status: 0,
      error_code: status,
      error_type: refusal ? refusal.code.toUpperCase() : 'INTERNAL',
      error_description: refusal
        ? refusal.message
        : `Something went wrong on our side. The request id is ${request.id}.`,
      ...(refusal && refusal.faults.length > 0 && { errors: refusal.faults.map(placed) }),
    })
}

const placed = ({ path, code, detail }: Refusal['faults'][number]) => ({ path, code, detail })
