import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bucket } from '../../test/programs/s3.ts'
import { readConfig, readS3Keys } from '../config.ts'
import { type FileStore, LARGEST_BLOB, openFileStore } from './files.ts'

/** A store, and direct access to its contents. */
interface Place {
  files: FileStore
  /** The bytes of a blob; null if there is no blob. */
  bytesOf(key: string): Buffer | null
  shorten(key: string, size: number): void
}

const places: Record<string, () => Promise<Place>> = {
  'a folder': async () => {
    const folder = temporaryFolder()
    const files = await openFileStore({ kind: 'disk', folder }, { id: '', secret: '' })
    return {
      files,
      bytesOf: (key) => (existsSync(join(folder, key)) ? readFileSync(join(folder, key)) : null),
      shorten: (key, size) => truncateSync(join(folder, key), size),
    }
  },
  'a bucket': async () => {
    const { env, objects } = await bucket()
    return {
      files: await openFileStore(readConfig('dev', env).files, readS3Keys(env)),
      bytesOf: (key) => objects.get(`patch/bay/${key}`) ?? null,
      shorten: (key, size) => {
        objects.set(`patch/bay/${key}`, objects.get(`patch/bay/${key}`)?.subarray(0, size) as Buffer)
      },
    }
  },
}

function temporaryFolder(): string {
  const home = mkdtempSync(join(tmpdir(), 'patchbay-files-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return join(home, 'files')
}

describe.each(Object.entries(places))('A blob store in %s', (_name, open) => {
  const store = async () => {
    const place = await open()
    const { files } = place
    const put = (key: string, bytes: Buffer, most = 1e9) => files.put(key, Readable.from([bytes]), most)
    const read = async (...asked: Parameters<FileStore['open']>) =>
      Buffer.concat(await (await files.open(...asked)).toArray())
    const keys = async () => (await Array.fromAsync(files.keys())).sort()
    return { ...place, put, read, keys }
  }

  test('stores bytes under a key and returns their size and hash', async () => {
    const { files, put, read, bytesOf } = await store()
    const bytes = randomBytes(300_000)
    expect(await put('1/a/0', bytes)).toEqual({
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
    })
    expect(bytesOf('1/a/0')?.equals(bytes)).toBe(true)
    expect((await read([{ key: '1/a/0', size: bytes.length }])).equals(bytes)).toBe(true)
    expect(await (await files.openWhole('1/a/0'))?.toArray().then(Buffer.concat)).toEqual(bytes)
    expect(await files.openWhole('1/a/none')).toBe(null)
  })

  test('accepts a stream up to the limit and stores nothing of a longer one', async () => {
    const { put, files, keys } = await store()
    const endless = async function* () {
      for (;;) yield Buffer.alloc(65_536)
    }
    await put('1/exact', Buffer.alloc(100), 100)
    for (const source of [Readable.from([Buffer.alloc(101)]), Readable.from(endless())]) {
      const refused = await files.put('1/long', source, 100).catch((error: unknown) => error)
      expect(refused).toMatchObject({ name: 'Refusal', reason: 'too_large' })
    }
    expect(await keys()).toEqual(['1/exact'])
  })

  test('rejects a blob that is too large for memory, regardless of the limit', async () => {
    const { put, keys } = await store()
    await put('1/a', Buffer.alloc(LARGEST_BLOB))
    const refused = await put('1/b', Buffer.alloc(LARGEST_BLOB + 1)).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      reason: 'too_large',
      message: `The content is larger than ${LARGEST_BLOB} bytes.`,
    })
    expect(await keys()).toEqual(['1/a'])
  })

  test('stores nothing of a stream that fails', async () => {
    const { files, keys } = await store()
    const failing = async function* () {
      yield Buffer.alloc(10)
      throw new Error('cut')
    }
    await expect(files.put('1/a', Readable.from(failing()), 100)).rejects.toThrow()
    expect(await keys()).toEqual([])
  })

  test('reads several blobs as one, and any range of them', async () => {
    const { put, read } = await store()
    const parts = [randomBytes(70_000), randomBytes(1), randomBytes(130_001)]
    for (const [i, bytes] of parts.entries()) await put(`1/a/${i}`, bytes)
    const blobs = parts.map(({ length }, i) => ({ key: `1/a/${i}`, size: length }))
    const whole = Buffer.concat(parts)
    const ends = [0, 1, 65_536, 69_999, 70_000, 70_001, 70_002, 135_000, whole.length - 1, whole.length]
    for (const start of ends)
      for (const end of ends.filter((one) => one > start))
        expect([start, end, (await read(blobs, { start, end })).equals(whole.subarray(start, end))]).toEqual([
          start,
          end,
          true,
        ])
    expect((await read(blobs)).equals(whole)).toBe(true)
  })

  test('rejects at once if the first blob is missing, and ends the stream at a truncated blob', async () => {
    const { put, files, shorten } = await store()
    await expect(files.open([{ key: '1/none', size: 5 }])).rejects.toThrow(/ENOENT|is missing/)
    await put('1/a', Buffer.alloc(100_000))
    shorten('1/a', 70_000)
    const stream = await files.open([{ key: '1/a', size: 100_000 }])
    await expect(stream.toArray()).rejects.toThrow('shorter')
  })

  test('deletes blobs, folders and missing keys', async () => {
    const { put, files, keys } = await store()
    expect(await files.isEmpty()).toBe(true)
    for (const key of ['1/a/0', '1/a/1', '1/ab/0', '1/b/0', '2/a/0']) await put(key, Buffer.alloc(1))
    expect(await files.isEmpty()).toBe(false)
    await files.delete(['1/a/1', '1/a/none'])
    expect(await keys()).toEqual(['1/a/0', '1/ab/0', '1/b/0', '2/a/0'])
    expect((await Array.fromAsync(files.keys('1/a'))).sort()).toEqual(['1/a/0'])
    expect(await Array.fromAsync(files.keys('1/none'))).toEqual([])
    await files.deleteFolder('1/a')
    await files.deleteFolder('1/none')
    expect(await keys()).toEqual(['1/ab/0', '1/b/0', '2/a/0'])
    await files.deleteFolder('/')
    expect(await files.isEmpty()).toBe(true)
  })

  test.each(['../outside', '1/../../outside', '/../outside', '1/a\u0000b', ''])(
    'rejects the key %j',
    async (key) => {
      const { put, keys, bytesOf } = await store()
      await expect(put(key, Buffer.alloc(1))).rejects.toThrow()
      expect(await keys()).toEqual([])
      expect(bytesOf('../outside')).toBe(null)
    },
  )
})

test('A blob folder is accessible only to its owner, and empty folders are removed', async () => {
  const folder = temporaryFolder()
  const files = await openFileStore({ kind: 'disk', folder }, { id: '', secret: '' })
  await files.put('1/a/0', Readable.from([Buffer.alloc(1)]), 1)
  expect(statSync(folder).mode & 0o077).toBe(0)
  await files.deleteFolder('1/a')
  expect(existsSync(join(folder, '1/a'))).toBe(false)
})

// Writes to this device fail like writes to a full disk.
test.runIf(existsSync('/dev/full'))('a full disk is refused with its reason and leaves nothing', async () => {
  const folder = temporaryFolder()
  const files = await openFileStore({ kind: 'disk', folder }, { id: '', secret: '' })
  mkdirSync(folder, { recursive: true })
  symlinkSync('/dev/full', join(folder, 'a'))
  const put = files.put('a', Readable.from([Buffer.alloc(100)]), 1_000)
  await expect(put).rejects.toMatchObject({ reason: 'full', code: 'disk_full' })
  expect(existsSync(join(folder, 'a'))).toBe(false)
})
