import { ConfigError } from '../config.ts'
import { Refusal } from '../errors.ts'

/** What the library wrapped: an answer of the service that is no success, or what happened on the way. */
interface Failure {
  name?: string
  message?: string
  code?: string
  cause?: unknown
  /** Put there by the SDK when it gave up; a status is there only when there was an answer. */
  $metadata?: { httpStatusCode?: number }
}

const failureOf = (error: unknown): Failure => ((error as Failure | null)?.cause ?? error ?? {}) as Failure

export const isMissing = (error: unknown): boolean => failureOf(error).name === 'NoSuchKey'

/** Whether it broke while an answer came, which the SDK leaves to us. */
export function isOfTheWay(error: unknown): boolean {
  const { name, code = '', $metadata } = failureOf(error)
  return !$metadata && (name === 'TimeoutError' || /^E[A-Z]+$/.test(code))
}

/** Does this; what the service refuses, or does not answer, is Refusal('unavailable'): nobody who asks us can help it. */
export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const failure = failureOf(error)
    if (!failure.$metadata && !isOfTheWay(error)) throw error
    const { message, $metadata } = failure
    const name = nameOf(failure)
    throw new Refusal('unavailable', `The file store is not available (${name}).`, {
      retry_after: 5,
      // Not the error itself: it holds the key's name and what was signed, and this one is logged.
      cause: new StoreError(name, message ?? '', $metadata?.httpStatusCode),
    })
  }
}

const nameOf = ({ name, code }: Failure): string =>
  [code, name].find((one) => one && /^\w{3,60}$/.test(one) && one !== 'Error') ?? 'no answer'

class StoreError extends Error {
  readonly status: number | undefined
  constructor(name: string, message: string, status: number | undefined) {
    super(message)
    this.name = name
    this.status = status
  }
}

const messages: Record<string, string> = {
  NoSuchBucket: 'FILES_URL names a bucket that is not there.',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known to the file store.',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID.',
  AccessDenied: 'S3_ACCESS_KEY_ID may not list what is in FILES_URL.',
  AuthorizationHeaderMalformed: 'S3_REGION is not the region of the bucket.',
  PermanentRedirect: 'S3_REGION is not the region of the bucket.',
}

/** Ends a start that no waiting helps, by the name of the setting that is to blame; goes on when the service may answer later. */
export function refuseToStart(error: unknown): void {
  const cause = error instanceof Refusal && error.cause
  if (!(cause instanceof StoreError)) throw error
  const { name, status = 500, message } = cause
  if (status >= 500 || status === 408 || status === 429) return
  throw new ConfigError(messages[name] ?? `FILES_URL cannot be used: ${name} (${message}).`, { cause })
}
