import { access } from 'node:fs/promises'
import { ConfigError, nameOfPlace, readConfig, readS3Keys } from '../config.ts'
import { openDatabase, type Tx } from '../db/database.ts'
import { isEmptyDatabase } from '../db/distribution/restored-schema.ts'
import { followMasterKey } from '../db/master-key.ts'
import { openFileStore } from '../files/files.ts'
import { createFolder, requireUsable } from '../folders.ts'
import { countOf, readDump } from './dump.ts'
import { requireBackup } from './dump-header.ts'
import { DumpError } from './dump-lines.ts'
import { naming } from './machine-errors.ts'
import { missingKey, vaultOf } from './open.ts'
import { showProgress } from './progress.ts'
import type { Command } from './run.ts'

export const restore: Command = {
  name: 'restore',
  summary:
    'Restore a backup of this version or an earlier one into an empty database. Requires the master key of the backup.',
  operands: ['FILE'],
  async run(_options, [file = '']) {
    const config = readConfig('command', process.env)
    // Never creates a key: restored secrets could not be decrypted with a new one.
    const vault = vaultOf(config, process.env, false)
    await naming('FILE', () => access(file))
    // Before anything is created in DATA_DIR.
    await requireBackup(file).catch(rejected)
    const storage = config.files
    // The files come last in a backup, after minutes with a large one.
    if (storage.kind === 'disk')
      await naming('DATA_DIR', () => {
        createFolder(storage.folder)
        requireUsable(storage.folder)
      })
    const files = await openFileStore(storage, readS3Keys(process.env))
    const db = openDatabase(config, {
      onCommitFailure: (error) => {
        throw error
      },
    })
    const place = config.database_url ? 'DATABASE_URL' : 'DATA_DIR'
    try {
      await naming(place, async () => {
        if (!(await isEmptyDatabase(db)))
          throw new ConfigError('The database is not empty. Restore a backup into an empty one.')
      })
      if (!(await files.isEmpty()))
        throw new ConfigError(
          `${nameOfPlace(config.files)} already contains files. Restore a backup into an empty folder. If a killed restore left them, delete them.`,
        )
      const now = Math.floor(Date.now() / 1000)
      const acceptKey = async (tx: Tx) => {
        if (!(await followMasterKey(tx, vault)))
          throw new DumpError('The master key is not the one of the backup.')
        const reason = missingKey(vault)
        if (reason) throw new DumpError(reason)
      }
      const dumped = await naming(place, () => readDump({ db, files }, file, now, showProgress, acceptKey))
      process.stdout.write(`${countOf(dumped)} restored from ${file}\n`)
    } catch (error) {
      rejected(error)
    } finally {
      await db.destroy()
    }
  },
}

function rejected(error: unknown): never {
  throw error instanceof DumpError ? new ConfigError(error.message) : error
}
