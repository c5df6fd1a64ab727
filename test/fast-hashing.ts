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
