import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { sql, type Transaction } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Db, openDatabase } from '../database.ts'
import { cached, derived, prepared } from '../prepared.ts'
import type { Tables } from '../tables.ts'

const valueNamed = cached((db, at: { name: string }) =>
  db.selectFrom('settings').select(['name', 'value']).where('name', '=', at.name),
)

const uncached = prepared((db, at: { name: string }) =>
  db.selectFrom('settings').select('value').where('name', '=', at.name),
)

/** A database with two settings, and a handle of another process. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-cache-'))
  const db = openDatabase({ database_url: '', data_dir: folder }, { onCommitFailure: () => {} })
  await write(db, async (tx) => {
    await sql`create table settings (name text primary key, value text not null) strict`.execute(tx)
    await sql`create table other (id integer primary key) strict`.execute(tx)
    await sql`insert into settings values ('a', '0'), ('b', '0')`.execute(tx)
  })
  const other = new Sqlite(join(folder, 'patchbay.db'), { timeout: 0 })
  onTestFinished(async () => {
    other.close()
    await db.destroy()
    rmSync(folder, { recursive: true, force: true })
  })
  const set = async (tx: Transaction<Tables>, value: string, name = 'a') =>
    void (await tx.updateTable('settings').set({ value }).where('name', '=', name).execute())
  const setElsewhereNow = (value: string, name = 'a') =>
    void other.prepare('update settings set value = ? where name = ?').run(value, name)
  const setElsewhere = async (value: string, name = 'a') => {
    // A refused transaction leaves the lock at the end of the turn.
    await nextTurn()
    setElsewhereNow(value, name)
  }
  return { db, set, setElsewhere, setElsewhereNow }
}

const write = (db: Db, work: (tx: Transaction<Tables>) => Promise<void>) => db.transaction().execute(work)
const read = async (db: Db, name = 'a') => (await valueNamed(db, { name }))[0]?.value

test('A result is kept until its table changes', async () => {
  const { db, set } = await open()
  const rows = await valueNamed(db, { name: 'a' })
  expect(await valueNamed(db, { name: 'a' })).toBe(rows)
  expect(await valueNamed(db, { name: 'b' })).not.toBe(rows)
  await write(db, async (tx) => void (await sql`insert into other values (1)`.execute(tx)))
  expect(await valueNamed(db, { name: 'a' })).toBe(rows)
  await write(db, (tx) => set(tx, '1', 'b'))
  expect(await valueNamed(db, { name: 'a' })).not.toBe(rows)
  await write(db, (tx) => set(tx, '1'))
  expect(await read(db)).toBe('1')
})

test('A result is not kept if it was read from a snapshot before a commit elsewhere', async () => {
  const { db, setElsewhereNow } = await open()
  for (const value of ['1', '2']) {
    await nextTurn()
    // Takes the snapshot of this event.
    const first = uncached(db, { name: 'a' })
    setElsewhereNow(value)
    await Promise.all([first, read(db)])
    await nextTurn()
    expect(await read(db)).toBe(value)
  }
})

test('Kept rows cannot be changed', async () => {
  const { db } = await open()
  const rows = await valueNamed(db, { name: 'a' })
  expect(() => rows.push({ name: 'c', value: '' })).toThrow(TypeError)
  expect(() => Object.assign(rows[0] as object, { value: '1' })).toThrow(TypeError)
})

test('Something is derived from a result once', async () => {
  const { db, set } = await open()
  let times = 0
  const count = derived((rows: readonly { value: string }[]) => {
    times++
    return Number(rows[0]?.value)
  })
  expect(count(await valueNamed(db, { name: 'a' }))).toBe(0)
  expect(count(await valueNamed(db, { name: 'a' }))).toBe(0)
  expect(times).toBe(1)
  await write(db, (tx) => set(tx, '7'))
  expect(count(await valueNamed(db, { name: 'a' }))).toBe(7)
  expect(times).toBe(2)
})

test('A transaction reads its own changes, and others do not before the commit', async () => {
  const { db, set } = await open()
  expect(await read(db)).toBe('0')
  await write(db, async (tx) => {
    await set(tx, '1')
    expect(await read(tx)).toBe('1')
    expect(await read(db)).toBe('0')
    await set(tx, '2')
    expect(await read(tx)).toBe('2')
  })
  expect(await read(db)).toBe('2')
})

test('Changes that are rolled back are not kept', async () => {
  const { db, set } = await open()
  const failed = write(db, async (tx) => {
    await set(tx, '1')
    expect(await read(tx)).toBe('1')
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  expect(await read(db)).toBe('0')
  await write(db, async (tx) => expect(await read(tx)).toBe('0'))
})

test('A change of the schema ends all results', async () => {
  const { db } = await open()
  expect(await read(db)).toBe('0')
  await write(db, async (tx) => {
    await sql`drop table settings`.execute(tx)
    await sql`create table settings (name text primary key, value text not null) strict`.execute(tx)
  })
  expect(await read(db)).toBe(undefined)
})

test('Another process commits, and the next read shows it', async () => {
  const { db, set, setElsewhere } = await open()
  for (let round = 0; round < 200; round++) {
    await write(db, (tx) => set(tx, `own ${round}`))
    expect(await read(db)).toBe(`own ${round}`)
    await setElsewhere(`other ${round}`)
    expect(await read(db)).toBe(`other ${round}`)
    await write(db, async (tx) => expect(await read(tx)).toBe(`other ${round}`))
  }
})

test('A commit of another process is seen in the next event at the latest', async () => {
  const { db, setElsewhere } = await open()
  await setElsewhere('1')
  expect(await read(db)).toBe('1')
  const { promise, resolve } = Promise.withResolvers<void>()
  const reading = (async () => {
    await nextTurn()
    expect(await read(db)).toBe('1')
    await promise
    const concurrent = await read(db)
    await nextTurn()
    return [concurrent, await read(db)]
  })()
  await setElsewhere('2')
  resolve()
  expect(await reading).toEqual([expect.stringMatching(/^[12]$/), '2'])
})

test('In any history of two processes, a read returns the last committed value', async () => {
  const { db, set, setElsewhere } = await open()
  const expected = new Map([
    ['a', '0'],
    ['b', '0'],
  ])
  let last = 0
  const step = fc.record({
    by: fc.constantFrom('own', 'other', 'refused', 'empty', 'none'),
    name: fc.constantFrom('a', 'b'),
    reads: fc.constantFrom('a', 'b', 'both'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const { by, name, reads } of steps) {
        const value = String(++last)
        const refuse = () => Promise.reject(new Error('refused'))
        if (by === 'own') await write(db, (tx) => set(tx, value, name))
        if (by === 'other') await setElsewhere(value, name)
        if (by === 'refused') await write(db, (tx) => set(tx, value, name).then(refuse)).catch(() => {})
        if (by === 'empty') await write(db, (tx) => set(tx, value, 'nobody'))
        if (by === 'own' || by === 'other') expected.set(name, value)
        for (const one of reads === 'both' ? ['a', 'b'] : [reads])
          expect(await read(db, one)).toBe(expected.get(one))
      }
    }),
  )
})
