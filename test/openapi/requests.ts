import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '../../src/http/operation.ts'
import type { Parameter } from '../../src/surfaces/openapi/shared-parts.ts'
import { isKnown, type Known, valuesOf } from './arbitraries.ts'
import { completed } from './completions.ts'
import type { DescribedOperation, Description } from './description.ts'
import {
  contentTypes,
  headerValues,
  type Mutation,
  mutated,
  pathParts,
  queries,
  querySuffixes,
  queryValues,
  rawBodies,
} from './mutations.ts'
import type { Stock } from './stock.ts'

/** Whether a request is correct, or in which way it is wrong. */
type Variant = 'right' | 'body' | 'raw' | 'type' | 'path' | 'query' | 'method' | 'stranger' | 'key'

/** The frequency of each kind. Half of the requests are correct. */
const weights: Record<Variant, number> = {
  right: 45,
  body: 25,
  raw: 6,
  type: 3,
  path: 6,
  query: 9,
  method: 2,
  stranger: 1,
  key: 3,
}

/** A request with placeholders. */
export interface Plan {
  operation: DescribedOperation
  variant: Variant
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  mutations: Mutation[]
  /** Selects among the variants of a kind. */
  choice: number
}

export interface Sent {
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

/** Requests of one operation, from its schemas. */
export function plansOf({ document }: Description, operation: DescribedOperation): Arbitrary<Plan> {
  const shared = Object.fromEntries(Object.entries(document.components.schemas)) as Record<string, JsonSchema>
  const values = (schema: JsonSchema, name: string) => valuesOf(shared, schema, name)
  const named = operation.parameters.filter((one): one is Parameter => 'name' in one)
  const of = (place: string, isMeant: (one: Parameter) => boolean = () => true) =>
    Object.fromEntries(
      named
        .filter((one) => one.in === place && isMeant(one))
        .map(({ name, schema }) => [name, values(schema, plain(name))]),
    )
  const { body } = operation
  const optional = of('query', ({ required }) => !required)
  const variants = (Object.keys(weights) as Variant[]).filter(
    (one) => body || !['body', 'raw', 'type'].includes(one),
  )
  return fc.record({
    operation: fc.constant(operation),
    variant: fc.oneof(...variants.map((one) => ({ weight: weights[one], arbitrary: fc.constant(one) }))),
    params: fc.record(of('path')),
    query: fc
      .tuple(
        fc.record(of('query', ({ required }) => required === true)),
        fc.record(optional, { requiredKeys: [] }),
        fc.subarray(Object.keys(optional), { maxLength: Math.min(3, Object.keys(optional).length) }),
      )
      .map(([needed, all, chosen]) => ({
        ...needed,
        ...Object.fromEntries(Object.entries(all).filter(([name]) => chosen.includes(name))),
      })),
    body: body ? values(body, '') : fc.constant(undefined),
    mutations: fc.array(fc.record({ at: fc.nat(10_000), how: fc.nat(10_000), what: fc.nat(10_000) }), {
      minLength: 1,
      maxLength: 3,
    }),
    choice: fc.nat(1_000_000),
  })
}

/** `filter[pipeline_id]` refers to objects with the name `pipeline_id`. */
const plain = (name: string): string => /\[(\w+)\]$/.exec(name)?.[1] ?? name

/** The request with existing objects instead of placeholders. */
export function composed(plan: Plan, stock: Stock, identity: Record<string, string>): Sent {
  const { operation, variant, choice, mutations } = plan
  const filled = fillerOf(operation.path, stock)
  // Nothing happens meanwhile, so the wait would be in vain.
  const meant = operation.path.endsWith('/wait') ? { ...plan.query, timeout: 0 } : plan.query
  const query = variant === 'query' ? spoiledQuery(plan, filled) : queryText(filled(meant) as object)
  const url = addressOf(plan, stock) + (query && `?${query}`)
  const headers = { ...identity, ...authorization(operation, stock, variant), ...headersOf(plan) }
  const method = variant === 'method' ? (methods[choice % methods.length] as string) : operation.method
  const sent: Sent = { method, url, headers }
  const withBody = (payload: string | Buffer, type: string | undefined = 'application/json'): Sent => ({
    ...sent,
    payload,
    headers: { ...headers, 'content-type': type },
  })
  if (plan.body === undefined) {
    const isNothing = variant !== 'key' || operation.method === 'GET'
    return isNothing ? sent : withBody(choice % 2 ? '{}' : '')
  }
  const body = completed(`${operation.method} ${operation.path}`, filled(plan.body), choice)
  const text = JSON.stringify(body)
  if (variant === 'body') return withBody(JSON.stringify(mutated(body, mutations)) ?? '')
  if (variant === 'raw')
    return withBody((rawBodies[choice % rawBodies.length] as (text: string) => string)(text))
  if (variant !== 'type') return withBody(text, Object.keys(operation.requestBody?.content ?? {})[0])
  const other = contentTypes[choice % contentTypes.length]
  return other === undefined ? { ...sent, payload: text } : withBody(text, other)
}

/** Replaces the placeholders in a value with existing objects. */
function fillerOf(path: string, stock: Stock): (value: unknown) => unknown {
  const filled = (value: unknown): unknown => {
    if (isKnown(value)) return taken(value, path)
    if (Array.isArray(value)) {
      const items = value.map(filled)
      return value.some(isKnown) ? [...new Set(items)] : items
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        // The kind of the record is next to its id.
        const kind =
          /entity_id$/.test(name) && (value as Record<string, unknown>)[name.replace(/_id$/, '_type')]
        return [name, isKnown(one) && typeof kind === 'string' ? taken(one, `/${kind}`) : filled(one)]
      }),
    )
  }
  const taken = ({ name, pick, otherwise, often }: Known, at: string): unknown => {
    const there = stock.pick(name, at, pick)
    return there === undefined || (pick % 10 >= often && !stock.isOwn(name, at)) ? filled(otherwise) : there
  }
  return filled
}

/** The address of a known object, or a combination of known names. */
function addressOf({ operation, variant, params, choice }: Plan, stock: Stock): string {
  const { path } = operation
  const names = Object.keys(params)
  const place = choice % 5 === 0 ? undefined : stock.place(path, choice)
  const spoiled = variant === 'path' ? names[choice % names.length] : undefined
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    if (name === spoiled) return pathParts[choice % pathParts.length] as string
    // The name refers to the preceding part: in `/leads/{id}`, the id belongs to a lead.
    const before = path.slice(0, path.indexOf(`{${name}}`))
    return place?.[name] ?? pathPart(fillerOf(before, stock)(params[name]))
  })
}

/** Headers that the operation reads, and sometimes an alternative form of the answer. */
function headersOf({ operation, variant, choice }: Plan): Record<string, string> {
  const named = operation.parameters.flatMap((one) =>
    'name' in one && one.in === 'header' ? [one.name] : [],
  )
  const name = named[choice % 3]
  const { content, 'x-exports': others } = operation.responses[200] ?? {}
  const forms = Object.keys({ ...content, ...others }).filter((type) => !type.endsWith('event-stream'))
  return {
    ...(name !== undefined && { [name.toLowerCase()]: headerValues[choice % headerValues.length] as string }),
    ...(forms.length > 1 && choice % 8 === 0 && { accept: forms[(choice / 8) % forms.length] as string }),
    ...(variant === 'key' && {
      'idempotency-key': ['', 'a', 'x'.repeat(256), 'ж', `k${choice % 50}`][choice % 5] as string,
    }),
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']

const queryText = (query: object): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encoded([value].flat().join())}`)
    .join('&')

/** An empty part or one of only dots would change the path (RFC 3986, 5.2.4). */
const pathPart = (value: unknown): string => encoded(value).replace(/^\.{0,2}$/, (dots) => `-${dots}`)

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed())

/** A known parameter with an invalid form or value, or a hostile query. */
function spoiledQuery(
  { operation, query, choice, mutations }: Plan,
  filled: (value: unknown) => unknown,
): string {
  const named = operation.parameters.flatMap((one) => ('name' in one && one.in === 'query' ? [one.name] : []))
  const name = named[choice % named.length]
  if (name === undefined || choice % 3 === 0) return queries[choice % queries.length] as string
  const [mutation] = mutations as [Mutation, ...Mutation[]]
  const spoiled = name + querySuffixes[mutation.how % querySuffixes.length]
  const value = queryValues[mutation.what % queryValues.length]
  return [queryText(filled(query) as object), `${spoiled}=${value}`].filter(Boolean).join('&')
}

function authorization(
  operation: DescribedOperation,
  stock: Stock,
  variant: Variant,
): Record<string, string> {
  if (variant === 'stranger') return { authorization: 'Bearer none' }
  if (operation.security.some((one) => 'refreshToken' in one))
    return { 'x-refresh-token': String(stock.pick('refresh_token', operation.path, 0)) }
  if (operation.security.some((one) => 'testHelpers' in one))
    return { authorization: `Bearer ${stock.pick('test_helpers_key', '/test_helpers/requests', 0)}` }
  return operation.security.length === 0 || operation.security.some((one) => 'bearer' in one)
    ? {}
    : { authorization: '' }
}
