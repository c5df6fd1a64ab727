import { ConfigError } from '../config.ts'
import { Refusal } from '../errors.ts'

/** An error that the library wrapped: an error response of the service, or a network error. */
interface Failure {
  name?: string
  message?: string
  code?: string
  cause?: unknown
  /** Set by the SDK when it gave up. The status exists only if there was a response. */
  $metadata?: { httpStatusCode?: number }
}

const failureOf = (error: unknown): Failure => ((error as Failure | null)?.cause ?? error ?? {}) as Failure

export const isMissing = (error: unknown): boolean => failureOf(error).name === 'NoSuchKey'

/** Whether the connection broke during a response. The SDK does not retry this. */
export function isOfTheWay(error: unknown): boolean {
  const { name, code = '', $metadata } = failureOf(error)
  return !$metadata && (name === 'TimeoutError' || /^E[A-Z]+$/.test(code))
}

/** A member that each answer of S3 to a request has. */
const answered: Record<string, string> = { ListObjectsV2Command: 'IsTruncated', PutObjectCommand: 'ETag' }

/**
 * Throws for the answer of another server, such as the web page of a console on the next port: the SDK reads every answer with
 * status 200 as a success, so that files would seem to be stored.
 */
export function requireAnswer(command: string, output: { $metadata?: unknown }): void {
  const member = answered[command]
  if (member !== undefined && !(member in output))
    throw Object.assign(new Error(`The answer has no ${member}.`), {
      name: 'NoAnswerOfS3',
      $metadata: output.$metadata,
    })
}

/**
 * Runs this, and turns errors and timeouts of the service into Refusal('unavailable'), because the caller cannot fix
 * them.
 */
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
      // The original error is not attached: it contains the key's name and the signed request, and this error is
      // logged.
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
  NoSuchBucket: 'FILES_URL names a bucket that does not exist.',
  InvalidAccessKeyId: 'The file store does not know S3_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY does not match S3_ACCESS_KEY_ID.',
  AccessDenied: 'S3_ACCESS_KEY_ID has no permission to list FILES_URL.',
  AuthorizationHeaderMalformed: 'S3_REGION is not the region of the bucket.',
  PermanentRedirect: 'S3_REGION is not the region of the bucket.',
  NoAnswerOfS3:
    'S3_ENDPOINT is not the address of an S3 service. The port of its API can be another one than that of its web pages.',
}

/** Throws ConfigError with the name of the wrong setting. Does nothing if the service may recover without a change. */
export function refuseToStart(error: unknown): void {
  const cause = error instanceof Refusal && error.cause
  if (!(cause instanceof StoreError)) throw error
  const { name, status = 500, message } = cause
  if (status >= 500 || status === 408 || status === 429) return
  throw new ConfigError(messages[name] ?? `FILES_URL cannot be used: ${name} (${message}).`, { cause })
}
