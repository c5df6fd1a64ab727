import i18next from 'i18next'
import { api, dataOf } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { noteCall } from './calls.ts'

/** As whom the next call is made. The bar changes it. */
export const caller: { integration?: string; channel?: string } = {}

/** A token is renewed this long before its end, so that it does not expire on the way. */
const EARLY_SECONDS = 30

/** It stays in the memory of this page: it is never shown, and never stored. */
let token: { integration: string; access_token: string; expires_at: number } | undefined

/** Sends a request of the reference to the server, with the token or the signature that its operation needs. */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const { pathname } = new URL(request.url)
  const headers = new Headers(request.headers)
  try {
    const refused = await authorize(request, pathname, headers)
    if (refused) return refused
  } catch (error) {
    return responseOf(error)
  }
  // The API must answer to the token alone.
  const response = await fetch(new Request(request, { headers, credentials: 'omit' }))
  if (response.status === 401) token = undefined
  noteCall({
    method: request.method,
    path: pathname,
    status: response.status,
    request_id: response.headers.get('x-request-id'),
  })
  return response
}

/** How the operations below an address are authorized. Other operations take what the visitor has entered. */
const schemes: [
  RegExp,
  (request: Request, path: string, headers: Headers) => Promise<Response | undefined>,
][] = [
  [/^\/v2\/origin\/custom\//, sign],
  [/^\/(?:api|drive|private)\/|^\/oauth2\/account\/subdomain$/, addToken],
]

async function authorize(request: Request, path: string, headers: Headers): Promise<Response | undefined> {
  return schemes.find(([addresses]) => addresses.test(path))?.[1](request, path, headers)
}

async function addToken(_request: Request, _path: string, headers: Headers): Promise<undefined> {
  // The renderer sends `Bearer` alone if the visitor has not entered a token.
  const isEntered = /^bearer +\S/i.test(headers.get('authorization') ?? '')
  if (isEntered || !caller.integration) return
  const now = Date.now() / 1000
  if (token?.integration !== caller.integration || token.expires_at - EARLY_SECONDS < now)
    token = { integration: caller.integration, ...(await newToken(caller.integration)) }
  headers.set('authorization', `Bearer ${token.access_token}`)
}

const newToken = (id: string) =>
  dataOf(api.POST('/web/installations/{id}/short-lived-tokens', { params: { path: { id } } }))

async function sign(request: Request, path: string, headers: Headers): Promise<Response | undefined> {
  if (headers.get('x-signature') || !caller.channel) return
  const call = {
    method: request.method as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path,
    body: await request.clone().text(),
  }
  const signed = await dataOf(
    api.POST('/web/channels/{id}/signatures', { params: { path: { id: caller.channel } }, body: call }),
  )
  if (call.body === '') return asCommand(request, signed.headers)
  for (const [name, value] of Object.entries(signed.headers)) headers.set(name, value)
}

/** Pages cannot set `Date`, which is part of the signature of a call without a body. So the visitor sends it. */
function asCommand({ method, url }: Request, headers: Record<string, string>): Response {
  const words = Object.entries(headers).map(([name, value]) => ` \\\n  -H '${name}: ${value}'`)
  const text = `${i18next.t('reference.not_sent')}\n\ncurl -X ${method} '${url}'${words.join('')}\n`
  return new Response(text, {
    status: 400,
    statusText: i18next.t('reference.not_sent_status'),
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}

/** A refusal of the token or of the signature, as the response of the call. */
function responseOf(error: unknown): Response {
  if (!(error instanceof Problem)) throw error
  const { status, message: title, detail, faults } = error
  return Response.json({ title, status, detail, ...(faults.length > 0 && { errors: faults }) }, { status })
}
