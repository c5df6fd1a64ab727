import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../errors.ts'

/**
 * The versions of which `If-Match` (RFC 9110, 13.1.1) allows a write; null when any will do. A proxy that compresses marks
 * a tag as weak: it is the same version for all that.
 */
export function expectedVersions({ headers }: Pick<FastifyRequest, 'headers'>): string[] | null {
  const header = headers['if-match']
  if (header === undefined || header.trim() === '*') return null
  const tags = [...header.matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, tag]) => tag as string)
  if (tags.length === 0)
    throw invalid('If-Match', 'InvalidFormat', 'If-Match holds what ETag said, in its quotes.')
  return tags
}

/** Tells the version of what is answered (RFC 9110, 8.8.3). */
export const setETag = (reply: FastifyReply, version: string): FastifyReply =>
  reply.header('etag', `"${version}"`)
