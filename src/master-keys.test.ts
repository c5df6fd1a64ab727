import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError } from './config.ts'
import { previousKeyFile, readableKeyFiles, readMasterKey } from './master-keys.ts'

describe('The master key', () => {
  function files() {
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-key-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return { folder, file: join(folder, 'new folder #1%20?', 'master.key') }
  }

  test('is created once, readable only by its owner, and read again', () => {
    const { file } = files()
    const made = readMasterKey(undefined, file, true)
    expect(made.length).toBe(32)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toBe(`${made.toString('base64')}\n`)
    expect(readMasterKey(undefined, file, true)).toEqual(made)
    expect(readMasterKey('', file, false)).toEqual(made)
  })

  test('is named if other users of the machine can read its file, and is in use', () => {
    const { file } = files()
    const before = previousKeyFile(file)
    expect(readableKeyFiles({}, file)).toEqual([])
    readMasterKey(undefined, file, true)
    writeFileSync(before, readFileSync(file), { mode: 0o600 })
    expect(readableKeyFiles({}, file)).toEqual([])
    for (const mode of [0o640, 0o604, 0o644]) {
      chmodSync(file, mode)
      expect(readableKeyFiles({}, file)).toEqual([file])
    }
    chmodSync(before, 0o640)
    expect(readableKeyFiles({}, file)).toEqual([file, before])
    expect(readableKeyFiles({ MASTER_KEY_PREVIOUS: 'x' }, file)).toEqual([file])
    expect(readableKeyFiles({ MASTER_KEY: 'x' }, file)).toEqual([])
  })

  test('of the environment takes precedence over the file, and creates none', () => {
    const { file } = files()
    const given = randomBytes(32)
    expect(readMasterKey(given.toString('base64'), file, true)).toEqual(given)
    expect(existsSync(file)).toBe(false)
  })

  test('is the same for processes that start at the same time', async () => {
    const { folder } = files()
    const run = promisify(execFile)
    const program = `
      import { previousKeyFile, readableKeyFiles, readMasterKey } from ${JSON.stringify(import.meta.resolve('./master-keys.ts'))}
      for (let round = 0; round < 50; round++) {
        while (Date.now() < ${Date.now() + 1_000} + round * 20);
        const key = readMasterKey(undefined, ${JSON.stringify(folder)} + '/' + round, true)
        process.stdout.write(key.toString('base64'))
      }`
    const starts = [1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '--eval', program]))
    const keys = (await Promise.all(starts)).map(({ stdout }) => stdout)
    expect(new Set(keys).size).toBe(1)
  })

  test('is reported with instructions if it is missing', () => {
    const { file } = files()
    const read = () => readMasterKey(undefined, file, false)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(
      `There is no master key. Set MASTER_KEY to that of your data, or for new data to 32 random bytes in base64 (openssl rand -base64 32), or write it to ${file}.`,
    )
  })

  test.each([
    ['16 bytes', randomBytes(16).toString('base64')],
    ['33 bytes', randomBytes(33).toString('base64')],
    ['hex', randomBytes(32).toString('hex')],
    ['a password', 'correct horse battery staple'],
    ['32 bytes and rubbish', `${randomBytes(32).toString('base64')}!?`],
    ['a key with a blank inside', `${randomBytes(32).toString('base64').slice(0, 20)} ${'A'.repeat(23)}=`],
  ])('of %s is rejected with its place', (_what, text) => {
    const { folder } = files()
    const file = join(folder, 'master.key')
    expect(() => readMasterKey(text, file, true)).toThrow(
      /^MASTER_KEY does not contain 32 bytes in base64\.$/,
    )
    writeFileSync(file, `${text}\n`)
    expect(() => readMasterKey(undefined, file, true)).toThrow(`${file} does not contain 32 bytes in base64.`)
    // The message contains no part of the key.
    expect(() => readMasterKey(text, file, true)).not.toThrow(text)
  })
})
