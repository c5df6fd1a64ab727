import { type Exchange, type Message, RECORDED_BYTES } from '../traffic.ts'
import type { Owner } from './owners.ts'
import { headerLines, withoutSecretsOfBody, withoutSecretsOfForm, withoutTokens } from './redaction.ts'
import type { Refused } from './refusals.ts'

/** What is listed and filtered of a recorded request. */
export interface Head
  extends Pick<
    Exchange,
    | 'at'
    | 'duration_ms'
    | 'direction'
    | 'method'
    | 'host'
    | 'operation'
    | 'integration_id'
    | 'user_id'
    | 'grant_id'
    | 'generation'
    | 'request_id'
    | 'status'
    | 'error'
    | 'unread'
    | 'delivery_id'
    | 'attempt'
  > {
  path: string
  /** Without the question mark; empty if there is none. */
  query: string
  /** Why the request was refused. */
  why: Refused | null
  /** The whole sizes of the bodies. */
  request_size: number
  response_size: number
}

/** Members that most requests do not have. They are left out of the text, because its length is what it costs. */
type Exceptional = 'error' | 'unread' | 'why'
type StoredHead = Omit<Head, Exceptional> & Partial<Pick<Head, Exceptional>>

/** One side of a recorded request, without secrets. */
export interface KeptMessage {
  headers: Record<string, string>
  body: string | null
  is_cut: boolean
}

export interface Messages {
  request: KeptMessage
  response: KeptMessage
}

/** A request as it is stored, without any token in it, wherever it stands. */
export interface Entry {
  account_id: number
  at: number
  /** JSON with its separator. */
  head: string
  /** Headers and bodies with separators, because an escaped text takes several times as long to write. */
  messages: string
}

/** After each head, after the messages of each request, and between the parts of one. Texts do not contain the last two. */
const SEPARATOR = { heads: ',', requests: '\x1e', parts: '\x1f' }

/** Unread names of one request. */
const MOST_UNREAD = 100
const LONGEST_NAME = 100
const LONGEST_URL = 8_192
/** Their content is no text. */
const BINARY = /^(?:image|audio|video|font)\/|octet-stream|pdf|zip/

/** An exchange without its secrets, and without its bodies if the account does not keep them. */
export function entryOf(exchange: Exchange, owner: Owner, why: Refused | null, keepsBodies: boolean): Entry {
  const { request, response, unread } = exchange
  const { account_id, integration_id, user_id, grant_id, generation } = owner
  const url = exchange.url.slice(0, LONGEST_URL)
  const end = url.indexOf('?')
  const head: StoredHead = {
    at: exchange.at,
    duration_ms: exchange.duration_ms,
    direction: exchange.direction,
    method: exchange.method,
    host: exchange.host,
    path: end < 0 ? url : url.slice(0, end),
    query: end < 0 ? '' : withoutSecretsOfForm(url.slice(end + 1)),
    operation: exchange.operation,
    integration_id,
    user_id,
    grant_id,
    generation,
    request_id: exchange.request_id,
    status: exchange.status,
    request_size: request.size,
    response_size: response.size,
  }
  if (exchange.delivery_id !== undefined) {
    head.delivery_id = exchange.delivery_id
    head.attempt = exchange.attempt
  }
  if (exchange.error !== null) head.error = exchange.error
  if (why !== null) head.why = why
  if (unread.length > 0) head.unread = unread.slice(0, MOST_UNREAD).map((name) => name.slice(0, LONGEST_NAME))
  const hasCodes = exchange.operation.startsWith('oauth.')
  const sent = partsOf(request, keepsBodies, hasCodes)
  const answered = partsOf(response, keepsBodies, hasCodes)
  return {
    account_id,
    at: head.at,
    head: withoutTokens(JSON.stringify(head)) + SEPARATOR.heads,
    messages: withoutTokens(sent + SEPARATOR.parts + answered) + SEPARATOR.requests,
  }
}

const partsOf = (message: Message, keepsBodies: boolean, hasCodes: boolean): string =>
  headerLines(message.headers) + SEPARATOR.parts + ((keepsBodies && bodyOf(message, hasCodes)) || '')

function bodyOf({ content, headers, isPlain }: Message, hasCodes: boolean): string | null {
  if (content === null || content.length === 0) return null
  const type = String(headers['content-type'] ?? '')
  if (BINARY.test(type)) return null
  // A character that was cut in two is left out.
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content, { stream: true })
  // The serializer writes neither separators nor NUL.
  if (isPlain) return text
  const kept = withoutSecretsOfBody(text, type, hasCodes)
  return kept === null ? null : SEPARATORS.test(kept) ? kept.replaceAll(SEPARATORS_ALL, '\uFFFD') : kept
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const SEPARATORS = /[\x1e\x1f]/
const SEPARATORS_ALL = new RegExp(SEPARATORS, 'g')

/** Reads the heads of a batch. */
export const readHeads = (text: string): Head[] =>
  (JSON.parse(`[${text.slice(0, -1)}]`) as StoredHead[]).map((head) => ({ ...NOTHING, ...head }))

const NOTHING: Pick<Head, Exceptional> = { error: null, unread: [], why: null }

/** Reads the messages of a batch. */
export function readMessages(text: string, heads: readonly Head[]): Messages[] {
  const all = text.split(SEPARATOR.requests)
  return heads.map(({ request_size, response_size }, i) => {
    const [sent = '', asked = '', answered = '', answer = ''] = all[i]?.split(SEPARATOR.parts) ?? []
    return { request: keptOf(sent, asked, request_size), response: keptOf(answered, answer, response_size) }
  })
}

const keptOf = (lines: string, body: string, size: number): KeptMessage => ({
  headers: Object.fromEntries(
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => pairOf(line)),
  ),
  body: body === '' ? null : body,
  is_cut: body !== '' && size > RECORDED_BYTES,
})

function pairOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(': ')
  return [line.slice(0, colon), line.slice(colon + 2)]
}
