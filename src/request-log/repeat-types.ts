/** Why a recorded request cannot be sent again. Both the server and the web application ask this. */
const obstacles = ['attempt', 'token_request', 'no_token', 'cut', 'no_body', 'secrets', 'stream'] as const
export type Obstacle = (typeof obstacles)[number]

interface Message {
  headers: Readonly<Record<string, string>>
  body: string | null
  size: number
  is_cut: boolean
}

interface Recorded {
  direction: string
  operation: string | null
  grant_id: string | null
  path: string
  query: string
  request: Message
  response: Pick<Message, 'headers'>
}

/** The mark that stands in place of a secret, as a whole value or with the end of a long one: see redaction.ts. */
const MARK = /\[[\w.-]{1,61} \.\.\.[\w.~-]{4}\]|["'=:]\[[\w.-]{1,61}\](?=["'&@]|$)/

/**
 * The first reason why a recorded request cannot be sent again exactly as it was, with a token of its consent; null if
 * there is none. A body with fewer or more bytes than were received had secrets or characters that are not kept.
 */
export function obstacleTo({
  direction,
  operation,
  grant_id,
  path,
  query,
  request,
  response,
}: Recorded): Obstacle | null {
  const { body, size, is_cut } = request
  if (direction === 'out') return 'attempt'
  if (operation?.startsWith('oauth.')) return 'token_request'
  if (grant_id === null) return 'no_token'
  if (is_cut) return 'cut'
  if (body === null && size > 0) return 'no_body'
  if (MARK.test(`${path}?${query}`) || (body !== null && hasSecrets(body, size))) return 'secrets'
  return response.headers['content-type']?.startsWith('text/event-stream') ? 'stream' : null
}

const hasSecrets = (body: string, size: number): boolean =>
  MARK.test(body) || new TextEncoder().encode(body).length !== size
