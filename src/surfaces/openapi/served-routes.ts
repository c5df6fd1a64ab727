import type { FastifyInstance, FastifySchema } from 'fastify'

/** A route as it was mounted. */
export interface ServedRoute {
  method: string
  /** In the router's notation, with its prefix: `/api/v4/leads/:id`. */
  url: string
  schema: FastifySchema
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route that was mounted since watchRoutes was called. */
    servedRoutes: ServedRoute[]
  }
}

/** Records every route that is mounted from now on. */
export function watchRoutes(app: FastifyInstance): void {
  app.decorate('servedRoutes', [])
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    for (const name of [method].flat()) app.servedRoutes.push({ method: name, url, schema })
  })
}
