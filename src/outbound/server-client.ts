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

/** Sends a request with JSON, and returns the parsed answer. Throws ServerRefusal, or a TypeError if there is no answer. */
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
  return answer.json() as Promise<T>
}

async function refuse(answer: Response): Promise<void> {
  if (answer.ok) return
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const problem = (await answer.json().catch(() => ({}))) as Record<string, unknown>
  throw new ServerRefusal(answer.status, Number.isFinite(wait) ? wait : null, problem)
}
