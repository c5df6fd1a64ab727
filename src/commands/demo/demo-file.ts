import { readFileSync } from 'node:fs'
import { ConfigError } from '../../config.ts'
import type { Demo } from './demo.ts'

/** The file in the data folder with the sign-in, the keys and the tokens of the demo account. Throws ConfigError. */
export function readDemo(file: string): Demo {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ConfigError(
      `${file} is not JSON (${error.message}). Restore it, or delete it; the demo account is kept.`,
    )
  }
}
