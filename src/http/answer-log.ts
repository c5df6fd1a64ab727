import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { levelOf, refusalOf } from './problems/problem.ts'

/** The framework's own lines of the log. Requests have lines of ours. */
export class AnswerLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: 'request_id' })
  }

  /**
   * Logs why an answer broke off whose status was sent already, such as a download of which a blob is damaged: the client only
   * sees that the connection ends. That the client itself has left is no fault.
   */
  override streamError(error: NodeJS.ErrnoException, request: FastifyRequest, reply: FastifyReply): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error === reply.raw.errored) return
    const refusal = refusalOf(error, request)
    const level = refusal ? levelOf(refusal) : 'error'
    request.log[level]({ err: refusal?.cause ?? error }, 'an answer broke off')
  }
}
