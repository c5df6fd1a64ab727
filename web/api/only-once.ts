import { newKey } from './keys.ts'
import { mayBeDone } from './problem.ts'

interface Sent {
  key: string
  body: unknown
}

/** The writes that the server may have done, by name. */
const unanswered = new Map<string, Sent>()

/**
 * Sends a write that adds something. A write that may have been done is repeated with the body and the idempotency key of the
 * first time, so that a person who tries again does not add the same thing twice. `name` tells what is added.
 */
export async function onlyOnce<Body, Data>(
  name: unknown,
  body: Body,
  send: (body: Body, header: { 'Idempotency-Key': string }) => Promise<Data>,
): Promise<Data> {
  const id = JSON.stringify(name)
  const sent = unanswered.get(id) ?? { key: newKey(), body }
  unanswered.delete(id)
  try {
    return await send(sent.body as Body, { 'Idempotency-Key': sent.key })
  } catch (error) {
    if (mayBeDone(error)) unanswered.set(id, sent)
    throw error
  }
}
