import type { Context } from '../context.ts'
import { randomAlphanumeric, sha256 } from '../secrets.ts'

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

const placeOf = (client_id: string) => `integrations/secret/${client_id}`
