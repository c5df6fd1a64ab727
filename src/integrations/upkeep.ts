import type { Context } from '../context.ts'
import { HISTORY_SECONDS } from './registry/lifetimes.ts'
import { deleteOldConsentForms, integrationsToCheck } from './registry/queries.ts'
import { CHECK_EVERY_SECONDS, checkRedirectUri } from './registry/redirect-uris.ts'
import { writeUses } from './tokens/last-use.ts'
import { deleteOldFaults } from './tokens/token-fault-queries.ts'
import { deleteOldCodes, deleteOldPairs } from './tokens/token-queries.ts'

const CHECKS_AT_ONCE = 20

/** The periodic jobs of this slice. */
export function upkeep(ctx: Context) {
  return [
    { name: 'redirect URIs', every_seconds: 60, run: () => checkDueRedirectUris(ctx) },
    { name: 'last uses', every_seconds: 60, is_of_process: true, run: () => writeUses(ctx) },
    { name: 'expired codes and tokens', every_seconds: 3_600, run: () => deleteExpired(ctx) },
  ]
}

/** Checks every redirect URI once a day, and a new one within a minute (A12). */
async function checkDueRedirectUris(ctx: Context): Promise<void> {
  const now = ctx.now()
  const due = await integrationsToCheck(ctx.db, { before: now - CHECK_EVERY_SECONDS, now }, CHECKS_AT_ONCE)
  await Promise.all(due.map((integration) => checkRedirectUri(ctx, integration)))
}

async function deleteExpired(ctx: Context): Promise<void> {
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
    await deleteOldConsentForms(tx, now)
    await deleteOldCodes(tx, now - HISTORY_SECONDS)
    await deleteOldPairs(tx, now - HISTORY_SECONDS)
    await deleteOldFaults(tx, now)
  })
}
