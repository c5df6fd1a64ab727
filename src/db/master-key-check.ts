import type { Vault } from '../secrets.ts'
import type { Db, Tx } from './database.ts'
import { readSetting, writeSetting } from './settings.ts'

const NAME = 'master_key_check'

/** Whether the data was sealed with this master key; null when no key has been used with it yet. */
export async function isMasterKey(db: Db, vault: Vault): Promise<boolean | null> {
  const stored = await readSetting(db, NAME)
  if (stored === undefined) return null
  try {
    return vault.unseal(NAME, Buffer.from(stored, 'base64')) === NAME
  } catch {
    return false
  }
}

/** Makes the key that of this database. */
export async function adoptMasterKey(tx: Tx, vault: Vault): Promise<void> {
  await writeSetting(tx, NAME, vault.seal(NAME, NAME).toString('base64'))
}
