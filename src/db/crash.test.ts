import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { times } from '../../test/long.ts'

const ROUNDS = times(3, 20)

/** Runs the writer until it is killed at a random time; returns the numbers that were reported as stored. */
async function killedWriter(folder: string, first: number): Promise<number[]> {
  const child = spawn(process.execPath, ['test/programs/crash-writer.ts', folder, String(first)], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(child.stdout, 'data')
  await sleep(Math.random() * 60)
  child.kill('SIGKILL')
  await once(child, 'close')
  // A number without a line end can be incomplete.
  return text.split('\n').slice(0, -1).map(Number)
}

// SQLite durability depends on our settings; PostgreSQL ensures its own.
test.runIf(process.env.TEST_DATABASE === 'sqlite')(
  `${ROUNDS} times killed under load, no acknowledged write is lost and none is kept by half`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-crash-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const acknowledged: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      acknowledged.push(...(await killedWriter(folder, round * 1_000_000)))
      const db = new Sqlite(join(folder, 'patchbay.db'))
      const kept = new Set(db.prepare('select id from written').pluck().all() as number[])
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
      db.close()
      expect(acknowledged.filter((id) => !kept.has(id * 2) || !kept.has(id * 2 + 1))).toEqual([])
      expect([...kept].filter((id) => !kept.has(id ^ 1))).toEqual([])
    }
    expect(acknowledged.length).toBeGreaterThan(ROUNDS * 10)
  },
)
