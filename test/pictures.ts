import sharp, { type Sharp } from 'sharp'

export const picture = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#3366ff' } })

const SIDE = 8_000

/** A PNG of few bytes with 64 million pixels. In one channel and without a palette, because nobody looks at them. */
export const bomb = (): Promise<Buffer> =>
  sharp(Buffer.alloc(SIDE * SIDE), { raw: { width: SIDE, height: SIDE, channels: 1 } })
    .png({ compressionLevel: 9 })
    .toBuffer()
