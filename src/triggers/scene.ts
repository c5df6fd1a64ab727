import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LineNeeds, ProviderLine } from '../chats/chats.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'

/** Sends a request to this server as a client does, without a socket. */
export type Inject = (request: InjectedRequest) => Promise<InjectedAnswer>

export interface InjectedRequest {
  method: string
  url: string
  headers: Record<string, string>
  payload?: string
}

export interface InjectedAnswer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

/** A request that was sent. */
export interface SentRequest {
  method: string
  /** The path and the query. */
  path: string
  status: number
  request_id: string
}

/** Details of the account and the caller. */
export interface Setting {
  ctx: Context
  inject: Inject
  /** The host of the account. */
  host: string
  token: string
  /** Finds a channel of the account that is connected as needed, or makes one. Null: any. */
  channel(id: string | null, needs: LineNeeds): Promise<ProviderLine & { is_new: boolean }>
  /** Makes an integration with a disable hook, or finds one, and disables it; returns its id. */
  disable(integration: string | null, url: string): Promise<{ id: string; is_new: boolean }>
}

// biome-ignore lint/suspicious/noExplicitAny: the bodies of all operations.
type Body = any

/** Seconds that a request waits for at most when it came too early. */
const LONGEST_WAIT = 3
const TRIES = 4

/** The account in which an action happens. It keeps what was sent, and the ids of what was made. */
export class Scene {
  readonly requests: SentRequest[] = []
  readonly made: Record<string, number | string> = {}
  readonly #setting: Setting

  constructor(setting: Setting) {
    this.#setting = setting
  }

  /** Unix seconds. */
  get now(): number {
    return this.#setting.ctx.now()
  }

  /** Sends a request below `/api/v4` with the token. Throws Refusal if it is refused. */
  ask(method: string, path: string, body?: object): Promise<Body> {
    return this.#send(method, `/api/v4/${path}`, body && JSON.stringify(body), json)
  }

  /** Reads a record below `/api/v4`. Throws Refusal if there is none: the API answers that with 204 (V4). */
  async read(path: string): Promise<Body> {
    const found = await this.ask('GET', path)
    if (found === undefined) throw refused(this.requests, JSON.stringify({ detail: NO_RECORD }))
    return found
  }

  /** Like `ask`, for the file service. */
  file(method: string, path: string, content: string, type: string): Promise<Body> {
    return this.#send(method, path, content, { 'content-type': type })
  }

  /** Sends a request of a visitor, without a token. */
  async visit(path: string): Promise<void> {
    await this.#send('GET', path, undefined, { authorization: '' })
  }

  /** Sends a message of a customer through a channel, signed by its provider. */
  push({ scope_id, sign }: ProviderLine, payload: object): Promise<Body> {
    const body = JSON.stringify({ event_type: 'new_message', payload })
    const headers = { ...json, authorization: '', 'x-signature': sign(body) }
    return this.#send('POST', `/v2/origin/custom/${scope_id}`, body, headers)
  }

  /** The given id, or that of a new record, which it keeps under this name. */
  async given(name: string, id: number | null, path: string, draft: object): Promise<number> {
    return id ?? this.add(name, path, draft)
  }

  /** Adds one entity by a batch of one, and keeps its id under this name. */
  async add(name: string, path: string, draft: object): Promise<number> {
    const { _embedded } = await this.ask('POST', path, [draft])
    const [added] = Object.values(_embedded)[0] as { id: number }[]
    return this.keep(name, (added as { id: number }).id)
  }

  /** Keeps the id of something that was made. */
  keep<Id extends number | string>(name: string, id: Id): Id {
    this.made[name] = id
    return id
  }

  /** Letters that nothing else in the account has. */
  unique(): string {
    return randomBytes(4).toString('hex')
  }

  async channel(id: string | null, needs: LineNeeds): Promise<ProviderLine> {
    const { is_new, ...line } = await this.#setting.channel(id, needs)
    if (is_new) this.keep('channel', line.id)
    return line
  }

  async disable(integration: string | null, url: string): Promise<void> {
    const { id, is_new } = await this.#setting.disable(integration, url)
    if (is_new) this.keep('integration', id)
  }

  async #send(
    method: string,
    url: string,
    payload: string | undefined,
    headers: Record<string, string>,
  ): Promise<Body> {
    const { host, token, inject } = this.#setting
    const { authorization = `Bearer ${token}`, ...rest } = headers
    const request = {
      method,
      url,
      headers: { host, ...(authorization && { authorization }), ...(payload === undefined ? {} : rest) },
      ...(payload !== undefined && { payload }),
    }
    for (let tries = 1; ; tries++) {
      const answer = await inject(request)
      const wait = Number(answer.headers['retry-after'])
      if (answer.statusCode === 429 && tries < TRIES && wait <= LONGEST_WAIT) {
        await sleep(wait * 1000)
        continue
      }
      const { statusCode: status, headers: got, body } = answer
      this.requests.push({ method, path: url, status, request_id: String(got['x-request-id'] ?? '') })
      if (status >= 400) throw refused(this.requests, body)
      return read(body)
    }
  }
}

const json = { 'content-type': 'application/json' }

const NO_RECORD = 'there is no such record, or the person may not see it.'

function read(body: string): Body {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Why the action ended early, with the sentence of the refusal. */
function refused(requests: readonly SentRequest[], body: string): Refusal {
  const { method, path, status } = requests.at(-1) as SentRequest
  const { detail, 'validation-errors': items = [] } = read(body) ?? {}
  const faults = items.flatMap(({ errors }: { errors: { path: string; detail: string }[] }) =>
    errors.map(({ path, detail }) => `${path}: ${detail}`),
  )
  const why = [detail ?? body.slice(0, 200), ...faults].join(' ')
  return new Refusal(
    'unprocessable',
    `${method} ${path} was ${status < 400 ? 'answered' : 'refused'} with ${status}: ${why}`,
    {
      code: 'trigger_refused',
      members: { requests },
    },
  )
}
