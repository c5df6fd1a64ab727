import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migratedDatabase, type Place } from '../../test/databases/databases.ts'
import { olderDatabase } from '../../test/databases/older-database.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { newMasterKey } from '../../test/programs/program.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { migrations } from '../db/migrations/migrations.ts'

const MASTER_KEY = newMasterKey()
const FIRST_MISSING = '041-retention'
const known = migrations.map(({ name }) => name)
const missing = known.slice(known.indexOf(FIRST_MISSING))
const lacking = `${missing.slice(0, 3).join(', ')} and ${missing.length - 3} more`
const older = known.filter((name) => !missing.includes(name))

const ACCOUNT = ['account', 'create', '--subdomain', 'acme', '--name', 'Acme']

const run = ({ data_dir, database_url }: Place, words: string[]) =>
  commandLine(words, { DATA_DIR: data_dir, DATABASE_URL: database_url, MASTER_KEY, LOG_LEVEL: 'silent' })

async function appliedOf(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

const visit = { account_id: 7, visitor_uid: 'before-the-upgrade', url: 'https://shop.example/', at: 1 }

/** A database with a row, as the version before has left it. */
async function fromBefore() {
  const { db, place } = await olderDatabase(FIRST_MISSING)
  await db.transaction().execute((tx) => tx.insertInto('visits').values(visit).execute())
  return { db, place }
}

describe('On a database that is not migrated to this version', () => {
  test.each([[ACCOUNT], [['requests', 'clear']], [['rekey']]])(
    '%j is refused and changes nothing',
    async (words) => {
      const { db, place } = await fromBefore()
      expect(await run(place, words)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          `The database is older than this version: it lacks ${lacking}. ` +
          'Run the command with the version of your server, or make a backup and run "patchbay migrate".\n',
      })
      expect(await appliedOf(db)).toEqual(older)
    },
  )

  test('a backup has it as it is', async () => {
    const { db, place } = await fromBefore()
    const file = join(place.data_dir, 'before.gz')
    const made = await run(place, ['backup', file])
    expect([made.code, made.stderr]).toEqual([0, ''])
    expect(await appliedOf(db)).toEqual(older)
    const lines = gunzipSync(readFileSync(file)).toString().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ migrations: older })
    expect(lines).toContain(JSON.stringify({ row: Object.entries(visit) }))
    expect(lines).toContain('{"table":"events"}')
    expect(lines).not.toContain('{"table":"retention_runs"}')
  })

  test('a restore finds out that it is in use, and does not migrate it', async () => {
    const { db, place } = await fromBefore()
    const file = join(place.data_dir, 'before.gz')
    await run(place, ['backup', file])
    expect((await run(place, ['restore', file])).stderr).toBe(
      'The database is not empty. Restore a backup into an empty one.\n',
    )
    expect(await appliedOf(db)).toEqual(older)
  })
})

test('On a database of a newer version that only added to it, commands work, but a backup and rekey are refused', async () => {
  const place = await migratedDatabase()
  const db = openDatabase(place, { onCommitFailure: () => {} })
  onTestFinished(() => db.destroy())
  const apply = (name: string, isAdditive: boolean) =>
    db.transaction().execute(async (tx) => {
      await tx.insertInto('migrations').values({ name, applied_at: 3 }).execute()
      if (isAdditive) await tx.insertInto('additive_migrations').values({ name }).execute()
    })
  const refusal = (name: string) => ({
    code: 1,
    stdout: '',
    stderr: `The database is newer than this version: ${name}. Run the command with the version of Patchbay that migrated it.\n`,
  })
  await apply('998-more-secrets', true)
  expect((await run(place, ACCOUNT)).code).toBe(0)
  for (const words of [['backup', join(place.data_dir, 'b.gz')], ['rekey']])
    expect(await run(place, words)).toEqual(refusal('998-more-secrets'))
  await apply('999-other-columns', false)
  expect(await run(place, ACCOUNT)).toEqual(refusal('999-other-columns'))
})
