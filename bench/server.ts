import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Actor, addMember, createAccount, findActor } from '../src/accounts/accounts.ts'
import { closeContext, openContext } from '../src/commands/open.ts'
import { freePort } from '../src/commands/ports.ts'
import type { Context } from '../src/context.ts'
import { activeInstallation } from '../src/integrations/installations/installations.ts'
import { createIntegration } from '../src/integrations/integrations.ts'
import { requestTokens } from '../src/integrations/oauth/token-endpoint.ts'
import { issueCode } from '../src/integrations/tokens/codes.ts'
import { packageFolder } from '../src/package.ts'
import type { Databases } from './databases.ts'
import { type Program, startProgram } from './programs.ts'

export const caller = {
  request_id: 'bench',
  address: '127.0.0.1',
  user_agent: 'bench',
  host: '',
  subdomain: null,
}
const redirect_uri = 'http://localhost:3000/oauth/callback'

export interface Keys {
  client_id: string
  client_secret: string
  redirect_uri: string
}

/** The real program before its start, on a fresh database, as in production. */
export interface PreparedServer {
  /** Changes the data with the product's own functions, while the program is stopped. */
  offline<Filled>(work: (ctx: Context) => Promise<Filled>): Promise<Filled>
  start(options?: StartOptions): Promise<Program>
  /** The environment of the program. */
  env: Record<string, string>
  /** The name of its database. */
  name: string
}

interface StartOptions {
  /** The folder of another release of the program. */
  release?: string
  /** Another port than that of the first program. */
  port?: number
  /** Milliseconds after which a program that does not answer is given up. */
  within_ms?: number
}

export async function prepareServer(
  databases: Databases,
  settings: Record<string, string> = {},
  name = 'patchbay',
): Promise<PreparedServer> {
  const port = await freePort()
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(databases.folder, name),
    DATABASE_URL: await databases.create(name),
    PUBLIC_URL: `http://localhost:${port}`,
    MASTER_KEY: randomBytes(32).toString('base64'),
    METRICS_LISTEN: 'off',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
    ...settings,
  }
  return {
    offline: async (work) => {
      const ctx = await openContext({ mode: 'serve', env, create: true })
      try {
        return await work(ctx)
      } finally {
        await closeContext(ctx)
      }
    },
    start: ({ release = packageFolder, port: other = port, within_ms } = {}) =>
      startProgram({
        // Like `npm run serve`.
        words: [
          '--max-semi-space-size=16',
          '--heap-growing-percent=50',
          join(release, 'dist/server/main.js'),
          'serve',
        ],
        env: { ...env, PORT: String(other) },
        port: other,
        ready: '/healthz',
        output: join(databases.folder, `${name}.log`),
        within_ms,
      }),
    env,
    name,
  }
}

interface Starting {
  settings?: Record<string, string>
  /** The name of a copy of the filled database. */
  copy?: string
}

/** Fills a fresh database with the product's own functions and starts the real program on it. */
export async function startServer<Filled>(
  databases: Databases,
  fill: (ctx: Context) => Promise<Filled>,
  { settings, copy }: Starting = {},
): Promise<Filled & { program: Program }> {
  const server = await prepareServer(databases, settings)
  const filled = await server.offline(fill)
  if (copy) await databases.copy(server.name, copy)
  return { program: await server.start(), ...filled }
}

/** An account with its administrator and an integration. */
export async function openAccount(ctx: Context): Promise<{ actor: Actor; keys: Keys }> {
  const draft = { name: 'Bench Ltd', subdomain: 'bench' }
  const account = await ctx.db.transaction().execute((tx) => createAccount(ctx, tx, draft))
  const person = { name: 'Ada', email: 'ada@bench.example', password: null, is_admin: true }
  const user_id = await addMember(ctx, account.id, person)
  const at = { account_id: account.id, user_id }
  const actor = (await findActor(ctx, at, { integration: null, ...caller })) as Actor
  const { keys } = await createIntegration(ctx, actor, {
    name: 'Bench',
    redirect_uri,
    permissions: ['crm', 'chats', 'files', 'notifications'],
  })
  return { actor, keys: { ...keys, redirect_uri } }
}

/** Exchanges a code for a token set, like every integration. */
export function exchange(ctx: Context, keys: Keys, code: string) {
  const request = {
    ...keys,
    grant_type: 'authorization_code',
    code,
    refresh_token: null,
    code_verifier: null,
  }
  return requestTokens(ctx, request, { ...caller, base_host: ctx.hosts.base_host })
}

const CODES_A_TRANSACTION = 1_000

export async function makeCodes(
  ctx: Context,
  actor: Actor,
  client_id: string,
  count: number,
): Promise<string[]> {
  const codes: string[] = []
  while (codes.length < count) {
    await ctx.db.transaction().execute(async (tx) => {
      const installation = await activeInstallation(tx, actor, client_id)
      const until = Math.min(count, codes.length + CODES_A_TRANSACTION)
      while (codes.length < until) codes.push((await issueCode(ctx, tx, actor, installation)).code)
    })
  }
  return codes
}
