import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { IntegrationIconRow } from '../../db/tables.ts'
import { pictureFormat } from '../../drive/drive.ts'
import { invalid } from '../../errors.ts'
import { handleOf, idNamed } from './handles.ts'
import { ownIntegration } from './own-integration.ts'
import { deleteIcon, findIcon, putIcon } from './queries.ts'

/** The limits of an icon: specification, Resources and fields, Integration. */
export const ICON_BYTES = 512 * 1024
const WIDTH = 400
const HEIGHT = 272
const types: Record<string, string> = { jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif' }

/** Accepts exactly 400x272 pixels of jpeg, png or gif. The type is detected from the content, not from its label. */
export async function setIcon(ctx: Context, actor: Actor, id: string, bytes: Buffer): Promise<void> {
  const integration = await ownIntegration(ctx, actor, id)
  const type = await measure(bytes)
  await ctx.db.transaction().execute((tx) => putIcon(tx, { integration_id: integration.id, type, bytes }))
}

async function measure(bytes: Buffer): Promise<string> {
  const refuse = (detail: string) => invalid('icon', 'InvalidFormat', detail)
  const type = types[pictureFormat(bytes) ?? '']
  if (!type) throw refuse('The icon must be jpeg, png or gif.')
  // Most servers never process a picture, and the library is large.
  const { default: sharp } = await import('sharp')
  let image: { width?: number; height?: number }
  try {
    const decoder = sharp(bytes, { limitInputPixels: WIDTH * HEIGHT, failOn: 'error' })
    image = await decoder.metadata()
    if (image.width === WIDTH && image.height === HEIGHT) await decoder.stats()
  } catch {
    throw refuse(`The icon must be a complete picture of ${WIDTH}x${HEIGHT} pixels in jpeg, png or gif.`)
  }
  if (image.width !== WIDTH || image.height !== HEIGHT)
    throw refuse(`The icon must be ${WIDTH}x${HEIGHT} pixels; it is ${image.width}x${image.height}.`)
  return type
}

export async function removeIcon(ctx: Context, actor: Actor, id: string): Promise<void> {
  const integration = await ownIntegration(ctx, actor, id)
  await ctx.db.transaction().execute((tx) => deleteIcon(tx, integration.id))
}

/** The icon, for everybody who can see a consent window. The address contains the handle, not the id. */
export async function readIcon(ctx: Context, handle: string): Promise<IntegrationIconRow | undefined> {
  return findIcon(ctx.db, await idNamed(ctx, handle))
}

/** The address of an icon, or null if there is none. */
export const iconUrl = (ctx: Context, id: string, type: string | null): string | null =>
  type ? `/icons/${handleOf(ctx, id)}` : null
