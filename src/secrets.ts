import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { ConfigError } from './config.ts'
import { writeDurably } from './files/durable-file.ts'

/** 256 random bits in base64url behind a prefix that tells people and secret scanners what it is (A1). */
export function randomToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits, each equally likely. */
export function randomAlphanumeric(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour the first letters.
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62]
    }
  }
  return text
}

/** What is stored of a token: enough to find it, nothing to use it with. */
export function sha256(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest()
}

export function hmacSha256Hex(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Compares two digests in constant time. */
export function sameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Compares two texts of any length in constant time, by way of their digests. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}

const NONCE = 12
const TAG = 16

/** AES-256-GCM: nonce, ciphertext, tag. `place` is authenticated with it, so that a sealed value fits one place only. */
export function seal(key: Buffer, place: string, text: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `seal` made. Throws when the key, the place or a single bit differs. */
export function unseal(key: Buffer, place: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE)).setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG))
  const text = decipher.update(sealed.subarray(NONCE, sealed.length - TAG), undefined, 'utf8')
  return text + decipher.final('utf8')
}

/** A key for one purpose from a secret of full strength (RFC 5869). */
export function deriveKey(secret: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, 32))
}

/**
 * Keeps the secrets that must be shown again (A11), under a master key that is never in the database.
 * Every purpose has a key of its own.
 */
export interface Vault {
  seal(place: string, text: string): Buffer
  unseal(place: string, sealed: Buffer): string
  /** A key of the server's own, always the same for the same purpose. */
  key(purpose: string): Buffer
}

export function openVault(masterKey: Buffer): Vault {
  const stored = deriveKey(masterKey, 'patchbay stored secrets')
  return {
    seal: (place, text) => seal(stored, place, text),
    unseal: (place, sealed) => unseal(stored, place, sealed),
    key: (purpose) => deriveKey(masterKey, `patchbay ${purpose}`),
  }
}

/**
 * The master key from the environment or the file; `create` makes the file (0600) when neither exists.
 * Throws ConfigError when there is none, or when it is not 32 bytes.
 */
export function readMasterKey(fromEnvironment: string | undefined, file: string, create: boolean): Buffer {
  if (fromEnvironment) return decodeKey(fromEnvironment, 'MASTER_KEY')
  if (existsSync(file)) return decodeKey(readFileSync(file, 'utf8'), file)
  if (!create) {
    throw new ConfigError(
      `There is no master key: set MASTER_KEY, or put 32 random bytes in base64 into ${file}.`,
    )
  }
  const key = randomBytes(32)
  // Rows are sealed under this key from now on: it must outlast a power loss as they do.
  writeDurably(file, `${key.toString('base64')}\n`, { exclusive: true })
  return key
}

function decodeKey(text: string, where: string): Buffer {
  const key = Buffer.from(text, 'base64')
  // Node reads over what is no base64, and would take half of a password for a key.
  if (key.length !== 32 || key.toString('base64') !== text.trim())
    throw new ConfigError(`${where} does not hold 32 bytes in base64.`)
  return key
}
