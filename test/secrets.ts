import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { writeDump } from '../src/commands/dump.ts'
import type { Context } from '../src/context.ts'

/** What in a request or an answer is a secret: tokens by their prefixes, and members by their names. */
const patterns = [
  /\bpb[a-z]_[\w-]{43}\b/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /"(?:client_secret|secret|form_token|password)":"([^"]{8,})"/g,
]

/** Keeps every secret that a test sees, and looks whether one was written down anywhere. */
export class Secrets {
  readonly #seen = new Set<string>()

  see(text: string): void {
    for (const pattern of patterns) {
      for (const [whole, part] of text.matchAll(pattern)) this.#seen.add(part ?? whole)
    }
  }

  /** Secrets that stand in the text, as they are, in base64 or in hex. */
  in(text: string): string[] {
    const words = new Set(text.match(/[A-Za-z0-9+/_.-]{8,}/g))
    return [...this.#seen].filter((secret) => spellings(secret).some((spelling) => words.has(spelling)))
  }

  /** Secrets that stand in the bytes, between whatever. */
  inBytes(bytes: Buffer): string[] {
    // Searching for each is slow; what thousands of parallel requests have in common shows with a few of them.
    return [...this.#seen]
      .slice(0, 100)
      .filter((secret) => spellings(secret).some((spelling) => bytes.includes(spelling)))
  }
}

const spellings = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [
    secret,
    bytes.toString('base64').replaceAll('=', ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ]
}

/** Where secrets of a world might have been left: its backup (which is its whole database), its files and its log. */
export async function leakedSecrets(
  ctx: Context,
  secrets: Secrets,
  log: string,
  folder: string,
): Promise<string[]> {
  const file = join(folder, 'backup.gz')
  await writeDump(ctx, file, ctx.now(), () => {})
  const files = ctx.config.database_url
    ? []
    : ['patchbay.db', 'patchbay.db-wal'].map((name) => join(folder, name))
  return [
    ...secrets.in(gunzipSync(readFileSync(file)).toString()).map((secret) => `in the backup: ${secret}`),
    ...files.flatMap((name) => secrets.inBytes(readFileSync(name)).map((secret) => `in ${name}: ${secret}`)),
    ...secrets.in(log).map((secret) => `in the log: ${secret}`),
  ]
}
