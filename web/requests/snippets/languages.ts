import type { Call } from './call.ts'
import { curlOf } from './curl.ts'
import { phpOf } from './php.ts'
import { pythonOf } from './python.ts'
import { typescriptOf } from './typescript.ts'

/** The languages in which a request can be copied, with their usual names. */
export const languages = {
  curl: { name: 'curl', write: curlOf },
  php: { name: 'PHP', write: phpOf },
  python: { name: 'Python', write: pythonOf },
  typescript: { name: 'TypeScript', write: typescriptOf },
} as const satisfies Record<string, { name: string; write: (call: Call) => string }>
export type Language = keyof typeof languages
