import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Actor, addMember, createAccount, findActor } from '../src/accounts/accounts.ts'
import { closeContext, openContext } from '../src/commands/open.ts'
import type { Context } from '../src/context.ts'
import { activeInstallation, issueCode } from '../src/integrations/installations.ts'
import { createIntegration } from '../src/integrations/integrations.ts'
import { requestTokens } from '../src/integrations/token-endpoint.ts'
import type { Databases } from './databases.ts'
import { freePort, type Program, startProgram } from './programs.ts'

/** The real program, started as in production, and what a caller needs to use it. */
export interface AuthServer {
  program: Program
  keys: { client_id: string; client_secret: string; redirect_uri: string }
  access_token: string
  /** The beginnings of as many families of tokens. */
  refresh_tokens: string[]
  codes: string[]
}

const caller = { request_id: 'bench', address: '127.0.0.1', user_agent: 'bench', subdomain: null }
const redirect_uri = 'http://localhost:3000/oauth/callback'
const CODES_A_TRANSACTION = 1_000

/** Fills a fresh database through the product's own functions and starts the server on it. */
export async function startAuthServer(
  databases: Databases,
  amounts: { families: number; codes: number },
): Promise<AuthServer> {
  const port = await freePort()
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(databases.folder, 'patchbay'),
    DATABASE_URL: await databases.create('patchbay'),
    PUBLIC_URL: `http://localhost:${port}`,
    MASTER_KEY: randomBytes(32).toString('base64'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
  }
  const ctx = await openContext('serve', env)
  const filled = await fill(ctx, amounts)
  await closeContext(ctx)
  const program = await startProgram({
    words: [join(import.meta.dirname, '../src/main.ts'), 'serve'],
    env,
    port,
    ready: '/readyz',
    output: join(databases.folder, 'patchbay.log'),
  })
  return { program, ...filled }
}

async function fill(ctx: Context, { families, codes }: { families: number; codes: number }) {
  const actor = await administrator(ctx)
  const { keys: generated } = await createIntegration(ctx, actor, {
    name: 'Bench',
    redirect_uri,
    permissions: ['crm', 'chats', 'files', 'notifications'],
  })
  const keys = { ...generated, redirect_uri }
  const first = await makeCodes(ctx, actor, keys.client_id, families + 1)
  const sets = []
  for (const code of first) {
    const request = {
      ...keys,
      grant_type: 'authorization_code',
      code,
      refresh_token: null,
      code_verifier: null,
    }
    sets.push(await requestTokens(ctx, request, caller))
  }
  const [bearer, ...chains] = sets
  return {
    keys,
    access_token: bearer?.access_token as string,
    refresh_tokens: chains.map(({ refresh_token }) => refresh_token),
    codes: await makeCodes(ctx, actor, keys.client_id, codes),
  }
}

async function administrator(ctx: Context): Promise<Actor> {
  const draft = { name: 'Bench Ltd', subdomain: 'bench' }
  const account = await ctx.db.transaction().execute((tx) => createAccount(ctx, tx, draft))
  const person = { name: 'Ada', email: 'ada@bench.example', password: null, is_admin: true }
  const user_id = await addMember(ctx, account.id, person)
  const actor = await findActor(ctx, { account_id: account.id, user_id }, { integration: null, ...caller })
  return actor as Actor
}

async function makeCodes(ctx: Context, actor: Actor, client_id: string, count: number): Promise<string[]> {
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
