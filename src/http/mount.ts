import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'

/**
 * Adds routes to the context of their surface. What has hooks or parsers of its own is registered instead: that makes a
 * context for it, and every context costs a part of a millisecond of the program's start.
 */
export const mount = (surface: FastifyInstance, routes: FastifyPluginAsyncTypebox): Promise<void> =>
  routes(surface.withTypeProvider(), {})
