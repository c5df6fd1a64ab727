import type { FastifyInstance } from 'fastify'
import { type Description, descriptionOf } from './description.ts'

/** The parts of a request and its answer that the description covers. */
export interface Exchange {
  method: string
  url: string
  status: number
  type: string | undefined
  text: string
  body: unknown
}

const DESCRIBED =
  /^\/(?:api\/(?:v2|v4|unsorted)|web\/v4|v3|oauth2|v2\/origin\/custom|private\/api|drive|test_helpers)\//
/** Methods without operations. The server answers them like GET or not at all. */
const BARE = ['HEAD', 'OPTIONS']

const found = new WeakMap<FastifyInstance, Set<string>>()

/** Returns the answers since the previous call that the description does not allow. Every test ends with it. */
export function takeMisfits(http: FastifyInstance): string[] {
  const misfits = [...(found.get(http) ?? [])]
  found.delete(http)
  return misfits
}

/** Compares an answer with the description of its operation. */
export async function compare(http: FastifyInstance, exchange: Exchange): Promise<void> {
  if (!http.servedRoutes || !DESCRIBED.test(exchange.url) || BARE.includes(exchange.method)) return
  const misfit = misfitOf(await descriptionOf(http), exchange)
  if (misfit === null) return
  const misfits = found.get(http) ?? new Set()
  misfits.add(misfit)
  found.set(http, misfits)
}

/** The difference of an answer from its description, with the name of the operation; null if there is none. */
export function misfitOf(description: Description, exchange: Exchange): string | null {
  const { method, status, text } = exchange
  const path = exchange.url.split('?', 1)[0] as string
  const isOfSession = path.startsWith('/web/')
  // The web application has the same operations at another address.
  const operation = description.find(method, isOfSession ? `/api${path.slice('/web'.length)}` : path)
  const name = `${method} ${operation?.path ?? path}: ${status}`
  // The answer at an unknown address must be a refusal.
  if (!operation) return status >= 400 ? null : `${name} of no operation`
  const answer = operation.responses[status]
  if (!answer) return `${name} is not described: ${text.slice(0, 200)}`
  if (!answer.content) return text === '' ? null : `${name} has a body: ${text.slice(0, 200)}`
  const type = exchange.type ?? 'none'
  const isPlain = isOfSession && status < 400 && type === 'application/json; charset=utf-8'
  const json = isPlain ? Object.values(answer.content)[0] : answer.content[type]
  const bare = type.split(';', 1)[0] as string
  // Clients compare the JSON type exactly (V1). Other types can have a charset.
  const others = { ...answer.content, ...answer['x-exports'] }
  const isOther = ('*/*' in others || (bare in others && !/[/+]json$/.test(bare))) && !json
  if (isOther) return null
  if (!json) return `${name} is of the type ${type}`
  const misfit = description.misfit(json.schema, exchange.body)
  return misfit === null ? null : `${name} ${misfit} in ${text.slice(0, 300)}`
}
