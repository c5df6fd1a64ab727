import { onTestFinished } from 'vitest'
import './cheap-hashes.ts'

/** Hashes at full cost until the test ends, for passwords that a program of the test shares. */
export function hashAtFullCost(): void {
  const { hashing } = globalThis
  if (!hashing) return
  hashing.isFast = false
  onTestFinished(() => {
    hashing.isFast = true
  })
}

/** Lets all hashes wait until the returned function is called, as if they took long. */
export function holdHashing(): () => void {
  const { hashing } = globalThis
  const { promise, resolve } = Promise.withResolvers<void>()
  if (hashing) hashing.held = promise
  const release = () => {
    if (hashing) delete hashing.held
    resolve()
  }
  onTestFinished(release)
  return release
}
