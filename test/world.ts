import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { createAccount } from '../src/accounts/accounts.ts'
import { addMember, type MemberDraft } from '../src/accounts/people/people.ts'
import { startSession } from '../src/accounts/sessions/sessions.ts'
import { type App, buildApp, createWorkers } from '../src/app.ts'
import { leadsEntered } from '../src/automation/automation.ts'
import { type Config, readConfig, readS3Keys } from '../src/config.ts'
import { type Context, createContext } from '../src/context.ts'
import { type Db, openDatabase } from '../src/db/database.ts'
import { readDistribution } from '../src/db/distribution/citus.ts'
import type { AccountRow } from '../src/db/tables.ts'
import { openFileStore } from '../src/files/files.ts'
import { leadsSorted } from '../src/incoming-leads/incoming-leads.ts'
import { actingIntegrations } from '../src/integrations/integrations.ts'
import { createOutbound } from '../src/outbound/http-client.ts'
import { tracedOutbound } from '../src/outbound/traced-outbound.ts'
import { observedOutbound, RequestLog, requestLogOf } from '../src/request-log/request-log.ts'
import { seedDefaults } from '../src/seed-defaults.ts'
import { openTelemetry } from '../src/tracing/telemetry.ts'
import { openVault } from '../src/vault.ts'
import { type Client, client } from './client.ts'
import { dropDatabase, freshDatabase, isDistributedRun, type Kind, kindOfRun } from './databases/databases.ts'
import { borrowDatabase, returnDatabase } from './databases/shared-database.ts'
import { borrowServer, type SharedServer } from './databases/shared-server.ts'
import { takeMisfits } from './openapi/conformance.ts'
import { scratch } from './programs/scratch.ts'
import { lastWrite, leakedSecrets, Secrets } from './secrets.ts'

/** 2026-03-01T12:00:00Z: the moment at which every world begins. */
export const BEGINNING = Date.UTC(2026, 2, 1, 12) / 1000

const MASTER_KEY = Buffer.alloc(32, 7)
/** The browser in which a person of a world signs in. */
const BROWSER = { address: '127.0.0.1', user_agent: undefined }

export interface Person {
  id: number
  name: string
  email: string
  account: AccountRow
  /** A browser in which the person is signed in, with the CSRF token of its session. */
  browser: Client
}

export interface World {
  ctx: Context
  app: App
  clock: Clock
  account: AccountRow
  admin: Person
  /** Nobody: no cookie, no token. */
  stranger: Client
  addAccount(subdomain: string): Promise<AccountRow>
  addPerson(draft?: Partial<MemberDraft> & { account?: AccountRow }): Promise<Person>
  /** A new browser in which the person has just signed in: sessions end when the clock is moved far. */
  signIn(person: Person): Promise<Client>
  /** Another process of the same server, on the same database. */
  secondProcess(): Promise<{ ctx: Context; app: App }>
  /** Everything that was logged, as text. */
  logged(): string
  /** Where this world keeps its files. */
  folder: string
}

export interface Clock {
  /** Unix seconds. */
  now(): number
  advance(seconds: number): void
  /** Put back, no time passes by it; put forward, it does. */
  set(seconds: number): void
}

export interface WorldOptions {
  env?: Record<string, string>
  mode?: Config['mode']
  /** The database, if it is not the one of the run. The embedded one is there in every run. */
  kind?: Kind
  /** The test listens, or changes what a server keeps: it gets one of its own. */
  ownServer?: boolean
  /** The test records how statements are prepared, or limits the database: it gets one of its own. */
  ownDatabase?: boolean
}

/** The test file whose first world was searched with a backup, which takes as long as an ordinary test. */
let lastSearched: string | undefined

/** A fresh database with one account and its administrator, a clock that stands still, and the server that runs. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const kind = options.kind ?? kindOfRun()
  const isUsual = !options.env && !options.mode && !options.ownServer
  const database = isUsual && !options.ownDatabase ? await borrowDatabase(kind) : undefined
  const folder = database?.folder ?? mkdtempSync(join(scratch, 'patchbay-world-'))
  const database_url = database?.url ?? (await freshDatabase(folder, kind))
  const since = kind === 'sqlite' ? lastWrite(folder) : 0
  const config = readConfig(options.mode ?? 'dev', {
    DATA_DIR: folder,
    DATABASE_URL: database_url,
    RATE_LIMITS: 'off',
    ...options.env,
  })
  const clock = createClock()
  const lines: string[] = []
  const secrets = new Secrets()
  const see = (text: string) => secrets.see(text)

  const destination = { write: (line: string) => void lines.push(line) }

  let isFirst = true
  const start = async () => {
    const shared = isUsual ? borrowServer() : undefined
    const log = shared?.log ?? pino({ level: 'info' }, destination)
    const db = (isFirst && database?.db) || openDatabase(config, { onCommitFailure })
    isFirst = false
    if (isDistributedRun()) await readDistribution(db)
    const ctx = await contextOf(config, options.env ?? {}, db, clock, log)
    const app = shared
      ? { ...(await shared.serve(ctx, destination)), ...createWorkers(ctx) }
      : await buildApp(ctx)
    stopAtTheEnd(ctx, app, shared, db === database?.db)
    return { ctx, app }
  }
  onTestFinished(async () => {
    if (!database?.folder) rmSync(folder, { recursive: true, force: true })
    if (database) await returnDatabase(kind, database)
    else dropDatabase(database_url)
  })

  const { ctx, app } = await start()
  // Run before the database is closed: hooks go in the reverse order of their registration.
  onTestFinished(() => expectNoSecrets(ctx, secrets, lines.join(''), folder, since))
  const addAccount = (subdomain: string) =>
    ctx.db.transaction().execute((tx) => createAccount(ctx, tx, { name: `${subdomain} Ltd`, subdomain }))
  const account = await addAccount('demo')

  const { signIn, addPerson } = peopleOf(ctx, app, account, see)
  return {
    ctx,
    app,
    clock,
    account,
    admin: await addPerson({ name: 'Ada', is_admin: true }),
    stranger: client(app.http, { host: ctx.hosts.accountHost(account.subdomain) }, see),
    addAccount,
    addPerson,
    signIn,
    secondProcess: start,
    logged: () => lines.join(''),
    folder,
  }
}

async function expectNoSecrets(
  ctx: Context,
  secrets: Secrets,
  log: string,
  folder: string,
  since: number,
): Promise<void> {
  const { testPath } = expect.getState()
  const backup = lastSearched !== testPath
  lastSearched = testPath
  // The written data is the same in both kinds of databases, and reading all of it takes long on PostgreSQL.
  const isSearched = !ctx.config.database_url
  expect(
    isSearched ? await leakedSecrets(ctx, secrets, log, folder, { backup, since }) : secrets.in(log),
  ).toEqual([])
}

async function contextOf(
  config: Config,
  env: Record<string, string>,
  db: Db,
  clock: ReturnType<typeof createClock>,
  log: Logger,
): Promise<Context> {
  const traffic = new RequestLog({ config, db, log, clock: clock.millis })
  await traffic.readSettings()
  const outbound = observedOutbound(createOutbound({ allow: config.outbound_allow }), traffic, clock.millis)
  const telemetry = await openTelemetry(config, log)
  return createContext({
    config,
    db,
    traffic,
    testHelpersKey: env.TEST_HELPERS_KEY,
    telemetry,
    clock: clock.millis,
    monotonic: clock.monotonic,
    vault: openVault({ present: MASTER_KEY, previous: null }),
    log,
    outbound: tracedOutbound(outbound, telemetry, clock.millis),
    files: await openFileStore(config.files, readS3Keys(env)),
    seedDefaults,
    leadsSorted,
    leadsEntered,
    actingIntegrations,
  })
}

const onCommitFailure = (error: unknown) => {
  throw error
}

function stopAtTheEnd(ctx: Context, app: App, shared: SharedServer | undefined, isKept: boolean): void {
  onTestFinished(async () => {
    expect(takeMisfits(app.http)).toEqual([])
  })
  onTestFinished(async () => {
    await app.deliveries.stop()
    await app.runner.stop()
    await app.automation.stop()
    await app.retention.stop()
    if (shared) shared.return()
    else await app.http.close()
    await ctx.outbound.close()
    await ctx.telemetry?.close()
    await requestLogOf(ctx).close()
    if (!isKept) await ctx.db.destroy()
  })
}

/** Adds people to the world, by default to its first account. `see` receives everything that they send and get. */
function peopleOf(
  ctx: Context,
  app: App,
  account: AccountRow,
  see: (text: string) => void,
): Pick<World, 'signIn' | 'addPerson'> {
  const signIn = async ({ id, account: home }: Omit<Person, 'browser'>): Promise<Client> => {
    const { cookie, csrf_token } = await startSession(ctx, id, home.id, BROWSER)
    see(cookie)
    return client(app.http, { host: ctx.hosts.accountHost(home.subdomain), cookie, csrf_token }, see)
  }
  const addPerson = async (draft: Partial<MemberDraft> & { account?: AccountRow } = {}): Promise<Person> => {
    const { account: home = account, ...rest } = draft
    const name = rest.name ?? 'Ann'
    const email = rest.email ?? `${name.toLowerCase()}-${randomUUID()}@example.com`
    // Hashing takes a sixth of a second: people have a password only where a test signs in with it.
    const user_id = await addMember(ctx, home.id, { password: null, ...rest, name, email })
    const person = { id: user_id, name, email, account: home }
    return { ...person, browser: await signIn(person) }
  }
  return { signIn, addPerson }
}

function createClock(): Clock & { millis: () => number; monotonic: () => number } {
  let millis = BEGINNING * 1000
  let passed = 0
  const set = (to: number) => {
    passed += Math.max(0, to - millis)
    millis = to
  }
  return {
    millis: () => millis,
    monotonic: () => passed,
    now: () => Math.floor(millis / 1000),
    advance: (seconds) => set(millis + seconds * 1000),
    set: (seconds) => set(seconds * 1000),
  }
}
