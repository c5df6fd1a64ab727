import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { blobsIn, upload } from '../../test/fixtures/files.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { type World, world } from '../../test/world.ts'
import type { Permission } from '../integrations/registry/schemas.ts'
import { findFiles } from './drive.ts'

const AT = '/web/drive/v1.0/files'
const DAY = 86_400
const problem = ({ status, body }: Answer) => [status, body.detail]
const NO_FILE = [404, 'File not found.']
// biome-ignore lint/suspicious/noExplicitAny: the items of answers
const namesIn = (body: any): string[] => body._embedded.files.map((file: any) => file.name)
/** The names of the listed files. An empty list has no body. */
const named = ({ status, body }: Answer): string[] => (status === 204 ? [] : namesIn(body))

async function tokenWith({ admin, stranger }: World, permissions: (typeof Permission)['enum'][number][]) {
  const shop = await register(admin, { name: permissions.join(), permissions })
  return stranger.as({ token: (await connect(stranger, shop)).access_token })
}

/** Five files, created on successive days; `old` is in the trash. */
async function shelf() {
  const all = await world()
  const { browser } = all.admin
  const ben = await all.addPerson({ name: 'Ben' })
  const files: Record<string, { uuid: string; version_uuid: string }> = {}
  for (const [name, caller, size] of [
    ['invoice.pdf', browser, 30],
    ['Photo.JPG', ben.browser, 20],
    ['photo of a cat.png', browser, 50],
    ['notes', browser, 10],
    ['old.pdf', browser, 40],
  ] as const) {
    files[name] = await upload(caller, 'x'.repeat(size), { file_name: name })
    all.clock.advance(60)
  }
  const uuid = (name: string) => files[name]?.uuid as string
  await browser.delete(AT, [{ uuid: uuid('old.pdf') }])
  return { ...all, browser, ben, files, uuid }
}

describe('The list of files', () => {
  test("contains the account's files without the trash, in order of creation, in pages", async () => {
    const { browser } = await shelf()
    const origin = 'http://demo.localhost:8080'
    const { body } = await browser.get(`${AT}?limit=3`)
    const { _embedded, ...head } = body
    expect(head).toEqual({
      _count: 3,
      _page: 1,
      _links: {
        self: { href: `${origin}${AT}?limit=3&page=1` },
        next: { href: `${origin}${AT}?limit=3&page=2&position=2.3.3` },
      },
    })
    const pages = [namesIn(body)]
    const second = await browser.get(
      new URL(body._links.next.href).pathname + new URL(body._links.next.href).search,
    )
    pages.push(named(second))
    expect(pages).toEqual([['invoice', 'Photo', 'photo of a cat'], ['notes']])
    expect([second.body._links.next, second.body._links.prev, second.body._links.first]).toEqual([
      undefined,
      { href: `${origin}${AT}?limit=3&page=1` },
      { href: `${origin}${AT}?limit=3&page=1` },
    ])
    expect(named(await browser.get(`${AT}?limit=3&page=2`))).toEqual(['notes'])
    const beyond = await browser.get(`${AT}?page=9`)
    expect([beyond.status, beyond.text, beyond.headers['content-type']]).toEqual([204, '', undefined])
  })

  test.each<[string, string[]]>([
    ['order[size]=desc', ['photo of a cat', 'invoice', 'Photo', 'notes']],
    ['order[created_at]=desc', ['notes', 'photo of a cat', 'Photo', 'invoice']],
    ['order[updated_at]=asc', ['invoice', 'Photo', 'photo of a cat', 'notes']],
    ['order[id]=desc&limit=2', ['notes', 'photo of a cat']],
    ['filter[name]=PHOTO', ['Photo']],
    ['filter[name]=photo.jpg', ['Photo']],
    ['filter[name]=notes', ['notes']],
    ['filter[name]=phot', []],
    ['filter[term]=photo', ['Photo', 'photo of a cat']],
    ['filter[term]=%25', []],
    ['filter[term]=.png', ['photo of a cat']],
    ['filter[extensions][]=JPG&filter[extensions][]=.pdf', ['invoice', 'Photo']],
    ['filter[extensions]=png,pdf', ['invoice', 'photo of a cat']],
    ['filter[deleted]=1', ['old']],
    ['filter[deleted]', ['old']],
    ['filter[deleted]=', ['old']],
    ['filter[deleted]=true&filter[extensions]=png', []],
    ['filter[deleted]=0&filter[extensions]=pdf', ['invoice']],
    ['filter[size][from]=20&filter[size][to]=30', ['invoice', 'Photo']],
    ['filter[size][from]=3&filter[size][unit]=10', ['invoice', 'photo of a cat']],
    ['filter[source_id]=1', []],
    ['filter[unknown]=1&filter[name]=notes', ['notes']],
    [`filter[name]=${encodeURIComponent('😀'.repeat(255))}`, []],
  ])('with %s returns %j', async (query, names) => {
    const { browser } = await shelf()
    expect(named(await browser.get(`${AT}?${query}`))).toEqual(names)
  })

  test('is filtered by person and time, and by uuids in any notation', async () => {
    const { browser, ben, admin, uuid, clock } = await shelf()
    const list = async (query: string) => named(await browser.get(`${AT}?${query}`))
    expect(await list(`filter[created_by][]=${ben.id}`)).toEqual(['Photo'])
    expect(await list(`filter[updated_by]=${admin.id},${ben.id}`)).toHaveLength(4)
    const start = clock.now() - 5 * 60
    expect(await list(`filter[date][from]=${start + 60}&filter[date][to]=${start + 120}`)).toEqual([
      'Photo',
      'photo of a cat',
    ])
    await browser.patch(`${AT}/${uuid('notes')}`, { name: 'newer' })
    expect(await list(`filter[date][type]=updated_at&filter[date][from]=${clock.now()}`)).toEqual(['newer'])
    expect(await list('filter[date][date_preset]=day')).toHaveLength(4)
    expect(await list('filter[date][date_preset]=yesterday')).toEqual([])
    const two = [uuid('invoice.pdf'), uuid('Photo.JPG').toUpperCase(), uuid('old.pdf')]
    expect(await list(`filter[uuid]=${two.join(',')}`)).toEqual(['invoice', 'Photo'])
    expect(await list(`filter[uuid][]=${two[0]}&filter[uuid][]=${two[1]}`)).toEqual(['invoice', 'Photo'])
  })

  test('is filtered by a preset of dates, by creation or change, in the time zone of the account', async () => {
    const all = await shelf()
    const { browser } = all
    // It is 21:00 in Tokyo when the files are created, and 01:00 of the next day afterwards.
    await browser.patch('/web/v4/account', { timezone: 'Asia/Tokyo' })
    all.clock.advance(4 * 3_600)
    await browser.patch(`${AT}/${all.uuid('notes')}`, { name: 'newer' })
    const list = async (preset: string, type = '') =>
      named(await browser.get(`${AT}?filter[date][date_preset]=${preset}${type}`))
    expect(await list('yesterday')).toHaveLength(4)
    expect(await list('day')).toEqual([])
    expect(await list('day', '&filter[date][type]=updated_at')).toEqual(['newer'])
    expect(await list('yesterday', `&filter[date][from]=${all.clock.now()}`)).toEqual([])
    expect(await list('', '&filter[deleted]=')).toEqual(['old'])
  })

  onEmbedded.each([
    ['limit=251', 'limit'],
    ['filter[size][from]=x', 'filter.size.from'],
    ['filter[size][unit]=x', 'filter.size.unit'],
    ['filter[date][type]=deleted_at', 'filter.date.type'],
    ['filter[date][date_preset]=today', 'filter.date.date_preset'],
    ['filter[created_by]=x', 'filter.created_by'],
    ['filter[name][a]=b', 'filter.name'],
    [`filter[term]=${'x'.repeat(256)}`, 'filter.term'],
    [`filter[name]=${encodeURIComponent('😀'.repeat(256))}`, 'filter.name'],
    [`filter[uuid]=${Array(251).fill('x').join()}`, 'filter.uuid'],
    ['order[size]=up', 'order.size'],
  ])('with %s is rejected with the name of the filter', async (query, path) => {
    const { admin } = await world()
    const [status, fault] = faultsOf(await admin.browser.get(`${AT}?${query}`))
    expect([status, String(fault).split(' ')[2]]).toEqual([400, path])
  })

  test('accepts any filter without failing', async () => {
    const { admin } = await world()
    for (const query of ['filter=x', 'order=x', 'filter[]=x', 'filter[size]=1e400', 'filter[size][unit]=-9'])
      expect([query, (await admin.browser.get(`${AT}?${query}`)).status < 500]).toEqual([query, true])
  })
})

describe('A file', () => {
  test('can be renamed, and keeps its extension', async () => {
    const { browser, uuid, clock, admin } = await shelf()
    const at = `${AT}/${uuid('Photo.JPG')}`
    const before = (await browser.get(at)).body
    const { status, body } = await browser.patch(at, { uuid: 'x', name: '../Кот.jpg', request_id: '0' })
    const _links = JSON.parse(JSON.stringify(before._links).replaceAll('Photo.jpg', 'Kot.jpg'))
    expect([status, body]).toEqual([
      200,
      {
        ...before,
        name: '.._Кот',
        sanitized_name: 'Kot',
        updated_at: clock.now(),
        updated_by: { id: admin.id, type: 'internal' },
        _links,
      },
    ])
    expect((await browser.get(at)).body).toEqual(body)
    clock.advance(60)
    // A patch without differences changes nothing.
    expect((await browser.patch(at, { name: '.._Кот' })).body).toEqual(body)
    expect(named(await browser.get(`${AT}?filter[term]=КОТ`))).toEqual(['.._Кот'])
  })

  test('gets a new version by an upload that names it, and can return to an older one', async () => {
    const { browser, uuid, files, clock, folder } = await shelf()
    const at = `${AT}/${uuid('invoice.pdf')}`
    const first = files['invoice.pdf']?.version_uuid as string
    const before = (await browser.get(at)).body
    const after = await upload(browser, 'second', { file_name: 'draft.docx', file_uuid: uuid('invoice.pdf') })
    expect(after).toMatchObject({
      uuid: uuid('invoice.pdf'),
      id: before.id,
      name: 'invoice',
      size: 6,
      has_multiple_versions: true,
      created_at: before.created_at,
      updated_at: clock.now(),
      metadata: { extension: 'docx' },
    })
    expect(after.version_uuid).not.toBe(first)
    const listed = await browser.get(`${at}/versions`)
    const show = (version: string) => `http://demo.localhost:8080${at}/versions/${version}`
    const href = expect.stringContaining('http://demo.localhost:8080/drive/download/')
    const by = before.created_by
    const shown = {
      file_uuid: uuid('invoice.pdf'),
      type: 'document',
      is_trashed: false,
      source_id: null,
      has_multiple_versions: true,
      created_by: by,
      updated_by: by,
      deleted_at: null,
      deleted_by: null,
      previews: null,
    }
    const versions = [
      {
        ...shown,
        uuid: first,
        version_uuid: first,
        name: 'invoice',
        sanitized_name: 'invoice',
        size: 30,
        is_main: false,
        created_at: before.created_at,
        updated_at: before.created_at,
        metadata: before.metadata,
        _links: { self: { href: show(first) }, download: { href } },
      },
      {
        ...shown,
        uuid: after.version_uuid,
        version_uuid: after.version_uuid,
        name: 'draft',
        sanitized_name: 'draft',
        size: 6,
        is_main: true,
        created_at: clock.now(),
        updated_at: clock.now(),
        metadata: after.metadata,
        _links: { self: { href: show(after.version_uuid) }, download: { href } },
      },
    ]
    expect(listed.body).toEqual({
      _count: 2,
      _links: { self: { href: `http://demo.localhost:8080${at}/versions` } },
      _embedded: { versions },
    })
    expect((await browser.get(`${at}/versions/${first}`)).body).toEqual(versions[0])
    const read = async (path: string) => (await browser.get(`${at}${path}`)).text
    expect([await read('/download'), await read(`/versions/${first}/download`)]).toEqual([
      'second',
      'x'.repeat(30),
    ])
    const twofold = { name: 'Bill', version_uuid: first }
    expect(faultsOf(await browser.patch(at, twofold))).toEqual([400, '0 NotSupportedChoice version_uuid'])
    const back = await browser.patch(at, { version_uuid: first })
    expect(back.body).toMatchObject({ version_uuid: first, size: 30, metadata: before.metadata })
    // The official client writes a file back as it has read it, with the new name.
    const renamed = await browser.patch(at, twofold)
    expect([renamed.status, renamed.body]).toMatchObject([200, { name: 'Bill', version_uuid: first }])
    expect(await read('/download')).toBe('x'.repeat(30))
    expect(blobsIn(folder).length).toBe(6)
  })

  test('in the trash is marked as deleted, cannot be downloaded, and is restored unchanged', async () => {
    const { browser, uuid, clock, admin } = await shelf()
    const at = `${AT}/${uuid('notes')}`
    const before = (await browser.get(at)).body
    const gone = await browser.delete(AT, [{ uuid: uuid('notes') }, { uuid: uuid('old.pdf') }])
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await browser.get(at)).body).toEqual({
      ...before,
      is_trashed: true,
      deleted_at: clock.now(),
      deleted_by: { id: admin.id, type: 'internal' },
    })
    expect(problem(await browser.get(`${at}/download`))).toEqual(NO_FILE)
    expect(problem(await browser.patch(at, { name: 'x' }))).toEqual(NO_FILE)
    const link = new URL(before._links.download.href)
    expect((await browser.get(link.pathname)).status).toBe(404)
    expect(
      faultsOf(
        await browser.post('/web/drive/v1.0/sessions', {
          file_name: 'a',
          file_size: 1,
          file_uuid: uuid('notes'),
        }),
      ),
    ).toEqual([400, '0 NotSupportedChoice file_uuid'])
    const back = await browser.post(`${AT}/restore`, [{ uuid: uuid('notes') }])
    expect([back.status, back.body]).toEqual([
      200,
      {
        _count: 1,
        _links: { self: { href: `http://demo.localhost:8080${AT}/restore` } },
        _embedded: { files: [before] },
      },
    ])
    expect((await browser.get(link.pathname)).text).toBe('x'.repeat(10))
  })

  test('is deleted permanently after thirty days in the trash', async () => {
    const all = await shelf()
    const { clock, uuid, folder, app, ctx, admin } = all
    await upload(all.browser, 'second', { file_uuid: uuid('notes') })
    await all.browser.delete(AT, [{ uuid: uuid('notes') }])
    clock.advance(30 * DAY - 1)
    const browser = await all.signIn(admin)
    expect((await browser.post(`${AT}/restore`, [{ uuid: uuid('notes') }])).status).toBe(200)
    await browser.delete(AT, [{ uuid: uuid('notes') }])
    clock.advance(1)
    const sweep = async () => {
      for (const chore of app.chores.filter(({ name }) => name === 'old files in the trash'))
        await chore.run()
    }
    await sweep()
    expect(blobsIn(folder).length).toBe(6)
    expect(faultsOf(await browser.post(`${AT}/restore`, [{ uuid: uuid('old.pdf') }]))).toEqual([
      400,
      '0 NotSupportedChoice uuid',
    ])
    clock.advance(3_600)
    await sweep()
    expect(blobsIn(folder).length).toBe(5)
    expect(problem(await browser.get(`${AT}/${uuid('old.pdf')}`))).toEqual(NO_FILE)
    expect(await ctx.db.selectFrom('file_usage').select('bytes').executeTakeFirst()).toEqual({ bytes: 116 })
  })

  test('is deleted permanently from the trash by an administrator, which gives its space back', async () => {
    const all = await shelf()
    const { browser, uuid, folder, ctx } = all
    const usage = async () =>
      (await ctx.db.selectFrom('file_usage').select('bytes').executeTakeFirst())?.bytes
    const erase = (...names: string[]) =>
      browser.delete(
        '/web/trashed-files',
        names.map((name) => ({ uuid: uuid(name) })),
      )
    const [before, blobs] = [await usage(), blobsIn(folder).length]
    // A file that is not in the trash stays, and so do those that the request names with it.
    expect(faultsOf(await erase('old.pdf', 'notes'))).toEqual([400, '1 NotSupportedChoice uuid'])
    expect([await usage(), blobsIn(folder).length]).toEqual([before, blobs])
    const ben = await all.addPerson({ name: 'Ben' })
    expect((await ben.browser.delete('/web/trashed-files', [{ uuid: uuid('old.pdf') }])).status).toBe(403)

    const many = Array.from({ length: 251 }, () => ({ uuid: uuid('old.pdf') }))
    for (const wrong of [[], many, [{ uuid: 'x' }], [{}], {}])
      expect((await browser.delete('/web/trashed-files', wrong)).status).toBe(400)
    const eve = await all.addPerson({ name: 'Eve', is_admin: true, account: await all.addAccount('other') })
    expect((await eve.browser.delete('/web/trashed-files', [{ uuid: uuid('old.pdf') }])).status).toBe(400)
    expect(blobsIn(folder).length).toBe(blobs)

    // One of two at once, and a file that is named twice, is deleted once.
    const twice = await Promise.all([erase('old.pdf', 'old.pdf'), erase('old.pdf')])
    expect(twice.map(({ status }) => status).sort()).toEqual([204, 400])
    expect([Number(before) - Number(await usage()), blobs - blobsIn(folder).length]).toEqual([40, 1])
    expect(problem(await browser.get(`${AT}/${uuid('old.pdf')}`))).toEqual(NO_FILE)
    expect(faultsOf(await erase('old.pdf'))).toEqual([400, '0 NotSupportedChoice uuid'])
    const [entry] = (await browser.get('/web/audit')).body.entries
    expect(entry).toMatchObject({ action: 'file.deleted', details: { name: 'old.pdf' } })
  })

  test('counts in the space of the account, which its administrators see with the limit', async () => {
    const { browser, ben, uuid } = await shelf()
    const space = async () => (await browser.get('/web/file-space')).body
    const limit_bytes = 10 * 1024 ** 3
    // The trash counts too, until a file there is deleted permanently.
    expect(await space()).toEqual({ used_bytes: 150, limit_bytes })
    await browser.delete('/web/trashed-files', [{ uuid: uuid('old.pdf') }])
    expect(await space()).toEqual({ used_bytes: 110, limit_bytes })
    expect((await ben.browser.get('/web/file-space')).status).toBe(403)
  })

  test('is found by other slices by its uuid while it is not in the trash', async () => {
    const { ctx, account, uuid, files, addAccount } = await shelf()
    const uuids = [uuid('Photo.JPG'), uuid('old.pdf'), 'none']
    expect([...(await findFiles(ctx.db, account.id, uuids))]).toEqual([
      [
        uuid('Photo.JPG'),
        {
          uuid: uuid('Photo.JPG'),
          version_uuid: files['Photo.JPG']?.version_uuid,
          name: 'Photo.jpg',
          size: 20,
          mime_type: 'image/jpeg',
          previews: 0,
        },
      ],
    ])
    const other = await addAccount('other')
    expect((await findFiles(ctx.db, other.id, uuids)).size).toBe(0)
    expect((await findFiles(ctx.db, account.id, [])).size).toBe(0)
  })
})

describe('Permissions', () => {
  const calls: [string, (caller: Client, at: string, uuid: string) => Promise<Answer>][] = [
    ['lists', (caller, at) => caller.get(`${at}/v1.0/files`)],
    ['reads', (caller, at, uuid) => caller.get(`${at}/v1.0/files/${uuid}`)],
    ['downloads', (caller, at, uuid) => caller.get(`${at}/v1.0/files/${uuid}/download`)],
    ['lists versions of', (caller, at, uuid) => caller.get(`${at}/v1.0/files/${uuid}/versions`)],
    ['uploads', (caller, at) => caller.post(`${at}/v1.0/sessions`, { file_name: 'a', file_size: 1 })],
    [
      'sends parts of',
      (caller, at) =>
        caller.post(`${at}/v1.0/sessions/upload/none/0`, Buffer.from('x'), { 'content-type': 'a/b' }),
    ],
    ['renames', (caller, at, uuid) => caller.patch(`${at}/v1.0/files/${uuid}`, { name: 'a' })],
    ['deletes', (caller, at, uuid) => caller.delete(`${at}/v1.0/files`, [{ uuid }])],
    ['restores', (caller, at, uuid) => caller.post(`${at}/v1.0/files/restore`, [{ uuid }])],
  ]

  onEmbedded.each(calls)(
    'nobody %s files without a session, or a token with the permission',
    async (_what, call) => {
      const all = await world()
      const { uuid } = await upload(all.admin.browser, 'abc')
      const crm = await tokenWith(all, ['crm', 'notifications', 'files_delete'])
      expect((await call(all.stranger, '/drive', uuid)).status).toBe(401)
      expect((await call(all.stranger, '/web/drive', uuid)).status).toBe(401)
      expect((await call(all.admin.browser, '/drive', uuid)).status).toBe(401)
      expect(problem(await call(crm, '/drive', uuid))).toEqual([
        403,
        "Client doesn't have the required scope",
      ])
      expect(problem(await call(all.stranger.as({ token: 'x' }), '/drive/none', uuid))[0]).toBe(401)
    },
  )

  test('a token with `files` alone can read, upload and rename; the trash needs its own permission', async () => {
    const all = await world()
    const files = await tokenWith(all, ['files'])
    const both = await tokenWith(all, ['files', 'files_delete'])
    const { uuid } = await upload(files, 'abc')
    expect((await files.patch(`/drive/v1.0/files/${uuid}`, { name: 'new' })).body.name).toBe('new')
    const scope = [403, "Client doesn't have the required scope"]
    expect(problem(await files.delete('/drive/v1.0/files', [{ uuid }]))).toEqual(scope)
    expect((await both.delete('/drive/v1.0/files', [{ uuid }])).status).toBe(204)
    expect(problem(await files.post('/drive/v1.0/files/restore', [{ uuid }]))).toEqual(scope)
    expect((await both.post('/drive/v1.0/files/restore', [{ uuid }])).body._count).toBe(1)
    expect((await files.get('/api/v4/account')).status).toBe(403)
  })

  onEmbedded('members can change their own files, administrators all files', async () => {
    const { ben, browser, uuid, addPerson } = await shelf()
    const mine = uuid('Photo.JPG')
    const hers = uuid('notes')
    const third = (await addPerson({ name: 'Cem' })).browser
    expect([named(await third.get(AT)), named(await ben.browser.get(AT))]).toEqual([[], ['Photo']])
    const before = (await browser.get(AT)).body
    const draft = { file_name: 'a', file_size: 1, file_uuid: hers }
    expect(problem(await ben.browser.patch(`${AT}/${hers}`, { name: 'x' }))).toEqual(NO_FILE)
    for (const refused of [
      await ben.browser.delete(AT, [{ uuid: hers }]),
      await ben.browser.post(`${AT}/restore`, [{ uuid: uuid('old.pdf') }]),
      await ben.browser.post('/web/drive/v1.0/sessions', draft),
      await third.delete(AT, [{ uuid: mine }]),
    ])
      expect(refused.status).toBe(400)
    expect((await browser.get(AT)).body).toEqual(before)
    expect((await ben.browser.patch(`${AT}/${mine}`, { name: 'x' })).status).toBe(200)
    expect((await ben.browser.delete(AT, [{ uuid: mine }])).status).toBe(204)
    expect((await browser.post(`${AT}/restore`, [{ uuid: mine }])).status).toBe(200)
    expect((await browser.patch(`${AT}/${mine}`, { name: 'y' })).status).toBe(200)
  })

  onEmbedded('files of another account are not found', async () => {
    const all = await shelf()
    const { uuid, files } = all
    const other = await all.addAccount('other')
    const { browser } = await all.addPerson({ account: other, is_admin: true })
    const at = `${AT}/${uuid('notes')}`
    const version = files.notes?.version_uuid
    expect((await browser.get(AT)).status).toBe(204)
    for (const answer of [
      await browser.get(at),
      await browser.get(`${at}/download`),
      await browser.get(`${at}/versions`),
      await browser.get(`${at}/versions/${version}`),
      await browser.get(`${at}/versions/${version}/download`),
      await browser.patch(at, { name: 'x' }),
    ])
      expect(problem(answer)).toEqual(NO_FILE)
    const fault = [400, '0 NotSupportedChoice uuid']
    expect(faultsOf(await browser.delete(AT, [{ uuid: uuid('notes') }]))).toEqual(fault)
    expect(faultsOf(await browser.post(`${AT}/restore`, [{ uuid: uuid('old.pdf') }]))).toEqual(fault)
    // Nor are its open uploads.
    const opened = await all.browser.post('/web/drive/v1.0/sessions', { file_name: 'a', file_size: 2 })
    const part = new URL(opened.body.upload_url).pathname
    const refused = await browser.post(part, Buffer.from('x'), { 'content-type': 'a/b' })
    expect(refused.status).toBe(404)
  })

  onEmbedded('invalid input of an administrator changes nothing', async () => {
    const { browser, uuid } = await shelf()
    const at = `${AT}/${uuid('notes')}`
    const before = (await browser.get(AT)).body
    const both = [{ uuid: uuid('notes') }, { uuid: 'none' }]
    expect(faultsOf(await browser.delete(AT, both))).toEqual([400, '1 NotSupportedChoice uuid'])
    expect(faultsOf(await browser.delete(AT, []))).toEqual([400, '0 TooFew '])
    expect(faultsOf(await browser.delete(AT, [{}]))).toEqual([400, '0 FieldMissing uuid'])
    expect(faultsOf(await browser.delete(AT, [{ uuid: 5 }]))).toEqual([400, '0 InvalidType uuid'])
    expect(problem(await browser.delete(AT))).toEqual([400, 'Request data can not be empty'])
    expect(faultsOf(await browser.patch(at, { name: '' }))).toEqual([400, '0 NotBlank name'])
    expect(faultsOf(await browser.patch(at, { name: 5 }))).toEqual([400, '0 InvalidType name'])
    expect(faultsOf(await browser.patch(at, { version_uuid: 'none' }))).toEqual([
      400,
      '0 NotSupportedChoice version_uuid',
    ])
    const file = (await browser.get(at)).body
    const twofold = { name: 'x', version_uuid: 'none' }
    expect(faultsOf(await browser.patch(at, twofold))).toEqual([400, '0 NotSupportedChoice version_uuid'])
    expect((await browser.get(at)).body).toEqual(file)
    expect(problem(await browser.patch(at, {}))).toEqual([400, 'The request contains no change.'])
    expect(problem(await browser.patch(`${AT}/none`, { name: 'x' }))).toEqual(NO_FILE)
    expect(problem(await browser.get(`${at}/versions/none`))).toEqual(NO_FILE)
    expect(problem(await browser.get(`${at}/versions/none/download`))).toEqual(NO_FILE)
    expect((await browser.get(AT)).body).toEqual(before)
  })
})
