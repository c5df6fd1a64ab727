import type { Context } from '../../context.ts'
import type { JobRow } from '../../db/tables.ts'
import { findJob } from '../batches/queries.ts'
import type { ImportSettings } from '../rows/import-settings.ts'

/** The folder of an import's file. */
export const folderOf = (account_id: number, key: string): string => `imports/${account_id}/${key}`

/** Deletes the files of all imports of an account. */
export const deleteImportFilesOf = ({ files }: Context, account_id: number): Promise<void> =>
  files.deleteFolder(`imports/${account_id}`)

/** Deletes the file of a job, if it has one. */
export async function deleteFileOf(ctx: Context, { settings }: Pick<JobRow, 'settings'>): Promise<void> {
  const { file } = JSON.parse(settings) as Partial<ImportSettings>
  const [first] = file?.blobs ?? []
  if (first) await ctx.files.deleteFolder(first.key.slice(0, first.key.lastIndexOf('/')))
}

/** Deletes the file of a job that has ended: nobody reads it again. What stays after an error goes with the job. */
export async function dropFileIfEnded(ctx: Context, named: Pick<JobRow, 'account_id' | 'id'>): Promise<void> {
  try {
    const job = await findJob(ctx.db, named)
    if (job && job.finished_at !== null) await deleteFileOf(ctx, job)
  } catch (error) {
    const { account_id, id } = named
    ctx.log.info({ err: error, job: id, account_id }, 'the file of a job stays for now')
  }
}
