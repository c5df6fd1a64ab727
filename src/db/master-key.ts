import { isWithoutKey, type KeyState, lacksMasterKey, type Vault } from '../vault.ts'
import type { Db, Tx } from './database.ts'
import { forShare, forUpdate } from './dialect.ts'
import { readSetting, writeSetting } from './settings.ts'

/** A text that the key in use has encrypted. */
const NAME = 'master_key_check'

/**
 * Takes the master key of the database into use. Returns false if the vault does not have it, null if no key has been used
 * yet.
 */
export async function followMasterKey(db: Db, vault: Vault): Promise<boolean | null> {
  const stored = await readSetting(db, NAME)
  return stored === undefined ? null : vault.follow(stored)
}

/**
 * Whether a secret could not be opened because this server lacks the key in use. Otherwise the secret is lost: a change of the
 * key leaves a value that no key opens (S31).
 */
export const isKeyMissing = async (db: Db, vault: Vault, error: unknown): Promise<boolean> =>
  isWithoutKey(error) && (await followMasterKey(db, vault)) === false

/** Whether the database has data of a master key. */
export const hasMasterKey = async (db: Db): Promise<boolean> => (await readSetting(db, NAME)) !== undefined

/** Whether two databases store the same check of the master key: each new database and each change makes another. */
export async function haveSameCheck(one: Db, other: Db): Promise<boolean> {
  const [here, there] = await Promise.all([readSetting(one, NAME), readSetting(other, NAME)])
  return here !== undefined && here === there
}

/** Records the key as the one of this database. */
export async function adoptMasterKey(tx: Tx, vault: Vault): Promise<void> {
  await writeSetting(tx, NAME, vault.checkOf('newest', vault.state))
}

/**
 * Encrypts a text that this transaction stores. Until it ends, the key in use stays the same, so that a change of the master
 * key finds the value, or it has the new key already.
 */
export async function sealStored(tx: Tx, vault: Vault, place: string, text: string): Promise<Buffer> {
  const check = await lockedCheck(tx, 'shared')
  if (check !== undefined && !vault.follow(check)) throw lacksMasterKey(new Error(UNKNOWN))
  return vault.seal(place, text)
}

/**
 * Takes the newest key into use, in the state that `begin` returns. `begin` runs while nobody else can change the key, and
 * returns null if a change has begun.
 */
export async function beginKeyChange(tx: Tx, vault: Vault, begin: () => KeyState | null): Promise<void> {
  await followAlone(tx, vault)
  const state = begin()
  if (state) await writeSetting(tx, NAME, vault.checkOf('newest', state))
}

/** Records that all values have the key in use. */
export async function endKeyChange(tx: Tx, vault: Vault): Promise<void> {
  await followAlone(tx, vault)
  await writeSetting(tx, NAME, vault.checkOf('used', { ...vault.state, changing_from: null }))
}

async function followAlone(tx: Tx, vault: Vault): Promise<void> {
  const check = await lockedCheck(tx, 'alone')
  if (check === undefined || !vault.follow(check)) throw lacksMasterKey(new Error(UNKNOWN))
}

const UNKNOWN = 'No known master key is the one of the database.'

async function lockedCheck(tx: Tx, lock: 'shared' | 'alone'): Promise<string | undefined> {
  const row = await tx
    .selectFrom('settings')
    .select('value')
    .where('name', '=', NAME)
    .modifyEnd(lock === 'shared' ? forShare(tx) : forUpdate(tx))
    .executeTakeFirst()
  return row?.value
}
