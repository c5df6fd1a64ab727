import { isUtf8 } from 'node:buffer'

/** The encodings in which files come; the names are those of the Encoding Standard. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

const marks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** The longest character of UTF-8 less one: what of it may stand at the end of a chunk. */
const LONGEST_TAIL = 3

/** Finds out in which encoding bytes are that pass by. */
export interface EncodingSearch {
  see(chunk: Buffer): void
  found(): Encoding
  /** Whether neither a mark nor the bytes themselves say it for sure. */
  isGuessed(): boolean
  hasNul(): boolean
}

/**
 * A mark at the beginning says it, and so do the zeros of UTF-16. What is UTF-8 from its beginning to its end is UTF-8.
 * Where
 * most bytes above 127 are in pairs of UTF-8, it is UTF-8 with broken bytes in it. Of the old code pages, a Russian word
 * has all its letters above 127, and a Western one only some.
 */
export function searchEncoding(): EncodingSearch {
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let isText = true
  const zeros = [0, 0]
  const letters = { together: 0, alone: 0 }
  const high = { paired: 0, odd: 0 }
  let size = 0
  let last = 0
  return {
    see(chunk) {
      if (head.length < 3) head = Buffer.concat([head, chunk.subarray(0, 3)])
      const whole = Buffer.concat([tail, chunk])
      const cut = whole.length - unfinished(whole)
      isText &&= isUtf8(whole.subarray(0, cut))
      tail = whole.subarray(cut)
      for (const byte of chunk) {
        if (byte === 0) zeros[size % 2] = (zeros[size % 2] as number) + 1
        if (byte >= 0xc0) letters[last >= 0xc0 ? 'together' : 'alone']++
        if (last >= 0xc0) high[isContinuation(byte) ? 'paired' : 'odd']++
        else if (isContinuation(byte) && last < 0x80) high.odd++
        last = byte
        size++
      }
    },
    hasNul: () => zeros.some((count) => count > 0),
    isGuessed: () => !markOf(head) && !(isText && tail.length === 0),
    found() {
      const marked = markOf(head)
      if (marked) return marked
      const [even = 0, odd = 0] = zeros
      // Half of the bytes of Latin text in UTF-16 are zeros, and of any text those of its spaces and line ends.
      if (Math.max(even, odd) > size / 50 && Math.min(even, odd) * 4 < Math.max(even, odd))
        return odd > even ? 'utf-16le' : 'utf-16be'
      if (isText && tail.length === 0) return 'utf-8'
      if (high.paired > high.odd) return 'utf-8'
      return letters.together > letters.alone ? 'windows-1251' : 'windows-1252'
    },
  }
}

const isContinuation = (byte: number): boolean => byte >= 0x80 && byte < 0xc0

const markOf = (head: Buffer): Encoding | undefined =>
  marks.find(([, mark]) => mark.every((byte, i) => head[i] === byte))?.[0]

/** How many bytes at the end begin a character of UTF-8 and do not finish it. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(LONGEST_TAIL, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}
