import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Context } from '../../context.ts'
import { randomToken } from '../../secrets.ts'
import type { Vault } from '../../vault.ts'

/**
 * The claims of an access token, for clients that decode it (A1; docs/wire/oauth.md#access-tokens). The server does not
 * rely on them.
 */
export interface AccessTokenSubject {
  client_id: string
  user_id: number
  account_id: number
  scopes: string[]
  issued_at: number
  expires_at: number
  /** The domain of the server, with its port, as the client addresses it. */
  base_host: string
}

/** The PKCS #8 prefix of a 32-byte Ed25519 private key (RFC 8410, 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const PURPOSE = 'access token signature'
/** The signing keys of each vault by the name of their master key; a vault has two while that is changed. */
const signingKeys = new WeakMap<Vault, Map<string, KeyObject>>()

/** The key of these bytes, which are derived from a master key, so that all processes have the same one. */
const signingKey = (bytes: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, bytes]), format: 'der', type: 'pkcs8' })

/** The key that signs now, derived once. */
function presentKey(vault: Vault): KeyObject {
  const known = signingKeys.get(vault) ?? new Map<string, KeyObject>()
  signingKeys.set(vault, known)
  const name = vault.usedKey
  const key = known.get(name) ?? signingKey(vault.key(PURPOSE))
  known.set(name, key)
  return key
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const HEADER = encode({ alg: 'EdDSA', typ: 'JWT' })

/**
 * Signs a JWT with EdDSA (RFC 7515, 7.1; RFC 8037). `api_domain` and `base_domain` are hosts with their port, as
 * clients use them. Libraries use WebCrypto's thread pool, which costs twice as much.
 */
export function signAccessToken(ctx: Context, subject: AccessTokenSubject): string {
  const { base_host } = subject
  const claims = {
    aud: subject.client_id,
    jti: randomToken(''),
    iat: subject.issued_at,
    nbf: subject.issued_at,
    exp: subject.expires_at,
    sub: String(subject.user_id),
    account_id: subject.account_id,
    base_domain: base_host,
    api_domain: base_host,
    scopes: subject.scopes,
  }
  const text = `${HEADER}.${encode(claims)}`
  return `${text}.${sign(null, Buffer.from(text), presentKey(ctx.vault)).toString('base64url')}`
}

/** The claims of a signed access token. */
export interface SignedClaims {
  account_id: number
  /** Unix seconds. */
  iat: number
  exp: number
}

/** The claims of a token with a valid signature of this server; null for any other text. */
export function readAccessToken(ctx: Context, token: string): SignedClaims | null {
  const [head, body, signature] = token.split('.')
  if (head === undefined || body === undefined || signature === undefined) return null
  const text = Buffer.from(`${head}.${body}`)
  const signed = Buffer.from(signature, 'base64url')
  const isOurs = ctx.vault
    .keys(PURPOSE)
    .some((bytes) => verify(null, text, createPublicKey(signingKey(bytes)), signed))
  return isOurs ? JSON.parse(Buffer.from(body, 'base64url').toString()) : null
}
