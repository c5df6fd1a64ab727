import { EventSourceParserStream } from 'eventsource-parser/stream'

/** A server of this program, as its own commands call it. */
export interface Server {
  /** Without a final slash. */
  url: string
  /** A token of an integration, or the key of the test helpers. */
  token: string
}

/** An answer of a server that refuses a request. */
export class ServerRefusal extends Error {
  override name = 'ServerRefusal'
  readonly status: number
  /** Seconds; null if the server does not say it. */
  readonly retry_after: number | null
  /** The parsed body. */
  readonly problem: Record<string, unknown>

  constructor(status: number, retry_after: number | null, problem: Record<string, unknown>) {
    super(`The server answered ${status}: ${sentenceOf(problem)}`)
    this.status = status
    this.retry_after = retry_after
    this.problem = problem
  }
}

interface ProblemBody {
  detail?: string
  'validation-errors'?: { errors: { path: string; detail: string }[] }[]
}

function sentenceOf(problem: ProblemBody): string {
  const faults = (problem['validation-errors'] ?? []).flatMap(({ errors }) => errors)
  return [problem.detail ?? 'no reason was given', ...faults.map((one) => `${one.path}: ${one.detail}`)].join(
    '\n  ',
  )
}

/** Sends a request with JSON, and returns the parsed answer, if it has a body. Throws ServerRefusal, or a TypeError if there is no answer. */
export async function askServer<T>(
  { url, token }: Server,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  await refuse(answer)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

export interface ServerEvent {
  id: string | undefined
  name: string | undefined
  data: string
}

/** Milliseconds of silence after which a stream counts as broken. Servers send something every fifteen seconds. */
const SILENCE_MS = 45_000
const LARGEST_EVENT = 16 * 1024 * 1024

/** Reads a stream of server-sent events until it ends or breaks. Throws as `askServer`, and a DOMException for silence. */
export async function* serverEvents(
  { url, token }: Server,
  path: string,
  last_event_id: string | null,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENCE_MS)
  const watched = new TransformStream<Uint8Array<ArrayBuffer>, ArrayBufferView | ArrayBuffer>({
    transform: (chunk, controller) => {
      timer.refresh()
      controller.enqueue(chunk)
    },
  })
  try {
    const answer = await fetch(url + path, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'text/event-stream',
        ...(last_event_id !== null && { 'last-event-id': last_event_id }),
      },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    await refuse(answer)
    if (!answer.body) return
    const events = answer.body
      .pipeThrough(watched)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ maxBufferSize: LARGEST_EVENT }))
    for await (const { id, event, data } of events) {
      clearTimeout(timer)
      // The reader can take its time.
      yield { id, name: event, data }
      timer.refresh()
    }
  } finally {
    clearTimeout(timer)
  }
}

async function refuse(answer: Response): Promise<void> {
  if (answer.ok) return
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const problem = (await answer.json().catch(() => ({}))) as Record<string, unknown>
  throw new ServerRefusal(answer.status, Number.isFinite(wait) ? wait : null, problem)
}
