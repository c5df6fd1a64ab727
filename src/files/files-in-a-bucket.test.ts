import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { emptyDatabase } from '../../test/databases/databases.ts'
import { blobsIn, openUpload, sendPart, upload, uploadPicture } from '../../test/fixtures/files.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { newMasterKey, startProgram } from '../../test/programs/program.ts'
import { bucket } from '../../test/programs/s3.ts'
import { type World, world } from '../../test/world.ts'

const PART = 524_288
/** The master key of every test world. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

async function inUse() {
  const store = await bucket()
  const here = await world({ env: store.env })
  const env = {
    ...store.env,
    DATA_DIR: here.folder,
    DATABASE_URL: here.ctx.config.database_url,
    MASTER_KEY,
    LOG_LEVEL: 'silent',
  }
  return { ...here, store, env, browser: here.admin.browser }
}

/** The environment of a new server with its own bucket. */
async function empty() {
  const store = await bucket()
  const { database_url, data_dir } = await emptyDatabase()
  const env = {
    ...store.env,
    DATA_DIR: data_dir,
    DATABASE_URL: database_url,
    MASTER_KEY,
    LOG_LEVEL: 'silent',
  }
  return { store, env }
}

async function download({ app }: Pick<World, 'app'>, { identity }: Client, uuid: string, range?: string) {
  const { host, cookie = '' } = identity
  const url = `/web/drive/v1.0/files/${uuid}/download`
  const { statusCode, rawPayload, headers } = await app.http.inject({
    url,
    headers: { host, cookie, ...(range && { range }) },
  })
  const ofTheFile = ['etag', 'content-disposition', 'content-range', 'accept-ranges']
  return {
    status: statusCode,
    bytes: rawPayload,
    cached: headers['cache-control'],
    named: ofTheFile.filter((name) => name in headers),
  }
}

const UNAVAILABLE = {
  title: 'Service Unavailable',
  type: 'http://demo.localhost:8080/docs/errors#unavailable',
  status: 503,
  detail: 'The file store is not available (InternalError).',
  retry_after: 5,
}

describe('A server with its files in a bucket', () => {
  test('stores uploads in parts, creates previews, and serves whole files and ranges', async () => {
    const all = await inUse()
    const { browser, store, folder } = all
    const content = randomBytes(2 * PART + 10)
    const { uuid } = await upload(browser, content, { file_name: 'a.bin' })
    const names = [...store.objects.keys()]
    expect(
      names.filter((name) => !/^patch\/bay\/\d+\/[\da-f-]{36}\/(0|524288|1048576)-[\da-f]{18}$/.test(name)),
    ).toEqual([])
    expect([names.length, blobsIn(folder)]).toEqual([3, []])
    expect(await download(all, browser, uuid)).toMatchObject({ status: 200, bytes: content })
    expect(await download(all, browser, uuid, `bytes=${PART - 1}-${2 * PART}`)).toMatchObject({
      status: 206,
      bytes: content.subarray(PART - 1, 2 * PART + 1),
    })

    const picture = { width: 900, height: 300, channels: 3 as const, background: '#3366ff' }
    const png = await sharp({ create: picture }).png().toBuffer()
    const { previews } = await uploadPicture(browser, png, { file_name: 'a.png' })
    expect([previews.length, store.objects.size]).toEqual([2, 6])
  })

  test('answers 503 and stores nothing while the service fails, then continues', async () => {
    const all = await inUse()
    const { browser, store, ctx } = all
    const content = randomBytes(PART + 10)
    const path = await openUpload(browser, { file_size: content.length, file_name: 'a.bin' })
    store.trouble = () => 500
    const refused = await sendPart(browser, path, content.subarray(0, PART))
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([503, '5', UNAVAILABLE])
    expect(await ctx.db.selectFrom('file_parts').selectAll().execute()).toEqual([])
    expect(store.objects.size).toBe(0)

    store.trouble = () => null
    const { body } = await sendPart(browser, path, content.subarray(0, PART))
    const { uuid } = (await sendPart(browser, new URL(body.next_url).pathname, content.subarray(PART))).body
    store.trouble = () => 500
    for (const range of [undefined, 'bytes=0-9']) {
      const none = await download(all, browser, uuid, range)
      expect([none.status, JSON.parse(none.bytes.toString())]).toEqual([503, UNAVAILABLE])
      // No browser keeps it as the file.
      expect([none.cached, none.named]).toEqual(['no-store', []])
    }
    store.trouble = () => null
    expect((await download(all, browser, uuid)).bytes.equals(content)).toBe(true)
    // A warning, so it is also in a log without the line of each request.
    expect(all.logged()).toMatch(
      /^\{"level":40,.*"msg":"The file store is not available \(InternalError\)\."/m,
    )
    expect(all.logged()).not.toContain(store.env.S3_ACCESS_KEY_ID)
  })

  test('can be backed up, and restored into a bucket or a folder', async () => {
    const { browser, env, folder, store } = await inUse()
    await upload(browser, randomBytes(1_200_000), { file_name: 'a.bin' })
    await upload(browser, 'b', { file_name: 'b.txt' })
    const file = join(folder, 'b.gz')
    const saved = await commandLine(['backup', file], env)
    expect([saved.code, saved.stdout]).toEqual([
      0,
      expect.stringMatching(/^\d+ rows and 4 blobs written to /),
    ])

    const other = await empty()
    const restored = await commandLine(['restore', file], other.env)
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    expect([...other.store.objects].sort()).toEqual([...store.objects].sort())
    const { DATABASE_URL, DATA_DIR, LOG_LEVEL } = (await empty()).env
    const onDisk = { DATABASE_URL, DATA_DIR, LOG_LEVEL, MASTER_KEY }
    expect((await commandLine(['restore', file], onDisk)).stderr).toBe('')
    expect(blobsIn(DATA_DIR).sort()).toEqual([...store.objects.keys()].map((name) => name.slice(10)).sort())

    // A restore does not mix with existing files.
    const third = { ...(await empty()).env, ...other.store.env }
    expect(await commandLine(['restore', file], third)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        's3://files/patch/bay/ already contains files. Restore a backup into an empty folder. If a killed restore left them, delete them.\n',
    })
  })

  test('fails a backup or restore with one line and leaves nothing behind while the service fails', async () => {
    const { browser, env, folder, store } = await inUse()
    await upload(browser, randomBytes(1_200_000), { file_name: 'a.bin' })
    const file = join(folder, 'b.gz')
    store.trouble = () => 500
    const sentence = 'The file store is not available (InternalError).\n'
    expect(await commandLine(['backup', file], env)).toEqual({ code: 1, stdout: '', stderr: sentence })
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
    store.trouble = () => null
    expect((await commandLine(['backup', file], env)).code).toBe(0)

    const other = await empty()
    let left = 2
    other.store.trouble = (method) => (method === 'PUT' && left-- <= 0 ? 500 : null)
    expect(await commandLine(['restore', file], other.env)).toEqual({ code: 1, stdout: '', stderr: sentence })
    expect(other.store.objects.size).toBe(0)
    other.store.trouble = () => null
    // The failed restore left nothing.
    expect((await commandLine(['restore', file], other.env)).code).toBe(0)
    expect(other.store.objects.size).toBe(3)
  })

  test('starts and terminates, or names the wrong setting', async () => {
    const { env, store } = await empty()
    const { LOG_LEVEL: _, ...own } = { ...env, MASTER_KEY: newMasterKey() }
    store.trouble = () => 500
    const program = await startProgram('serve', own)
    await expect.poll(() => program.output()).toContain('the bucket of FILES_URL cannot be read')
    store.trouble = () => null
    expect((await fetch(`${program.base}/healthz`)).status).toBeLessThan(500)
    expect(await program.stop()).toBe(0)
    expect(
      [own.S3_ACCESS_KEY_ID, own.S3_SECRET_ACCESS_KEY].filter((one) => program.output().includes(one)),
    ).toEqual([])
    expect(await commandLine(['serve'], { ...own, PORT: '0', S3_SECRET_ACCESS_KEY: 'another' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'S3_SECRET_ACCESS_KEY does not match S3_ACCESS_KEY_ID.\n',
    })
  })
})
