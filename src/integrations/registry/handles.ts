import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { NamesOfIntegrations } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { FindIntegrations } from '../../webhooks/webhooks.ts'
import { clientNames, findClient, ownIds } from './queries.ts'

/**
 * The integration id is visible only in the developer account (specification, Integration). Other accounts use a
 * handle: the 16 bytes of the id, encrypted as one AES block with a key of the server. A handle needs no column, is the
 * same in every process, and does not reveal the id.
 */
export function handleOf(ctx: Context, id: string): string {
  const cipher = createCipheriv('aes-256-ecb', keyOf(ctx), null).setAutoPadding(false)
  return uuidOf(Buffer.concat([cipher.update(bytesOf(id)), cipher.final()]))
}

/** The id of a handle. A text that is not a UUID is returned unchanged; it matches nothing. */
function idOf(ctx: Context, handle: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(handle)) return handle
  const decipher = createDecipheriv('aes-256-ecb', keyOf(ctx), null).setAutoPadding(false)
  return uuidOf(Buffer.concat([decipher.update(bytesOf(handle)), decipher.final()]))
}

/** The name of an integration in an account: its id in the developer account, otherwise its handle. */
export const nameIn = (
  ctx: Context,
  account_id: number,
  integration: { id: string; account_id: number },
): string => (integration.account_id === account_id ? integration.id : handleOf(ctx, integration.id))

/** The id of an integration, from its id or handle as the account uses it. */
export async function idNamed(ctx: Context, name: string): Promise<string> {
  return (await findClient(ctx.db, name)) ? name : idOf(ctx, name)
}

/** Like `nameIn`, for the entries of an account's audit log. */
export const namesOfIntegrations: NamesOfIntegrations = async (ctx, account_id, ids) => {
  const own = await ownIds(ctx.db, account_id, ids)
  return (id) => (own.has(id) ? id : handleOf(ctx, id))
}

/** The ids or handles and the names of integrations, for the webhooks of an account. */
export const integrationsOfWebhooks: FindIntegrations = async (ctx, account_id, ids) => {
  const rows = await clientNames(ctx.db, ids)
  return new Map(rows.map((row) => [row.id, { id: nameIn(ctx, account_id, row), name: row.name }]))
}

const keyOf = (ctx: Context): Buffer => ctx.vault.lasting('integration handles')
const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
