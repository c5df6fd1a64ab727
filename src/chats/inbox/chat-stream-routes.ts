import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { invalid, Refusal } from '../../errors.ts'
import { createStreams } from '../../events/events.ts'
import { chatReaders } from '../conversations/chat-rights.ts'
import { changesText, chatChanges } from './chat-stream.ts'

const STREAM = 'text/event-stream'
/** A page comes first: it is what a caller gets who takes anything. */
const forms = ['application/hal+json', 'application/json', STREAM]

/** Whether the list is asked for as a stream of its changes, by what the caller takes best. */
export const asksForStream = ({ raw }: FastifyRequest): boolean =>
  new Negotiator(raw).mediaType(forms) === STREAM

/** Answers the list of chats as a stream of changes, which ends when the caller may not read any more. */
export function sendChanges(ctx: Context, v4: FastifyInstance) {
  const streams = createStreams(ctx.metrics.streams)
  v4.addHook('preClose', async () => streams.end())

  return (request: FastifyRequest, reply: FastifyReply) => {
    const since = lastEventId(request)
    const readers = chatReaders(ctx, async () => {
      const actor = await request.renewActor()
      requirePaid(ctx, actor)
      return actor
    })
    const texts = async function* (signal: AbortSignal) {
      yield 'retry: 2000\n\n'
      try {
        for await (const changes of chatChanges(ctx, readers, since, signal)) yield changesText(changes)
      } catch (error) {
        // He asks again, and is told why not.
        if (!(error instanceof Refusal)) throw error
      }
    }
    // A proxy that waits for the end of the answer would keep the stream to itself.
    reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
    reply.type(`${STREAM}; charset=utf-8`)
    return reply.send(streams.begin(request.actor, reply.raw, texts))
  }
}

/** The moment up to which a stream that broke had told; null to begin now. */
function lastEventId({ headers }: FastifyRequest): number | null {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return null
  if (typeof id !== 'string' || !/^\d{1,12}$/.test(id))
    throw invalid('Last-Event-ID', 'InvalidFormat', 'Last-Event-ID is the id of an event of this stream.')
  return Number(id)
}
