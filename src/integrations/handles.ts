import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { NamesOfIntegrations } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { findClient, ownIds } from './queries.ts'

/**
 * The integration id is shown in the developer account alone (specification, Integration). Other accounts know an
 * integration by its handle: the id, which is 16 bytes, enciphered as one block of AES with a key of the server's own.
 * So a handle needs no column, is the same in every process, and tells nothing of the id.
 */
export function handleOf(ctx: Context, id: string): string {
  const cipher = createCipheriv('aes-256-ecb', keyOf(ctx), null).setAutoPadding(false)
  return uuidOf(Buffer.concat([cipher.update(bytesOf(id)), cipher.final()]))
}

/** The id of a handle. A text that is no UUID is answered as it is: it names nothing. */
function idOf(ctx: Context, handle: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(handle)) return handle
  const decipher = createDecipheriv('aes-256-ecb', keyOf(ctx), null).setAutoPadding(false)
  return uuidOf(Buffer.concat([decipher.update(bytesOf(handle)), decipher.final()]))
}

/** The name of an integration in an account: its id in the developer account, its handle elsewhere. */
export const nameIn = (
  ctx: Context,
  account_id: number,
  integration: { id: string; account_id: number },
): string => (integration.account_id === account_id ? integration.id : handleOf(ctx, integration.id))

/** The id of the integration that an account names by its id or by its handle. */
export async function idNamed(ctx: Context, name: string): Promise<string> {
  return (await findClient(ctx.db, name)) ? name : idOf(ctx, name)
}

/** As `nameIn`, for the entries of an account's audit log. */
export const namesOfIntegrations: NamesOfIntegrations = async (ctx, account_id, ids) => {
  const own = await ownIds(ctx.db, account_id, ids)
  return (id) => (own.has(id) ? id : handleOf(ctx, id))
}

const keyOf = (ctx: Context): Buffer => ctx.vault.key('integration handles')
const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
