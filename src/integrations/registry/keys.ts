import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { sealStored } from '../../db/master-key.ts'
import { randomAlphanumeric, sha256 } from '../../secrets.ts'
import { ownIntegrations } from './queries.ts'
import { secretPlace } from './sealed-queries.ts'

const SECRET_LENGTH = 64

/** Creates a secret key and its two stored forms: a hash for comparison, and a sealed form to show it again (A11). */
export async function newSecret(
  ctx: Context,
  tx: Tx,
  client_id: string,
): Promise<{ secret: string; secret_hash: Buffer; secret_sealed: Buffer }> {
  const secret = randomAlphanumeric(SECRET_LENGTH)
  const secret_sealed = await sealStored(tx, ctx.vault, secretPlace(client_id), secret)
  return { secret, secret_hash: sha256(secret), secret_sealed }
}

export function openSecret(ctx: Context, integration: { id: string; secret_sealed: Buffer }): string {
  return ctx.vault.unseal(secretPlace(integration.id), integration.secret_sealed)
}

/** The secrets of the newest integrations of an account, with which signatures are compared. They never leave the server. */
export async function integrationSecrets(
  ctx: Context,
  account_id: number,
): Promise<{ id: string; name: string; secret: string }[]> {
  const rows = await ownIntegrations(ctx.db, account_id)
  return rows
    .slice(0, MOST_COMPARED)
    .map((row) => ({ id: row.id, name: row.name, secret: openSecret(ctx, row) }))
}

const MOST_COMPARED = 20
