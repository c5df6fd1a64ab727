import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commandLine } from '../../test/programs/command-line.ts'

const DAY = 86_400

/** A folder with one account and a thousand events, half of them two years old. */
async function oldServer() {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'patchbay-retention-'))
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  const env = { DATA_DIR, MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), LOG_LEVEL: 'silent' }
  const run = (...words: string[]) => commandLine(words, env)
  expect((await run('migrate')).code).toBe(0)
  expect((await run('account', 'create', '--subdomain', 'acme', '--name', 'Acme')).code).toBe(0)
  return { run, file: join(DATA_DIR, 'patchbay.db') }
}

function fill(file: string, days: number | null) {
  const db = new Sqlite(file)
  const { id } = db.prepare('select id from accounts').get() as { id: number }
  const now = Math.floor(Date.now() / 1000)
  const insert = db.prepare(
    `insert into events (account_id, id, type, entity_type, entity_id, created_by, created_at, value_after, value_before,
      request_id) values (?, ?, 1, 'lead', 1, 0, ?, ?, '[]', 'r')`,
  )
  const ulid = (at: number, i: number) =>
    [...Array(10).keys()]
      .map((place) => (((at * 1000) / 32 ** (9 - place)) % 32) | 0)
      .map((n) => '0123456789abcdefghjkmnpqrstvwxyz'[n])
      .join('') + String(i).padStart(16, '0')
  for (let i = 0; i < 1_000; i++) {
    const at = now - (i % 2 ? 730 : 1) * DAY
    insert.run(id, ulid(at, i), at, JSON.stringify(['x'.repeat(2_000)]))
  }
  if (days !== null) db.prepare('insert into retention_settings values (?, ?, ?)').run(id, 'events', days)
  db.close()
}

const eventsIn = (file: string) => {
  const db = new Sqlite(file, { readonly: true })
  const { count } = db.prepare('select count(*) as count from events').get() as { count: number }
  db.close()
  return count
}

test('prints what would go, deletes it with --apply, and compacts the file', async () => {
  const { run, file } = await oldServer()
  expect((await run('retention')).stdout).toContain('events    kept for ever\n')
  fill(file, 365)
  const dry = await run('retention')
  expect(dry.stdout).toMatch(
    /events {4}kept for 365 days: 500 would go, the oldest of \d{4}-\d\d-\d\d, about [\d.]+ [KM]iB\n/,
  )
  expect([dry.stdout.includes('Nothing was deleted.'), eventsIn(file)]).toEqual([true, 1_000])
  const { code, stdout } = await run('retention', '--apply')
  expect([code, stdout.includes('500 events deleted\n'), eventsIn(file)]).toEqual([0, true, 500])
  expect((await run('retention')).stdout).toContain('events    kept for 365 days: 0 would go\n')
  expect((await run('retention', '--apply')).stdout).toContain('Nothing was old enough.')

  const server = new Sqlite(file)
  server.pragma('user_version')
  expect(await run('compact')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Stop the server first'),
  })
  server.close()
  // A thread of this process closes its handle a moment after a command has ended.
  await vi.waitFor(
    async () =>
      expect(await run('compact')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/MiB before, .* after\n$/),
      }),
    { timeout: 60_000, interval: 200 },
  )
  expect(eventsIn(file)).toBe(500)
})

test('refuses an unknown account, and compacts no missing database', async () => {
  const { run } = await oldServer()
  expect((await run('retention', '--account', 'nobody')).code).toBe(1)
  const empty = mkdtempSync(join(tmpdir(), 'patchbay-retention-'))
  onTestFinished(() => rmSync(empty, { recursive: true, force: true }))
  const { code, stderr } = await commandLine(['compact'], { DATA_DIR: empty })
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no Patchbay database')])
})
