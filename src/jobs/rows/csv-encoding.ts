import { isUtf8 } from 'node:buffer'

/** The supported encodings, with the names of the Encoding Standard. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

const marks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** The maximum length of an incomplete UTF-8 character at the end of a chunk. */
const LONGEST_TAIL = 3

/** Detects the encoding of a stream of bytes. */
export interface EncodingSearch {
  see(chunk: Buffer): void
  found(): Encoding
  /** Whether neither a byte order mark nor the bytes are conclusive. */
  isGuessed(): boolean
  hasNul(): boolean
}

/**
 * Detects the encoding. A byte order mark decides, and so do the zeros of UTF-16. Bytes that are valid UTF-8 throughout
 * are UTF-8. If most bytes above 127 form UTF-8 pairs, it is UTF-8 with errors. Of the old code pages, a Russian word
 * has all its letters above 127, a Western one only some.
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
      // In UTF-16, half of the bytes of Latin text are zeros, and in every script those of spaces and line breaks.
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

/** The number of bytes at the end that begin an incomplete UTF-8 character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(LONGEST_TAIL, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}
