import { problemCodes } from '../http/problems/problem-codes.ts'
import { endSentence, type TokenState } from '../integrations/integrations.ts'
import type { SignatureFault } from '../traffic.ts'

/** The state of the token of a refused request, and the reason for that state. */
export interface DeadToken {
  kind: TokenState['kind']
  state: TokenState['state'] | 'unknown' | 'missing'
  /** Why it is dead. */
  reason: NonNullable<TokenState['end']>['reason'] | null
  /** When the state began, in Unix seconds. */
  at: number | null
  /** The person who ended it; 0 or null if none did. Absent in rows of older versions. */
  by?: number | null
  /** The request that caused it, and the one that first used the pair that replaced it. */
  caused_by: string | null
  used_by: string | null
}

/** Why a request was refused. */
export interface Refused {
  /** The rule in a sentence. */
  rule: string
  /** The code of the problem, as in the fragment of its `type`. */
  code: string | null
  token: DeadToken | null
  /** The first faults of the input. Absent in rows of older versions. */
  faults?: { path: string; detail: string }[]
  /** Why the signature is wrong, if that was looked for. */
  signature?: Omit<SignatureFault, 'rule'>
}

/** The parts of a refusal of any surface that say why. */
interface RefusalBody {
  type?: unknown
  detail?: unknown
  hint?: unknown
  error_description?: unknown
  error_type?: unknown
  response?: { error?: unknown }
  'validation-errors'?: { errors?: { path?: unknown; detail?: unknown }[] }[]
}

const MOST_FAULTS = 5
const LONGEST_PATH = 200

/** A token of a refused request, and why it is dead, in a sentence; null if the answer itself says more. */
export interface ExplainedToken {
  token: DeadToken
  sentence: string | null
}

/** The state and the end of the token that was sent; `sent` is its kind, or null if there was none. */
export function deadToken(found: TokenState | null, sent: TokenState['kind'] | null): ExplainedToken {
  const nothing = { reason: null, at: null, by: null, caused_by: null, used_by: null }
  if (!found) {
    const state = sent ? ('unknown' as const) : ('missing' as const)
    return { token: { kind: sent ?? 'access_token', state, ...nothing }, sentence: null }
  }
  const { kind, state, end } = found
  if (!end) return { token: { kind, state, ...nothing }, sentence: null }
  const { reason, at, by, request_id: caused_by, used_request_id: used_by } = end
  return { token: { kind, state, reason, at, by, caused_by, used_by }, sentence: endSentence(kind, end) }
}

/** Refusals of the token endpoint that have another reason than the state of the token, which is checked after these. */
const beforeToken: ReadonlySet<string | null> = new Set([
  ...['unreadable', 'missing_parameter', 'unsupported_grant_type', 'unknown_client', 'wrong_secret'],
  ...['wrong_redirect_uri', 'wrong_account', 'wrong_verifier'],
])

/** Explains a refusal by its body, by what became of its token, and by the mistake in its signature. */
export function refused(
  status: number,
  text: string | null,
  dead: ExplainedToken | null,
  fault: SignatureFault | null = null,
): Refused {
  const body = read(text)
  const code = codeOf(body)
  const faults = faultsOf(body)
  const ofToken = beforeToken.has(code) ? undefined : dead?.sentence
  const rule = fault?.rule ?? ofToken ?? ruleOf(body, faults, code) ?? `The answer was ${status}.`
  const explained = { rule, code, token: dead?.token ?? null, ...(faults.length > 0 && { faults }) }
  if (!fault) return explained
  const { rule: _rule, ...signature } = fault
  return { ...explained, signature }
}

function read(text: string | null): RefusalBody {
  try {
    return Object(JSON.parse(text ?? ''))
  } catch {
    return {}
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const codeOf = ({ type, error_type }: RefusalBody): string | null =>
  textOf(type)?.split('#')[1] ?? textOf(error_type)?.toLowerCase() ?? null

const faultsOf = (body: RefusalBody): NonNullable<Refused['faults']> =>
  (body['validation-errors'] ?? [])
    .flatMap(({ errors = [] }) => errors)
    .slice(0, MOST_FAULTS)
    .map(({ path, detail }) => ({ path: String(path ?? '').slice(0, LONGEST_PATH), detail: String(detail) }))

function ruleOf(
  body: RefusalBody,
  faults: NonNullable<Refused['faults']>,
  code: string | null,
): string | undefined {
  if (faults.length > 0)
    return faults.map(({ path, detail }) => (path ? `${path}: ${detail}` : detail)).join(' ')
  const meaning = code !== null && Object.hasOwn(problemCodes, code) ? problemCodes[code]?.[1] : undefined
  return (
    meaning ??
    textOf(body.detail) ??
    textOf(body.hint) ??
    textOf(body.error_description) ??
    textOf(body.response?.error)
  )
}
