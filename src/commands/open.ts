import { existsSync } from 'node:fs'
import { leadsEntered } from '../automation/automation.ts'
import type { Member } from '../cluster/member.ts'
import { type Config, ConfigError, type Mode, masterKeyFile, readConfig, readS3Keys } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import { type Db, hasDatabaseFile, keepJournalInMemory, openDatabase } from '../db/database.ts'
import { readDistribution } from '../db/distribution/citus.ts'
import { continueLog } from '../db/distribution/continued-ids.ts'
import { isDistributed } from '../db/distribution/distributed.ts'
import { adoptMasterKey, followMasterKey, hasMasterKey } from '../db/master-key.ts'
import { hasSchema, migrate, NewerSchemaError, schemaState, shown } from '../db/migrate.ts'
import { checkReplica, openReplica } from '../db/postgres/replica.ts'
import { openFileStore } from '../files/files.ts'
import { requireUsable } from '../folders.ts'
import { leadsSorted } from '../incoming-leads/incoming-leads.ts'
import { actingIntegrations } from '../integrations/integrations.ts'
import { retryOnContention } from '../leased-runner.ts'
import { readableKeyFiles, readMasterKeys } from '../master-keys.ts'
import { createOutbound } from '../outbound/http-client.ts'
import { tracedOutbound } from '../outbound/traced-outbound.ts'
import { observedOutbound, RequestLog, requestLogOf } from '../request-log/request-log.ts'
import { seedAccounts, seedDefaults } from '../seed-defaults.ts'
import { openTelemetry } from '../tracing/telemetry.ts'
import { openVault, type Vault } from '../vault.ts'
import { createLog } from './log.ts'
import { naming } from './machine-errors.ts'

/**
 * EX_SOFTWARE of sysexits.h: no process may go on with the database. A commit failed with an I/O error, and only a restart can
 * find out whether it was stored; or the file of the database is gone.
 */
export const EXIT_DATABASE_LOST = 70

/** The schemas on which a command works, besides that of this version. */
export interface AcceptedSchemas {
  older: boolean
  /** One of a newer version that only adds to that of this version. */
  newer: boolean
}

const USUAL: AcceptedSchemas = { older: false, newer: true }

export interface Opening {
  /** `dev` creates a master key; `serve` refuses settings that are unsafe for a server. */
  mode: Mode
  env?: NodeJS.ProcessEnv
  /** Whether the database is created, or migrated to this version; otherwise it must have an accepted schema. */
  create: boolean
  accepted?: AcceptedSchemas
  /** This process as one of several. The primary has prepared the database. */
  member?: Member
}

/**
 * Reads the settings, opens the database, migrates it and its accounts to this version if `create` says so, and checks
 * the master key. Throws ConfigError with the name of the invalid setting.
 */
export async function openContext(opening: Opening): Promise<Context> {
  const { mode, env = process.env, create, member } = opening
  const config = readConfig(mode, env)
  const place = config.database_url ? 'DATABASE_URL' : 'DATA_DIR'
  if (!create && !config.database_url && !(await naming('DATA_DIR', () => hasDatabaseFile(config))))
    throw noDatabase(config)
  const log = createLog(config)
  const files = await naming(config.files.kind === 's3' ? 'FILES_URL' : 'DATA_DIR', () => {
    // Commands such as a backup only read files.
    if (create && config.files.kind === 'disk') requireUsable(config.files.folder)
    return openFileStore(config.files, readS3Keys(env))
  })
  const needsKey = mode === 'dev' && !env.MASTER_KEY
  const createsKey = needsKey && (await naming(place, () => isFirstStart(config)))
  const vault = await naming('DATA_DIR', () => vaultOf(config, env, createsKey))
  const db = await naming(place, () =>
    openDatabase(config, {
      lock: member?.lock,
      onCommitFailure: (error) => {
        log.fatal({ err: error }, 'a commit failed')
        process.exit(EXIT_DATABASE_LOST)
      },
    }),
  )
  const traffic = new RequestLog({ config, db, log, clock: Date.now })
  const telemetry = await openTelemetry(config, log)
  const sender = createOutbound({ allow: config.outbound_allow })
  const outbound = tracedOutbound(observedOutbound(sender, traffic, Date.now), telemetry, Date.now)
  const ctx = createContext({
    config,
    db,
    replica: config.read_url ? openReplica(config.read_url) : null,
    clock: Date.now,
    monotonic: () => performance.now(),
    vault,
    log,
    outbound,
    files,
    traffic,
    telemetry,
    testHelpersKey: env.TEST_HELPERS_KEY?.trim(),
    seedDefaults,
    leadsSorted,
    leadsEntered,
    actingIntegrations,
    shared: member?.shared,
  })
  try {
    await prepare(ctx, opening, place)
  } catch (error) {
    await closeContext(ctx)
    throw error
  }
  return ctx
}

/** Migrates the database and its accounts, or checks its schema, and checks the master key. */
async function prepare(
  ctx: Context,
  { create, accepted, member, env = process.env }: Opening,
  place: string,
): Promise<void> {
  const { config, db } = ctx
  if (member) {
    await naming(place, () => readDistribution(db))
    await naming(place, () => checkMasterKey(ctx))
    await requestLogOf(ctx).readSettings()
    await continueLog(ctx)
    keepJournalInMemory(db)
    return
  }
  if (create) await naming(place, () => retryOnContention(() => migrate(db, ctx.now())))
  else await naming(place, () => requireSchema(db, config, accepted))
  await checkMasterKey(ctx)
  // A command that reads an older schema reads nothing else of it.
  if (accepted?.older) return
  await requestLogOf(ctx).readSettings()
  if (create) await seedAccounts(ctx)
  await continueLog(ctx)
  keepJournalInMemory(db)
  if (create) tellOfKeyFiles(ctx, env)
  if (create) tellOfFiles(ctx)
  if (create) await tellOfReplica(ctx)
}

/** Not a reason not to start: a secret that an orchestrator mounts can be readable by the group. */
function tellOfKeyFiles({ config, log }: Context, env: NodeJS.ProcessEnv): void {
  for (const file of readableKeyFiles(env, masterKeyFile(config)))
    log.warn({ file }, 'other users of this machine can read the master key: run chmod 600 on its file')
}

/** A bucket that does not answer is no reason not to start, and the start does not wait for it: it can recover (S7). */
function tellOfFiles({ config, files, log }: Context): void {
  if (config.files.kind === 's3')
    void files
      .isEmpty()
      .catch((err) =>
        log.warn({ err }, 'the bucket of FILES_URL cannot be read: files are refused until it can'),
      )
}

/** A replica that cannot be read is no reason not to start: only exports need it (S42). */
async function tellOfReplica(ctx: Context): Promise<void> {
  if (ctx.replica && isDistributed(ctx.db))
    throw new ConfigError(
      'READ_URL is set, but the database is distributed with Citus. Only one that is not can have a replica.',
    )
  await checkReplica(ctx).catch((err) =>
    ctx.log.warn({ err }, 'the database of READ_URL cannot be read: exports are refused until it can'),
  )
}

/** A command works on the schema as it is, because it must not change the tables of a running server (P4). */
async function requireSchema(db: Db, config: Config, { older, newer } = USUAL): Promise<void> {
  if (!(await hasSchema(db))) throw noDatabase(config)
  const { missing, unknown, breaking } = await schemaState(db)
  const tooNew = newer ? breaking : unknown
  if (tooNew.length > 0)
    throw new NewerSchemaError(
      `The database is newer than this version: ${shown(tooNew)}. Run the command with the version of Patchbay that migrated it.`,
    )
  if (!older && missing.length > 0)
    throw new ConfigError(
      `The database is older than this version: it lacks ${shown(missing)}. ` +
        'Run the command with the version of your server, or make a backup and run "patchbay migrate".',
    )
  await readDistribution(db)
}

function noDatabase({ database_url, data_dir }: Config): ConfigError {
  const where = database_url ? 'the database of DATABASE_URL' : data_dir
  return new ConfigError(
    `There is no Patchbay database in ${where}. Set DATA_DIR or DATABASE_URL to that of your server. ` +
      'To create a new database there, run "patchbay migrate".',
  )
}

/** Whether there is neither a key nor data that one has encrypted, of which a new key would open nothing. */
async function isFirstStart(config: Config): Promise<boolean> {
  if (existsSync(masterKeyFile(config))) return false
  if (!config.database_url) return !hasDatabaseFile(config)
  const db = openDatabase(config, { onCommitFailure: () => {} })
  try {
    return !((await hasSchema(db)) && (await hasMasterKey(db)))
  } finally {
    await db.destroy()
  }
}

/** The vault of this machine. It reads the keys again when a value opens with none of them. `create` creates a key. */
export function vaultOf(config: Config, env: NodeJS.ProcessEnv, create: boolean): Vault {
  const read = (isFirst = false) => readMasterKeys(env, masterKeyFile(config), create && isFirst)
  return openVault(read(true), read)
}

async function checkMasterKey({ db, vault }: Context): Promise<void> {
  const isKnown = await followMasterKey(db, vault)
  if (isKnown === null) await db.transaction().execute((tx) => adoptMasterKey(tx, vault))
  const reason = isKnown === false ? (vault.hasPrevious ? NEITHER_KEY : OTHER_KEY) : missingKey(vault)
  if (reason) throw new ConfigError(reason)
}

const OTHER_KEY = 'The master key is not the one with which this data was encrypted.'
const NEITHER_KEY =
  'Neither the master key nor the previous one (MASTER_KEY_PREVIOUS) is the one with which this data was encrypted.'

/** Why the known keys are not enough; undefined if they are. */
export const missingKey = ({ lacksKey }: Vault): string | undefined =>
  lacksKey
    ? 'The change of the master key is not finished. Set MASTER_KEY to the key of this change and MASTER_KEY_PREVIOUS to the one before, and run "patchbay rekey" again.'
    : undefined

export async function closeContext(ctx: Context): Promise<void> {
  await ctx.outbound.close()
  await ctx.telemetry?.close()
  await requestLogOf(ctx).close()
  await ctx.replica?.destroy()
  await ctx.db.destroy()
}

/** Runs a command with an existing database, and always closes it afterwards. */
export async function withContext<T>(
  work: (ctx: Context) => Promise<T>,
  { create = false, accepted }: Pick<Partial<Opening>, 'create' | 'accepted'> = {},
): Promise<T> {
  const ctx = await openContext({ mode: 'command', create, accepted })
  try {
    return await work(ctx)
  } finally {
    await closeContext(ctx)
  }
}
