import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Compilable } from 'kysely'
import { Refusal } from '../errors.ts'
import { createFairQueue, type FairQueue } from '../fair-queue.ts'
import { packageFolder } from '../package.ts'
import type { Db } from './database.ts'
import { isPostgres } from './dialect.ts'
import { openUnit } from './units.ts'

/**
 * Statements that read many rows. With the embedded database, a statement blocks the event loop, so these run on a
 * thread, which has a handle of its own and sees what is committed. The thread starts at the first of them, and ends
 * when none has come for a while. With PostgreSQL, they would occupy all connections.
 */

/** The messages that the thread receives. */
export type Command =
  | { kind: 'run'; id: number; file: string; sql: string; parameters: readonly unknown[] }
  | { kind: 'checkpoint'; id: number; file: string }
  | { kind: 'close'; file: string }

/** The messages that the thread returns. */
export type Result =
  | { id: number; rows: unknown[] }
  | { id: number; error: { message: string; code: string | undefined } }

/** The turn of queries for the server itself, such as metrics. */
export const NO_ACCOUNT = 0

/** The files of embedded databases by root handle. */
export const backgroundFiles = new WeakMap<Db, string>()

/**
 * Runs a query that may read many rows. Accounts take turns: on PostgreSQL, at some of the connections. In a transaction, it
 * runs on the connection of the transaction. Throws Refusal('unavailable') if too many queries of the account are waiting.
 */
export async function readInBackground<R>(db: Db, account_id: number, query: Compilable<R>): Promise<R[]> {
  const compiled = query.compile()
  const { sql, parameters } = compiled
  const run = async () => (await db.executeQuery<R>(compiled)).rows
  const file = backgroundFiles.get(db)
  if (openUnit() || db.isTransaction || (file === undefined && !isPostgres(db))) return run()
  const rows =
    file === undefined
      ? await connections.take(account_id, run)
      : await queue.take(account_id, () => send({ kind: 'run', id: ++last, file, sql, parameters }))
  if (rows === null)
    throw new Refusal('unavailable', 'Too many long queries of this account are waiting. Try again later.')
  return rows as R[]
}

/** Files whose log is being copied. */
const copying = new Set<string>()
/** No account, for the turns of the thread. */
const NOBODY = 0

/**
 * Copies the log of an embedded database into its file on the thread, which blocks neither readers nor writers (S28). If
 * it fails, a later commit tries again; in the end, the writer does it itself.
 */
export async function checkpointInBackground(file: string): Promise<void> {
  if (copying.has(file)) return
  copying.add(file)
  await queue
    .take(NOBODY, () => send({ kind: 'checkpoint', id: ++last, file }))
    .catch(() => null)
    .finally(() => copying.delete(file))
}

/** Closes the thread's handle of a file. */
export function closeBackgroundReads(file: string): void {
  thread?.postMessage({ kind: 'close', file } satisfies Command)
}

const queue: FairQueue = createFairQueue({ at_once: 1, most_waiting: 50 })

/** The connections to PostgreSQL that long queries use at the same time. The others are for the short ones. */
const LONG_AT_ONCE = 4

const connections: FairQueue = createFairQueue({ at_once: LONG_AT_ONCE, most_waiting: 50 })

/** Milliseconds after which an idle thread ends. */
const IDLE = 30_000

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined
let last = 0
let waiting: PromiseWithResolvers<unknown[]> | undefined

/** The queue sends one command at a time. */
function send(command: Command): Promise<unknown[]> {
  waiting = Promise.withResolvers()
  thread ??= start()
  clearTimeout(idle)
  thread.ref()
  thread.postMessage(command)
  return waiting.promise.finally(() => {
    thread?.unref()
    idle = setTimeout(end, IDLE).unref()
  })
}

/** Ends the idle thread. A command that comes meanwhile starts another one. */
function end(): void {
  void thread?.terminate()
  thread = undefined
}

function start(): Worker {
  const worker = new Worker(program)
  worker.on('message', (result: Result | { id?: undefined }) => {
    // With `node --watch` (npm run dev), Node itself sends the files of the thread.
    if (result.id !== last) return
    if ('rows' in result) waiting?.resolve(result.rows)
    else waiting?.reject(Object.assign(new Error(result.error.message), { code: result.error.code }))
  })
  worker.on('error', (error) => waiting?.reject(error))
  worker.on('exit', () => {
    if (thread !== worker) return
    thread = undefined
    waiting?.reject(new Error('The thread for long queries has ended.'))
  })
  return worker
}

/** The sources run from their folder, a build from its own. */
const program = join(
  packageFolder,
  import.meta.url.endsWith('.ts') ? 'src/db/background-reader.ts' : 'dist/server/background-reader.js',
)
