import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { openPostgres } from './auth-postgres.ts'
import { openSqlite } from './auth-sqlite.ts'

/**
 * The least program that does the work of the token endpoint and of a call with a bearer token: the same framework,
 * the same database with the same durability, tokens stored as SHA-256, and nothing else. No client is asked for a
 * secret, nothing expires, nothing is logged.
 *
 *   node bench/floors/auth.ts PORT sqlite FILE
 *   node bench/floors/auth.ts PORT postgres URL
 *
 * Paths that end in /signed answer a JWT signed with Ed25519 as access token, the others an opaque one.
 */
export interface Store {
  /** The grant of an access token. */
  findGrant(access_hash: Buffer): string | undefined | Promise<string | undefined>
  /** Reads the parent, inserts the child and marks the parent as used, in one durable transaction. */
  refresh(refresh_hash: Buffer, child: Pair): Promise<boolean>
  /** Reads and consumes the code, and inserts the grant and its first pair, in one durable transaction. */
  exchange(code_hash: Buffer, grant_id: string, pair: Pair): Promise<boolean>
  /** Inserts grants with one pair each, and codes, before the measurement. */
  addPairs(pairs: Pair[]): Promise<void>
  addCodes(hashes: Buffer[]): Promise<void>
  close(): Promise<void>
}

export interface Pair {
  access_hash: Buffer
  refresh_hash: Buffer
  issued_at: number
}

/** Predictable tokens, so that the client does not need a list of them. */
export const known = {
  access: (n: number) => `access_${n}_`.padEnd(47, 'x'),
  refresh: (n: number) => `refresh_${n}_`.padEnd(47, 'x'),
  code: (n: number) => `code_${n}_`.padEnd(47, 'x'),
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
const now = () => Math.floor(Date.now() / 1000)

export const openStore = (database: string, address: string): Promise<Store> =>
  database === 'postgres' ? openPostgres(address) : openSqlite(address)

/** Inserts `pairs` token pairs and `codes` codes with predictable names. */
export async function fill(store: Store, pairs: number, codes: number): Promise<void> {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
  await store.addPairs(
    numbers(pairs).map((n) => ({
      access_hash: sha256(known.access(n)),
      refresh_hash: sha256(known.refresh(n)),
      issued_at: now(),
    })),
  )
  await store.addCodes(numbers(codes).map((n) => sha256(known.code(n))))
}

function serve(store: Store): FastifyInstance {
  const app = Fastify()
  app.get('/ready', async () => ({ status: 'ready' }))
  app.get('/account', async (request, reply) => {
    const token = (request.headers.authorization as string).slice('Bearer '.length)
    const id = await store.findGrant(sha256(token))
    return reply.code(id ? 200 : 401).send({ id, name: 'x'.repeat(140) })
  })
  for (const [suffix, accessToken] of [
    ['', opaque],
    ['/signed', signed],
  ] as const) {
    app.post(`/refresh${suffix}`, async (request, reply) => {
      const minted = mint(accessToken)
      const found = await store.refresh(sha256((request.body as Body).refresh_token), minted.pair)
      return reply.code(found ? 200 : 400).send(minted.answer)
    })
    app.post(`/exchange${suffix}`, async (request, reply) => {
      const minted = mint(accessToken)
      const found = await store.exchange(sha256((request.body as Body).code), randomUUID(), minted.pair)
      return reply.code(found ? 200 : 400).send(minted.answer)
    })
  }
  return app
}

interface Body {
  code: string
  refresh_token: string
}

const random = () => randomBytes(32).toString('base64url')
const opaque = (): string => `access_${random()}`

const { privateKey } = generateKeyPairSync('ed25519')
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const head = encode({ alg: 'EdDSA', typ: 'JWT' })

function signed(): string {
  const iat = now()
  const claims = {
    aud: randomUUID(),
    jti: random(),
    iat,
    nbf: iat,
    exp: iat + 86_400,
    sub: '1',
    account_id: 1,
  }
  const text = `${head}.${encode({ ...claims, base_domain: 'localhost', api_domain: 'localhost', scopes: ['crm'] })}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

function mint(accessToken: () => string) {
  const access_token = accessToken()
  const refresh_token = `refresh_${random()}`
  const pair = { access_hash: sha256(access_token), refresh_hash: sha256(refresh_token), issued_at: now() }
  const answer = { token_type: 'Bearer', expires_in: 86_400, access_token, refresh_token, server_time: now() }
  return { pair, answer }
}

if (import.meta.main) {
  const [port, database = 'sqlite', address = ''] = process.argv.slice(2)
  const store = await openStore(database, address)
  const app = serve(store)
  await app.listen({ host: '127.0.0.1', port: Number(port) })
  process.once('SIGTERM', async () => {
    await app.close()
    await store.close()
  })
}
