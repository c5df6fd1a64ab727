import { once } from 'node:events'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { Refusal } from '../errors.ts'
import { ContentMissing, type FileStore } from './files.ts'
import { measure } from './measuring.ts'
import { readBlobs } from './reading.ts'

/** A store with one file per blob in this folder. */
export function openDiskStore(folder: string): FileStore {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  return {
    async put(key, source, most) {
      const { bytes, measured } = measure(source, most)
      // The library rejects a key that points outside the folder.
      const path = join(folder, disk.file(key).key)
      try {
        // Other users of the machine have no access.
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        // Opened first: a source that fails at once must not have its file created after the deletion below.
        const file = await open(path, 'w', 0o600)
        // The library would hide the cause of a write error.
        await pipeline(bytes, file.createWriteStream())
        await flush(folder, key)
      } catch (error) {
        await disk.delete(key)
        throw isFull(error) ? diskFull(error) : error
      }
      return measured()
    },

    open: (blobs, range) => readBlobs(async (key) => bytesOf(disk, key), blobs, range),

    async openWhole(key) {
      const stream = await disk.getStream(key)
      try {
        await once(stream, 'readable')
        return stream
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },

    async delete(keys) {
      for (const key of keys) await disk.delete(key)
    },
    deleteFolder: (name) => disk.deleteAll(name),
    isEmpty: async () => (await walk(disk, '/').next()).done === true,
    keys: (folder = '/') => walk(disk, folder),
  }
}

const isMissing = (error: unknown): boolean => Object(error).code === 'ENOENT'

/** The bytes of a file. That it is missing is noticed with the first of them. */
async function* bytesOf(disk: Disk, key: string): AsyncGenerator<Buffer> {
  try {
    yield* await disk.getStream(key)
  } catch (error) {
    throw isMissing(error) ? new ContentMissing(key, error) : error
  }
}

/** Whether the disk or the user's quota is full. */
const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(Object(error).code)

const diskFull = (cause: unknown) =>
  new Refusal('full', 'The disk of the server is full. Nothing can be written.', {
    code: 'disk_full',
    retry_after: 60,
    cause,
  })

/** The library does not flush. The bytes are durable once they and every folder above them are flushed. */
async function flush(folder: string, key: string): Promise<void> {
  const last = dirname(folder)
  for (let path = join(folder, key); ; path = dirname(path)) {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (path === last) return
  }
}

async function* walk(disk: Disk, folder: string): AsyncGenerator<string> {
  const { objects } = await disk.listAll(folder)
  for (const object of objects) {
    if (object.isFile) yield object.key
    else yield* walk(disk, object.prefix)
  }
}
