import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import type { WebhookRow } from '../db/tables.ts'
import { selectWebhooks } from './queries.ts'

type Sealed = Pick<WebhookRow, 'id' | 'signing_secret'>

const PREFIX = 'whsec_'

/** A new signing secret in the form of Standard Webhooks, plain and sealed. */
export function newSigningSecret(ctx: Context, id: number): { secret: string; signing_secret: Buffer } {
  const secret = PREFIX + randomBytes(32).toString('base64')
  return { secret, signing_secret: ctx.vault.seal(placeOf(id), secret) }
}

/** The signing secret of a webhook; null if its requests are not signed. */
export const openSigningSecret = (ctx: Context, { id, signing_secret }: Sealed): string | null =>
  signing_secret === null ? null : ctx.vault.unseal(placeOf(id), signing_secret)

/** The key of `webhook-signature`: the bytes after the prefix. */
export const signingKey = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')

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

const placeOf = (id: number): string => `webhooks/secret/${id}`
