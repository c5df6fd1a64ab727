import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/programs/temporary-folder.ts'
import { world } from '../../test/world.ts'
import { readInBackground } from './background-reads.ts'
import { CommitCounter } from './sqlite/wal-index.ts'

/** A query that takes some tenths of a second. */
const long = (from: number) => sql<{ n: number }>`
  with recursive numbers (n) as (select ${sql.lit(from)} union all select n + 1 from numbers where n < 3000000)
  select max(n) as n from numbers`

const queryOf = (text: ReturnType<typeof long>, db: Parameters<typeof readInBackground>[0]) => ({
  compile: () => text.compile(db),
})

describe('A long query of the embedded database', () => {
  test('does not block the event loop', async () => {
    const { ctx, account } = await world({ kind: 'sqlite' })
    let isDone = false
    const reading = readInBackground(ctx.db, account.id, queryOf(long(1), ctx.db)).then((rows) => {
      isDone = true
      return rows
    })
    let turns = 0
    while (!isDone) {
      await new Promise(setImmediate)
      turns++
    }
    expect(await reading).toEqual([{ n: 3_000_000 }])
    expect(turns).toBeGreaterThan(100)
  })

  test('sees what is committed, and in a transaction what is written there', async () => {
    const { ctx, account } = await world({ kind: 'sqlite' })
    const read = (db: typeof ctx.db) =>
      readInBackground(db, account.id, db.selectFrom('accounts').select('name').where('id', '=', account.id))
    await ctx.db.transaction().execute(async (tx) => {
      await tx.updateTable('accounts').set({ name: 'New' }).where('id', '=', account.id).execute()
      expect(await read(tx)).toEqual([{ name: 'New' }])
      expect(await read(ctx.db)).toEqual([{ name: account.name }])
    })
    expect(await read(ctx.db)).toEqual([{ name: 'New' }])
  })

  test('cannot write, and its error has the code of the database', async () => {
    const { ctx, account } = await world({ kind: 'sqlite' })
    const writing = readInBackground(ctx.db, account.id, ctx.db.deleteFrom('accounts').returning('id'))
    await expect(writing).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
    expect(await readInBackground(ctx.db, account.id, ctx.db.selectFrom('accounts').select('id'))).toEqual([
      { id: account.id },
    ])
  })

  test('is answered in a program whose files Node watches, as those of npm run dev', async () => {
    const { ctx } = await world({ kind: 'sqlite' })
    const script = join(temporaryFolder(), 'read.ts')
    const modules = (name: string) => JSON.stringify(join(import.meta.dirname, name))
    writeFileSync(
      script,
      `import { readInBackground } from ${modules('background-reads.ts')}
      import { openDatabase } from ${modules('database.ts')}
      const db = openDatabase(${JSON.stringify(ctx.config)}, { onCommitFailure: () => {} })
      const rows = await readInBackground(db, 1, db.selectFrom('accounts').select('subdomain'))
      process.stdout.write(JSON.stringify(rows))`,
    )
    const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', script])
    onTestFinished(() => void child.kill('SIGKILL'))
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
    await expect.poll(() => text).toMatch(/Completed|Failed/)
    expect(text).toContain('[{"subdomain":"demo"}]')
  })

  test('is answered while the idle thread ends', async () => {
    const { ctx, account } = await world({ kind: 'sqlite' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const read = () => readInBackground(ctx.db, account.id, ctx.db.selectFrom('accounts').select('id'))
    await read()
    vi.advanceTimersByTime(30_000)
    expect(await read()).toEqual([{ id: account.id }])
  })

  test('is refused if too many of the account are waiting, and other accounts are served', async () => {
    const { ctx, account, addAccount } = await world({ kind: 'sqlite' })
    const other = await addAccount('other')
    const read = (account_id: number) =>
      readInBackground(
        ctx.db,
        account_id,
        ctx.db.selectFrom('accounts').select('id').where('id', '=', account_id),
      )
    const many = await Promise.allSettled(Array.from({ length: 60 }, () => read(account.id)))
    const refused = many.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatchObject({ reason: { reason: 'unavailable' } })
    expect(await read(other.id)).toEqual([{ id: other.id }])
  })
})

test('The log of the embedded database is copied into its file on the thread', async () => {
  const { ctx, folder } = await world({ kind: 'sqlite', ownServer: true })
  const log = new CommitCounter(join(folder, 'patchbay.db'))
  onTestFinished(() => log.close())
  for (let i = 0; i < 30; i++) {
    await ctx.db.transaction().execute(async (tx) => {
      const value = 'x'.repeat(1_000_000)
      await tx
        .insertInto('settings')
        .values({ name: `large ${i}`, value })
        .execute()
    })
  }
  // About 7,000 pages were written. The writer itself would begin at 16,384.
  await expect.poll(() => log.waitingPages()).toBeLessThan(2_048)
})
