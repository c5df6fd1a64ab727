import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Hashes passwords at the lowest cost in the process that loads this file first: a hash at the product's cost takes longer
 * than an ordinary test. Stored hashes keep their form, and hashes of another cost are computed as they are.
 */
const FULL_MEMORY = 65_536

interface Hashing {
  isFast: boolean
  /** Hashes wait for it, if there is one. */
  held?: Promise<void>
}

declare global {
  /** Kept here because Vitest runs its setup before each test file, while the program of a thread is loaded once. */
  var hashing: Hashing | undefined
}

if (!globalThis.hashing) {
  const hashing: Hashing = { isFast: true }
  const { argon2 } = crypto
  crypto.argon2 = (algorithm, parameters, callback) => {
    const hash = () =>
      hashing.isFast && parameters.memory === FULL_MEMORY
        ? argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, callback)
        : argon2(algorithm, parameters, callback)
    if (hashing.held) hashing.held.then(hash)
    else hash()
  }
  syncBuiltinESMExports()
  globalThis.hashing = hashing
}
