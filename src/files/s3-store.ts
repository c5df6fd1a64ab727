import { Readable } from 'node:stream'
import { S3Client } from '@aws-sdk/client-s3'
import { Disk, KeyNormalizer } from 'flydrive'
import { S3Driver } from 'flydrive/drivers/s3'
import type { FilePlace, S3Keys } from '../config.ts'
import type { FileStore } from './files.ts'
import { measure } from './measuring.ts'
import { readBlobs } from './reading.ts'
import { asking, isMissing, isOfTheWay, refuseToStart } from './s3-refusals.ts'

export type S3Place = Extract<FilePlace, { kind: 's3' }>

/** Objects that are deleted at a time: each by a request of its own, which every service knows and answers for. */
const DELETED_AT_ONCE = 8
const CONNECT_MS = 3_000
const TRIES = 3

/**
 * Blobs as objects of a bucket. Each is sent and fetched as a whole: one that is refused is never begun, a slow reader
 * keeps no connection, and a connection that breaks is noticed before a byte is passed on. `patience` is how long a
 * silent service is waited for, in milliseconds.
 */
export async function openS3Store(place: S3Place, keys: S3Keys, patience = 15_000): Promise<FileStore> {
  const { bucket, prefix } = place
  const client = connectTo(place, keys, patience)
  const driver = new S3Driver({ client, bucket, visibility: 'private', supportsACL: false })
  const disk = new Disk(driver)
  const normalizer = new KeyNormalizer()
  // Before the prefix makes a key of what is none.
  const at = (key: string) => prefix + normalizer.normalize(key)
  const bytesOf = (key: string) => asking(() => fetchWhole(disk, at(key)))
  const keysBelow = (folder: string) => listed(driver, folder)

  const store: FileStore = {
    async put(key, source, most) {
      const { bytes, measured } = measure(source, most)
      const whole = Buffer.concat(await Array.fromAsync(bytes))
      const name = at(key)
      try {
        await asking(() => disk.put(name, whole))
      } catch (error) {
        // It may be there all the same. If it cannot be said now, it is a blob that nobody names.
        await disk.delete(name).catch(() => {})
        throw error
      }
      return measured()
    },

    open: (blobs, range) =>
      readBlobs(
        async (key) => {
          const bytes = await bytesOf(key)
          if (!bytes) throw new Error(`the blob ${key} is missing`)
          return [bytes]
        },
        blobs,
        range,
      ),

    async openWhole(key) {
      const bytes = await bytesOf(key)
      return bytes && Readable.from([bytes])
    },

    async delete(keys) {
      for (const key of keys) await asking(() => disk.delete(at(key)))
    },

    async deleteFolder(folder) {
      const names = keysBelow(folder === '/' ? prefix : `${at(folder)}/`)
      const work = async () => {
        // One list for all: each takes what comes next.
        for (let next = await names.next(); !next.done; next = await names.next())
          await asking(() => disk.delete(next.value))
      }
      await Promise.all(Array.from({ length: DELETED_AT_ONCE }, work))
    },

    isEmpty: async () => (await store.keys().next()).done === true,

    async *keys() {
      for await (const name of keysBelow(prefix)) yield name.slice(prefix.length)
    },
  }
  await store.isEmpty().catch(refuseToStart)
  return store
}

function connectTo({ endpoint, region }: S3Place, { id, secret }: S3Keys, patience: number): S3Client {
  return new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: id, secretAccessKey: secret },
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: patience,
      throwOnRequestTimeout: true,
      socketTimeout: patience,
    },
    // The signature covers the bytes; what the SDK would add is not understood by every service.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** Null when it is not there. The SDK repeats what was not answered, but not what broke off in the middle. */
async function fetchWhole(disk: Disk, name: string): Promise<Buffer | null> {
  for (let left = TRIES; ; left--) {
    try {
      const { buffer, byteOffset, length } = await disk.getBytes(name)
      return Buffer.from(buffer, byteOffset, length)
    } catch (error) {
      if (isMissing(error)) return null
      if (left <= 1 || !isOfTheWay(error)) throw error
    }
  }
}

/** The names that begin with this, a thousand at a time. */
async function* listed(driver: S3Driver, start: string): AsyncGenerator<string> {
  let paginationToken: string | undefined
  do {
    // Not by the Disk, which takes the slash away: a folder's name would be the beginning of its neighbours'.
    const page = await asking(() =>
      driver.listAll(start || '/', { recursive: true, ...(paginationToken && { paginationToken }) }),
    )
    for (const object of page.objects) {
      // Consoles make an empty object of a folder's name, which the library gives back without its slash.
      if (object.isFile && object.key.startsWith(start)) yield object.key
    }
    paginationToken = page.paginationToken
  } while (paginationToken)
}
