import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { invalid, Refusal } from '../../errors.ts'
import { createStreams, recentMs } from '../../events/events.ts'
import { chatReaders } from '../conversations/chat-rights.ts'
import { type ChatStreamStart, changesText, chatChanges } from './chat-stream.ts'

const STREAM = 'text/event-stream'
/** A client that accepts anything gets a page. */
const forms = ['application/hal+json', 'application/json', STREAM]

/** Whether the client prefers a stream of changes. */
export const asksForStream = ({ raw }: FastifyRequest): boolean =>
  new Negotiator(raw).mediaType(forms) === STREAM

/** Sends the changes of chats as a stream, which ends when the client loses its rights. */
export function sendChanges(ctx: Context, v4: FastifyInstance) {
  const streams = createStreams(ctx, 'chat streams')
  v4.addHook('preClose', async () => streams.end())

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const start = startOf(request)
    const readers = chatReaders(ctx, async () => {
      const actor = await request.renewActor()
      requirePaid(ctx, actor)
      return actor
    })
    const texts = async function* (signal: AbortSignal) {
      yield 'retry: 2000\n\n'
      try {
        for await (const changes of chatChanges(ctx, readers, start, signal)) yield changesText(changes)
      } catch (error) {
        // The client reconnects and gets the refusal.
        if (!(error instanceof Refusal)) throw error
      }
    }
    // A proxy that buffers the response would hold the stream back.
    reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
    reply.type(`${STREAM}; charset=utf-8`)
    return reply.send(await streams.begin(request.actor, reply.raw, texts))
  }
}

const startOf = (request: FastifyRequest): ChatStreamStart => {
  const since = lastEventId(request)
  return since === null ? { recent: Math.ceil(recentMs(request.query) / 1000) } : { since }
}

/** The time up to which a broken stream was received; null if there is none. */
function lastEventId({ headers }: FastifyRequest): number | null {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return null
  if (typeof id !== 'string' || !/^\d{1,12}$/.test(id))
    throw invalid(
      'Last-Event-ID',
      'InvalidFormat',
      'Last-Event-ID should be the id of an event of this stream.',
    )
  return Number(id)
}
