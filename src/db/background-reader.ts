import { parentPort } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import type { Command, Result } from './background-reads.ts'

/** The thread of `background-reads.ts`: runs statements on read-only handles, one after the other. */

const handles = new Map<string, Sqlite.Database>()

function handleOf(file: string): Sqlite.Database {
  let handle = handles.get(file)
  if (!handle) {
    handle = new Sqlite(file, { readonly: true, timeout: 5000 })
    handle.pragma('trusted_schema = OFF')
    // These statements read rows all over a table. The thread ends when it is idle, and its memory with it.
    handle.pragma('cache_size = -65536')
    handles.set(file, handle)
  }
  return handle
}

/** Copies what no reader needs in its earlier form, on a handle of its own that can write. */
function checkpoint(file: string): unknown[] {
  const handle = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  try {
    handle.pragma('synchronous = FULL')
    return handle.pragma('wal_checkpoint(PASSIVE)') as unknown[]
  } finally {
    handle.close()
  }
}

parentPort?.on('message', (command: Command) => {
  const { file } = command
  if (command.kind === 'close') {
    handles.get(file)?.close()
    handles.delete(file)
    return
  }
  const { id } = command
  let result: Result
  try {
    const rows =
      command.kind === 'run' ? handleOf(file).prepare(command.sql).all(command.parameters) : checkpoint(file)
    result = { id, rows }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    result = { id, error: { message, code } }
  }
  parentPort?.postMessage(result)
})
