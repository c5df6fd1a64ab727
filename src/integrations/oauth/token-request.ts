import { tokenRefusal } from './token-refusals.ts'

/** The parameters of a token request. All are texts. */
export interface TokenRequest {
  client_id: string
  client_secret: string
  grant_type: string
  /** Always sent in JSON. Generic clients, which send forms, omit it when they refresh (RFC 6749, 6). */
  redirect_uri: string | null
  code: string | null
  refresh_token: string | null
  code_verifier: string | null
}

export interface RevocationRequest {
  client_id: string
  client_secret: string
  token: string
}

const MAX_LENGTH = 4_096
const JSON_AS_FORM =
  'it is JSON, but `Content-Type` says that it is a form. Send `Content-Type: application/json`.'
const parameters = [
  'client_id',
  'client_secret',
  'grant_type',
  'redirect_uri',
  'code',
  'refresh_token',
  'code_verifier',
  'token',
] as const
type Parameters = Partial<Record<(typeof parameters)[number], string>>

/** Parses the body of a token request, JSON or form, with the client's keys in it or in HTTP Basic (A3). */
export function readTokenRequest(
  body: unknown,
  isForm: boolean,
  authorization: string | undefined,
): TokenRequest {
  const { sent, need } = readSent(body, authorization)
  const grant_type = need('grant_type')
  const request: TokenRequest = {
    client_id: need('client_id'),
    client_secret: need('client_secret'),
    grant_type,
    redirect_uri: sent.redirect_uri ?? null,
    code: sent.code ?? null,
    refresh_token: sent.refresh_token ?? null,
    code_verifier: sent.code_verifier ?? null,
  }
  const own = ownParameters[grant_type]
  if (!own) throw tokenRefusal('unsupported_grant_type')
  need(own)
  if (!(isForm && grant_type === 'refresh_token')) need('redirect_uri')
  return request
}

/**
 * Parses the body of a revocation request, JSON or form (RFC 7009, 2.1). The type of the token does not have to be
 * known, so `token_type_hint` is not used.
 */
export function readRevocationRequest(body: unknown, authorization: string | undefined): RevocationRequest {
  const { need } = readSent(body, authorization)
  return { client_id: need('client_id'), client_secret: need('client_secret'), token: need('token') }
}

function readSent(
  body: unknown,
  authorization: string | undefined,
): { sent: Parameters; need: (name: keyof Parameters) => string } {
  const sent = { ...readParameters(body), ...readBasic(authorization, body) }
  return {
    sent,
    need: (name) => {
      const value = sent[name]
      if (!value) throw tokenRefusal('missing_parameter', name)
      return value
    },
  }
}

const ownParameters: Record<string, keyof Parameters> = {
  __proto__: null as never,
  authorization_code: 'code',
  refresh_token: 'refresh_token',
}

function readParameters(body: unknown): Parameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw tokenRefusal('unreadable', 'it must be a JSON object or a form.')
  const sent: Parameters = {}
  for (const name of parameters) {
    const value = (body as Record<string, unknown>)[name]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || value.length > MAX_LENGTH) throw tokenRefusal('missing_parameter', name)
    sent[name] = value
  }
  return sent
}

/**
 * Parses a form body. Refuses duplicate parameters, which two readers can understand differently (RFC 6749, 3.2), and
 * JSON, which curl and others send as a form unless their caller names its type.
 */
export function parseForm(text: string): Record<string, string> {
  if (/^\s*\{/.test(text)) throw tokenRefusal('unreadable', JSON_AS_FORM)
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in form)
      throw tokenRefusal('unreadable', `the parameter ${JSON.stringify(name)} is a duplicate.`)
    form[name] = value
  }
  return form
}

/** Client keys in HTTP Basic (RFC 6749, 2.3.1). They must not be in the body as well. */
function readBasic(authorization: string | undefined, body: unknown): Parameters {
  if (!authorization || !/^basic /i.test(authorization)) return {}
  const text = Buffer.from(authorization.slice(6), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) throw tokenRefusal('missing_parameter', 'client_id')
  if ((body as Parameters).client_secret !== undefined)
    throw tokenRefusal('missing_parameter', 'client_secret')
  try {
    return {
      client_id: decodeURIComponent(text.slice(0, colon).replaceAll('+', ' ')),
      client_secret: decodeURIComponent(text.slice(colon + 1).replaceAll('+', ' ')),
    }
  } catch {
    throw tokenRefusal('missing_parameter', 'client_id')
  }
}
