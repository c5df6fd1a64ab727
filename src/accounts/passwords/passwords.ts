import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Config } from '../../config.ts'
import { Refusal } from '../../errors.ts'
import { shareOf } from '../../http/limits/places.ts'
import { sameDigest } from '../../secrets.ts'

/** The cost of one guess for an attacker who has the database: about a sixth of a second and 64 MiB. */
const COST = { memory: 65_536, passes: 3, parallelism: 1 }
const TAG_LENGTH = 32
const SALT_LENGTH = 16

/**
 * Two concurrent hashes leave a processor for other requests; with several processes, each has its share. When the queue
 * is full, callers get 503 and retry.
 */
const AT_ONCE = 2
let at_once = AT_ONCE

/** Divides the concurrent hashes among the processes. */
export function divideHashing(config: Pick<Config, 'workers'>): void {
  at_once = shareOf(AT_ONCE, config)
}

const QUEUE = 32

/** Stored for a person without a password; no password matches it. */
export const NO_PASSWORD = ''

/** Hashes the password into PHC format. Throws Refusal('unavailable') if too many hashes are pending. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_LENGTH)
  return format({ ...COST, salt, tag: await derive(password, { ...COST, salt, length: TAG_LENGTH }) })
}

/**
 * Verifies a password against a stored hash. Without a hash (unknown e-mail, or a person without a password) it
 * does the same work, so that timing reveals nothing. Throws as hashPassword does.
 */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  const known = parse(stored)
  const { salt, tag, ...cost } = known ?? {
    ...COST,
    salt: Buffer.alloc(SALT_LENGTH),
    tag: Buffer.alloc(TAG_LENGTH),
  }
  const derived = await derive(password, { ...cost, salt, length: tag.length })
  return known !== undefined && sameDigest(derived, tag)
}

/** Whether the hash was made with a lower cost than today's. */
export function isOutdated(stored: string): boolean {
  const known = parse(stored)
  return known !== undefined && (known.memory < COST.memory || known.passes < COST.passes)
}

interface Hash {
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
  tag: Buffer
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parse(stored: string): Hash | undefined {
  const match = PHC.exec(stored)
  if (!match) return undefined
  const [, memory, passes, parallelism, salt, tag] = match as unknown as [string, ...string[]]
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt as string, 'base64'),
    tag: Buffer.from(tag as string, 'base64'),
  }
}

const format = ({ memory, passes, parallelism, salt, tag }: Hash) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

type Cost = Omit<Hash, 'tag'> & { length: number }
const argon2id = promisify(argon2)

let running = 0
const waiting: (() => void)[] = []

async function derive(password: string, { salt, length, ...cost }: Cost): Promise<Buffer> {
  await acquire()
  try {
    // The same letters can be typed as different code points; NFC makes them one password.
    const message = password.normalize('NFC')
    return await argon2id('argon2id', { message, nonce: salt, tagLength: length, ...cost })
  } finally {
    release()
  }
}

function acquire(): Promise<void> | undefined {
  if (running < at_once) {
    running++
    return undefined
  }
  if (waiting.length >= QUEUE)
    throw new Refusal('unavailable', 'Too many people are signing in. Please try again.', { retry_after: 3 })
  return new Promise((resolve) => waiting.push(resolve))
}

/** The next waiting caller takes over, so `running` does not change. */
function release(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}
