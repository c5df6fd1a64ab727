import { once } from 'node:events'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { Refusal } from '../errors.ts'
import type { FileStore } from './files.ts'
import { measure } from './measuring.ts'
import { readBlobs } from './reading.ts'

/** Blobs as files in this folder. */
export function openDiskStore(folder: string): FileStore {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  return {
    async put(key, source, most) {
      const { bytes, measured } = measure(source, most)
      try {
        // Others on this machine have no business here.
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await disk.putStream(key, Readable.from(bytes))
        await flush(folder, key)
      } catch (error) {
        await disk.delete(key)
        // The library wraps what its source threw.
        const { cause } = error as Error
        throw cause instanceof Refusal ? cause : error
      }
      return measured()
    },

    open: (blobs, range) => readBlobs((key) => disk.getStream(key), blobs, range),

    async openWhole(key) {
      if (!(await disk.exists(key))) return null
      const stream = await disk.getStream(key)
      await once(stream, 'readable')
      return stream
    },

    async delete(keys) {
      for (const key of keys) await disk.delete(key)
    },
    deleteFolder: (name) => disk.deleteAll(name),
    isEmpty: async () => (await walk(disk, '/').next()).done === true,
    keys: () => walk(disk, '/'),
  }
}

/** The library leaves the bytes to the system: they are safe when they, and every folder that leads to them, are flushed. */
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
