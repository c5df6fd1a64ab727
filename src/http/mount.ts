import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'

/**
 * Adds routes to the context of their surface. Routes with hooks or parsers must be registered instead, which creates a
 * context. Each context adds a fraction of a millisecond to the start of the program.
 */
export const mount = (surface: FastifyInstance, routes: FastifyPluginAsyncTypebox): Promise<void> =>
  routes(surface.withTypeProvider(), {})
