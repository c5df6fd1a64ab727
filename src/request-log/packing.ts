import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** A higher level would take more time than the bytes that it saves. */
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * Bytes as they are stored. Requests are like each other, so a batch becomes a tenth or less, and the database needs more time
 * for a byte than this does. Compressing a batch takes a millisecond or less, and a thread would need longer to start.
 */
export const pack = (bytes: Uint8Array): Buffer => zstdCompressSync(bytes, FASTEST)

/** The text that was packed. */
export const unpack = (bytes: Uint8Array): string => zstdDecompressSync(bytes).toString()
