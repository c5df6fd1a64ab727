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
