import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { Json } from '../db/tables.ts'
import { createFairQueue } from '../fair-queue.ts'
import { type StoredBlob, totalOf } from '../files/files.ts'
import { pictureFormat } from './picture-formats.ts'

/** A scaled-down picture, stored as a blob beside the original. */
export interface Preview extends StoredBlob {
  width: number
  height: number
}

export const PREVIEW_TYPE = 'image/webp'
/** The side in pixels of the square into which a preview fits. */
const BOXES = [200, 600]
/** A picture is read into memory as a whole, and can be a hundred times larger when decoded (a decompression bomb). */
const LARGEST_SOURCE = 32 * 1024 * 1024
const MAX_PIXELS = 50_000_000
/** A picture with one column is decoded row by row: this many rows take half a minute. */
const LONGEST_SIDE = 20_000
const LARGEST_PREVIEW = 2 * 1024 * 1024
const SECONDS = 10
/** The most queued pictures of an account; further uploads get no previews. */
const MAX_WAITING = 250

export const readPreviews = (text: Json): Preview[] => JSON.parse(text)

/**
 * Creates the previews of a picture and returns them, smallest first; none if the file is not a picture or is too
 * large. Processes one picture at a time with bounded size and time, and alternates between accounts.
 */
export async function makePreviews(
  ctx: Context,
  account_id: number,
  folder: string,
  blobs: readonly StoredBlob[],
): Promise<Preview[]> {
  if (totalOf(blobs) > LARGEST_SOURCE) return []
  return (await previewTurns.take(account_id, () => make(ctx, folder, blobs))) ?? []
}

export const previewTurns = createFairQueue({ at_once: 1, most_waiting: MAX_WAITING })

async function make(ctx: Context, folder: string, blobs: readonly StoredBlob[]): Promise<Preview[]> {
  const chunks: Buffer[] = await (await ctx.files.open(blobs)).toArray()
  const source = Buffer.concat(chunks)
  if (!pictureFormat(source) || !(await hasShortSides(source))) return []
  const pictures = await Promise.all(BOXES.map((box) => createPreview(source, box)))
  if (pictures.includes(null)) return []
  const previews: Preview[] = []
  for (const picture of pictures) {
    const { data, info } = picture as NonNullable<typeof picture>
    const key = `${folder}/preview-${previews.length}-${randomBytes(9).toString('hex')}`
    const { size } = await ctx.files.put(key, Readable.from([data]), LARGEST_PREVIEW)
    previews.push({ key, size, width: info.width, height: info.height })
  }
  return previews
}

/** Reads the size in the header before the picture is decoded. */
async function hasShortSides(source: Buffer): Promise<boolean> {
  const { default: sharp } = await import('sharp')
  const metadata = await sharp(source, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch(() => null)
  return metadata !== null && Math.max(metadata.width, metadata.height) <= LONGEST_SIDE
}

/** Returns null if the picture cannot be decoded completely. */
async function createPreview(source: Buffer, box: number) {
  // Loaded on demand: the library is large, and most servers never process a picture.
  const { default: sharp } = await import('sharp')
  return sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
    .timeout({ seconds: SECONDS })
    .autoOrient()
    .resize({ width: box, height: box, fit: 'inside', withoutEnlargement: true })
    .webp()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null)
}
