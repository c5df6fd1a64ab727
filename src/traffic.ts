/** The largest part of a body that is recorded, in bytes. */
export const RECORDED_BYTES = 65_536

/** A body as it was sent: at most its first RECORDED_BYTES, and its whole size. */
export interface SentBody {
  content: string | Buffer | null
  size: number
}

/** Why a signature was refused. */
export interface SignatureFault {
  /** The mistakes in sentences. */
  rule: string
  recipe: string
  mistakes: { id: string; detail: string | null }[]
  /** Whether it is known how the signature was made. */
  is_explained: boolean
}

/** One side of an exchange. */
export interface Message extends SentBody {
  headers: Readonly<Record<string, unknown>>
  /** Its schema has only known members, and none of them is a secret. */
  isPlain?: boolean
}

/** A request to the server with its answer, or an attempt to reach another server. It still contains its secrets. */
export interface Exchange {
  direction: 'in' | 'out'
  /** When it began, in Unix milliseconds. */
  at: number
  duration_ms: number
  method: string
  host: string
  /** The path and the query. */
  url: string
  /** The operation of the API description, or the kind of an attempt; empty if there is none. */
  operation: string
  request_id: string
  /** null: not known yet. */
  account_id: number | null
  /** The account of the host; null if it names none. */
  subdomain: string | null
  integration_id: string | null
  user_id: number | null
  grant_id: string | null
  generation: number | null
  /** The delivery of an attempt, and the number of the attempt. */
  delivery_id?: number | undefined
  attempt?: number | undefined
  /** null: there was no answer. */
  status: number | null
  /** Why there was no answer. */
  error: string | null
  /** Members and parameters of the request that nothing reads. */
  unread: readonly string[]
  request: Message
  response: Message
  /** Explains why the signature was refused, for the account that owns the exchange. Called only if it records. */
  explainSignature?: ((account_id: number) => Promise<SignatureFault | null>) | undefined
}

/** Receives the traffic of the server. The request log is a slice, so the program passes this in with the context. */
export interface Traffic {
  /** Whether any account records; while none does, this is all that a request costs. */
  readonly isOn: boolean
  add(exchange: Exchange): void
}

/**
 * A body of which only the beginning is kept. A cut buffer is copied, so that the rest of it can be freed. `known` is its
 * size, if it is known.
 */
export function sentBody(content: string | Buffer | null | undefined, known?: number): SentBody {
  if (content === null || content === undefined) return { content: null, size: 0 }
  if (typeof content === 'string') {
    const size = known || Buffer.byteLength(content)
    return { content: size > RECORDED_BYTES ? content.slice(0, RECORDED_BYTES) : content, size }
  }
  const kept = content.length > RECORDED_BYTES ? Buffer.from(content.subarray(0, RECORDED_BYTES)) : content
  return { content: kept, size: content.length }
}
