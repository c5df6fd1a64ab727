import Fastify from 'fastify'
import type { Config } from '../../config.ts'
import type { JsonSchema } from '../../http/operation.ts'
import { description, version } from '../../package.ts'
import { type Components, createComponents } from './components.ts'
import { type DescribedSurface, surfaceOf, webSurface } from './described-surfaces.ts'
import { readExamples } from './examples.ts'
import { introduction } from './introduction.ts'
import { operationOf, urlOf } from './operations.ts'
import { securitySchemes } from './security-schemes.ts'
import type { ServedRoute } from './served-routes.ts'
import { type Operation, type Response, withSharedParts } from './shared-parts.ts'
import { tags } from './tags.ts'

/** An OpenAPI 3.1 document, as far as the program and its tests read it. */
export interface OpenApi {
  openapi: '3.1.1'
  info: Record<string, unknown>
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
  } & Record<string, unknown>
}

/** Describes every route with an operationId, from the schemas by which it validates requests and writes responses. */
export async function describe(
  routes: readonly ServedRoute[],
  config: Pick<Config, 'public_url' | 'auth_url'>,
): Promise<OpenApi> {
  const described = routes.filter(({ url, schema }) => schema.operationId !== undefined && surfaceOf(url))
  const components = createComponents()
  const document = await collect(described, surfaceOf, components, config)
  const finished = withSharedParts(document, described, components, await readExamples())
  const used = new Set(described.flatMap(({ schema }) => schema.tags ?? []))
  return {
    ...finished,
    tags: tags.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(finished.paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/**
 * Describes the routes that only the web application has. The types of its client are generated from this document, which
 * is not published.
 */
export async function describeWeb(
  routes: readonly ServedRoute[],
  config: Pick<Config, 'public_url' | 'auth_url'>,
): Promise<OpenApi> {
  const components = createComponents()
  const own = routes.filter(({ url }) => /^\/web\/(?!v4\/|drive\/)\w/.test(url))
  const document = await collect(own, () => webSurface, components, config)
  return { ...document, components: { ...document.components, schemas: components.all } }
}

/**
 * The document of a server that answers nothing and is closed again. The plugin keeps its routes and its document as long as its server
 * lives, and the server that answers requests needs neither of them.
 */
async function collect(
  routes: readonly ServedRoute[],
  surfaceAt: (url: string) => DescribedSurface | undefined,
  components: Components,
  config: Pick<Config, 'public_url' | 'auth_url'>,
): Promise<OpenApi> {
  const { default: swagger } = await import('@fastify/swagger')
  const app = Fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true).setSerializerCompiler(() => () => '')
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Patchbay',
        version,
        summary: description,
        description: introduction(config),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [
        { url: '/', description: 'The address from which this document was read.' },
        { url: config.public_url, description: 'The address of the server. The token selects the account.' },
      ],
      components: { securitySchemes: securitySchemes(config) },
    },
    stripBasePath: false,
    convertConstToEnum: false,
  })
  for (const route of routes) {
    const surface = surfaceAt(route.url)
    if (!surface) continue
    app.route({
      method: route.method,
      url: urlOf(route),
      schema: operationOf(components, surface, route),
      handler: () => {},
    })
  }
  await app.ready()
  const document = app.swagger() as unknown as OpenApi
  await app.close()
  return document
}
