import type { Vault } from '../secrets.ts'
import type { Db, Tx } from './database.ts'
import { readSetting, writeSetting } from './settings.ts'

const NAME = 'master_key_check'

/** Whether the data was encrypted with this master key; null if no key has been used yet. */
export async function isMasterKey(db: Db, vault: Vault): Promise<boolean | null> {
  const stored = await readSetting(db, NAME)
  if (stored === undefined) return null
  try {
    return vault.unseal(NAME, Buffer.from(stored, 'base64')) === NAME
  } catch {
    return false
  }
}

/** Records the key as the one of this database. */
export async function adoptMasterKey(tx: Tx, vault: Vault): Promise<void> {
  await writeSetting(tx, NAME, vault.seal(NAME, NAME).toString('base64'))
}
