import type { Session } from '../../src/accounts/schemas.ts'
import { Cancelled, Problem, type ProblemBody, Unreachable } from './problem.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What the transport must know of the page around it: the token of its writes, and whom to ask or to tell. */
export const connection = {
  csrfToken: null as string | null,
  /** Asks for the password; resolves to false when the person gives up. */
  askPassword: async (): Promise<boolean> => false,
  /** The session is over. */
  signedOut: () => {},
  /** A request had no answer. */
  unanswered: () => {},
}

/**
 * One request of the application. Throws Problem, Unreachable or Cancelled. A write with a key is done once, however often
 * it is sent (V9).
 */
export const request = async <Answer>(
  method: Method,
  path: string,
  body?: unknown,
  key?: string,
): Promise<Answer> => (await exchange<Answer>(method, path, body, { key })).answer

interface Conditions {
  key?: string
  /** The write is refused when what it changes is not as it was under this tag. */
  ifMatch?: string
}

/** What came back, with the tag of its state when it has one. */
export interface Tagged<Answer> {
  answer: Answer
  etag: string | undefined
}

/** The same, for who has to know the state of what is read or written. */
export async function exchange<Answer>(
  method: Method,
  path: string,
  body?: unknown,
  conditions: Conditions = {},
): Promise<Tagged<Answer>> {
  try {
    return await send<Answer>(method, path, body, conditions)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'password_needed') {
      if (!(await connection.askPassword())) throw new Cancelled()
      return await send<Answer>(method, path, body, conditions)
    }
    if (error.code === 'csrf_token' && path !== '/web/session') {
      // The session was begun anew in another tab.
      connection.csrfToken = (await send<Session>('GET', '/web/session', undefined, {})).answer.csrf_token
      return await send<Answer>(method, path, body, conditions)
    }
    // The sign-in and the consent page answer 401 in their own way.
    if (error.status === 401 && !/^\/web\/(session|consent|setup)/.test(path)) connection.signedOut()
    throw error
  }
}

async function send<Answer>(
  method: Method,
  path: string,
  body: unknown,
  { key, ifMatch }: Conditions,
): Promise<Tagged<Answer>> {
  const headers = new Headers({ accept: 'application/json' })
  if (method !== 'GET' && connection.csrfToken) headers.set('x-csrf-token', connection.csrfToken)
  if (key !== undefined) headers.set('idempotency-key', key)
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  if (body instanceof Blob) headers.set('content-type', body.type)
  else if (body !== undefined) headers.set('content-type', 'application/json')
  const payload = body === undefined || body instanceof Blob ? body : JSON.stringify(body)

  const response = await fetch(path, { method, headers, body: payload, credentials: 'same-origin' }).catch(
    (cause: unknown) => {
      connection.unanswered()
      throw new Unreachable(cause)
    },
  )
  if (!response.ok) throw new Problem(response.status, await problemBody(response))
  // What was done and has nothing to say is 204, or 202 of what takes its time.
  const text = await response.text().catch((cause: unknown) => {
    throw new Unreachable(cause)
  })
  const answer = (text === '' ? undefined : JSON.parse(text)) as Answer
  return { answer, etag: response.headers.get('etag') ?? undefined }
}

async function problemBody(response: Response): Promise<ProblemBody> {
  try {
    return (await response.json()) as ProblemBody
  } catch {
    return { title: response.statusText }
  }
}

/** A query string without the members that are not set. */
export function query(values: Record<string, string | number | undefined>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined)
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([key, value]) => [key, String(value)]))}`
}

/** Links are absolute, and of the account's own host; the page asks where it came from. */
export function pathOf(link: { href: string } | undefined): string | undefined {
  if (!link) return undefined
  const { pathname, search } = new URL(link.href, 'http://anywhere')
  return pathname + search
}

/** A key for a write that is done once. Not randomUUID, which browsers keep from addresses without TLS. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
