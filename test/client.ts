import type { FastifyInstance, InjectOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { collectionOf } from '../src/http/bodies/empty-lists.ts'
import { compare } from './openapi/conformance.ts'
import { descriptionOf } from './openapi/description.ts'

/** The values that a caller sends with every request. */
export interface Identity {
  host: string
  token?: string
  cookie?: string
  csrf_token?: string
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes; tests compare them whole.
  body: any
  text: string
}

type Headers = Record<string, string | undefined>

/** Sends requests to the server as one caller, without a port. */
export interface Client {
  identity: Identity
  get(url: string, headers?: Headers): Promise<Answer>
  post(url: string, body?: unknown, headers?: Headers): Promise<Answer>
  put(url: string, body?: unknown, headers?: Headers): Promise<Answer>
  patch(url: string, body?: unknown, headers?: Headers): Promise<Answer>
  delete(url: string, body?: unknown, headers?: Headers): Promise<Answer>
  send(method: string, url: string, body?: unknown, headers?: Headers): Promise<Answer>
  /** The same caller with some parts of the identity changed. */
  as(change: Partial<Identity>): Client
}

/** `see` receives everything that is sent and answered. */
export function client(
  http: FastifyInstance,
  identity: Identity,
  see: (text: string) => void = () => {},
): Client {
  const send = async (method: string, url: string, body?: unknown, headers: Headers = {}) => {
    const answer = await http.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: sent({ ...headersOf(identity, method), ...headers }),
      ...(body !== undefined && { payload: body as NonNullable<InjectOptions['payload']> }),
    })
    see(
      `${typeof body === 'string' ? body : JSON.stringify(body)} ${JSON.stringify(answer.headers)} ${answer.body}`,
    )
    const { statusCode: status, body: text } = answer
    const shown = read(text)
    const type = answer.headers['content-type']
    await compare(http, { method, url, status, type, text, body: shown })
    const isNothing = status === 204 && method === 'GET'
    const page = isNothing ? await emptyPage(http, url) : shown
    return { status, headers: answer.headers as Answer['headers'], text, body: page }
  }
  return {
    identity,
    get: (url, headers) => send('GET', url, undefined, headers),
    post: (url, body, headers) => send('POST', url, body, headers),
    put: (url, body, headers) => send('PUT', url, body, headers),
    patch: (url, body, headers) => send('PATCH', url, body, headers),
    delete: (url, body, headers) => send('DELETE', url, body, headers),
    send,
    as: (change) => client(http, { ...identity, ...change }, see),
  }
}

function headersOf({ host, token, cookie, csrf_token }: Identity, method: string): Record<string, string> {
  return {
    host,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(cookie && { cookie }),
    ...(cookie && method !== 'GET' && { 'x-csrf-token': csrf_token ?? '' }),
    // Browsers send this for requests of a page at the same address.
    ...(!token && method !== 'GET' && { 'sec-fetch-site': 'same-origin' }),
  }
}

/** An undefined header is removed. */
const sent = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  )

/** Parses an answer without a body (V4): as an empty page at the address of a list, otherwise as nothing. */
async function emptyPage(http: FastifyInstance, url: string): Promise<unknown> {
  const path = (url.split('?', 1)[0] as string).replace(/^\/web\/v4\//, '/api/v4/')
  const operation = (await descriptionOf(http)).find('GET', path)
  const route = http.servedRoutes.find(({ schema }) => schema.operationId === operation?.operationId)
  const { 200: page } = (route?.schema.response ?? {}) as Record<number, TSchema>
  const collection = collectionOf(page)
  return collection === undefined ? '' : { _total_items: 0, _links: {}, _embedded: { [collection]: [] } }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
