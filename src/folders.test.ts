import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** Root can use everything, so the program runs as another user then. That of the tests' PostgreSQL needs the same. */
const someone = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Checks the folder of an embedded database and its files as this user, and returns the error. */
function errorOf(data_dir: string): string {
  const program = `
    import { prepareFolder } from './src/db/sqlite/sqlite-file.ts'
    import { requireUsable } from './src/folders.ts'
    import { machineError } from './src/commands/machine-errors.ts'
    try {
      prepareFolder(${JSON.stringify(data_dir)})
      requireUsable(${JSON.stringify(join(data_dir, 'files'))})
    } catch (error) {
      process.stdout.write(String(machineError(error)))
    }`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
    ...{ cwd: join(import.meta.dirname, '..'), encoding: 'utf8' },
    ...someone,
  })
  expect(stderr).toBe('')
  return stdout
}

/** A data folder that everyone can use. */
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'patchbay-folders-'))
  chmodSync(made, 0o777)
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('What another user owns is named: the folder, the file of the database, what SQLite left, the files', () => {
  const made = folder()
  expect(errorOf(made)).toBe('')
  const files = join(made, 'files')
  mkdirSync(files, { mode: 0 })
  expect(errorOf(made)).toBe(`${files}: permission denied.`)
  chmodSync(files, 0o777)
  for (const name of ['patchbay.db-wal', 'patchbay.db']) {
    writeFileSync(join(made, name), '', { mode: 0 })
    expect(errorOf(made)).toBe(`${join(made, name)}: permission denied.`)
  }
  chmodSync(made, 0)
  expect(errorOf(made)).toBe(`${made}: permission denied.`)
  expect(errorOf(join(made, 'data'))).toBe(`${join(made, 'data')}: permission denied.`)
  chmodSync(made, 0o700)
})
