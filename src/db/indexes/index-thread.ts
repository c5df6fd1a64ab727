import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageFolder } from '../../package.ts'
import { fileIn } from '../sqlite/sqlite-file.ts'

/** The task of the thread. */
export interface IndexTask {
  file: string
  statement: string
}

/** Runs a `create index` statement on the embedded database, on a thread that does not keep the process alive. */
export async function buildOnThread(data_dir: string, statement: string): Promise<void> {
  const workerData: IndexTask = { file: fileIn(data_dir), statement }
  const thread = new Worker(program, { workerData })
  thread.unref()
  await once(thread, 'exit')
}

/** The sources run from their folder, a build from its own. */
const program = join(
  packageFolder,
  import.meta.url.endsWith('.ts') ? 'src/db/indexes/index-builder.ts' : 'dist/server/index-builder.js',
)
