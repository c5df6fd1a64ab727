import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MasterKeys } from './master-keys.ts'
import { deriveKey, seal } from './secrets.ts'
import { openVault } from './vault.ts'

const key = Buffer.alloc(32, 1)
const newer = Buffer.alloc(32, 2)
const place = 'integrations/7/secret'
const only = (present: Buffer): MasterKeys => ({ present, previous: null })
const both: MasterKeys = { present: newer, previous: key }
const UNCHANGED = openVault(only(key)).state

describe('The vault', () => {
  test('opens what it sealed, in its own place, with its own key only', () => {
    const vault = openVault(only(key))
    const sealed = vault.seal(place, 'the secret')
    expect(vault.unseal(place, sealed)).toBe('the secret')
    for (const other of [openVault(only(newer)), openVault({ present: newer, previous: randomBytes(32) })])
      expect(() => other.unseal(place, sealed)).toThrow(
        expect.objectContaining({
          reason: 'unavailable',
          code: 'master_key_missing',
          cause: new Error(`No known master key opens the stored secret ${place}.`),
        }),
      )
    expect(() => vault.unseal(`${place} `, sealed)).toThrow()
    // The key of stored secrets differs from the master key.
    expect(() => vault.unseal(place, seal(key, place, 'the secret'))).toThrow()
  })

  test('has a constant key for every purpose', () => {
    const vault = openVault(only(key))
    expect(vault.key('a')).toEqual(openVault(only(key)).key('a'))
    const others = [deriveKey(key, 'a'), openVault(only(randomBytes(32))).key('a')]
    const all = [vault.key('a'), vault.key('b'), ...others]
    expect(new Set(all.map((one) => one.toString('hex'))).size).toBe(4)
    for (const one of all) expect(one.length).toBe(32)
  })
})

describe('A vault with two keys', () => {
  test('uses the one of the database, and opens values of both', () => {
    const [old, vault, last] = [openVault(only(key)), openVault(both), openVault(only(newer))]
    const sealed = old.seal(place, 'x')
    expect(vault.follow(old.checkOf('newest', UNCHANGED))).toBe(true)
    expect([vault.usesNewest, vault.hasPrevious, old.hasPrevious]).toEqual([false, true, false])
    expect(vault.keys('a')).toEqual([old.key('a'), last.key('a')])
    // Servers that have only the old key read what it seals.
    expect(old.unseal(place, vault.seal(place, 'y'))).toBe('y')
    expect(vault.reseal(place, sealed)).toBeNull()

    const handles = old.lasting('integration handles')
    const state = {
      lasting: { 'integration handles': handles.toString('base64') },
      changing_from: old.usedKey,
    }
    const check = vault.checkOf('newest', state)
    expect([old.follow(check), last.follow(check), vault.follow(check)]).toEqual([false, true, true])
    expect([vault.usesNewest, vault.state, last.state]).toEqual([true, state, state])
    const wrong = openVault({ present: newer, previous: randomBytes(32) })
    expect(wrong.follow(check)).toBe(true)
    expect([vault, last, wrong].map(({ lacksKey }) => lacksKey)).toEqual([false, true, true])
    const resealed = vault.reseal(place, sealed) as Buffer
    expect([vault.unseal(place, sealed), last.unseal(place, resealed)]).toEqual(['x', 'x'])
    expect(vault.reseal(place, resealed)).toBeNull()
    for (const one of [vault, last]) {
      expect(one.key('a')).toEqual(openVault(only(newer)).key('a'))
      expect(one.lasting('integration handles')).toEqual(handles)
    }
    expect(() => vault.reseal(`${place} `, resealed)).toThrow()
  })

  test('reads the keys again when a value opens with none, keeps the known ones, and survives a missing file', () => {
    let read = (): MasterKeys => {
      throw new Error('no such file')
    }
    const vault = openVault(only(key), () => read())
    const [sealed, foreign] = [vault.seal(place, 'x'), openVault(only(newer)).seal(place, 'y')]
    expect(() => vault.unseal(place, foreign)).toThrow('does not have the master key')
    read = () => only(newer)
    expect([vault.unseal(place, foreign), vault.unseal(place, sealed)]).toEqual(['y', 'x'])
    // Only the database changes the key in use.
    expect([vault.usesNewest, vault.hasPrevious]).toEqual([false, true])
    expect(vault.follow(vault.checkOf('newest', UNCHANGED))).toBe(true)
    expect(vault.usesNewest).toBe(true)
  })
})
