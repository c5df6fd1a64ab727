import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { type Bucket, bucket, type Trouble } from '../../test/programs/s3.ts'
import { readConfig, readS3Keys } from '../config.ts'
import type { Refusal } from '../errors.ts'
import { openS3Store, type S3Place } from './s3-store.ts'

const openIn = (env: Record<string, string>, patience?: number) =>
  openS3Store(readConfig('dev', env).files as S3Place, readS3Keys(env), patience)

async function store(patience?: number) {
  const here = await bucket()
  const files = await openIn(here.env, patience)
  here.requests.length = 0
  const put = (key: string, bytes: Buffer) => files.put(key, Readable.from([bytes]), 1e6)
  const read = async (key: string, size: number) =>
    Buffer.concat(await (await files.open([{ key, size }])).toArray())
  return { here, files, put, read }
}

/** Makes the first `times` requests of a method fail. */
function fail(here: Bucket, method: string, trouble: Trouble, times = Number.POSITIVE_INFINITY): void {
  let left = times
  here.trouble = (asked) => (asked === method && left-- > 0 ? trouble : null)
}

const refusalOf = (work: Promise<unknown>): Promise<Refusal> =>
  work.then(
    () => Promise.reject(new Error('expected a refusal')),
    (error) => error,
  )

describe('A bucket', () => {
  test('receives only the necessary requests, and none for a refused blob', async () => {
    const { here, files, put, read } = await store()
    await put('1/a', Buffer.from('abc'))
    expect((await read('1/a', 3)).toString()).toBe('abc')
    await refusalOf(files.put('1/b', Readable.from([Buffer.alloc(10)]), 9))
    await files.delete(['1/a'])
    expect(here.requests).toEqual(['PUT', 'GET', 'DELETE'].map((method) => `${method} patch/bay/1/a`))
  })

  test('can contain other prefixes and folder markers, which are ignored', async () => {
    const { here, files, put } = await store()
    const others = ['patch/bay', 'patch/bay/', 'patch/bay2/1/a', 'patch/other', 'x']
    for (const name of others) here.objects.set(name, Buffer.alloc(0))
    expect(await files.isEmpty()).toBe(true)
    await put('1/a', Buffer.from('abc'))
    expect(await Array.fromAsync(files.keys())).toEqual(['1/a'])
    await files.deleteFolder('/')
    expect([...here.objects.keys()]).toEqual(others)
  })

  test('without a prefix is used as a whole', async () => {
    const here = await bucket()
    const files = await openIn({ ...here.env, FILES_URL: 's3://files' })
    await files.put('1/a', Readable.from([Buffer.from('abc')]), 3)
    expect([...here.objects.keys()]).toEqual(['1/a'])
    expect(await Array.fromAsync(files.keys())).toEqual(['1/a'])
    await files.deleteFolder('/')
    expect(here.objects.size).toBe(0)
  })

  test('is listed and emptied page by page', async () => {
    const { here, files, put } = await store()
    here.page = 3
    const keys = Array.from({ length: 20 }, (_, i) => `1/${i % 2 ? 'a' : 'b'}/${i}`)
    for (const key of keys) await put(key, Buffer.from(key))
    expect(await Array.fromAsync(files.keys())).toEqual(keys.sort())
    await files.deleteFolder('1/a')
    expect(await Array.fromAsync(files.keys())).toEqual(keys.filter((key) => key.startsWith('1/b')))
  })
})

describe('A failing service', () => {
  test.each<Trouble>([500, 503, 'reset', 'lost', 'cut', 'stalled', 'silent'])(
    'is retried after one failure (%s)',
    async (trouble) => {
      const { here, files, put, read } = await store(200)
      const bytes = randomBytes(200_000)
      fail(here, 'PUT', trouble, 1)
      await put('1/a', bytes)
      fail(here, 'GET', trouble, 1)
      expect((await read('1/a', bytes.length)).equals(bytes)).toBe(true)
      fail(here, 'GET', trouble, 1)
      expect(await Array.fromAsync(files.keys())).toEqual(['1/a'])
      fail(here, 'DELETE', trouble, 1)
      await files.deleteFolder('1')
      expect(here.objects.size).toBe(0)
    },
  )

  test.each<[Trouble, string]>([
    [500, 'InternalError'],
    ['reset', 'ECONNRESET'],
    ['cut', 'ECONNRESET'],
    ['stalled', 'TimeoutError'],
    ['silent', 'ETIMEDOUT'],
  ])('is unavailable after repeated failures (%s) and keeps its contents', async (trouble, why) => {
    const { here, files, put } = await store(100)
    const bytes = Buffer.alloc(100_000)
    await put('1/a', bytes)
    const works: [string, () => Promise<unknown>][] = [
      ['GET', () => files.open([{ key: '1/a', size: bytes.length }])],
      ['GET', () => files.openWhole('1/a')],
      ['GET', () => Array.fromAsync(files.keys())],
      ['GET', () => files.deleteFolder('1')],
      ['PUT', () => put('1/b', bytes)],
      ['DELETE', () => files.delete(['1/c'])],
      ['DELETE', () => files.deleteFolder('2')],
    ]
    here.objects.set('patch/bay/2/a', bytes)
    const got: unknown[] = []
    // An empty answer cannot be truncated.
    const failing = works.filter(
      ([method]) => method === 'GET' || !['cut', 'stalled'].includes(String(trouble)),
    )
    for (const [method, work] of failing) {
      fail(here, method, trouble)
      const { name, reason, message, retry_after } = await refusalOf(work())
      got.push([name, reason, message, retry_after])
    }
    expect(got).toEqual(
      failing.map(() => ['Refusal', 'unavailable', `The file store is not available (${why}).`, 5]),
    )
    here.trouble = () => null
    expect(await Array.fromAsync(files.keys())).toEqual(['1/a', '2/a'])
  })

  test('whose responses are all lost keeps nothing of an upload', async () => {
    const { here, put } = await store()
    fail(here, 'PUT', 'lost')
    expect(await refusalOf(put('1/a', Buffer.alloc(10)))).toMatchObject({ reason: 'unavailable' })
    await expect.poll(() => [...here.objects.keys()]).toEqual([])
    expect(here.requests.at(-1)).toBe('DELETE patch/bay/1/a')
  })

  test('that does not answer lets an upload wait for its own requests only', async () => {
    const { here, put } = await store(100)
    here.trouble = () => 'silent'
    expect(await refusalOf(put('1/a', Buffer.alloc(10)))).toMatchObject({ reason: 'unavailable' })
    expect(here.requests.filter((request) => request.startsWith('DELETE')).length).toBeLessThan(2)
    await expect.poll(() => here.requests.at(-1)).toBe('DELETE patch/bay/1/a')
  })

  test('is not believed if a web page answers for it', async () => {
    const { here, put } = await store()
    fail(here, 'PUT', 'page')
    expect(await refusalOf(put('1/a', Buffer.alloc(10)))).toMatchObject({
      reason: 'unavailable',
      message: 'The file store is not available (NoAnswerOfS3).',
    })
  })

  test('is reported without its key, its address or the signed request', async () => {
    const { here, put } = await store()
    here.close()
    const { message, cause } = await refusalOf(put('1/a', Buffer.alloc(10)))
    expect(message).toBe('The file store is not available (ECONNREFUSED).')
    const text = JSON.stringify(cause, Object.getOwnPropertyNames(cause))
    expect(
      [here.env.S3_ACCESS_KEY_ID, here.env.S3_SECRET_ACCESS_KEY].filter((one) => text.includes(one)),
    ).toEqual([])
  })
})

describe('Startup', () => {
  test.each([
    [{ FILES_URL: 's3://other/patch' }, 'FILES_URL names a bucket that does not exist.'],
    [{ S3_ACCESS_KEY_ID: 'AKIDOTHER' }, 'The file store does not know S3_ACCESS_KEY_ID.'],
    [{ S3_SECRET_ACCESS_KEY: 'another' }, 'S3_SECRET_ACCESS_KEY does not match S3_ACCESS_KEY_ID.'],
    [{ S3_REGION: 'eu-west-3' }, 'S3_REGION is not the region of the bucket.'],
  ])('with %j names the wrong setting', async (change, message) => {
    const { env } = await bucket()
    await expect(openIn({ ...env, ...change })).rejects.toMatchObject({ name: 'ConfigError', message })
  })

  test('names FILES_URL if the address is not a file store', async () => {
    const here = await bucket()
    here.trouble = () => 418
    await expect(openIn(here.env)).rejects.toThrow(/^FILES_URL cannot be used: InternalError /)
  })

  test('names S3_ENDPOINT if a web page answers there', async () => {
    const here = await bucket()
    here.trouble = () => 'page'
    await expect(openIn(here.env)).rejects.toThrow(/^S3_ENDPOINT is not the address of an S3 service\. /)
  })

  test.each<Trouble>([503, 'reset', 'silent'])(
    'continues while the service fails (%s), and files are available when it recovers',
    async (trouble) => {
      const here = await bucket()
      here.trouble = () => trouble
      const files = await openIn(here.env, 100)
      expect(await refusalOf(files.isEmpty())).toMatchObject({ reason: 'unavailable' })
      here.trouble = () => null
      expect(await files.isEmpty()).toBe(true)
    },
  )
})
