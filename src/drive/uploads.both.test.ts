import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../test/client.ts'
import { someoneWaits } from '../../test/databases/lock-waits.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import {
  blobsIn,
  driveOf,
  openUpload,
  pathOf,
  sendPart,
  upload,
  uploadPicture,
} from '../../test/fixtures/files.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { type World, world } from '../../test/world.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/
const PART = 524_288
const DAY = 86_400
const problem = ({ status, body }: Answer) => [status, body.type.split('#')[1], body.detail]
const TAKEN = [404, 'not_found', 'Upload not found. It may have expired or been cancelled.']

/** An administrator's token with the permission `files`. */
async function withToken(options: Parameters<typeof world>[0] = {}) {
  const all = await world(options)
  const shop = await register(all.admin, { permissions: ['crm', 'files'] })
  const { access_token } = await connect(all.stranger, shop)
  return { ...all, api: all.stranger.as({ token: access_token }) }
}

/** The row counts of all file tables, and the recorded usage of the account. */
async function traces({ ctx }: Pick<World, 'ctx'>) {
  const count = async (table: 'files' | 'file_versions' | 'file_parts' | 'upload_sessions') =>
    (await ctx.db.selectFrom(table).selectAll().execute()).length
  const usage = await ctx.db.selectFrom('file_usage').select('bytes').execute()
  return {
    files: await count('files'),
    versions: await count('file_versions'),
    parts: await count('file_parts'),
    sessions: await count('upload_sessions'),
    bytes: usage.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
const NOTHING = { files: 0, versions: 0, parts: 0, sessions: 0, bytes: 0 }

const runJobs = async ({ app }: Pick<World, 'app'>) => {
  for (const chore of app.chores.filter(({ name }) => /uploads|trash/.test(name))) await chore.run()
}
const bytesOf = async ({ app }: World, caller: Client, uuid: string): Promise<Buffer> => {
  const { host, token = '', cookie = '' } = caller.identity
  const url = `${driveOf(caller)}/v1.0/files/${uuid}/download`
  const headers = { host, cookie, ...(token && { authorization: `Bearer ${token}` }) }
  return (await app.http.inject({ url, headers })).rawPayload
}

describe('An upload', () => {
  test('consists of parts; each returns the URL of the next one, and the last returns the file', async () => {
    const all = await withToken()
    const { api, admin, account, clock, folder } = all
    const content = randomBytes(PART + 10)
    const opened = await api.post('/drive/v1.0/sessions', {
      file_name: 'Отчёт за май.PDF',
      file_size: content.length,
      content_type: 'application/pdf',
    })
    expect(opened.headers['content-type']).toBe('application/json')
    expect([opened.status, opened.body]).toEqual([
      200,
      {
        max_file_size: 314_572_800,
        max_part_size: PART,
        session_id: 1,
        upload_url: expect.stringMatching(
          /^http:\/\/demo\.localhost:8080\/drive\/v1\.0\/sessions\/upload\/pbu_[\w-]{43}\/0$/,
        ),
      },
    ])
    const first = await sendPart(api, pathOf(opened.body.upload_url), content.subarray(0, PART))
    expect([first.status, first.body]).toEqual([
      200,
      {
        session_id: 1,
        next_url: opened.body.upload_url.replace(/0$/, String(PART)),
        max_part_size: PART,
      },
    ])
    clock.advance(5)
    const last = await sendPart(api, pathOf(first.body.next_url), content.subarray(PART))
    const at = clock.now()
    const file = {
      id: 1,
      uuid: expect.stringMatching(UUID),
      type: 'document',
      is_trashed: false,
      name: 'Отчёт за май',
      sanitized_name: 'Otchet_za_may',
      size: content.length,
      source_id: null,
      version_uuid: expect.stringMatching(UUID),
      has_multiple_versions: false,
      created_at: at,
      created_by: { id: admin.id, type: 'internal' },
      updated_at: at,
      updated_by: { id: admin.id, type: 'internal' },
      deleted_at: null,
      deleted_by: null,
      metadata: { extension: 'pdf', mime_type: 'application/pdf' },
      previews: null,
    }
    const { uuid, version_uuid } = last.body
    const link = (what: string) => ({
      href: expect.stringMatching(
        new RegExp(
          `^http://demo\\.localhost:8080/drive/download/${account.id}/${uuid}/${what}/\\d+/[\\w-]{43}/Otchet_za_may\\.pdf$`,
        ),
      ),
    })
    const _links = {
      self: { href: `http://demo.localhost:8080/drive/v1.0/files/${uuid}` },
      download: link('active'),
      download_version: link(version_uuid),
    }
    expect([last.status, last.body]).toEqual([200, { ...file, _links }])
    expect((await api.get(`/drive/v1.0/files/${uuid}`)).body).toEqual({ ...file, _links })
    expect((await bytesOf(all, api, uuid)).equals(content)).toBe(true)
    expect(blobsIn(folder).length).toBe(2)
    expect(await traces(all)).toEqual({ files: 1, versions: 1, parts: 2, sessions: 1, bytes: content.length })
  })

  onEmbedded('works in the web application with its session', async () => {
    const all = await world()
    const { browser } = all.admin
    const file = await upload(browser, 'hello', {}, 2)
    expect(file._links.self.href).toBe(`http://demo.localhost:8080/web/drive/v1.0/files/${file.uuid}`)
    expect(file._links.download.href).toContain('http://demo.localhost:8080/drive/download/')
    expect((await bytesOf(all, browser, file.uuid)).toString()).toBe('hello')
  })

  test.each([
    'application/json',
    'text/plain; charset=utf-8',
    'multipart/form-data; boundary=x',
    'image/png',
    null,
  ])('accepts its parts as bytes with the media type %j', async (type) => {
    const all = await withToken()
    const path = await openUpload(all.api, { file_size: 9 })
    const { status, body } = await sendPart(all.api, path, '{"broken"', type)
    expect(status).toBe(200)
    expect((await bytesOf(all, all.api, body.uuid)).toString()).toBe('{"broken"')
  })

  onEmbedded('accepts bytes only at the URL of a part', async () => {
    const { api, admin } = await withToken()
    for (const [caller, path] of [
      [api, '/drive/v1.0/sessions'],
      [api, '/drive/v1.0/files/restore'],
      [api, '/api/v4/leads'],
      [admin.browser, '/web/drive/v1.0/sessions'],
    ] as const)
      expect([path, (await sendPart(caller, path, 'x')).status]).toEqual([path, 400])
  })

  test('continues in another process', async () => {
    const all = await withToken()
    const { app } = await all.secondProcess()
    const content = randomBytes(50)
    let path = await openUpload(all.api, { file_size: 50 })
    const apps = [app.http, all.app.http]
    for (let at = 0; at < 50; at += 10) {
      const { host, token } = all.api.identity
      const answer = await (apps[(at / 10) % 2] as typeof app.http).inject({
        method: 'POST',
        url: path,
        headers: { host, authorization: `Bearer ${token}` },
        payload: content.subarray(at, at + 10),
      })
      const body = answer.json()
      if (body.next_url) path = pathOf(body.next_url)
      else expect((await bytesOf(all, all.api, body.uuid)).equals(content)).toBe(true)
    }
    expect((await traces(all)).files).toBe(1)
  })
})

describe('A part whose response was lost', () => {
  test('can be repeated with the same response, also the last one, and is stored once', async () => {
    const all = await withToken()
    const { api, folder } = all
    const path = await openUpload(api, { file_size: 7 })
    const first = await sendPart(api, path, 'abcd')
    expect(await sendPart(api, path, 'abcd')).toMatchObject({ status: 200, body: first.body })
    const next = pathOf(first.body.next_url)
    const last = await sendPart(api, next, 'efg')
    const again = await sendPart(api, next, 'efg')
    expect([again.status, again.body]).toEqual([200, last.body])
    expect((await sendPart(api, path, 'abcd')).body).toEqual(first.body)
    expect(await traces(all)).toEqual({ files: 1, versions: 1, parts: 2, sessions: 1, bytes: 7 })
    expect(blobsIn(folder).length).toBe(2)
  })

  onEmbedded('with different bytes is rejected, and changes nothing', async () => {
    const all = await withToken()
    const { api } = all
    const path = await openUpload(api, { file_size: 7 })
    const next = pathOf((await sendPart(api, path, 'abcd')).body.next_url)
    const differs = [409, 'upload_part_differs', 'This part was already uploaded with different bytes.']
    expect(problem(await sendPart(api, path, 'abcx'))).toEqual(differs)
    expect(problem(await sendPart(api, path, 'abc'))).toEqual(differs)
    expect(problem(await sendPart(api, path.replace(/0$/, '2'), 'cd'))).toEqual(differs)
    const { body } = await sendPart(api, next, 'efg')
    expect((await bytesOf(all, api, body.uuid)).toString()).toBe('abcdefg')
  })

  test('sent many times concurrently is stored once, and creates one file', async () => {
    const all = await withToken()
    const apps = [all.app.http]
    // With SQLite, two processes in one thread would wait for each other.
    if (all.ctx.config.database_url) apps.push((await all.secondProcess()).app.http)
    const { host, token } = all.api.identity
    const path = await openUpload(all.api, { file_size: 8, with_preview: true })
    const send = (url: string, payload: string) =>
      Promise.all(
        Array.from({ length: 10 }, async (_, i) => {
          const headers = { host, authorization: `Bearer ${token}` }
          const http = apps[i % apps.length] as (typeof apps)[number]
          const answer = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(payload) })
          return [answer.statusCode, answer.json()]
        }),
      )
    const firsts = await send(path, 'abcd')
    expect(firsts).toEqual(Array(10).fill([200, firsts[0]?.[1]]))
    const lasts = await send(pathOf(firsts[0]?.[1].next_url), 'efgh')
    expect(lasts).toEqual(Array(10).fill([200, lasts[0]?.[1]]))
    expect(await traces(all)).toEqual({ files: 1, versions: 1, parts: 2, sessions: 1, bytes: 8 })
    expect(blobsIn(all.folder).length).toBe(2)
  })
})

describe('A part is rejected', () => {
  onEmbedded('out of order', async () => {
    const { api } = await withToken()
    const path = await openUpload(api, { file_size: 7 })
    expect(problem(await sendPart(api, path.replace(/0$/, '4'), 'efg'))).toEqual([
      409,
      'upload_part_order',
      'The next part must start at 0, not at 4.',
    ])
    expect((await sendPart(api, path, 'abcd')).status).toBe(200)
  })

  onEmbedded('when it is empty or too large, and can then be sent correctly', async () => {
    const all = await withToken()
    const { api, folder } = all
    const content = randomBytes(PART + 1)
    const path = await openUpload(api, { file_size: content.length })
    expect(problem(await sendPart(api, path, ''))).toEqual([
      400,
      'invalid',
      'A part must have at least one byte.',
    ])
    expect((await sendPart(api, path, content)).status).toBe(413)
    expect(blobsIn(folder)).toEqual([])
    expect((await sendPart(api, path, content.subarray(1))).status).toBe(200)
  })

  onEmbedded(
    'when there are more bytes than announced: the upload is cancelled and everything is deleted',
    async () => {
      const all = await withToken()
      const { api, folder } = all
      const path = await openUpload(api, { file_size: 7 })
      const next = pathOf((await sendPart(api, path, 'abcd')).body.next_url)
      expect(problem(await sendPart(api, next, 'efgh'))).toEqual([
        400,
        'invalid',
        'The upload has more bytes than its file_size of 7 and was cancelled.',
      ])
      expect([await traces(all), blobsIn(folder)]).toEqual([NOTHING, []])
      expect(problem(await sendPart(api, next, 'efg'))).toEqual(TAKEN)
    },
  )

  onEmbedded('without an open upload', async () => {
    const all = await withToken()
    const { api, clock, folder } = all
    const path = await openUpload(api, { file_size: 7 })
    const { next_url } = (await sendPart(api, path, 'abcd')).body
    expect(problem(await sendPart(api, '/drive/v1.0/sessions/upload/none/0', 'a'))).toEqual(TAKEN)
    expect((await sendPart(api, path.replace(/0$/, '-1'), 'a')).status).toBe(404)
    expect((await sendPart(api, path.replace(/0$/, '1e400'), 'a')).status).toBe(404)
    clock.advance(DAY - 1)
    await runJobs(all)
    const fresh = all.stranger.as({ token: (await tokenOf(all)).access_token })
    expect((await sendPart(fresh, path, 'abcd')).status).toBe(200)
    clock.advance(1)
    expect(problem(await sendPart(fresh, pathOf(next_url), 'efg'))).toEqual(TAKEN)
    await runJobs(all)
    // A request that found it open could still be running.
    expect(blobsIn(folder).length).toBe(1)
    clock.advance(3_600)
    await runJobs(all)
    expect([await traces(all), blobsIn(folder)]).toEqual([NOTHING, []])
  })
})

/** Gets a new token, for use after the clock was advanced. */
async function tokenOf(all: World) {
  const person = { ...all.admin, browser: await all.signIn(all.admin) }
  return connect(all.stranger, await register(person, { permissions: ['files'] }))
}

describe('A session', () => {
  test('that became a file is deleted without the file, but with what a killed process has left beside it', async () => {
    const all = await withToken()
    const { api, clock, ctx, folder } = all
    const { uuid } = await upload(api, 'abc')
    const drawn = sharp({ create: { width: 900, height: 300, channels: 3, background: '#3366ff' } })
    await uploadPicture(api, await drawn.png().toBuffer())
    const kept = blobsIn(folder).sort()
    for (const version of new Set(kept.map((key) => key.slice(0, key.lastIndexOf('/')))))
      await ctx.files.put(`${version}/0-${'0'.repeat(18)}`, Readable.from([Buffer.from('abd')]), 3)
    expect(blobsIn(folder)).toHaveLength(kept.length + 2)
    clock.advance(DAY + 3_600)
    await runJobs(all)
    expect(blobsIn(folder).sort()).toEqual(kept)
    expect(await traces(all)).toMatchObject({ files: 2, versions: 2, parts: 2, sessions: 0 })
    const fresh = all.stranger.as({ token: (await tokenOf(all)).access_token })
    expect((await bytesOf(all, fresh, uuid)).toString()).toBe('abc')
  })

  test.each<[string, object, string[][]]>([
    [
      'nothing',
      {},
      [
        ['file_name', 'FieldMissing'],
        ['file_size', 'FieldMissing'],
      ],
    ],
    ['a blank name', { file_name: ' ', file_size: 1 }, [['file_name', 'InvalidFormat']]],
    ['a long name', { file_name: 'x'.repeat(256), file_size: 1 }, [['file_name', 'TooLong']]],
    ['no bytes', { file_name: 'a', file_size: 0 }, [['file_size', 'OutOfRange']]],
    ['half a byte', { file_name: 'a', file_size: 1.5 }, [['file_size', 'InvalidType']]],
    ['a size as text', { file_name: 'a', file_size: '5' }, [['file_size', 'InvalidType']]],
    ['too many bytes', { file_name: 'a', file_size: 314_572_801 }, [['file_size', 'OutOfRange']]],
    [
      'no type',
      { file_name: 'a', file_size: 1, content_type: 'a\r\nb: c/d' },
      [['content_type', 'InvalidFormat']],
    ],
    [
      'an unknown file',
      { file_name: 'a', file_size: 1, file_uuid: 'none' },
      [['file_uuid', 'NotSupportedChoice']],
    ],
    [
      'a non-boolean preview',
      { file_name: 'a', file_size: 1, with_preview: 'yes' },
      [['with_preview', 'InvalidType']],
    ],
  ])('is not opened for %s', async (_what, body, faults) => {
    const all = await withToken()
    const answer = await all.api.post('/drive/v1.0/sessions', body)
    expect(faultsOf(answer)).toEqual([400, ...faults.map(([path, code]) => `0 ${code} ${path}`)])
    expect(await traces(all)).toEqual(NOTHING)
  })

  onEmbedded('is not opened without enough space, including reserved space', async () => {
    const all = await withToken({ env: { FILES_LIMIT: '10', FILE_LIMIT: '8' } })
    const { api, clock } = all
    await upload(api, 'abcd')
    const path = await openUpload(api, { file_size: 5 })
    const full = await api.post('/drive/v1.0/sessions', { file_name: 'b', file_size: 2 })
    expect(problem(full)).toEqual([409, 'file_storage_limit', 'The account has no space left for files.'])
    // A cancelled upload releases its space.
    await sendPart(api, path, 'abcdef')
    expect((await traces(all)).bytes).toBe(4)
    await upload(api, 'abcdef')
    const { uuid } = (await api.get('/drive/v1.0/files')).body._embedded.files[0]
    await all.admin.browser.delete('/web/drive/v1.0/files', [{ uuid }])
    clock.advance(30 * DAY + 3_600)
    await runJobs(all)
    expect(await traces(all)).toMatchObject({ files: 1, versions: 1, parts: 1, bytes: 6 })
    expect(blobsIn(all.folder).length).toBe(1)
  })

  onEmbedded('is limited to a hundred per caller', async () => {
    const { api, clock, ...all } = await withToken()
    for (let i = 0; i < 100; i++) await sendPart(api, await openUpload(api, { file_size: 2 }), 'x')
    // Uploads of other callers do not count.
    await openUpload(all.admin.browser, { file_size: 1 })
    const refused = await api.post('/drive/v1.0/sessions', { file_name: 'b', file_size: 1 })
    expect([problem(refused).slice(0, 2), refused.headers['retry-after']]).toEqual([
      [429, 'upload_limit'],
      String(DAY),
    ])
    clock.advance(DAY)
    const fresh = all.stranger.as({ token: (await tokenOf({ ...all, clock })).access_token })
    expect((await fresh.post('/drive/v1.0/sessions', { file_name: 'b', file_size: 1 })).status).toBe(200)
  })

  onEmbedded('without any part is dropped for later ones of the same caller, oldest first', async () => {
    const all = await world()
    const { browser } = all.admin
    const { browser: ben } = await all.addPerson({ name: 'Ben' })
    const theirs = await openUpload(ben, { file_size: 2 })
    const paths: string[] = []
    for (let i = 0; i < 102; i++) {
      if (i < 2) all.clock.advance(1)
      paths.push(await openUpload(browser, { file_size: 2 }))
      if (i === 0) await sendPart(browser, paths[0] as string, 'x')
    }
    const statuses = []
    for (const path of paths.slice(1, 4)) statuses.push((await sendPart(browser, path, 'x')).status)
    // The first one already has a part; the two after it were dropped.
    expect(statuses).toEqual([404, 404, 200])
    const first = pathOf(`http://x${paths[0]}`).replace(/0$/, '1')
    expect((await sendPart(browser, first, 'y')).status).toBe(200)
    expect((await sendPart(ben, theirs, 'ab')).status).toBe(200)
  })

  test('of a version is refused at its end if others have filled the file meanwhile', async () => {
    const { api, ...all } = await withToken()
    const { db } = all.ctx
    const { uuid: file_uuid } = await upload(api, 'a')
    const first = await db.selectFrom('file_versions').selectAll().executeTakeFirstOrThrow()
    const others = Array.from({ length: 98 }, (_, i) => ({ ...first, uuid: `v-${i}`, number: i + 2 }))
    await db.transaction().execute((tx) => tx.insertInto('file_versions').values(others).execute())
    const paths = []
    for (let i = 0; i < 3; i++) paths.push(await openUpload(api, { file_size: 1, file_uuid }))
    const answers = await Promise.all(paths.map((path) => sendPart(api, path, 'b')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const refused = answers.find(({ status }) => status === 409) as Answer
    expect(problem(refused).slice(1)).toEqual(['file_version_limit', 'A file can have at most 100 versions.'])
    const blobs = blobsIn(all.folder).length
    expect([await traces(all), blobs]).toEqual([expect.objectContaining({ versions: 100, parts: 2 }), 2])
  })

  test('can be cancelled by its caller, which frees its bytes and space; a file stays', async () => {
    const { api, ...all } = await withToken()
    const path = await openUpload(api, { file_size: 2 })
    await sendPart(api, path, 'x')
    expect((await api.delete(path)).status).toBe(204)
    expect(await traces(all)).toMatchObject({ files: 0, parts: 0, bytes: 0 })
    expect(blobsIn(all.folder)).toEqual([])
    for (const again of [await api.delete(path), await sendPart(api, path, 'x')])
      expect(again.status).toBe(404)
    const done = await openUpload(api, { file_size: 1 })
    await sendPart(api, done, 'x')
    expect((await api.delete(done)).status).toBe(404)
    expect(await traces(all)).toMatchObject({ files: 1, bytes: 1 })
  })

  // Only PostgreSQL has concurrent writers.
  test.runIf(process.env.TEST_DATABASE === 'postgres')(
    'keeps its space if its first part arrives while others need it',
    async () => {
      const all = await world({ env: { FILES_LIMIT: '10', FILE_LIMIT: '10' } })
      const { ctx, clock } = all
      const { browser } = all.admin
      await openUpload(browser, { file_size: 10 })
      clock.advance(601)
      let opening: ReturnType<typeof browser.post> | undefined
      await ctx.db.transaction().execute(async (tx) => {
        await tx.updateTable('upload_sessions').set({ received: 1, parts: 1 }).execute()
        opening = browser.post('/web/drive/v1.0/sessions', { file_name: 'b', file_size: 5 })
        await someoneWaits(ctx)
      })
      expect(problem((await opening) as Answer).slice(0, 2)).toEqual([409, 'file_storage_limit'])
      expect(await traces(all)).toMatchObject({ sessions: 1, bytes: 10 })
    },
  )

  onEmbedded('without any part for ten minutes releases its space to others', async () => {
    const all = await world({ env: { FILES_LIMIT: '10', FILE_LIMIT: '10' } })
    const { browser } = all.admin
    const { browser: ben } = await all.addPerson({ name: 'Ben' })
    const idle = await openUpload(browser, { file_size: 10 })
    const ask = () => ben.post('/web/drive/v1.0/sessions', { file_name: 'b', file_size: 5 })
    expect(problem(await ask()).slice(0, 2)).toEqual([409, 'file_storage_limit'])
    all.clock.advance(601)
    expect((await ask()).status).toBe(200)
    expect((await sendPart(browser, idle, 'x')).status).toBe(404)
    expect((await traces(all)).bytes).toBe(5)
  })
})
