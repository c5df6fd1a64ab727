import { readFileSync } from 'node:fs'
import type { Config } from '../../config.ts'
import type { Answer } from './answers.ts'
import { createComponents } from './components.ts'
import { describedSurfaces } from './described-surfaces.ts'
import { type Operation, operationOf, pathOf } from './operations.ts'
import type { JsonSchema, ServedRoute } from './served-routes.ts'
import { subjects } from './subjects.ts'

/** An OpenAPI 3.1 document, as far as its readers here look into it. */
export interface OpenApi {
  openapi: '3.1.1'
  info: Record<string, unknown>
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Answer>
  } & Record<string, unknown>
}

const { version, description } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string; description: string }

/** Describes every route that is below a described surface: from the schemas by which it validates and answers. */
export function describe(
  routes: readonly ServedRoute[],
  config: Pick<Config, 'public_url' | 'auth_url'>,
): OpenApi {
  const components = createComponents()
  const paths: OpenApi['paths'] = {}
  const refusals: Record<string, Answer> = {}
  for (const route of routes) {
    const surface = describedSurfaces.find(({ below }) => route.url.startsWith(`${below}/`))
    // What catches the rest of the addresses is no operation.
    if (!surface || (route.url.endsWith('/*') && !route.params)) continue
    const path = pathOf(route.url)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(components, surface, route, refusals)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Patchbay',
      version,
      summary: description,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/', description: 'The address under which this document was read.' },
      {
        url: config.public_url,
        description: 'The address of the server; the token says which account is meant.',
      },
    ],
    tags: subjects
      .filter(({ name }) => Object.values(paths).some((path) => isAbout(path, name)))
      .map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: components.all,
      responses: refusals,
      headers: {
        RequestId: {
          description: 'The name of the request in the log of the server.',
          schema: { type: 'string' },
        },
        RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
      },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'The request may be sent again under the same key, and is done once. Kept for 24 hours.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
        },
      },
      securitySchemes: securitySchemes(config),
    },
  }
}

const isAbout = (path: Record<string, Operation>, subject: string): boolean =>
  Object.values(path).some(({ tags }) => tags.includes(subject))

const securitySchemes = ({ public_url, auth_url }: Pick<Config, 'public_url' | 'auth_url'>) => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token. It acts with the rights of the person who granted it, as they are now.',
  },
  oauth2: {
    type: 'oauth2',
    description:
      'Consent of a person in the account; an access token lives for a day, a refresh token for three months.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${auth_url}/oauth`,
        tokenUrl: `${public_url}/oauth2/access_token`,
        refreshUrl: `${public_url}/oauth2/access_token`,
        scopes: {
          crm: 'Records, fields, events and notes.',
          files: 'Files.',
          files_delete: 'Deleting files.',
        },
      },
    },
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'client_id and client_secret, where the body is a form.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description: 'What the secret of the chat channel makes of the request.',
  },
  refreshToken: { type: 'apiKey', in: 'header', name: 'X-Refresh-Token', description: 'A refresh token.' },
})

const ABOUT = `The integration API of amoCRM / Kommo, served by Patchbay.

Bodies are JSON and are read strictly: \`"5"\` is not \`5\`. Members that are not known are ignored. A batch is done whole or
not at all. Lists are walked by \`_links.next\`. An empty list is 204 without a body; of events and notes it is 200 with
an empty array. Times are Unix seconds. Every answer has \`X-Request-Id\`.`
