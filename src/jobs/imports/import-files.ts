import type { Context } from '../../context.ts'
import type { JobRow } from '../../db/tables.ts'
import { findJob } from '../batches/queries.ts'
import type { ImportSettings } from '../rows/import-settings.ts'

/** The folder of the files of imports. */
export const FILES = 'imports'

/** The folder of an import's file. */
export const folderOf = (account_id: number, key: string): string => `${FILES}/${account_id}/${key}`

/** The account of a folder of `folderOf`; 0 for another folder. */
export const accountOf = (folder: string): number =>
  Number(/^imports\/(\d{1,15})\/[^/]+$/.exec(folder)?.[1] ?? 0)

/** The folder of a blob. */
export const folderOfKey = (key: string): string => key.slice(0, key.lastIndexOf('/'))

/** Deletes the files of all imports of an account. */
export const deleteImportFilesOf = ({ files }: Context, account_id: number): Promise<void> =>
  files.deleteFolder(`${FILES}/${account_id}`)

/** The folder of the file of a job, if it has one. */
export function fileFolderOf({ settings }: Pick<JobRow, 'settings'>): string | undefined {
  const { file } = JSON.parse(settings) as Partial<ImportSettings>
  const [first] = file?.blobs ?? []
  return first && folderOfKey(first.key)
}

/** Deletes the file of a job, if it has one. */
export async function deleteFileOf(ctx: Context, job: Pick<JobRow, 'settings'>): Promise<void> {
  const folder = fileFolderOf(job)
  if (folder !== undefined) await ctx.files.deleteFolder(folder)
}

/** Deletes the file of a job that has ended: nobody reads it again. After an error, the file is deleted with the job. */
export async function dropFileIfEnded(ctx: Context, named: Pick<JobRow, 'account_id' | 'id'>): Promise<void> {
  try {
    const job = await findJob(ctx.db, named)
    if (job && job.finished_at !== null) await deleteFileOf(ctx, job)
  } catch (error) {
    const { account_id, id } = named
    ctx.log.info({ err: error, job: id, account_id }, 'the file of a job stays for now')
  }
}
