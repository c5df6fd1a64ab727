import { sealedChannels } from '../chats/chats.ts'
import { ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { beginKeyChange, endKeyChange, followMasterKey } from '../db/master-key.ts'
import { resealRows, type SealedTable } from '../db/sealed-tables.ts'
import { sealedAnswers } from '../http/idempotency/idempotency-sealed-queries.ts'
import { sealedIntegrations, sealedWidgets } from '../integrations/integrations.ts'
import { previousKeyFile, replaceKeyFile } from '../master-keys.ts'
import type { KeyState, Vault } from '../vault.ts'
import { sealedWebhooks } from '../webhooks/webhooks.ts'

/** Every table with encrypted columns. */
export const sealedTables: SealedTable[] = [
  ...[sealedIntegrations, sealedWidgets, sealedChannels, sealedWebhooks, sealedAnswers],
]

/** Rows of one transaction. */
const BATCH = 100

export interface Rekeyed {
  /** Secrets that were encrypted with the new key. */
  changed: number
  /** Places of secrets that no key opens; they stay as they are. */
  unopened: string[]
}

/**
 * Changes the master key while servers run (S30), and continues a change that was interrupted. In one transaction the
 * database takes the new key into use, so that everything sealed after it has the new key; then the older values follow in
 * batches. `keyFile` is the file of the master key, or null if the environment has it. `report` gets the table and the number of
 * its rows so far. Throws ConfigError if there is nothing to change.
 */
export async function rekey(
  ctx: Pick<Context, 'db' | 'vault'>,
  keyFile: string | null,
  report: (table: string, rows: number) => void,
): Promise<Rekeyed> {
  const { db, vault } = ctx
  await db.transaction().execute((tx) => beginKeyChange(tx, vault, () => begin(vault, keyFile)))
  await followMasterKey(db, vault)
  const done: Rekeyed = { changed: 0, unopened: [] }
  // A value can be moved to another column while its row is in work, so the last pass finds nothing.
  for (let found = 1; found > 0; ) {
    done.unopened = []
    found = 0
    for (const table of sealedTables) found += await resealTable(ctx, table, done, report)
  }
  await db.transaction().execute((tx) => endKeyChange(tx, vault))
  return done
}

/** The state of the database under the new key; null if it has that already. */
function begin(vault: Vault, keyFile: string | null): KeyState | null {
  if (vault.state.changing_from !== null) return null
  if (!vault.hasPrevious) {
    if (keyFile === null) throw new ConfigError(NO_PREVIOUS)
    replaceKeyFile(keyFile)
    vault.reread()
  }
  if (vault.usesNewest) throw new ConfigError(keyFile === null ? DONE : doneWithFile(keyFile))
  const handles = vault.lasting('integration handles').toString('base64')
  return { lasting: { 'integration handles': handles }, changing_from: vault.usedKey }
}

const NO_PREVIOUS =
  'MASTER_KEY_PREVIOUS is not set. To change the master key, restart every server with MASTER_KEY set to a new key and MASTER_KEY_PREVIOUS to the present one, and run this command with both.'
const DONE =
  'All stored secrets are encrypted with MASTER_KEY already. Restart every server without MASTER_KEY_PREVIOUS.'
const doneWithFile = (file: string) =>
  `All stored secrets are encrypted with the key in ${file} already. To change it again, move ${previousKeyFile(file)} to a safe place first; backups from before need it.`

/** Returns the number of values for which another pass is needed. */
async function resealTable(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  sealed: SealedTable,
  done: Rekeyed,
  report: (table: string, rows: number) => void,
): Promise<number> {
  let after: unknown[] | undefined
  let found = 0
  do {
    const { changed, missed, unopened, last } = await resealRows(db, vault, sealed, after, BATCH)
    done.changed += changed
    done.unopened.push(...unopened)
    found += changed + missed
    after = last
    report(sealed.table, found)
  } while (after)
  return found
}
