import type { Context } from '../context.ts'
import { randomAlphanumeric, sha256 } from '../secrets.ts'
import { ownIntegrations } from './queries.ts'

const SECRET_LENGTH = 64

/** Creates a secret key and its two stored forms: a hash for comparison, and a sealed form to show it again (A11). */
export function newSecret(
  ctx: Context,
  client_id: string,
): { secret: string; secret_hash: Buffer; secret_sealed: Buffer } {
  const secret = randomAlphanumeric(SECRET_LENGTH)
  return { secret, secret_hash: sha256(secret), secret_sealed: ctx.vault.seal(placeOf(client_id), secret) }
}

export function openSecret(ctx: Context, integration: { id: string; secret_sealed: Buffer }): string {
  return ctx.vault.unseal(placeOf(integration.id), integration.secret_sealed)
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

const placeOf = (client_id: string) => `integrations/secret/${client_id}`
