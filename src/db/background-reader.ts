import { parentPort } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import type { Answer, Question } from './background-reads.ts'

/** The thread of `background-reads.ts`: runs statements on read-only handles, one after the other. */

const handles = new Map<string, Sqlite.Database>()

function handleOf(file: string): Sqlite.Database {
  let handle = handles.get(file)
  if (!handle) {
    handle = new Sqlite(file, { readonly: true, timeout: 5000 })
    handle.pragma('trusted_schema = OFF')
    handle.pragma('cache_size = -8192')
    handles.set(file, handle)
  }
  return handle
}

parentPort?.on('message', (question: Question) => {
  const { file } = question
  if (question.kind === 'close') {
    handles.get(file)?.close()
    handles.delete(file)
    return
  }
  const { id, sql, parameters } = question
  let answer: Answer
  try {
    answer = { id, rows: handleOf(file).prepare(sql).all(parameters) }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    answer = { id, error: { message, code } }
  }
  parentPort?.postMessage(answer)
})
