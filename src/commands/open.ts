import { type Logger, pino } from 'pino'
import { type Config, ConfigError, type Mode, masterKeyFile, readConfig, readS3Keys } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import { openDatabase } from '../db/database.ts'
import { adoptMasterKey, isMasterKey } from '../db/master-key-check.ts'
import { migrate } from '../db/migrate.ts'
import { openFileStore } from '../files/files.ts'
import { furnish, furnishAccounts } from '../furnishing.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { readMasterKey } from '../secrets.ts'

/** EX_SOFTWARE of sysexits.h: a commit ended in an I/O error, and only a fresh start can tell what was kept. */
const EXIT_COMMIT_FAILED = 70

/** Reads the settings, opens the database, brings it and its accounts to this version, and checks that the master key is the data's own. */
export async function openContext(mode: Mode, env: NodeJS.ProcessEnv = process.env): Promise<Context> {
  const config = readConfig(mode, env)
  const log = createLog(config)
  const files = await openFileStore(config.files, readS3Keys(env))
  const masterKey = readMasterKey(env.MASTER_KEY, masterKeyFile(config), mode === 'dev')
  const db = openDatabase(config, {
    onCommitFailure: (error) => {
      log.fatal({ err: error }, 'a commit failed')
      process.exit(EXIT_COMMIT_FAILED)
    },
  })
  const outbound = createOutbound({ allow: config.outbound_allow })
  const ctx = createContext({ config, db, clock: Date.now, masterKey, log, outbound, files, furnish })
  try {
    await migrate(db, ctx.now())
    await checkMasterKey(ctx)
    await furnishAccounts(ctx)
  } catch (error) {
    await closeContext(ctx)
    throw error
  }
  return ctx
}

async function checkMasterKey({ db, vault }: Context): Promise<void> {
  const isOwn = await isMasterKey(db, vault)
  if (isOwn === null) await db.transaction().execute((tx) => adoptMasterKey(tx, vault))
  if (isOwn === false) throw new ConfigError('The master key is not the one that this data was sealed with.')
}

export async function closeContext(ctx: Context): Promise<void> {
  await ctx.outbound.close()
  await ctx.db.destroy()
}

/** Runs a short command against the database, and closes it again whatever happens. */
export async function withContext<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const ctx = await openContext('serve', { LOG_LEVEL: 'warn', ...process.env })
  try {
    return await work(ctx)
  } finally {
    await closeContext(ctx)
  }
}

function createLog(config: Config): Logger {
  return pino({
    level: config.log_level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers', 'headers'],
  })
}
