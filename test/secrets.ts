import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { writeDump } from '../src/commands/dump.ts'
import type { Context } from '../src/context.ts'

/** Detects secrets in requests and answers: tokens by their prefixes, members by their names. */
const patterns = [
  /\bpb[a-z]_[\w-]{43}\b/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /"(?:client_secret|secret|form_token|password)":"([^"]{8,})"/g,
]

/** Collects every secret that a test sees, and searches for stored ones. */
export class Secrets {
  readonly #seen = new Set<string>()

  see(text: string): void {
    for (const pattern of patterns) {
      for (const [whole, part] of text.matchAll(pattern)) this.#seen.add(part ?? whole)
    }
  }

  /** The secrets in a text, as plain text, base64 or hex. */
  in(text: string): string[] {
    const words = new Set(text.match(/[A-Za-z0-9+/_.-]{8,}/g))
    return [...this.#seen].filter((secret) => spellings(secret).some((spelling) => words.has(spelling)))
  }

  /** The secrets in bytes. */
  inBytes(bytes: Buffer): string[] {
    // Searching for each secret is slow. A few are enough to detect a leak that thousands of parallel requests have in
    // common.
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

/**
 * Searches the places of a world that could contain secrets: its backup (which is the whole database), its files and
 * its log.
 */
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
