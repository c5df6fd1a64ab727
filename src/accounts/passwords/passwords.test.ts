import { argon2Sync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashAtFullCost } from '../../../test/programs/fast-hashing.ts'
import { passwordWeakness } from './password-rules.ts'
import { hashPassword, isOutdated, NO_PASSWORD, verifyPassword } from './passwords.ts'

const GOOD = 'blue otter sings 9'

describe('A9: passwords are stored as argon2id', () => {
  test('with 64 MiB, three passes, a salt of 16 bytes and a tag of 32, in PHC form', async () => {
    const hash = await hashPassword(GOOD)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await verifyPassword(hash, GOOD)).toBe(true)
    expect(await verifyPassword(hash, `${GOOD} `)).toBe(false)
    expect(await hashPassword(GOOD)).not.toBe(hash)
  })

  test('the same letters typed as other code points are the same password', async () => {
    const hash = await hashPassword('caf\u00e9 au lait 17')
    expect(await verifyPassword(hash, 'cafe\u0301 au lait 17')).toBe(true)
  })

  test('no password matches a person without one, and the check does the same work', async () => {
    // At the cost of the tests, a hash takes less time than the rest of a check.
    hashAtFullCost()
    const begin = performance.now()
    expect(await verifyPassword(NO_PASSWORD, '')).toBe(false)
    const none = performance.now() - begin
    const hash = await hashPassword(GOOD)
    const again = performance.now()
    await verifyPassword(hash, 'wrong')
    expect(none).toBeGreaterThan((performance.now() - again) / 4)
  })

  test('a hash of lower cost still verifies, and is outdated', async () => {
    const nonce = randomBytes(16)
    const cost = { memory: 19_456, passes: 2, parallelism: 1 }
    const tag = argon2Sync('argon2id', { message: GOOD, nonce, tagLength: 32, ...cost })
    const old = `$argon2id$v=19$m=19456,t=2,p=1$${nonce.toString('base64').slice(0, 22)}$${tag.toString('base64').slice(0, 43)}`
    expect(await verifyPassword(old, GOOD)).toBe(true)
    expect(isOutdated(old)).toBe(true)
    expect(isOutdated(await hashPassword(GOOD))).toBe(false)
  })

  test('two hashes run concurrently and 32 wait; the next one gets 503', async () => {
    const all = await Promise.allSettled(Array.from({ length: 36 }, () => verifyPassword(NO_PASSWORD, 'x')))
    const refused = all.filter((one) => one.status === 'rejected')
    expect(refused.map(({ reason }) => reason.reason)).toEqual(['unavailable', 'unavailable'])
    expect(await verifyPassword(NO_PASSWORD, 'x')).toBe(false)
  })
})

describe('A9: common passwords are rejected', () => {
  const ada = { name: 'Ada Lovelace', email: 'countess@analytical.example' }

  test.each([
    'password1234',
    'P@ssw0rd2024!',
    'qwertyqwerty',
    'QwErTy123456',
    '123456789012',
    '098765432109',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'zyxwvutsrqpo',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc',
    'iloveyou1234',
    'Summer2025!xy',
    'dragonmonkey1',
    'йцукенгшщзхъ',
    'пароль123456',
    'lovelace-ada-1',
    'countess12345',
    'analytical!!!',
    'PASSWORD1234',
  ])('%s', (password) => {
    expect(passwordWeakness(password, ada)).toMatch(/^This password is easy to guess/)
  })

  test.each([GOOD, 'correct horse battery staple', 'h7Kq2xv9Lm3p', '837465920193', 'сорок две синие выдры'])(
    '%s is accepted',
    (password) => {
      expect(passwordWeakness(password, ada)).toBeNull()
    },
  )

  test('a word in mixed case does not count as the common word', () => {
    const ann = { name: 'Ann', email: 'example2o18@example.com' }
    expect(passwordWeakness('ExAmPlE2o18!', ann)).toBeNull()
    expect(passwordWeakness('Example2o18!', ann)).not.toBeNull()
  })
})
