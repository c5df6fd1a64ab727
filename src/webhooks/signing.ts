import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { sealStored } from '../db/master-key.ts'
import type { WebhookRow } from '../db/tables.ts'
import { hmacSha256Hex } from '../secrets.ts'
import { selectWebhooks } from './queries.ts'
import { secretPlace } from './sealed-queries.ts'

type Sealed = Pick<WebhookRow, 'id' | 'signing_secret'>

const PREFIX = 'whsec_'

/** A new signing secret in the form of Standard Webhooks, plain and sealed. */
export async function newSigningSecret(
  ctx: Context,
  tx: Tx,
  id: number,
): Promise<{ secret: string; signing_secret: Buffer }> {
  const secret = PREFIX + randomBytes(32).toString('base64')
  return { secret, signing_secret: await sealStored(tx, ctx.vault, secretPlace(id), secret) }
}

/** The signing secret of a webhook; null if its requests are not signed. */
export const openSigningSecret = (ctx: Context, { id, signing_secret }: Sealed): string | null =>
  signing_secret === null ? null : ctx.vault.unseal(secretPlace(id), signing_secret)

/** Both signatures of a body (H4). */
export const signed = (
  secret: string,
  body: string | null,
): { headers: Record<string, string>; signing_key: Buffer } => ({
  headers: { 'x-signature': hmacSha256Hex(secret, body ?? '') },
  signing_key: signingKey(secret),
})

/**
 * The secret that signs what the listeners of an account receive without a webhook. It is made from the master key, so it
 * stays the same and is not stored.
 */
export const listenerSecret = ({ vault }: Context, account_id: number): string =>
  PREFIX + vault.key(`webhook listeners of ${account_id}`).toString('base64')

/** The key of `webhook-signature`: the bytes after the prefix. */
const signingKey = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')

/** The signing secrets of the webhooks of an account, with which signatures are compared. They never leave the server. */
export async function webhookSecrets(
  ctx: Context,
  account_id: number,
): Promise<{ id: number; name: string; secret: string }[]> {
  const rows = await selectWebhooks(ctx.db, account_id)
  return rows.flatMap((row) => {
    const secret = openSigningSecret(ctx, row)
    return secret === null ? [] : [{ id: row.id, name: row.destination, secret }]
  })
}
