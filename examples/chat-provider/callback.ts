import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isSignedBy } from './signature.ts'

/** A message of the account: the platform's webhook payload, and the headers that stay the same in a repetition. */
export interface Callback {
  webhook_id: string
  /** The id for status reports. */
  message_id: string
  receiver: string
  conversation_id: string
  type: 'text' | 'picture' | 'file'
  text: string
  media?: string
  thumbnail?: string
  file_name?: string
  file_size?: number
}

/** Why a request is rejected. */
export class BadRequest extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const LIMIT = 256 * 1024

/** The raw bytes. A body that was parsed and serialised again would have a different signature. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > LIMIT) throw new BadRequest(413, 'too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Rejects what the platform requires to be rejected: other methods, empty bodies, wrong signatures, invalid JSON. */
export async function readCallback(request: IncomingMessage, secret: string): Promise<Callback> {
  if (request.method !== 'POST') throw new BadRequest(405, 'only POST')
  const body = await readBody(request)
  if (body.length === 0) throw new BadRequest(400, 'no body')
  // Verified before parsing, so that nobody else reaches the parser.
  if (!isSignedBy(secret, body, String(request.headers['x-signature'])))
    throw new BadRequest(403, 'bad signature')
  const { 'webhook-id': webhook_id = randomUUID(), 'x-message-id': message_id = '' } = request.headers
  return { ...parse(body), webhook_id, message_id }
}

export function parse(body: Buffer) {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new BadRequest(400, 'no JSON')
  }
}
