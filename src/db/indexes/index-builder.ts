import { workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import type { IndexTask } from './index-thread.ts'

/** The thread of `index-thread.ts`: builds one index, and ends. Waits for other writers for up to a minute. */
const { file, statement } = workerData as IndexTask
const db = new Sqlite(file, { timeout: 60_000 })
db.pragma('synchronous = FULL')
db.exec(statement)
db.close()
