import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError } from './config.ts'
import {
  deriveKey,
  hmacSha256Hex,
  openVault,
  randomAlphanumeric,
  randomToken,
  readMasterKey,
  sameDigest,
  sameText,
  seal,
  sha256,
  unseal,
} from './secrets.ts'

const key = Buffer.alloc(32, 1)
const place = 'integrations/7/secret'

describe('A sealed text', () => {
  test('is decrypted to the original', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ unit: 'binary' }),
        (text, where) => {
          expect(unseal(key, where, seal(key, where, text))).toBe(text.toWellFormed())
        },
      ),
    )
  })

  test('differs each time, and reveals only its length', () => {
    const sealed = Array.from({ length: 100 }, () => seal(key, place, 'the secret').toString('hex'))
    expect(new Set(sealed).size).toBe(100)
    expect(new Set(sealed.map((text) => text.slice(0, 24))).size).toBe(100)
    expect(sealed[0]?.length).toBe((12 + 10 + 16) * 2)
  })

  test('with any changed bit is rejected', () => {
    const sealed = seal(key, place, 'the secret')
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(() => unseal(key, place, changed)).toThrow()
    }
  })

  test('of any other length is rejected', () => {
    const sealed = seal(key, place, 'the secret')
    for (let length = 0; length < sealed.length; length++)
      expect(() => unseal(key, place, sealed.subarray(0, length))).toThrow()
    expect(() => unseal(key, place, Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow()
  })

  test('is decrypted only in its own place with its own key', () => {
    const sealed = seal(key, place, 'the secret')
    for (const other of ['integrations/8/secret', `${place} `, '', place.toUpperCase()])
      expect(() => unseal(key, other, sealed)).toThrow()
    expect(() => unseal(Buffer.alloc(32, 2), place, sealed)).toThrow()
    const vault = openVault(key)
    expect(vault.unseal(place, vault.seal(place, 'the secret'))).toBe('the secret')
    expect(() => openVault(Buffer.alloc(32, 2)).unseal(place, vault.seal(place, 'x'))).toThrow()
    // The key of stored secrets differs from the master key.
    expect(() => vault.unseal(place, sealed)).toThrow()
  })
})

describe('Keys for a purpose', () => {
  test('are constant, and differ for every purpose and secret', () => {
    const vault = openVault(key)
    expect(vault.key('a')).toEqual(openVault(key).key('a'))
    const all = [vault.key('a'), vault.key('b'), deriveKey(key, 'a'), openVault(randomBytes(32)).key('a')]
    expect(new Set(all.map((one) => one.toString('hex'))).size).toBe(4)
    for (const one of all) expect(one.length).toBe(32)
  })
})

describe('Random texts', () => {
  test.each([0, 1, 20, 64, 1_000])('of %i letters and digits have that length', (length) => {
    expect(randomAlphanumeric(length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`))
  })

  test('are uniformly distributed', () => {
    const count = 620_000
    const seen = new Map<string, number>()
    for (const letter of randomAlphanumeric(count)) seen.set(letter, (seen.get(letter) ?? 0) + 1)
    const expected = count / 62
    const chi = [...seen.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
    expect(seen.size).toBe(62)
    // Exceeded once in a hundred million runs, with 61 degrees of freedom; `byte % 62` would give about 7,000.
    expect(chi).toBeLessThan(145)
  })

  test('tokens have 256 bits after their prefix, and are never repeated', () => {
    const tokens = Array.from({ length: 1_000 }, () => randomToken('pbx_'))
    expect(new Set(tokens).size).toBe(1_000)
    for (const token of tokens) expect(token).toMatch(/^pbx_[\w-]{43}$/)
  })
})

describe('Comparing', () => {
  test('texts and digests are equal only if every byte is', () => {
    expect([sameText('a', 'a'), sameText('a', 'b'), sameText('a', 'aa'), sameText('', '')]).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect([
      sameDigest(sha256('a'), sha256('a')),
      sameDigest(sha256('a'), sha256('b')),
      sameDigest(sha256('a'), Buffer.alloc(0)),
    ]).toEqual([true, false, false])
  })

  test('digests match the standards (FIPS 180-4, RFC 4231)', () => {
    expect(sha256('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
    expect(hmacSha256Hex('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })
})

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
      import { readMasterKey } from ${JSON.stringify(import.meta.resolve('./secrets.ts'))}
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
      `There is no master key. Set MASTER_KEY, or write 32 random bytes in base64 to ${file}.`,
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
