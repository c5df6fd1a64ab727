import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { shown } from '../db/migrate.ts'
import type { Migration } from '../db/migrations/migration.ts'
import { migrations } from '../db/migrations/migrations.ts'
import { DumpError, linesOf, readLine, unreadable } from './dump-lines.ts'

/** The format of a backup, which its first line states. */
export const FORMAT = 1

/** The migrations of the database of a backup, by its header. */
export function migrationsOf({
  patchbay_backup: format,
  migrations: stated,
}: Record<string, unknown>): Migration[] {
  if (typeof format !== 'number' || !Array.isArray(stated))
    throw new DumpError('This is not a Patchbay backup.')
  if (format !== FORMAT)
    throw new DumpError(
      `The backup has the format ${format}, and this version reads the format ${FORMAT}. Restore it with a newer version.`,
    )
  const names = stated.map(String)
  const unknown = names.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0)
    throw new DumpError(
      `The backup is of a newer version: it has ${shown(unknown)}. Restore it with the version that made it.`,
    )
  const own = migrations.filter(({ name }) => names.includes(name))
  if (own[0] !== migrations[0]) throw new DumpError('This is not a Patchbay backup.')
  return own
}

/** Throws DumpError unless the file begins as a backup that this version reads. Reads the first line only. */
export async function requireBackup(file: string): Promise<void> {
  const source = createReadStream(file)
  const bytes = createGunzip()
  source.on('error', (error) => bytes.destroy(error)).pipe(bytes)
  try {
    for await (const [head = ''] of linesOf(bytes)) {
      migrationsOf(readLine(head))
      return
    }
    throw new DumpError('The backup is incomplete.')
  } catch (error) {
    throw unreadable(error as NodeJS.ErrnoException, file)
  } finally {
    source.destroy()
  }
}
