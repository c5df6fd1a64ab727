import { Readable } from 'node:stream'
import { S3Client } from '@aws-sdk/client-s3'
import { Disk, KeyNormalizer } from 'flydrive'
import { S3Driver } from 'flydrive/drivers/s3'
import type { FilePlace, S3Keys } from '../config.ts'
import { ContentMissing, type FileStore } from './files.ts'
import { measure } from './measuring.ts'
import { readBlobs } from './reading.ts'
import { asking, isMissing, isOfTheWay, refuseToStart, requireAnswer } from './s3-refusals.ts'

export type S3Place = Extract<FilePlace, { kind: 's3' }>

/** Parallel deletions. Each is its own request, because not every service supports bulk deletion. */
const DELETED_AT_ONCE = 8
const CONNECT_MS = 3_000
const TRIES = 3

/**
 * Stores blobs as objects in a bucket. Each blob is sent and fetched as a whole: a refused one is never started, a slow
 * reader holds no connection, and a broken connection is noticed before a byte is passed on. `patience` is the timeout
 * of the service, in milliseconds.
 */
export async function openS3Store(place: S3Place, keys: S3Keys, patience = 15_000): Promise<FileStore> {
  const { bucket, prefix } = place
  const client = connectTo(place, keys, patience)
  const driver = new S3Driver({ client, bucket, visibility: 'private', supportsACL: false })
  const disk = new Disk(driver)
  const normalizer = new KeyNormalizer()
  // Rejects an invalid key before the prefix hides it.
  const at = (key: string) => prefix + normalizer.normalize(key)
  const bytesOf = (key: string) => asking(() => fetchWhole(disk, at(key)))
  const keysBelow = (folder: string) => listed(driver, folder)

  const startOf = (folder: string) => (folder === '/' ? prefix : `${at(folder)}/`)
  const store: FileStore = {
    put: async (key, source, most) => putWhole(disk, at(key), source, most),

    open: (blobs, range) =>
      readBlobs(
        async (key) => {
          const bytes = await bytesOf(key)
          if (!bytes) throw new ContentMissing(key)
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

    deleteFolder: async (folder) => deleteAll(disk, keysBelow(startOf(folder))),

    isEmpty: async () => (await store.keys().next()).done === true,

    async *keys(folder = '/') {
      for await (const name of keysBelow(startOf(folder))) yield name.slice(prefix.length)
    },
  }
  await store.isEmpty().catch(refuseToStart)
  return store
}

function connectTo({ endpoint, region }: S3Place, { id, secret }: S3Keys, patience: number): S3Client {
  const client = new S3Client({
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
    // The signature already covers the bytes. Not every service supports the SDK's checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next(args)
        requireAnswer(commandName, result.output)
        return result
      },
    { step: 'initialize' },
  )
  return client
}

async function putWhole(disk: Disk, name: string, source: Readable, most: number) {
  const { bytes, measured } = measure(source, most)
  const whole = Buffer.concat(await Array.fromAsync(bytes))
  try {
    await asking(() => disk.put(name, whole))
  } catch (error) {
    // The object can exist although the request failed. If this fails too, it is an unreferenced blob. The caller does
    // not wait for it, because a service that does not answer would make them wait twice as long.
    disk.delete(name).catch(() => {})
    throw error
  }
  return measured()
}

async function deleteAll(disk: Disk, names: AsyncIterator<string>): Promise<void> {
  const work = async () => {
    // The workers share one iterator.
    for (let next = await names.next(); !next.done; next = await names.next())
      await asking(() => disk.delete(next.value))
  }
  await Promise.all(Array.from({ length: DELETED_AT_ONCE }, work))
}

/** Null if the object is missing. The SDK retries requests without a response, but not broken ones. */
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

/** The names with this prefix, in pages of a thousand. */
async function* listed(driver: S3Driver, start: string): AsyncGenerator<string> {
  let paginationToken: string | undefined
  do {
    // The Disk would drop the trailing slash, and the prefix would then match folders with longer names.
    const page = await asking(() =>
      driver.listAll(start || '/', { recursive: true, ...(paginationToken && { paginationToken }) }),
    )
    for (const object of page.objects) {
      // Consoles create an empty object for a folder. The library returns its name without the slash.
      if (object.isFile && object.key.startsWith(start)) yield object.key
    }
    paginationToken = page.paginationToken
  } while (paginationToken)
}
