import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Metadata, OutputInfo, Sharp } from 'sharp'
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

interface Picture {
  data: Buffer
  info: OutputInfo
}

export const PREVIEW_TYPE = 'image/webp'
/** The side in pixels of the square into which a preview fits. */
const BOXES = [200, 600] as const
/** A picture is read into memory as a whole, and can be a hundred times larger when decoded (a decompression bomb). */
const LARGEST_SOURCE = 32 * 1024 * 1024
const MAX_PIXELS = 50_000_000
/** A picture with one column is decoded row by row: this many rows take half a minute. */
const LONGEST_SIDE = 20_000
/** For a picture that is decoded as a whole. A PNG of MAX_PIXELS with 16 bits for each channel would take 500 MB. */
const MOST_DECODED_BYTES = 200_000_000
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
  if (!pictureFormat(source) || !(await isSmallEnough(source))) return []
  const pictures = await createPreviews(source)
  const previews: Preview[] = []
  for (const { data, info } of pictures) {
    const key = `${folder}/preview-${previews.length}-${randomBytes(9).toString('hex')}`
    const { size } = await ctx.files.put(key, Readable.from([data]), LARGEST_PREVIEW)
    previews.push({ key, size, width: info.width, height: info.height })
  }
  return previews
}

/** Reads the header before the picture is decoded. */
async function isSmallEnough(source: Buffer): Promise<boolean> {
  const { default: sharp } = await import('sharp')
  const metadata = await sharp(source, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch(() => null)
  if (metadata === null || Math.max(metadata.width, metadata.height) > LONGEST_SIDE) return false
  return decodedBytes(metadata) <= MOST_DECODED_BYTES
}

/** The memory of a decoder that needs all pixels at once; 0 if it reads row by row. */
function decodedBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  if (format === 'gif') return width * height * 4
  if (!isProgressive) return 0
  // The coefficients of a JPEG have 16 bits.
  return width * height * channels * (format === 'jpeg' || depth === 'ushort' ? 2 : 1)
}

/**
 * Returns nothing if the picture cannot be decoded completely. It is decoded once, because decoding takes most of the time and
 * of the memory: the smaller previews are made of the largest one.
 */
async function createPreviews(source: Buffer): Promise<Picture[]> {
  // Loaded on demand: the library is large, and most servers never process a picture.
  const { default: sharp } = await import('sharp')
  const within = (picture: Sharp, box: number) =>
    picture.resize({ width: box, height: box, fit: 'inside', withoutEnlargement: true })
  const decoder = sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
  try {
    const { data, info } = await within(
      decoder.timeout({ seconds: SECONDS }).autoOrient(),
      Math.max(...BOXES),
    )
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const previews = BOXES.map((box) => within(sharp(data, { raw: info }), box).webp())
    return await Promise.all(previews.map((preview) => preview.toBuffer({ resolveWithObject: true })))
  } catch {
    return []
  }
}
