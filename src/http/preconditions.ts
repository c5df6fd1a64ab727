import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../errors.ts'

/**
 * The versions that `If-Match` (RFC 9110, 13.1.1) allows to be overwritten; null for any. A compressing proxy marks
 * tags as weak, so weak tags are accepted.
 */
export function expectedVersions({ headers }: Pick<FastifyRequest, 'headers'>): string[] | null {
  const header = headers['if-match']
  if (header === undefined || header.trim() === '*') return null
  const tags = [...header.matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, tag]) => tag as string)
  if (tags.length === 0)
    throw invalid('If-Match', 'InvalidFormat', 'If-Match must contain the quoted value of ETag.')
  return tags
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
