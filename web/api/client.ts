// `npm run types:client` writes the two generated files.
import createClient from 'openapi-fetch'
import type { components as ApiComponents, paths as ApiPaths } from '../../sdk/generated/api.ts'
import type { components as WebComponents, paths as WebPaths } from '../../sdk/generated/web.ts'
import { Cancelled, Problem, type ProblemBody, Unreachable } from './problem.ts'
import { repeatable } from './repeats.ts'

type ApiSchemas = ApiComponents['schemas']
type WebSchemas = WebComponents['schemas']
/** The schemas of the API by their names: `Schemas['Lead']`. */
export interface Schemas extends ApiSchemas, WebSchemas {}

/** The paths of the API as a session reaches them, and the paths that only the web application has. */
interface Paths extends Below<'/api/v4', '/web/v4'>, Below<'/drive', '/web/drive'>, WebPaths {}
type Below<From extends string, To extends string> = {
  [Path in keyof ApiPaths as Path extends `${From}/${infer Rest}` ? `${To}/${Rest}` : never]: ApiPaths[Path]
}

/** The body of a request, and of its successful response. */
export type Body<Path extends keyof Paths, Method extends keyof Paths[Path]> = Paths[Path][Method] extends {
  requestBody: { content: { 'application/json': infer Sent } }
}
  ? Sent
  : never
export type Answer<Path extends keyof Paths, Method extends keyof Paths[Path]> = Paths[Path][Method] extends {
  responses: { 200: { content: infer Received } } | { 201: { content: infer Received } }
}
  ? Received[keyof Received]
  : never

/** The query of a list. */
export type QueryOf<Path extends keyof Paths> = Paths[Path] extends {
  get: { parameters: { query?: infer Query } }
}
  ? NonNullable<Query>
  : never

/** The parts of the page that the transport uses: the token of its session, and callbacks. */
export const connection = {
  csrfToken: null as string | null,
  /** Reads the token again. Throws Cancelled if the session is no longer that of the page. */
  renewToken: async () => {},
  /** Called if another tab has put this session in the place of the page's. */
  replaced: (_session: Schemas['Session']) => {},
  /** Asks for the password. False: the person cancelled. */
  askPassword: async (): Promise<boolean> => false,
  /** Called when a request was forbidden: the person's permissions may have changed. */
  forbidden: () => {},
  /** Called when the session has ended. */
  signedOut: () => {},
  /** Called when a request got no response, or none for long. */
  unanswered: () => {},
}

/** The client of the web application. Its requests throw Problem, Unreachable or Cancelled. */
export const api = createClient<Paths>({
  headers: { accept: 'application/json' },
  querySerializer: query,
  fetch: send,
})

/** The data of a response. */
export const dataOf = async <Data>(response: Promise<{ data?: Data }>): Promise<Data> =>
  (await response).data as Data

/** The data of a response, and the tag of its version. */
export async function taggedOf<Data>(sent: Promise<{ data?: Data; response: Response }>) {
  const { data, response } = await sent
  return { data: data as Data, etag: response.headers.get('etag') ?? undefined }
}

/** Options of a request whose body is a file. The generated types have text there. */
export const fileBody = (file: Blob) => ({
  body: '',
  bodySerializer: () => file,
  headers: { 'content-type': file.type },
})

/** Sends a request, and once more if the person or another tab has to do something first. */
async function send(request: Request): Promise<Response> {
  try {
    return await repeatable(request.clone(), attempt)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { pathname } = new URL(request.url)
    if (error.code === 'password_needed') {
      if (!(await connection.askPassword())) throw new Cancelled()
      return repeatable(request, attempt)
    }
    if (error.code === 'csrf_token') {
      // The session was renewed in another tab.
      await connection.renewToken()
      return repeatable(request, attempt)
    }
    if (error.code === 'forbidden') connection.forbidden()
    // The sign-in and the consent page answer 401 in their own way.
    if (error.status === 401 && !/^\/web\/(session|consent|setup)/.test(pathname)) connection.signedOut()
    throw error
  }
}

/** Milliseconds after which a request without a response raises the question whether the server is there. */
const LATE_MS = 8_000

/** A connection can break without a sign: a request then waits for minutes. */
async function attempt(request: Request): Promise<Response> {
  // A file takes its time.
  const isFile = request.headers.get('content-type')?.startsWith('application/json') === false
  const doubt = isFile ? undefined : setTimeout(() => connection.unanswered(), LATE_MS)
  try {
    return await answerTo(request)
  } finally {
    clearTimeout(doubt)
  }
}

async function answerTo(request: Request): Promise<Response> {
  // Reads, too: they are refused if another tab has switched the account, so that a page shows one account only.
  if (connection.csrfToken) request.headers.set('x-csrf-token', connection.csrfToken)
  const response = await fetch(request).catch((cause: unknown) => {
    if (request.signal.aborted) throw new Cancelled()
    connection.unanswered()
    throw new Unreachable(cause)
  })
  if (isOfProxy(response)) {
    connection.unanswered()
    throw new Unreachable(new Error(`a proxy answered ${response.status}`))
  }
  if (!response.ok) throw new Problem(response.status, await problemBody(response))
  // Read here, so that a connection that breaks during the body is an Unreachable error, too.
  const body = await response.text().catch((cause: unknown) => {
    throw new Unreachable(cause)
  })
  return new Response(body === '' ? null : body, response)
}

/** Whether a proxy has answered because the server did not. The server has other statuses, and a reason for each 503. */
const isOfProxy = ({ status, headers }: Response): boolean =>
  status === 502 ||
  status === 504 ||
  (status === 503 && !headers.has('retry-after') && !/json/.test(headers.get('content-type') ?? ''))

/** The refusal of the server, or of a proxy before it, which has only headers. */
async function problemBody(response: Response): Promise<ProblemBody> {
  try {
    return (await response.json()) as ProblemBody
  } catch {
    const retry_after = Number(response.headers.get('retry-after'))
    return { title: response.statusText, ...(retry_after > 0 && { retry_after }) }
  }
}

/** A query string without the parameters that are not set. Lists are separated by commas. */
export function query(values: Record<string, unknown>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined)
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`
}

/** The path of a link. Links are absolute and name the host of the account. */
export function pathOf({ href }: { href: string }): string {
  const { pathname, search } = new URL(href)
  return pathname + search
}
