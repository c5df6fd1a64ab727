import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** Root can use everything, so the program runs as another user then. That of the tests' PostgreSQL needs the same. */
const someone = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Runs this as the user, with these names of modules of the program, and returns the error. */
function errorOfUser(names: Record<string, string>, work: string): string {
  const imports = { ...names, machineError: './src/commands/machine-errors.ts' }
  const program = `
    ${Object.entries(imports)
      .map(([name, file]) => `import { ${name} } from '${file}'`)
      .join('\n')}
    try {
      ${work}
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

/** Checks the folder of an embedded database and its files. */
const errorOf = (data_dir: string): string =>
  errorOfUser(
    { prepareFolder: './src/db/sqlite/sqlite-file.ts', requireUsable: './src/folders.ts' },
    `prepareFolder(${JSON.stringify(data_dir)})
     requireUsable(${JSON.stringify(join(data_dir, 'files'))})`,
  )

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

test('A folder into which a user cannot look is not taken for one without a database or a key', () => {
  const made = folder()
  const names = { hasDatabaseFile: './src/db/database.ts', readMasterKey: './src/master-keys.ts' }
  const looks = [
    `hasDatabaseFile({ data_dir: ${JSON.stringify(made)} })`,
    `readMasterKey(undefined, ${JSON.stringify(join(made, 'master.key'))}, false)`,
  ]
  chmodSync(made, 0)
  expect(looks.map((look) => errorOfUser(names, look))).toEqual([
    `${join(made, 'patchbay.db')}: permission denied.`,
    `${join(made, 'master.key')}: permission denied.`,
  ])
  chmodSync(made, 0o700)
})
