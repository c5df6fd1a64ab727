import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'

export const sign = (secret: string, body: string | Buffer): string =>
  createHmac('sha1', secret).update(body).digest('hex')

/** The members of a push that a floor reads. */
export interface Pushed {
  payload: { msgid: string; conversation_id: string; timestamp: number; message: { text: string } }
}

/** A server that verifies the signature of each push and passes on its body. */
export function servePushes(secret: string, take: (body: Buffer) => Promise<object>): FastifyInstance {
  const app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.get('/ready', async () => ({ status: 'ready' }))
  app.post('/push', async (request, reply) => {
    const body = request.body as Buffer
    const given = Buffer.from(String(request.headers['x-signature']))
    const expected = Buffer.from(sign(secret, body))
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return reply.code(403).send({})
    return take(body)
  })
  return app
}
