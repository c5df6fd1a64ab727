import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import type { JsonSchema } from '../../src/http/operation.ts'
import { describe, type OpenApi } from '../../src/surfaces/openapi/document.ts'
import type { Operation, Parameter, Response } from '../../src/surfaces/openapi/shared-parts.ts'

/** A server's document, prepared to find the operation of a request and to check answers. */
export interface Description {
  document: OpenApi
  operations: DescribedOperation[]
  /** The operation to which the router sends a request. */
  find(method: string, path: string): DescribedOperation | undefined
  /** The fault of a value according to a schema of the document; null if it is valid. */
  misfit(schema: object, value: unknown): string | null
}

export interface DescribedOperation extends Omit<Operation, 'responses'> {
  parameters: (Parameter | { $ref: string })[]
  /** The schema of the first content type of the body. */
  body?: JsonSchema
  /** With resolved references. */
  responses: Record<string, Response>
  method: string
  /** `/api/v4/leads/{id}`. */
  path: string
}

/** Servers of one process have the same routes, so the description and its compiled schemas are shared. */
let first: { routes: string; description: Promise<Description> } | undefined
const known = new WeakMap<FastifyInstance, Promise<Description>>()

/** The server's description at /api/openapi.json. */
export function descriptionOf(http: FastifyInstance): Promise<Description> {
  const before = known.get(http)
  if (before) return before
  const routes = http.servedRoutes.map(({ method, url }) => `${method} ${url}`).join()
  if (first?.routes !== routes) {
    const urls = { public_url: 'http://localhost:8080', auth_url: 'http://localhost:8080' }
    first = {
      routes,
      description: describe(http.servedRoutes, urls).then((document) => prepare(JSON.stringify(document))),
    }
  }
  known.set(http, first.description)
  return first.description
}

function prepare(text: string): Description {
  // Shared schemas are registered separately, so that each is compiled once.
  const document = JSON.parse(text.replaceAll('"#/components/schemas/', '"/')) as OpenApi
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    code: { optimize: false },
  })
  for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(schema, `/${name}`)
  const compiled = new WeakMap<object, ValidateFunction>()

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      parameters: operation.parameters ?? [],
      ...bodyOf(document, operation),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, answer]) => [status, resolved(document, answer)]),
      ),
      method: method.toUpperCase(),
      path,
    })),
  )
  const byShape = Map.groupBy(operations, ({ method, path }) => `${method} ${partsOf(path).length}`)
  // The router prefers static parts to parameters, from the left, and so does this order.
  for (const shape of byShape.values()) shape.sort((a, b) => (inOrder(a.path) < inOrder(b.path) ? -1 : 1))

  return {
    document,
    operations,
    find(method, path) {
      const parts = partsOf(path)
      return byShape
        .get(`${method} ${parts.length}`)
        ?.find((one) =>
          partsOf(one.path).every((part, i) => (part.startsWith('{') ? parts[i] !== '' : part === parts[i])),
        )
    },
    misfit(schema, value) {
      let validate = compiled.get(schema)
      if (!validate) {
        validate = ajv.compile(schema)
        compiled.set(schema, validate)
      }
      if (validate(value)) return null
      const [error] = validate.errors ?? []
      return `${error?.instancePath || '/'} ${error?.message} ${JSON.stringify(error?.params)}`
    },
  }
}

/** Each body is a reference to a named schema. */
function bodyOf({ components }: OpenApi, { requestBody }: Operation): { body?: JsonSchema } {
  const [content] = Object.values(requestBody?.content ?? {})
  return content ? { body: components.schemas[String(content.schema.$ref).slice(1)] as JsonSchema } : {}
}

const resolved = ({ components }: OpenApi, answer: Response | { $ref: string }): Response =>
  '$ref' in answer ? (components.responses[answer.$ref.split('/').at(-1) as string] as Response) : answer

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/')

const inOrder = (path: string): string => path.replaceAll(/\{\w+\}/g, '~')
