import { type Exchange, type Message, RECORDED_BYTES } from '../traffic.ts'
import type { Owner } from './owners.ts'
import {
  headerLines,
  headerOf,
  withoutSecretsOfAddress,
  withoutSecretsOfBody,
  withoutTokens,
} from './redaction.ts'
import type { Refused } from './refusals.ts'
import { commonText, type Side, searchedBody, sentLines } from './repetition.ts'

/** The members of a recorded request that are listed and filtered. */
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
type Exceptional = 'error' | 'unread' | 'why' | 'delivery_id' | 'attempt'
type StoredHead = Omit<Head, Exceptional> & Partial<Pick<Head, Exceptional>>
/** Members that requests have in common with the one before. */
type Common = Pick<
  Head,
  | 'direction'
  | 'method'
  | 'host'
  | 'path'
  | 'query'
  | 'operation'
  | 'integration_id'
  | 'user_id'
  | 'grant_id'
  | 'generation'
>

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
  /**
   * Headers and bodies with separators, because an escaped text takes several times as long to write. They are not joined,
   * because they are only encoded.
   */
  messages: readonly string[]
}

/** The length of the texts of an entry. */
export const lengthOf = ({ head, messages }: Entry): number =>
  messages.reduce((sum, { length }) => sum + length, head.length)

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
  const { request, response, operation, at } = exchange
  const sent = sentLines(operation, request.headers)
  const asked = (keepsBodies && bodyOf(request, 'sent', operation)) || ''
  const answered = withoutTokens(headerLines(response.headers))
  const answer = (keepsBodies && bodyOf(response, 'answered', operation)) || ''
  return {
    account_id: owner.account_id,
    at,
    head: headOf(exchange, owner, why) + SEPARATOR.heads,
    messages: [
      sent,
      SEPARATOR.parts,
      asked,
      SEPARATOR.parts,
      answered,
      SEPARATOR.parts,
      answer,
      SEPARATOR.requests,
    ],
  }
}

/** The head as JSON: what each request has of its own, then what is often the same, then what most do not have. */
function headOf(exchange: Exchange, owner: Owner, why: Refused | null): string {
  const { at, duration_ms, status, request, response } = exchange
  const own = `{"at":${at},"duration_ms":${duration_ms},"status":${status},"request_size":${request.size},"response_size":${response.size},"request_id":${withoutTokens(JSON.stringify(exchange.request_id))},`
  const common = commonText(exchange, owner, () => commonHead(exchange, owner))
  const exceptional = exceptionalHead(exchange, why)
  return exceptional === null
    ? `${own}${common}}`
    : `${own}${common},${withoutTokens(insideOf(exceptional))}}`
}

/** The members of an object as JSON, without its braces. */
const insideOf = (members: object): string => JSON.stringify(members).slice(1, -1)

function commonHead(exchange: Exchange, owner: Owner): { text: string; hasSecret: boolean } {
  const url = exchange.url.slice(0, LONGEST_URL)
  const { path, query } = withoutSecretsOfAddress(url)
  const members: Common = {
    direction: exchange.direction,
    method: exchange.method,
    host: exchange.host,
    path,
    query,
    operation: exchange.operation,
    integration_id: owner.integration_id,
    user_id: owner.user_id,
    grant_id: owner.grant_id,
    generation: owner.generation,
  }
  return {
    text: withoutTokens(insideOf(members)),
    hasSecret: url !== (query === '' ? path : `${path}?${query}`),
  }
}

function exceptionalHead(
  { error, unread, delivery_id, attempt }: Exchange,
  why: Refused | null,
): Partial<Pick<Head, Exceptional>> | null {
  if (error === null && why === null && unread.length === 0 && delivery_id === undefined) return null
  return {
    ...(delivery_id !== undefined && { delivery_id, attempt }),
    ...(error !== null && { error }),
    ...(why !== null && { why }),
    ...(unread.length > 0 && {
      // The name of a body that was read as something else is the whole body.
      unread: unread
        .slice(0, MOST_UNREAD)
        .map((name) => withoutSecretsOfBody(name.slice(0, LONGEST_NAME), true) ?? ''),
    }),
  }
}

/** A body without its secrets and without separators; null if there is none to keep. */
function bodyOf({ content, headers, isPlain }: Message, side: Side, operation: string): string | null {
  if (content === null || content.length === 0) return null
  const type = String(headers['content-type'] ?? '')
  if (BINARY.test(type)) return null
  // A character that was cut in two is left out.
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content, { stream: true })
  return searchedBody(side, operation, text, () => {
    // The serializer writes neither separators nor NUL.
    if (isPlain) return withoutTokens(text)
    const kept = withoutSecretsOfBody(text, operation.startsWith('oauth.'))
    if (kept === null) return null
    return withoutTokens(SEPARATORS.test(kept) ? kept.replaceAll(SEPARATORS_ALL, '\uFFFD') : kept)
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const SEPARATORS = /[\x1e\x1f]/
const SEPARATORS_ALL = new RegExp(SEPARATORS, 'g')

/** Reads the heads of a batch. */
export const readHeads = (text: string): Head[] =>
  (JSON.parse(`[${text.slice(0, -1)}]`) as StoredHead[]).map((head) => ({ ...NOTHING, ...head }))

const NOTHING: Pick<Head, 'error' | 'unread' | 'why'> = { error: null, unread: [], why: null }

/** Reads the messages of a batch. */
export function readMessages(text: string, heads: readonly Head[]): Messages[] {
  const all = text.split(SEPARATOR.requests)
  return heads.map(({ request_size, response_size }, i) => {
    const [sent = '', asked = '', answered = '', answer = ''] = all[i]?.split(SEPARATOR.parts) ?? []
    return { request: keptOf(sent, asked, request_size), response: keptOf(answered, answer, response_size) }
  })
}

const keptOf = (lines: string, body: string, size: number): KeptMessage => ({
  headers: Object.fromEntries(lines.split('\n').filter(Boolean).map(headerOf)),
  body: body === '' ? null : body,
  is_cut: body !== '' && size > RECORDED_BYTES,
})
