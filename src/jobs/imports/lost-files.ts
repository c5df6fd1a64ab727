import type { Context } from '../../context.ts'
import { importsInProgress } from '../batches/queries.ts'
import { accountOf, FILES, fileFolderOf, folderOfKey } from './import-files.ts'

/** Seconds. A request that stores a file and then its job ends within a minute. */
const SURELY_LOST = 600

/**
 * Deletes files of imports that no job in progress has: a process that is killed can leave them without a job, or after the
 * end of their job. A later run that still finds no job deletes the file.
 */
export function lostFilesSweep(ctx: Context): () => Promise<void> {
  /** When a folder was first found without a job. */
  let found = new Map<string, number>()
  return async () => {
    const lost = await lostFolders(ctx)
    found = new Map(lost.map((folder) => [folder, found.get(folder) ?? ctx.now()]))
    for (const [folder, since] of found) {
      if (ctx.now() - since < SURELY_LOST) continue
      await ctx.files.deleteFolder(folder)
      found.delete(folder)
    }
  }
}

async function lostFolders({ db, files }: Context): Promise<string[]> {
  const folders = (await Array.fromAsync(files.keys(FILES))).map(folderOfKey)
  // Only what this server can have made.
  const stored = new Set(folders.filter((folder) => accountOf(folder) > 0))
  const lost: string[] = []
  for (const [account_id, own] of Map.groupBy(stored, accountOf)) {
    // Read after the folders, so a job that was stored meanwhile is found.
    const jobs = await importsInProgress(db, account_id)
    const used = new Set(jobs.map(fileFolderOf))
    lost.push(...own.filter((folder) => !used.has(folder)))
  }
  return lost
}
