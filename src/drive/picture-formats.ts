/** The first bytes of pictures. */
const signs: Record<PictureFormat, readonly [sign: string, at: number][]> = {
  jpeg: [['\xff\xd8\xff', 0]],
  png: [['\x89PNG\r\n\x1a\n', 0]],
  gif: [['GIF8', 0]],
  webp: [
    ['RIFF', 0],
    ['WEBP', 8],
  ],
}
export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp'

/**
 * The format of a picture by its first bytes, not by its name; undefined for others. The library for pictures would read many
 * more, such as SVG, whose entities and filters take minutes of a processor.
 */
export const pictureFormat = (bytes: Buffer): PictureFormat | undefined =>
  (Object.keys(signs) as PictureFormat[]).find((format) =>
    signs[format].every(([sign, at]) =>
      bytes.subarray(at, at + sign.length).equals(Buffer.from(sign, 'latin1')),
    ),
  )
