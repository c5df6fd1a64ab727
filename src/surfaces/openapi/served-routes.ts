import type { FastifyInstance, HTTPMethods } from 'fastify'

/** A JSON Schema of the 2020-12 draft, which is what OpenAPI 3.1 writes schemas in, and what TypeBox makes. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A route as it was mounted, with what it validates with and what it writes its answers by. */
export interface ServedRoute {
  method: string
  /** In the router's spelling, with its prefix: `/api/v4/leads/:id`. */
  url: string
  params?: JsonSchema
  querystring?: JsonSchema
  body?: JsonSchema
  response?: Record<string, JsonSchema>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route that was mounted since watchRoutes was called. */
    servedRoutes: ServedRoute[]
  }
}

/** Keeps every route that is mounted from now on; the list grows as the surfaces are. */
export function watchRoutes(app: FastifyInstance): void {
  app.decorate('servedRoutes', [])
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    const { params, querystring, body, response } = schema as Omit<ServedRoute, 'method' | 'url'>
    for (const name of [method].flat() as HTTPMethods[])
      if (name !== 'HEAD') app.servedRoutes.push({ method: name, url, params, querystring, body, response })
  })
}
