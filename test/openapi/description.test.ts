import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/http/operation.ts'
import { servedRoutes } from '../rights/served-routes.ts'
import { world } from '../world.ts'
import { descriptionOf } from './description.ts'

/** The surfaces for integrations. */
const surfaces = [
  '/api/v4',
  '/api/v2',
  '/v3',
  '/oauth2',
  '/private/api',
  '/drive',
  '/v2/origin/custom',
  '/test_helpers',
]
/** `leads/{id}/links` is `lead.links`: a part is singular if an id follows it, unless the id is the end. */
function resourceOf(parts: string[]): string {
  const named = parts.slice(0, parts.findLastIndex((part) => !part.startsWith('{')) + 1)
  return named
    .map((part, i) => (named[i + 1]?.startsWith('{') ? singular(part) : part))
    .filter((part) => !part.startsWith('{'))
    .join('.')
}

const singular = (word: string): string =>
  word.replace(/(?:(ie)|(?<=us)e)?s$/, (_, ie?: string) => (ie ? 'y' : ''))

/** The resource of the address and a verb. The last part of an address can be the verb, or a part of it. */
function isNamedAfter(path: string, operationId: string): boolean {
  const parts = path.slice('/api/v4/'.length).split('/')
  const [verb = '', ...resource] = operationId.split('.').reverse()
  const named = resource.reverse().join('.')
  return (
    named === resourceOf(parts) ||
    (named === resourceOf(parts.slice(0, -1)) && verb.includes(parts.at(-1) as string))
  )
}

/** Members whose names say what they are, also if they are null. */
const plain = new Set([
  ...['id', 'uuid', 'name', 'first_name', 'last_name', 'email', 'phone', 'phone_number', 'comment', 'count'],
  '_embedded',
])

const needsWords = (types: Set<string>): boolean =>
  ['integer', 'number', 'boolean', 'null'].some((type) => types.has(type))

const listed = (value: unknown): JsonSchema[] => (value as JsonSchema[] | undefined) ?? []

/** Every member of every schema, by its path. */
function* membersOf(
  schemas: Record<string, JsonSchema>,
  above = '',
): Generator<[path: string, member: JsonSchema]> {
  for (const [name, schema] of Object.entries(schemas)) {
    const path = above + name
    if (above !== '') yield [path, schema]
    const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema
    yield* membersOf((properties ?? {}) as Record<string, JsonSchema>, `${path}.`)
    for (const inner of [items, additionalProperties, ...listed(anyOf), ...listed(oneOf), ...listed(allOf)])
      if (typeof inner === 'object' && inner !== null)
        for (const [own, member] of membersOf({ '': inner as JsonSchema })) yield [path + own, member]
  }
}

/** The types of a member's values, also below a reference. */
function typesOf(schema: JsonSchema, schemas: Record<string, JsonSchema>): Set<string> {
  const named = schemas[String(schema.$ref).slice(1)]
  const { type, anyOf } = named ?? schema
  return new Set([
    ...([type ?? []].flat() as string[]),
    ...listed(anyOf).flatMap((one) => [...typesOf(one, schemas)]),
  ])
}

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}/g, ':')

describe('The API description', () => {
  test('is OpenAPI 3.1 according to an independent validator', async () => {
    const { stranger } = await world()
    const { status, headers, body } = await stranger.get('/api/openapi.json')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body.openapi).toBe('3.1.1')
    expect(await new Validator().validate(body)).toEqual({ valid: true })
  })

  test('contains the version and the address of the server', async () => {
    const { stranger } = await world({
      env: { PUBLIC_URL: 'https://hub.example.com', AUTH_URL: 'https://auth.example.com' },
    })
    const { body } = await stranger.as({ host: 'hub.example.com' }).get('/api/openapi.json')
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect([body.info.title, body.info.version]).toEqual(['Patchbay', version])
    expect(body.servers.map(({ url }: { url: string }) => url)).toEqual(['/', 'https://hub.example.com'])
    expect(body.components.securitySchemes.oauth2.flows.authorizationCode).toMatchObject({
      authorizationUrl: 'https://auth.example.com/oauth',
      tokenUrl: 'https://hub.example.com/oauth2/access_token',
    })
  })

  test('is public under every host, and cached while it is unchanged', async () => {
    const { stranger } = await world()
    const first = await stranger.as({ host: '10.0.0.7' }).get('/api/openapi.json')
    expect([first.status, first.headers['cache-control']]).toEqual([200, 'public, max-age=300'])
    const etag = first.headers.etag as string
    const again = await stranger.get('/api/openapi.json', { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect((await stranger.get('/api/openapi.json', { 'if-none-match': '"another"' })).status).toBe(200)
  })

  test('is compressed for clients that accept it, each form with its own tag', async () => {
    const { app, stranger } = await world()
    const { text, headers } = await stranger.get('/api/openapi.json')
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding'])
    const tags = new Set([headers.etag])
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const sent = { 'accept-encoding': accepted }
      const { rawPayload, headers } = await app.http.inject({ url: '/api/openapi.json', headers: sent })
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding'])
      expect(unpack(rawPayload).toString()).toBe(text)
      expect(rawPayload.length).toBeLessThan(text.length / 5)
      const etag = headers.etag as string
      expect((await stranger.get('/api/openapi.json', { ...sent, 'if-none-match': etag })).status).toBe(304)
      tags.add(etag)
    }
    expect(tags.size).toBe(3)
  })

  test('has exactly the routes of these surfaces', async () => {
    const { app } = await world()
    const { operations } = await descriptionOf(app.http)
    for (const surface of surfaces) {
      const described = operations
        .filter(({ path }) => path.startsWith(`${surface}/`) && !path.endsWith('/{name}'))
        .map(({ method, path }) => `${method} ${withoutNames(path.slice(surface.length))}`)
      expect({ surface, routes: described.toSorted() }).toEqual({
        surface,
        routes: servedRoutes(app.http, surface),
      })
    }
  })

  test('has one form per answer for generated clients, and separate alternatives', async () => {
    const { app, admin } = await world()
    const { operations } = await descriptionOf(app.http)
    const several = operations.filter(
      ({ path, responses }) =>
        path.startsWith('/api/v4') && Object.keys(responses[200]?.content ?? {}).length > 1,
    )
    expect(several.map(({ method, path }) => `${method} ${path}`)).toEqual([])
    const lists = operations.filter(({ responses }) => responses[200]?.['x-exports'])
    expect(lists.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/api/v4/leads', '/api/v4/contacts', '/api/v4/events']),
    )
    await admin.browser.post('/web/v4/leads', [{ name: 'A' }])
    for (const { path, description, responses } of lists.filter(({ path }) => !path.includes('{')))
      for (const accept of Object.keys(responses[200]?.['x-exports'] ?? {})) {
        expect([path, description]).toEqual([path, expect.stringContaining(accept)])
        if (accept === 'text/event-stream') continue
        const { status, headers } = await admin.browser.get(path.replace('/api/', '/web/'), { accept })
        expect([path, status, headers['content-type']]).toEqual([path, 200, expect.stringContaining(accept)])
      }
  })

  test('has a summary and a tag for each operation', async () => {
    const { app } = await world()
    const { operations } = await descriptionOf(app.http)
    const silent = operations.filter(({ summary, tags }) => !/^[A-Z].*\.$/.test(summary) || tags.length !== 1)
    expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  test('describes each parameter of a query', async () => {
    const { app } = await world()
    const { operations } = await descriptionOf(app.http)
    const silent = operations.flatMap(({ operationId, parameters }) =>
      parameters.flatMap((one) =>
        'in' in one && one.in === 'query' && !one.description ? [`${operationId}: ${one.name}`] : [],
      ),
    )
    expect(silent).toEqual([])
  })

  test('has no unknown operations', async () => {
    const { app } = await world()
    const { operations } = await descriptionOf(app.http)
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[a-z_]+(\.[a-z_]+)+$/.test(id))).toEqual([])
    expect(ids).toEqual(
      expect.arrayContaining([
        'leads.list',
        'leads.update_many',
        'lead.notes.create',
        'chats.push',
        'oauth.token',
      ]),
    )
    const v4 = operations.filter(({ path }) => path.startsWith('/api/v4/'))
    const other = v4.filter(({ path, operationId }) => !isNamedAfter(path, operationId))
    expect(other.map(({ path, operationId }) => `${path}: ${operationId}`)).toEqual([
      '/api/v4/search: records.search',
    ])
  })

  test('has a unique name for each operation', async () => {
    const { app } = await world()
    const { operations } = await descriptionOf(app.http)
    const silent = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, { description }]) => status < '300' && !/^[A-Z]\w* .+\.$/.test(description))
        .map(([status, { description }]) => `${operationId} ${status}: ${description}`),
    )
    expect(silent).toEqual([])
    expect(JSON.stringify(operations)).not.toMatch(/As asked for|Default Response|Successful operation/)
  })

  test('names the schema of every body', async () => {
    const { app } = await world()
    const { operations } = await descriptionOf(app.http)
    const inline = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)]
        .flatMap((one) => Object.entries(one?.content ?? {}))
        .filter(([type, { schema }]) => type !== '*/*' && !('$ref' in schema))
        .map(([type]) => `${operationId} ${type}`),
    )
    expect(inline).toEqual([])
  })

  test('has no type whose name generators use for bytes', async () => {
    const { app } = await world()
    const { schemas } = (await descriptionOf(app.http)).document.components
    expect(['Blob', 'File', 'Buffer', 'ReadableStream'].filter((name) => name in schemas)).toEqual([])
  })

  test('has no two types of one name in generators that name a type after its schema and its member', async () => {
    const { app } = await world()
    const { schemas } = (await descriptionOf(app.http)).document.components
    const pascal = (name: string) => name.replaceAll(/(?:^|_)_*([a-z])/g, (_, letter) => letter.toUpperCase())
    const names = new Map(Object.keys(schemas).map((name) => [name, [name]]))
    for (const [name, { properties = {} }] of Object.entries(schemas))
      for (const [member, { enum: choices, anyOf, properties: inner }] of Object.entries(
        properties as Record<string, JsonSchema>,
      ))
        if (choices || anyOf || inner)
          names.set(name + pascal(member), [...(names.get(name + pascal(member)) ?? []), `${name}.${member}`])
    expect([...names.values()].filter((places) => places.length > 1)).toEqual([])
  })

  test('says what each number, each flag and each null means, and says null only where it can be', async () => {
    const { app } = await world()
    const { document } = await descriptionOf(app.http)
    const { schemas } = document.components
    const silent: string[] = []
    const wrong: string[] = []
    for (const [path, member] of membersOf(schemas)) {
      const named = schemas[String(member.$ref).slice(1)]
      const description = String(member.description ?? named?.description ?? '')
      const types = typesOf(member, schemas)
      if (description === '' && needsWords(types) && !plain.has(path.split('.').at(-1) as string))
        silent.push(path)
      if (/\bNull: /.test(description) && !types.has('null')) wrong.push(`${path}: ${description}`)
    }
    expect(silent).toEqual([])
    expect(wrong).toEqual([])
  })

  test('has each path parameter once', async () => {
    const { app } = await world()
    const twice = (await descriptionOf(app.http)).operations.filter(({ parameters }) => {
      const names = parameters.map((one) => ('name' in one ? `${one.in} ${one.name}` : one.$ref))
      return new Set(names).size < names.length
    })
    expect(twice.map(({ operationId }) => operationId)).toEqual([])
  })
})

/** An invalid value for every type of filter and order. */
const NONSENSE = 'no-such-value'

test('every described filter and order is used: invalid values are refused', async () => {
  const { app, admin } = await world()
  const { operations } = await descriptionOf(app.http)
  const v4 = operations.filter(({ method, path }) => method === 'GET' && /^\/api\/v4\/[^{]+$/.test(path))
  const ignored: string[] = []
  let asked = 0
  for (const { path, parameters } of v4)
    for (const one of parameters) {
      if (!('name' in one) || !/^(filter|order)\[/.test(one.name)) continue
      const { type, enum: choices, items } = one.schema as Record<string, unknown> & { items?: object }
      const isFree = JSON.stringify(items ?? { type, choices }) === '{"type":"string"}'
      if (isFree) continue
      const address = `/web${path.slice('/api'.length)}?${one.name}=${NONSENSE}`
      const { status } = await admin.browser.get(address)
      asked++
      if (status !== 400) ignored.push(`${status} ${address}`)
    }
  expect(ignored).toEqual([])
  expect(asked).toBeGreaterThan(50)
})
