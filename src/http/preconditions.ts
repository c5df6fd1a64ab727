import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../errors.ts'

/**
 * The versions that `If-Match` (RFC 9110, 13.1.1) allows to be overwritten; null for any. A compressing proxy marks
 * tags as weak, so weak tags are accepted.
 */
export function expectedVersions({ headers }: Pick<FastifyRequest, 'headers'>): string[] | null {
  const header = headers['if-match']
  if (header === undefined || header.trim() === '*') return null
  const tags = tagsIn(header)
  if (tags.length === 0)
    throw invalid('If-Match', 'InvalidFormat', 'If-Match must contain the quoted value of ETag.')
  return tags
}

/** The entity tags of a header without their quotes, weak ones included. */
const tagsIn = (header: string): string[] =>
  [...header.matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, tag]) => tag as string)

/** Whether the client has this version already, so that the answer is 304 (`If-None-Match`, RFC 9110, 13.1.2). */
export function isKnown({ headers }: Pick<FastifyRequest, 'headers'>, version: string): boolean {
  const header = headers['if-none-match']
  return header !== undefined && (header.trim() === '*' || tagsIn(header).includes(version))
}

/** Sends the version of the answer (RFC 9110, 8.8.3). */
export const setETag = (reply: FastifyReply, version: string): FastifyReply =>
  reply.header('etag', `"${version}"`)

/** The description of a write that can be conditional. */
export const conditional = {
  description: 'The response has an `ETag` for the next write.',
  requestHeaders: {
    'If-Match': 'The `ETag` of the record that was read. A later change is not overwritten.',
  },
  otherResponses: {
    412: { description: 'The record has changed since. Nothing was written.', problem: true },
  },
} as const
