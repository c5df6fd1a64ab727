import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import type { WebhookRow } from '../db/tables.ts'

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

const placeOf = (id: number): string => `webhooks/secret/${id}`
