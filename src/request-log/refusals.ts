import { problemCodes } from '../http/problem-codes.ts'
import type { TokenState } from '../integrations/integrations.ts'
import type { SignatureFault } from '../traffic.ts'

/** What became of the token of a refused request. */
export interface DeadToken {
  kind: TokenState['kind']
  state: TokenState['state'] | 'unknown' | 'missing'
  /** When the state began, in Unix seconds. */
  at: number | null
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

/** Explains a refusal by its body, by the state of its token, and by the mistake in its signature. */
export function refused(
  status: number,
  text: string | null,
  token: DeadToken | null,
  fault: SignatureFault | null = null,
): Refused {
  const body = read(text)
  const code = codeOf(body)
  const sentence = token && sentenceOf(token)
  const rule = fault?.rule ?? sentence ?? ruleOf(body, code) ?? `The answer was ${status}.`
  if (!fault) return { rule, code, token }
  const { rule: _rule, ...signature } = fault
  return { rule, code, token, signature }
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

function ruleOf(body: RefusalBody, code: string | null): string | undefined {
  const faults = (body['validation-errors'] ?? []).flatMap(({ errors = [] }) => errors)
  if (faults.length > 0)
    return faults
      .slice(0, MOST_FAULTS)
      .map(({ path, detail }) => (path ? `${path}: ${detail}` : String(detail)))
      .join(' ')
  const meaning = code !== null && Object.hasOwn(problemCodes, code) ? problemCodes[code]?.[1] : undefined
  return (
    meaning ??
    textOf(body.detail) ??
    textOf(body.hint) ??
    textOf(body.error_description) ??
    textOf(body.response?.error)
  )
}

const nouns = { access_token: 'access token', refresh_token: 'refresh token', code: 'authorization code' }
const timeOf = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z')
const when = (at: number | null): string => (at === null ? '' : ` at ${timeOf(at)}`)
const by = (request_id: string | null): string => (request_id ? ` by request ${request_id}` : '')

/** The end of a token in a sentence; undefined if the answer itself says more. */
function sentenceOf({ kind, state, at, caused_by, used_by }: DeadToken): string | undefined {
  const noun = `The ${nouns[kind]}`
  if (state === 'expired') return `${noun} expired${when(at)}.`
  if (state === 'revoked') return `${noun} was revoked${when(at)}${by(caused_by)}.`
  if (state !== 'replaced') return undefined
  if (kind === 'code') return `${noun} was exchanged${when(at)}${by(caused_by)}. A code works once.`
  const used = used_by ? `, and first used${by(used_by)}` : ', and has been used'
  return `${noun} was replaced: a new pair was issued${when(at)}${by(caused_by)}${used}.`
}
