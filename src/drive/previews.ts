import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { Json } from '../db/tables.ts'
import { createFairQueue } from '../fair-queue.ts'
import { type StoredBlob, totalOf } from '../files/files.ts'

/** A small picture of a picture, as a blob beside it. */
export interface Preview extends StoredBlob {
  width: number
  height: number
}

export const PREVIEW_TYPE = 'image/webp'
/** Pixels of the square that a preview fits into. */
const BOXES = [200, 600]
/** A picture has to lie in memory whole to be read, and unpacked it may be a hundred times as large: a bomb. */
const LARGEST_SOURCE = 32 * 1024 * 1024
const MOST_PIXELS = 50_000_000
/** A picture of one column is read row by row: so many take half a minute. */
const LONGEST_SIDE = 20_000
const LARGEST_PREVIEW = 2 * 1024 * 1024
const SECONDS = 10
/** Pictures of one account that wait; what is uploaded beyond that has no preview. */
const MOST_WAITING = 250

export const readPreviews = (text: Json): Preview[] => JSON.parse(text)

/**
 * Makes the previews of a picture and answers them, the smaller first; none of what is no picture, or is too large. One
 * picture at a time, whose size and time are bounded, and the accounts by turns: nobody's pictures hold up the others.
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

export const previewTurns = createFairQueue({ at_once: 1, most_waiting: MOST_WAITING })

async function make(ctx: Context, folder: string, blobs: readonly StoredBlob[]): Promise<Preview[]> {
  const chunks: Buffer[] = await (await ctx.files.open(blobs)).toArray()
  const source = Buffer.concat(chunks)
  // By its first bytes, whatever it is called: the library would read much more than these formats, SVG with its entities.
  if (!isPicture(source) || !(await hasShortSides(source))) return []
  const pictures = await Promise.all(BOXES.map((box) => shrink(source, box)))
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

/** By what the picture says of itself, before it is read. */
async function hasShortSides(source: Buffer): Promise<boolean> {
  const { default: sharp } = await import('sharp')
  const said = await sharp(source, { limitInputPixels: MOST_PIXELS })
    .metadata()
    .catch(() => null)
  return said !== null && Math.max(said.width, said.height) <= LONGEST_SIDE
}

/** Null when the picture cannot be read whole. */
async function shrink(source: Buffer, box: number) {
  // Most servers never see a picture, and the library is large.
  const { default: sharp } = await import('sharp')
  return sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true })
    .timeout({ seconds: SECONDS })
    .autoOrient()
    .resize({ width: box, height: box, fit: 'inside', withoutEnlargement: true })
    .webp()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null)
}

const startsWith = (bytes: Buffer, sign: string, at = 0): boolean =>
  bytes.subarray(at, at + sign.length).equals(Buffer.from(sign, 'latin1'))

/** jpeg, png, gif or webp. */
const isPicture = (bytes: Buffer): boolean =>
  startsWith(bytes, '\xff\xd8\xff') ||
  startsWith(bytes, '\x89PNG\r\n\x1a\n') ||
  startsWith(bytes, 'GIF8') ||
  (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8))
