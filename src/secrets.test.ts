import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hmacSha256Hex,
  randomAlphanumeric,
  randomToken,
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
