import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteDialect } from '../db/sqlite/sqlite-dialect.ts'
import { GroupingDriver } from '../db/sqlite/sqlite-driver.ts'
import { Database } from '../db/transactions.ts'
import { newestUlid, newUlid } from '../db/ulids.ts'
import { type Channel, ChannelEnded, createChannel } from './channel.ts'
import { LockQueue } from './lock-queue.ts'
import { SharedLock } from './shared-lock.ts'

/** Both ends of a connection between the primary and a process. */
function connection() {
  const ends: Channel[] = []
  const channels = [1, 0].map((other) =>
    createChannel((messages) => void setImmediate(() => ends[other]?.receive(structuredClone(messages)))),
  ) as [Channel, Channel]
  ends.push(...channels)
  return channels
}

/** Processes that write to one file, in this thread: none of them may wait by blocking it. */
async function processes(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'small.db')
  const queue = new LockQueue()
  const all = Array.from({ length: count }, () => {
    const [primary, member] = connection()
    primary.on({
      want: () => queue.want(primary),
      free: ({ newest_ulid }) => queue.free(primary, newest_ulid),
    })
    // A clock per process.
    const time = { clock: () => 1_000 }
    const lock = new SharedLock(member, time)
    const driver = new GroupingDriver({
      file,
      lock,
      onCommitFailure: (error) => {
        throw error
      },
    })
    const db = new Database<{ t: { n: number } }>(sqliteDialect(driver))
    onTestFinished(() => db.destroy())
    return { primary, member, lock, time, db }
  })
  const first = all[0] as (typeof all)[0]
  await first.db.transaction().execute(async (tx) => {
    await sql`create table t (n integer not null) strict`.execute(tx)
    await sql`insert into t values (0)`.execute(tx)
  })
  return { all, queue, file }
}

type Db = Awaited<ReturnType<typeof processes>>['all'][0]['db']

const addOne = (db: Db) =>
  db.transaction().execute(async (tx) => {
    const { n } = await tx.selectFrom('t').select('n').executeTakeFirstOrThrow()
    await tx
      .updateTable('t')
      .set({ n: n + 1 })
      .execute()
  })
const countIn = async (db: Db) => (await db.selectFrom('t').select('n').executeTakeFirstOrThrow()).n

test('Processes write by turns: no update is lost, and none waits for all of another', async () => {
  const { all } = await processes(3)
  const order: number[] = []
  await Promise.all(
    all.map(async ({ db }, i) => {
      for (let n = 0; n < 40; n++) {
        await Promise.all([addOne(db), addOne(db)])
        order.push(i)
      }
    }),
  )
  expect(await countIn((all[0] as (typeof all)[0]).db)).toBe(240)
  // Each is at its tenth group before another is at its thirtieth.
  for (const i of [0, 1, 2]) {
    const tenth = order.flatMap((one, at) => (one === i ? [at] : []))[9] as number
    for (const other of [0, 1, 2])
      expect(order.slice(0, tenth).filter((one) => one === other).length).toBeLessThan(30)
  }
})

test('A process that writes alone keeps the lock and sends nothing', async () => {
  const { all } = await processes(2)
  const [{ db, primary }] = all as [(typeof all)[0]]
  let messages = 0
  const { receive } = primary
  primary.receive = (list) => {
    messages += list.length
    receive(list)
  }
  for (let n = 0; n < 20; n++) await addOne(db)
  expect(messages).toBe(0)
})

test('Ids rise in the order of the commits of all processes', async () => {
  const { all } = await processes(2)
  const ids: string[] = []
  for (let n = 0; n < 20; n++) {
    const { db, time } = all[n % 2] as (typeof all)[0]
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('t').set({ n }).execute()
      ids.push(newUlid(time))
    })
  }
  expect(ids).toEqual(ids.toSorted())
  expect(newestUlid((all[1] as (typeof all)[0]).time).toLowerCase()).toBe(ids.at(-1))
})

test('The lock of a process that ends goes to the next one', async () => {
  const { all, queue } = await processes(3)
  const [holder, waiting, next] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]]
  const isOpen = Promise.withResolvers<void>()
  const never = holder.db.transaction().execute(async () => {
    isOpen.resolve()
    await sleep(150)
    throw new Error('it ended')
  })
  await isOpen.promise
  const others = [addOne(waiting.db), addOne(next.db)]
  await sleep(50)
  // The system ends SQLite's lock with the process; here, the transaction has it until it is rolled back.
  queue.leave(holder.primary)
  await expect(never).rejects.toThrow('it ended')
  await Promise.all(others)
  expect(await countIn(next.db)).toBe(2)
})

test('A transaction waits for another program without blocking the event loop', async () => {
  const { all, file } = await processes(1)
  const [{ db }] = all as [(typeof all)[0]]
  const other = new Sqlite(file)
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  const added = addOne(db)
  const before = performance.eventLoopUtilization()
  await sleep(100)
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.9)
  expect(await countIn(db)).toBe(0)
  other.exec('commit')
  await added
  expect(await countIn(db)).toBe(1)
})

test('Without the primary, a process writes under the lock of SQLite, and its questions have no answer', async () => {
  const { all } = await processes(2)
  const [one, other] = all as [(typeof all)[0], (typeof all)[0]]
  const asked = other.member.call('enter', ['key', 1])
  other.member.end()
  other.lock.goAlone()
  await expect(asked).rejects.toThrow(ChannelEnded)
  await expect(other.member.call('metrics', null)).rejects.toThrow(ChannelEnded)
  await Promise.all([addOne(one.db), addOne(other.db), addOne(one.db), addOne(other.db)])
  expect(await countIn(one.db)).toBe(4)
})
