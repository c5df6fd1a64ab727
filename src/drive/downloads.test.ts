import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, truncateSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blobsIn, upload } from '../../test/fixtures/files.ts'
import { world } from '../../test/world.ts'

const DAY = 86_400

/** A file of three parts, and a reader of its URLs. */
async function shared(options: Parameters<typeof world>[0] = {}) {
  const all = await world(options)
  const content = randomBytes(700)
  const file = await upload(
    all.admin.browser,
    content,
    { file_name: 'Счёт "1".html', content_type: 'text/html' },
    300,
  )
  const path = (href: string) => new URL(href).pathname
  const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    all.app.http.inject({ method, url, headers: { host: 'demo.localhost:8080', ...headers } })
  const link = path(file._links.download.href)
  return { ...all, content, file, get, link, version: path(file._links.download_version.href) }
}

describe('A download', () => {
  test('by link, session or token returns the file as an attachment and never as a page', async () => {
    const { get, link, version, content, file, admin } = await shared()
    const { cookie = '' } = admin.browser.identity
    const own = `/web/drive/v1.0/files/${file.uuid}/download`
    for (const answer of [await get(link), await get(version), await get(own, { cookie })]) {
      expect([answer.statusCode, answer.rawPayload.equals(content)]).toEqual([200, true])
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html',
        'content-length': '700',
        'content-disposition': `attachment; filename="Schet_1.html"; filename*=UTF-8''%D0%A1%D1%87%D1%91%D1%82%20%221%22.html`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=300',
        'accept-ranges': 'bytes',
        etag: `"${file.version_uuid}"`,
      })
    }
  })

  test('supports HEAD and If-None-Match', async () => {
    const { get, link, file } = await shared()
    const head = await get(link, {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.payload]).toEqual([200, '700', ''])
    const etag = `"${file.version_uuid}"`
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const known = await get(link, { 'if-none-match': tags })
      expect([known.statusCode, known.headers.etag, known.payload]).toEqual([304, etag, ''])
    }
    expect((await get(link, { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  test.each<[string, number, number]>([
    ['bytes=0-0', 0, 1],
    ['bytes=0-299', 0, 300],
    ['bytes=299-300', 299, 301],
    ['bytes=250-650', 250, 651],
    ['bytes=600-', 600, 700],
    ['bytes=600-9999', 600, 700],
    ['bytes=-1', 699, 700],
    ['bytes=-9999', 0, 700],
  ])('resumes with a range: %s', async (range, start, end) => {
    const { get, link, content } = await shared()
    const answer = await get(link, { range })
    expect([answer.statusCode, answer.rawPayload.equals(content.subarray(start, end))]).toEqual([206, true])
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${start}-${end - 1}/700`,
      'content-length': String(end - start),
    })
  })

  test('with a range beyond the end is rejected, and with an invalid range is complete', async () => {
    const { get, link, content, file } = await shared()
    for (const range of ['bytes=700-', 'bytes=700-800', 'bytes=-0']) {
      const answer = await get(link, { range })
      expect([range, answer.statusCode, answer.headers['content-range'], answer.json().status]).toEqual([
        range,
        416,
        'bytes */700',
        416,
      ])
    }
    const whole: Record<string, string>[] = [
      { range: 'bytes=0-1,5-6' },
      { range: 'bytes=5-1' },
      { range: 'bytes=-' },
      { range: 'lines=0-1' },
      { range: 'bytes=0-1', 'if-range': '"another"' },
    ]
    for (const headers of whole) {
      const answer = await get(link, headers)
      expect([headers, answer.statusCode, answer.rawPayload.equals(content)]).toEqual([headers, 200, true])
    }
    const same = { range: 'bytes=0-1', 'if-range': `"${file.version_uuid}"` }
    expect((await get(link, same)).statusCode).toBe(206)
  })

  test('fails before the response starts if its bytes are lost, without revealing their path', async () => {
    const { get, link, folder } = await shared()
    rmSync(join(folder, 'files'), { recursive: true })
    const answer = await get(link)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([500, 'application/problem+json'])
    expect(answer.payload).not.toContain('files')
  })

  test('breaks off if a later part is damaged, and the log says why', async () => {
    const { get, link, folder, logged } = await shared()
    const second = blobsIn(folder).find((key) => key.includes('/300-')) ?? ''
    truncateSync(join(folder, 'files', second), 10)
    await expect(get(link)).rejects.toThrow()
    expect(logged()).toMatch(
      /^\{"level":50,.*"message":"the blob \S+ is shorter than its recorded size".*"msg":"an answer broke off"\}$/m,
    )
  })

  test('that the client ends is no fault of the log', async () => {
    const { app, admin, logged } = await shared({ ownServer: true })
    const { uuid } = await upload(admin.browser, randomBytes(8_000_000), { file_name: 'large.bin' })
    const url = new URL(await app.http.listen({ port: 0, host: '127.0.0.1' }))
    const { cookie = '' } = admin.browser.identity
    const path = `/web/drive/v1.0/files/${uuid}/download`
    const request = get({
      ...{ host: url.hostname, port: url.port, path },
      headers: { host: 'demo.localhost:8080', cookie },
    })
    const [answer] = await once(request, 'response')
    expect(answer.statusCode).toBe(200)
    answer.destroy()
    const connections = () =>
      new Promise((resolve) => app.http.server.getConnections((_, open) => resolve(open)))
    await expect.poll(connections).toBe(0)
    expect(logged()).not.toContain('an answer broke off')
  })
})

describe('A link', () => {
  test('is constant for a day, and expires after one or two', async () => {
    const { get, link, clock, file, signIn, admin } = await shared()
    const read = async () => {
      const browser = await signIn(admin)
      return new URL((await browser.get(`/web/drive/v1.0/files/${file.uuid}`)).body._links.download.href)
        .pathname
    }
    clock.advance(3_600)
    expect(await read()).toBe(link)
    clock.advance(DAY - 3_600)
    expect(await read()).not.toBe(link)
    // From noon of the first day to midnight after the next.
    clock.advance(DAY / 2 - 1)
    expect((await get(link)).statusCode).toBe(200)
    clock.advance(1)
    const ended = await get(link)
    expect([ended.statusCode, ended.json().detail]).toEqual([404, 'This link is invalid or has expired.'])
  })

  test('is invalid after any modification', async () => {
    const { get, link, version, admin, file, addAccount, clock } = await shared()
    const other = await upload(admin.browser, 'other')
    const [, , , account, uuid, what, expires, signature] = link.split('/') as string[]
    const write = (...parts: unknown[]) => `/drive/download/${parts.join('/')}/a.txt`
    const another = await addAccount('other')
    expect((await get(write(account, uuid, what, expires, signature))).statusCode).toBe(200)
    const changed = [
      write(account, other.uuid, what, expires, signature),
      write(account, uuid, file.version_uuid, expires, signature),
      write(account, uuid, `${file.version_uuid}.0`, expires, signature),
      write(another.id, uuid, what, expires, signature),
      write(account, uuid, what, Number(expires) + DAY, signature),
      write(account, uuid, what, clock.now() + 1, signature),
      write(account, uuid, what, expires, `${signature?.slice(1)}A`),
      write(account, uuid, what, expires, 'x'),
      version.replace(file.version_uuid, 'active'),
    ]
    for (const url of changed) expect([url, (await get(url)).statusCode]).toEqual([url, 404])
    expect((await get(write('x', uuid, what, expires, signature))).statusCode).toBe(404)
    expect((await get(write(account, uuid, what, '1e400', signature))).statusCode).toBe(404)
  })

  test('to the active version follows it; to a fixed version does not', async () => {
    const { get, link, version, content, admin, file } = await shared()
    await upload(admin.browser, 'second', { file_uuid: file.uuid, file_name: 'b.txt' })
    expect((await get(link)).payload).toBe('second')
    expect((await get(version)).rawPayload.equals(content)).toBe(true)
  })

  test('has the rate limit of a page, per network', async () => {
    const { get, link } = await shared({ env: { RATE_LIMITS: 'on' } })
    const statuses = []
    for (let i = 0; i < 101; i++) statuses.push((await get(link)).statusCode)
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([100, 429])
  })

  test('works however many invalid links the same network has tried', async () => {
    const { get, link, version } = await shared({ env: { RATE_LIMITS: 'on' } })
    const wrong = link.replace(/\/[^/]+\/([^/]+)$/, '/wrong/$1')
    const statuses = []
    for (let i = 0; i < 101; i++) statuses.push((await get(wrong)).statusCode)
    expect([statuses[99], statuses[100]]).toEqual([404, 429])
    expect([(await get(link)).statusCode, (await get(version)).statusCode]).toEqual([200, 200])
  })

  test('gives access to nothing else', async () => {
    const { get } = await shared()
    expect((await get('/drive/download')).statusCode).toBe(401)
    expect((await get('/drive')).statusCode).toBeGreaterThanOrEqual(400)
    expect((await get('/drive', { accept: 'text/html' })).statusCode).toBe(404)
  })
})
