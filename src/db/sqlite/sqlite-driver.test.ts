import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { failureOf } from '../failures.ts'
import { Database } from '../transactions.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { GroupingDriver } from './sqlite-driver.ts'

interface Small {
  t: { id: number; text: string }
}

function open(setUp = (_db: Kysely<Small>) => Promise.resolve()) {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-driver-'))
  const file = join(folder, 'small.db')
  const onCommitFailure = vi.fn<(error: unknown) => void>()
  const db = new Database<Small>(sqliteDialect(new GroupingDriver({ file, onCommitFailure })))
  onTestFinished(async () => {
    await db.destroy()
    rmSync(folder, { recursive: true, force: true })
  })
  const insert = (id: number, text = 'x') =>
    db.transaction().execute((tx) => tx.insertInto('t').values({ id, text }).execute())
  const ids = async (): Promise<number[]> =>
    (await db.selectFrom('t').select('id').orderBy('id').execute()).map(({ id }) => id)
  const ready = sql`create table t (id integer primary key, text text not null) strict`
  const start = db
    .transaction()
    .execute(async (tx) => void (await ready.execute(tx)))
    .then(() => setUp(db))
  return start.then(() => ({ db, file, folder, onCommitFailure, insert, ids }))
}

/**
 * Counts the commits in the write-ahead log: the last frame of each contains the size of the database (SQLite file
 * format, 4.1).
 */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const page = log.readUInt32BE(8)
  const salt = log.subarray(16, 24)
  let commits = 0
  for (let at = 32; at + 24 + page <= log.length; at += 24 + page) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break
    if (log.readUInt32BE(at + 4) > 0) commits++
  }
  return commits
}

/** The counters of Linux for the files that this process reads and writes. */
const COUNTS = '/proc/self/io'
/** Bytes that this process has read from files so far. */
const bytesRead = (): number => Number(/rchar: (\d+)/.exec(readFileSync(COUNTS, 'utf8'))?.[1])

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)
const nextEvent = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const settle = <T>(promises: Promise<T>[]) =>
  Promise.allSettled(promises).then((all) => all.map(({ status }) => status))

describe('Concurrent transactions', () => {
  test('share a commit', async () => {
    const { file, insert, ids } = await open()
    const before = commitsIn(file)
    await Promise.all(range(1, 100).map((id) => insert(id)))
    expect(await ids()).toEqual(range(1, 100))
    expect(commitsIn(file) - before).toBe(1)
  })

  test('share a commit with at most 256', async () => {
    const { file, insert } = await open()
    const before = commitsIn(file)
    await Promise.all(range(1, 600).map((id) => insert(id)))
    expect(commitsIn(file) - before).toBe(3)
  })

  test('have a commit each if they are sequential', async () => {
    const { file, insert } = await open()
    const before = commitsIn(file)
    for (const id of range(1, 5)) await insert(id)
    expect(commitsIn(file) - before).toBe(5)
  })

  test('are committed even if one of them is refused and rolled back', async () => {
    const { db, insert, ids } = await open()
    const refused = (id: number) =>
      db.transaction().execute(async (tx) => {
        await tx.insertInto('t').values({ id, text: 'no' }).execute()
        throw new Error('refused')
      })
    const outcome = await settle([insert(1), refused(2), insert(3), refused(4), insert(1), insert(5)])
    expect(outcome).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(await ids()).toEqual([1, 3, 5])
  })

  test('write nothing if all are refused, and the next one commits', async () => {
    const { db, insert, ids } = await open()
    const refused = () =>
      db.transaction().execute(() => {
        throw new Error('refused')
      })
    expect(await settle([refused(), refused()])).toEqual(['rejected', 'rejected'])
    await insert(1)
    expect(await ids()).toEqual([1])
  })

  test('are serialised: a value that was read is still valid when it writes', async () => {
    const { db } = await open(async (db) => {
      await db.transaction().execute((tx) => tx.insertInto('t').values({ id: 1, text: '0' }).execute())
    })
    const addOne = () =>
      db.transaction().execute(async (tx) => {
        const { text } = await tx.selectFrom('t').select('text').where('id', '=', 1).executeTakeFirstOrThrow()
        await Promise.resolve()
        await tx
          .updateTable('t')
          .set({ text: String(Number(text) + 1) })
          .where('id', '=', 1)
          .execute()
      })
    await Promise.all(range(1, 50).map(addOne))
    expect(await db.selectFrom('t').selectAll().execute()).toEqual([{ id: 1, text: '50' }])
  })

  test('are in the file when they are answered: another program can read them', async () => {
    const { file, insert } = await open()
    for (const round of range(1, 10)) {
      await Promise.all(range(1, 10).map((id) => insert(round * 100 + id)))
      const other = new Sqlite(file, { readonly: true })
      expect(other.prepare('select count(*) as n from t').get()).toEqual({ n: round * 10 })
      other.close()
    }
  })

  test('wait for a write of another program', async () => {
    const { file, insert, ids } = await open()
    const other = new Sqlite(file)
    other.exec('begin immediate; insert into t values (7, "other")'.replaceAll('"', "'"))
    setTimeout(() => {
      other.exec('commit')
      other.close()
    }, 0)
    // SQLite's wait blocks the event loop, so the other commit has to come first.
    await new Promise((resolve) => setTimeout(resolve, 10))
    await insert(8)
    expect(await ids()).toEqual([7, 8])
  })
})

test('A transaction that is open when the file is closed leaves nothing, and those before it are committed', async () => {
  const { db, file, insert, onCommitFailure } = await open()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const before = insert(1)
  const half = db.transaction().execute(async (tx) => {
    await tx.insertInto('t').values({ id: 2, text: 'x' }).execute()
    await held
    await tx.insertInto('t').values({ id: 3, text: 'x' }).execute()
  })
  const waiting = insert(4)
  waiting.catch(() => {})
  await nextEvent()
  await db.destroy()
  await before
  letGo()
  await expect(half).rejects.toThrow()
  await expect(waiting).rejects.toThrow()
  const other = new Sqlite(file, { readonly: true })
  expect(other.prepare('select id from t').pluck().all()).toEqual([1])
  other.close()
  expect(onCommitFailure).not.toHaveBeenCalled()
})

describe('Within a transaction', () => {
  test('a savepoint is rolled back alone, at any depth', async () => {
    const { db, ids } = await open()
    await db.transaction().execute(async (tx) => {
      const put = (id: number) => tx.insertInto('t').values({ id, text: 'x' }).execute()
      await put(1)
      await sql`savepoint a`.execute(tx)
      await put(2)
      await sql`savepoint b`.execute(tx)
      await put(3)
      await sql`rollback to b`.execute(tx)
      await put(4)
      await sql`release a`.execute(tx)
    })
    expect(await ids()).toEqual([1, 2, 4])
  })

  test('the same applies to a controlled transaction', async () => {
    const { db, ids } = await open()
    const first = await db.startTransaction().execute()
    await first.insertInto('t').values({ id: 1, text: 'x' }).execute()
    const outer = await first.savepoint('outer').execute()
    await outer.insertInto('t').values({ id: 2, text: 'x' }).execute()
    const inner = await outer.savepoint('inner').execute()
    await inner.insertInto('t').values({ id: 3, text: 'x' }).execute()
    await (await inner.rollbackToSavepoint('inner').execute()).releaseSavepoint('outer').execute()
    await first.commit().execute()
    expect(await ids()).toEqual([1, 2])
  })

  test('a rejected statement keeps earlier writes', async () => {
    const { db, ids } = await open()
    await db.transaction().execute(async (tx) => {
      await tx.insertInto('t').values({ id: 1, text: 'x' }).execute()
      await expect(tx.insertInto('t').values({ id: 1, text: 'x' }).execute()).rejects.toThrow('UNIQUE')
      await tx.insertInto('t').values({ id: 2, text: 'x' }).execute()
    })
    expect(await ids()).toEqual([1, 2])
  })
})

describe('Outside of transactions', () => {
  test('only committed data is visible, and reads do not wait for a writer', async () => {
    const { db, insert, ids } = await open()
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const writing = db.transaction().execute(async (tx) => {
      await tx.insertInto('t').values({ id: 1, text: 'x' }).execute()
      await held
    })
    const behind = insert(2)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await ids()).toEqual([])
    letGo()
    await Promise.all([writing, behind])
    expect(await ids()).toEqual([1, 2])
  })

  test('reads of one event share a snapshot, and the next event sees the commits of another program', async () => {
    const { file, ids } = await open()
    const other = new Sqlite(file)
    onTestFinished(() => void other.close())
    await nextEvent()
    expect(await ids()).toEqual([])
    other.exec(`insert into t values (1, 'x')`)
    expect(await ids()).toEqual([])
    await nextEvent()
    expect(await ids()).toEqual([1])
  })

  test('a commit of this program is seen in the event in which it happens', async () => {
    const { ids, insert } = await open()
    await nextEvent()
    expect(await ids()).toEqual([])
    // As many as one commit has, so it does not wait for the end of the event.
    await Promise.all(range(1, 256).map((id) => insert(id)))
    expect(await ids()).toEqual(range(1, 256))
  })

  test('a read and a transaction can be in one event, in any order', async () => {
    const { db, insert, ids } = await open()
    await nextEvent()
    expect(await ids()).toEqual([])
    const writing = db.transaction().execute(async (tx) => {
      await tx.insertInto('t').values({ id: 1, text: 'x' }).execute()
      expect(await ids()).toEqual([])
      await tx.insertInto('t').values({ id: 2, text: 'x' }).execute()
    })
    expect(await ids()).toEqual([])
    await writing
    expect(await ids()).toEqual([1, 2])
    const refused = insert(1)
    expect(await ids()).toEqual([1, 2])
    await expect(refused).rejects.toThrow('UNIQUE')
    await insert(3)
    expect(await ids()).toEqual([1, 2, 3])
  })

  test.runIf(existsSync(COUNTS))(
    'pages that were read stay in memory after a commit of this program',
    async () => {
      const { db, insert, ids } = await open()
      const rows = range(1, 1_000).map((id) => ({ id, text: 'x'.repeat(1_000) }))
      await db.transaction().execute((tx) => tx.insertInto('t').values(rows).execute())
      const lengths = () => sql`select sum(length(text)) from t`.execute(db)
      await lengths()
      const counts: number[] = []
      for (const id of range(2_001, 2_005)) {
        await insert(id)
        await nextEvent()
        const before = bytesRead()
        await lengths()
        counts.push(bytesRead() - before)
      }
      // Other threads of this process can read files meanwhile.
      expect(Math.min(...counts)).toBeLessThan(100_000)
      expect(await ids()).toHaveLength(1_005)
    },
  )

  test('a failed read leaves no snapshot', async () => {
    const { db, insert, ids } = await open()
    await expect(sql`select abs(-9223372036854775808) from (select 1)`.execute(db)).rejects.toThrow(
      'overflow',
    )
    await insert(1)
    expect(await ids()).toEqual([1])
  })

  test.each([
    ['an insert', sql`insert into t values (1, 'x')`],
    ['an insert that answers rows', sql`insert into t values (1, 'x') returning id`],
    ['a delete', sql`delete from t`],
    ['a table', sql`create table u (id integer)`],
    ['a vacuum', sql`vacuum`],
  ])('%s is rejected', async (_name, statement) => {
    const { db, ids } = await open()
    await expect(statement.execute(db)).rejects.toThrow('readonly')
    expect(await ids()).toEqual([])
  })

  test('a stream is one snapshot, while others write', async () => {
    const { db, insert } = await open()
    await Promise.all(range(1, 10).map((id) => insert(id)))
    const seen: number[] = []
    for await (const { id } of db.selectFrom('t').select('id').orderBy('id').stream(2)) {
      seen.push(id)
      await insert(100 + id)
    }
    expect(seen).toEqual(range(1, 10))
  })

  test('a stream that ends early leaves nothing open', async () => {
    const { db, file, insert } = await open()
    await Promise.all(range(1, 10).map((id) => insert(id)))
    for await (const _row of db.selectFrom('t').select('id').stream(1)) break
    const other = new Sqlite(file)
    // This fails while any reader has an older snapshot.
    expect(other.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
    other.close()
  })
})

describe('A read-only transaction', () => {
  test('keeps one snapshot and cannot write', async () => {
    const { db, insert, ids } = await open()
    await insert(1)
    await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        const count = async () => (await tx.selectFrom('t').select('id').execute()).length
        expect(await count()).toBe(1)
        await insert(2)
        expect(await count()).toBe(1)
        expect(await ids()).toEqual([1, 2])
        const streamed = []
        for await (const { id } of tx.selectFrom('t').select('id').stream(1)) streamed.push(id)
        expect(streamed).toEqual([1])
        await expect(tx.insertInto('t').values({ id: 3, text: 'x' }).execute()).rejects.toThrow('readonly')
      })
    expect(await ids()).toEqual([1, 2])
  })

  test('is closed when it fails', async () => {
    const { db, file } = await open()
    const failing = db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        await tx.selectFrom('t').select('id').execute()
        throw new Error('enough')
      })
    await expect(failing).rejects.toThrow('enough')
    const other = new Sqlite(file)
    expect(other.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
    other.close()
  })
})

describe('With disk errors', () => {
  const full = (db: Kysely<Small>) =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(tx)
      await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 1}`).execute(tx)
    })

  test('a statement without space is rejected together with uncommitted work, and the program continues', async () => {
    const { db, insert, ids, onCommitFailure } = await open()
    await insert(1)
    await full(db)
    const outcome = await settle([insert(2), insert(3, 'x'.repeat(100_000)), insert(4)])
    // A full disk can end the whole group or the statement alone: no lost write is confirmed.
    const kept = await ids()
    expect(outcome[1]).toBe('rejected')
    expect(kept).toEqual([1, ...[2, 4].filter((_, i) => outcome[i * 2] === 'fulfilled')])
    expect(onCommitFailure).not.toHaveBeenCalled()
  })

  test('a failed commit rejects the whole group and is reported once', async () => {
    const { db, file, insert, onCommitFailure } = await open()
    await insert(1)
    // A deferred check: the only error at COMMIT that a test can cause.
    await db.transaction().execute(async (tx) => {
      await sql`create table child (id integer primary key, parent integer references t (id) deferrable initially deferred)`.execute(
        tx,
      )
    })
    const orphan = db
      .transaction()
      .execute(async (tx) => void (await sql`insert into child values (1, 99)`.execute(tx)))
    expect(await settle([insert(2), orphan, insert(3)])).toEqual(['rejected', 'rejected', 'rejected'])
    expect(onCommitFailure).toHaveBeenCalledTimes(1)
    const other = new Sqlite(file, { readonly: true })
    expect(other.prepare('select id from t').all()).toEqual([{ id: 1 }])
    other.close()
  })
})

describe('Closing', () => {
  test('commits open work, and leaves no write-ahead log', async () => {
    const { db, file, insert } = await open()
    const answers = settle(range(1, 20).map((id) => insert(id)))
    // All of them have run, and none is committed.
    for (let i = 0; i < 10_000; i++) await Promise.resolve()
    await db.destroy()
    expect(new Set(await answers)).toEqual(new Set(['fulfilled']))
    const other = new Sqlite(file, { readonly: true })
    expect(other.prepare('select count(*) as n from t').get()).toEqual({ n: 20 })
    other.close()
  })

  test('the settings of the file are durable', async () => {
    const { db, file } = await open()
    const setting = (name: string) =>
      db
        .transaction()
        .execute(
          async (tx) => Object.values((await sql.raw<object>(`pragma ${name}`).execute(tx)).rows[0] ?? {})[0],
        )
    expect([
      await setting('journal_mode'),
      await setting('synchronous'),
      await setting('foreign_keys'),
      await setting('trusted_schema'),
    ]).toEqual(['wal', 2, 1, 0])
    expect(statSync(file).isFile()).toBe(true)
  })

  test('statements of many lengths do not accumulate, and stay correct', async () => {
    const { db, ids } = await open()
    for (let round = 0; round < 2; round++)
      for (const count of range(1, 600))
        expect(
          (await db.selectFrom('t').select('id').where('id', 'in', range(1, count)).execute()).length,
        ).toBe(0)
    expect(await ids()).toEqual([])
  })
})

describe('A full disk', () => {
  const text = 'x'.repeat(100_000)
  /** Limits the size of the file: SQLite then reports a full disk. */
  const limit = async ({ db }: Awaited<ReturnType<typeof open>>, pages: number) => {
    await db.transaction().execute((tx) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx))
  }
  const meanings = (all: PromiseSettledResult<unknown>[]) =>
    all.map((one) => (one.status === 'fulfilled' ? 'done' : failureOf(one.reason)))

  test('rejects the write and those in the same commit, and does not stop the program', async () => {
    const all = await open()
    await limit(all, 10)
    const writes = [all.insert(1), all.insert(2), all.insert(3, text), all.insert(4)]
    const outcomes = meanings(await Promise.allSettled(writes))
    expect(outcomes[2]).toBe('disk_full')
    const kept = [1, 2, 3, 4].filter((_, i) => outcomes[i] === 'done')
    expect(outcomes.filter((one) => one !== 'done')).toEqual(Array(4 - kept.length).fill('disk_full'))
    expect(await all.ids()).toEqual(kept)
    expect(all.onCommitFailure).not.toHaveBeenCalled()
  })

  test('keeps accepting writes that fit, and all writes when there is space again', async () => {
    const all = await open()
    await limit(all, 10)
    for (let round = 0; round < 3; round++) {
      await expect(all.insert(100 + round, text)).rejects.toMatchObject({ code: 'SQLITE_FULL' })
      await all.insert(round)
    }
    await limit(all, 1_000_000)
    await all.insert(100, text)
    expect(await all.ids()).toEqual([0, 1, 2, 100])
  })

  test('commits nothing of a transaction that continues after the error', async () => {
    const all = await open()
    await limit(all, 10)
    const stubborn = all.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('t')
        .values({ id: 1, text })
        .execute()
        .catch(() => {})
      // A read of the same event opens nothing to which the next statement could belong.
      expect(await all.ids()).toEqual([])
      await tx.insertInto('t').values({ id: 2, text: 'x' }).execute()
    })
    await expect(stubborn).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    expect(await all.ids()).toEqual([])
  })
})
