import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { writeDump } from '../src/commands/dump.ts'
import type { Context } from '../src/context.ts'
import { isPostgres } from '../src/db/dialect.ts'
import { requestLogFile } from '../src/db/request-log-database.ts'
import { unpack } from '../src/request-log/packing.ts'
import { requestLogOf } from '../src/request-log/request-log.ts'

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

  /** The secrets in bytes, where values follow each other without a gap. */
  inBytes(bytes: Buffer): string[] {
    return [...new Set(found(bytes, [...this.#seen].flatMap(needlesOf)))]
  }
}

interface Needle {
  secret: string
  spelling: Buffer
}

const needlesOf = (secret: string): Needle[] =>
  spellings(secret).map((spelling) => ({ secret, spelling: Buffer.from(spelling) }))

/** The secrets that are in the bytes, read once: a test sees hundreds of secrets, and writes millions of bytes. */
function found(bytes: Buffer, needles: Needle[]): string[] {
  const starts = new Uint8Array(2 ** 16)
  const byStart = Map.groupBy(needles, ({ spelling }) => spelling.readUInt32LE(0))
  for (const start of byStart.keys()) starts[start & 0xffff] = 1
  const secrets: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at++) {
    if (starts[(bytes[at] as number) | ((bytes[at + 1] as number) << 8)] === 0) continue
    for (const { secret, spelling } of byStart.get(bytes.readUInt32LE(at)) ?? [])
      if (spelling.equals(bytes.subarray(at, at + spelling.length))) secrets.push(secret)
  }
  return secrets
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
 * Searches the places of a world that could contain secrets: its log, the pages that it wrote to its database since its
 * first moment, and, if it is asked for, a backup, which contains long values in one piece.
 */
export async function leakedSecrets(
  ctx: Context,
  secrets: Secrets,
  logged: string,
  folder: string,
  { backup, since }: { backup: boolean; since: number },
): Promise<string[]> {
  // The log has all pages that the world wrote, unless a checkpoint copied them to the database itself.
  const files = ['patchbay.db-wal', ...(lastWrite(folder) === since ? [] : ['patchbay.db'])]
  return [
    ...secrets.inBytes(await requestLogBytes(ctx)).map((secret) => `in the request log: ${secret}`),
    ...(backup ? secrets.in(await dumpOf(ctx, folder)).map((secret) => `in the backup: ${secret}`) : []),
    ...files.flatMap((name) =>
      secrets.inBytes(readFileSync(join(folder, name))).map((secret) => `in ${name}: ${secret}`),
    ),
    ...secrets.in(logged).map((secret) => `in the log: ${secret}`),
  ]
}

/** Everything in the store of the request log, which is compressed there. */
async function requestLogBytes(ctx: Context): Promise<Buffer> {
  const log = requestLogOf(ctx)
  await log.flush()
  if (!isPostgres(ctx.db) && !existsSync(requestLogFile(ctx.config))) return Buffer.alloc(0)
  const rows = await log.store.selectFrom('request_batches').select(['heads', 'messages']).execute()
  const texts = rows.flatMap(({ heads, messages }) => [unpack(heads), unpack(messages)])
  return Buffer.from(texts.join('\n'))
}

/** When the file of the database was last written to, in milliseconds. */
export const lastWrite = (folder: string): number => statSync(join(folder, 'patchbay.db')).mtimeMs

async function dumpOf(ctx: Context, folder: string): Promise<string> {
  const file = join(folder, 'backup.gz')
  await writeDump(ctx, file, ctx.now(), () => {})
  return gunzipSync(readFileSync(file)).toString()
}
