import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { client } from '../../test/client.ts'
import {
  emptyDatabase,
  isDistributedRun,
  type Kind,
  kindOfRun,
  migratedDatabase,
  type Place,
} from '../../test/databases/databases.ts'
import { indexesOf } from '../../test/databases/indexes.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { blobsIn, openUpload, sendPart, upload, uploadPicture } from '../../test/fixtures/files.ts'
import { accountStatus, connect, refresh, register } from '../../test/fixtures/integrations.ts'
import { isLong, runsOn } from '../../test/long.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { newMasterKey } from '../../test/programs/program.ts'
import { world } from '../../test/world.ts'
import { createAccount } from '../accounts/accounts.ts'
import { buildApp } from '../app.ts'
import { type Db, openDatabase, type Tx } from '../db/database.ts'
import { nextId, nextIds } from '../db/dialect.ts'
import { partitionsOf } from '../db/distribution/partitions.ts'
import { CommitUnknown } from '../db/failures.ts'
import { writeSetting } from '../db/settings.ts'
import { tables } from '../db/tables.ts'
import { openFileStore } from '../files/files.ts'
import { readDump, writeDump } from './dump.ts'
import { closeContext, openContext } from './open.ts'

/** Source and target databases. Both exist when the tests run on PostgreSQL. */
const waysOf: Record<Kind, [Kind, Kind][]> = {
  sqlite: [['sqlite', 'sqlite']],
  postgres: [
    ['postgres', 'sqlite'],
    ['sqlite', 'postgres'],
    ...(isLong ? [['postgres', 'postgres'] satisfies [Kind, Kind]] : []),
  ],
}
const ways = waysOf[kindOfRun()]
/** Damages to a backup. The checks are the same for both databases, but each one rolls a restore back in its own way. */
const [CUTS, FLIPS] = runsOn('sqlite') ? [12, 24] : [3, 4]
/** The master key of every world. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

type Env = Record<'DATA_DIR' | 'DATABASE_URL' | 'MASTER_KEY' | 'LOG_LEVEL', string>

/** The environment of a server without data: its tables exist, because creating them takes longer than most tests. */
const empty = async (kind: Kind = kindOfRun()): Promise<Env> => envOf(await migratedDatabase(kind))

function envOf({ database_url, data_dir }: Place): Env {
  return { DATA_DIR: data_dir, DATABASE_URL: database_url, MASTER_KEY, LOG_LEVEL: 'silent' }
}

/** A server in use: an account with people, an integration with a token pair, and a log. */
async function inUse(kind: Kind = kindOfRun()) {
  const here = await world({ kind })
  const { ctx, admin, stranger, folder } = here
  const shop = await register(admin, { name: 'Łódź 漢字 😀 "quoted"\\', description: '<p>a</p>' })
  const tokens = await connect(stranger, shop)
  await here.addPerson({ name: 'Ben' })
  const env: Env = {
    DATA_DIR: folder,
    DATABASE_URL: ctx.config.database_url,
    MASTER_KEY,
    LOG_LEVEL: 'silent',
  }
  const file = join(folder, 'b.gz')
  const backup = () => commandLine(['backup', file], env)
  return { ...here, shop, tokens, env, file, backup }
}

/** A folder beside the data. */
const scratchOf = ({ DATA_DIR }: Env) => mkdtempSync(`${DATA_DIR}-`)

const partial = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.part'))

const restore = (env: Env, file: string) => commandLine(['restore', file], env)

function handle(env: Env): Db {
  const db = openDatabase(
    { database_url: env.DATABASE_URL, data_dir: env.DATA_DIR },
    { onCommitFailure: () => {} },
  )
  onTestFinished(() => db.destroy())
  return db
}

/** Every row of every table. */
async function everything(db: Db): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {}
  for (const table of tables) {
    const rows = await db.selectFrom(table).selectAll().execute()
    all[table] = rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  return all
}

const nothing = Object.fromEntries(tables.map((table) => [table, []]))
const lines = (file: string): string[] => gunzipSync(readFileSync(file)).toString().split('\n')

describe('A backup', () => {
  test.each(ways)(
    'from %s can be restored into an empty %s: every row, decryptable secrets, continued ids',
    async (from, to) => {
      const { ctx, backup, file, shop, tokens, admin } = await inUse(from)
      const before = await commandLine(['migrate'], {
        DATA_DIR: ctx.config.data_dir,
        DATABASE_URL: ctx.config.database_url,
        MASTER_KEY,
      })
      expect(before.code).toBe(0)
      // Ids whose rows are deleted again.
      const [last = 0] = (await ctx.db.transaction().execute((tx) => nextIds(tx, 'statuses', 5))).slice(-1)
      const rows = await everything(ctx.db)
      const count = Object.values(rows).flat().length
      expect(await backup()).toEqual({ code: 0, stdout: `${count} rows written to ${file}\n`, stderr: '' })
      expect(statSync(file).mode & 0o777).toBe(0o600)

      const env = envOf(await emptyDatabase(to))
      expect(await restore(env, file)).toEqual({
        code: 0,
        stdout: `${count} rows restored from ${file}\n`,
        stderr: '',
      })
      expect(await everything(handle(env))).toEqual(rows)
      expect(await indexesOf(handle(env))).toEqual(await indexesOf(handle(await empty(to))))

      const there = await openContext({ mode: 'dev', env: { ...env, RATE_LIMITS: 'off' }, create: true })
      const app = await buildApp({ ...there, clock: ctx.clock, now: ctx.now })
      onTestFinished(async () => {
        await app.http.close()
        await closeContext(there)
      })
      const stranger = client(app.http, { host: 'demo.localhost:8080' })
      expect(await accountStatus(stranger, tokens.access_token)).toBe(200)
      expect((await refresh(stranger, shop, tokens.refresh_token)).status).toBe(200)
      const keys = await client(app.http, admin.browser.identity).post(
        `/web/integrations/${shop.client_id}/keys`,
      )
      expect(keys.body).toEqual({ client_id: shop.client_id, client_secret: shop.client_secret })
      const account = await there.db
        .transaction()
        .execute((tx) => createAccount(there, tx, { name: 'New', subdomain: 'new' }))
      expect(account.id).toBe(Math.max(...(rows.accounts as { id: number }[]).map(({ id }) => id)) + 1)
      const next = await there.db.transaction().execute((tx) => nextId(tx, 'statuses'))
      expect(next).toBeGreaterThan(last)
    },
  )

  test.each(ways)(
    'of %s, restored into %s and backed up again, is identical line by line',
    async (from, to) => {
      const { backup, file } = await inUse(from)
      await backup()
      const env = await empty(to)
      await restore(env, file)
      const second = join(env.DATA_DIR, 'second.gz')
      expect((await commandLine(['backup', second], env)).code).toBe(0)
      const rows = (name: string) => lines(name).slice(1).sort()
      expect(rows(second)).toEqual(rows(file))
      const home = await empty(from)
      expect((await restore(home, second)).code).toBe(0)
    },
  )

  test('that is restored keeps its files if the outcome of the commit is unknown', async () => {
    const { admin, backup, file } = await inUse()
    await upload(admin.browser, randomBytes(10), { file_name: 'a.bin' })
    await backup()
    const env = await empty()
    const db = handle(env)
    const files = await openFileStore(
      { kind: 'disk', folder: join(env.DATA_DIR, 'files') },
      { id: '', secret: '' },
    )
    const execute = async (work: (tx: Tx) => Promise<unknown>) => {
      await db.transaction().execute(work)
      throw new CommitUnknown(new Error('cut'))
    }
    const cut = { transaction: () => ({ execute }) } as unknown as Db
    const restoring = readDump(
      { db: cut, files },
      file,
      1,
      () => {},
      async () => {},
    )
    await expect(restoring).rejects.toThrow(CommitUnknown)
    expect(blobsIn(env.DATA_DIR)).toHaveLength(1)
  })

  test.each(ways)('of %s contains the files for %s, with every version and preview', async (from, to) => {
    const { admin, backup, file, env: before } = await inUse(from)
    const { browser } = admin
    const png = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#3366ff' } })
      .png()
      .toBuffer()
    const bytes = randomBytes(1_500_000)
    const kept = await upload(browser, bytes, { file_name: 'a.bin' })
    await uploadPicture(browser, png, { file_name: 'a.png', file_uuid: kept.uuid })
    const opened = await openUpload(browser, { file_size: 10 })
    await sendPart(browser, opened, 'begun')
    const saved = await backup()
    expect([saved.code, saved.stdout]).toEqual([
      0,
      expect.stringMatching(/^\d+ rows and 7 blobs written to /),
    ])

    const env = await empty(to)
    const restored = await restore(env, file)
    expect([restored.code, restored.stdout]).toEqual([
      0,
      expect.stringMatching(/^\d+ rows and 7 blobs restored from /),
    ])
    expect(blobsIn(env.DATA_DIR).sort()).toEqual(blobsIn(before.DATA_DIR).sort())
    for (const name of blobsIn(env.DATA_DIR))
      expect([name, readFileSync(join(env.DATA_DIR, 'files', name))]).toEqual([
        name,
        readFileSync(join(before.DATA_DIR, 'files', name)),
      ])

    // The settings can name another folder than those of the server.
    renameSync(join(before.DATA_DIR, 'files'), join(before.DATA_DIR, 'elsewhere'))
    const whole = readFileSync(file)
    expect(await backup()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The database has files, but [^\n]* DATA_DIR or FILES_URL [^\n]*\n$/),
    })
    expect([readFileSync(file), partial(before.DATA_DIR)]).toEqual([whole, []])

    // Files are not mixed with existing ones, and nothing remains of a backup that is rejected at its end.
    const other = await empty()
    cpSync(join(env.DATA_DIR, 'files'), join(other.DATA_DIR, 'files'), { recursive: true })
    expect((await restore(other, file)).stderr).toBe(
      `${join(other.DATA_DIR, 'files')} already contains files. Restore a backup into an empty folder. If a killed restore left them, delete them.\n`,
    )
    const content = lines(file)
    const last = content.findIndex((line) => line.startsWith('{"blob"'))
    const refused: [string[], string][] = [
      [content.slice(0, -2), 'The backup is incomplete.\n'],
      [content.toSpliced(last, 1), 'The backup has an invalid line.\n'],
      [
        content.map((line) => line.replace(/"blobs":7/, '"blobs":8')),
        'The backup has fewer or more files than it states.\n',
      ],
    ]
    for (const [text, message] of refused) {
      const into = await empty()
      const broken = join(into.DATA_DIR, 'broken.gz')
      writeFileSync(broken, gzipSync(text.join('\n')))
      const { code, stderr } = await restore(into, broken)
      expect([code, stderr, blobsIn(into.DATA_DIR)]).toEqual([1, message, []])
    }
  })

  test('has damaged files as they are, and names them', async () => {
    const { admin, backup, folder } = await inUse()
    for (const name of ['whole', 'short', 'other', 'missing'])
      await upload(admin.browser, Buffer.from(`${name} content`), { file_name: `${name}.txt` })
    const blobOf = (name: string) =>
      blobsIn(folder).find((key) => readFileSync(join(folder, 'files', key), 'utf8') === `${name} content`) ??
      ''
    const [short, other, missing] = ['short', 'other', 'missing'].map(blobOf) as [string, string, string]
    truncateSync(join(folder, 'files', short), 5)
    writeFileSync(join(folder, 'files', other), 'OTHER content')
    rmSync(join(folder, 'files', missing))
    const { code, stdout, stderr } = await backup()
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ and 3 blobs written /)])
    const [first, ...named] = stderr.trimEnd().split('\n')
    expect(first).toBe('Parts of files are damaged on the server, and the backup has them as they are (3):')
    expect(named.toSorted()).toEqual(
      [`  ${short} has 5 of 13 bytes`, `  ${other} has other bytes`, `  ${missing} is missing`].toSorted(),
    )
  })

  test.runIf(kindOfRun() === 'postgres' && !isDistributedRun())(
    'can be restored into partitions, which keep their indexes',
    async () => {
      const { ctx, backup, file } = await inUse()
      await backup()
      const env = await empty()
      const db = handle(env)
      const before = await indexesOf(db)
      expect((await commandLine(['partition', '--parts', '3'], env)).code).toBe(0)
      expect((await restore(env, file)).code).toBe(0)
      expect(await everything(db)).toEqual(await everything(ctx.db))
      expect(await indexesOf(db)).toEqual(before)
      expect(await partitionsOf(db, 'entities')).toEqual(['entities_p0', 'entities_p1', 'entities_p2'])
    },
  )

  test.runIf(kindOfRun() === 'postgres')('reads each table for as long as it takes', async () => {
    const { ctx, folder } = await inUse()
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => sent.mockRestore())
    await writeDump(ctx, join(folder, 'long.gz'), 1, () => {})
    const all = sent.mock.calls.map(([query]) => (typeof query === 'string' ? query : 'rows'))
    // The server sends other statements meanwhile.
    const { contexts } = sent.mock
    const client = contexts[all.findIndex((text) => text.includes('repeatable read'))]
    const texts = all.filter((_, i) => contexts[i] === client)
    const begin = texts.findIndex((text) => text.includes('repeatable read'))
    const rows = texts.indexOf('rows', begin)
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      expect(texts.slice(begin, rows)).toContain(`set local "${limit}" = 0`)
  })

  test('during writes is a consistent snapshot: a prefix of history', async () => {
    const { ctx, folder } = await inUse()
    const form = (integration_id: string, n: number) => ({
      hash: Buffer.from(`${integration_id}${n}`),
      session_hash: randomBytes(32),
      integration_id,
      state: null,
      mode: null,
      code_challenge: null,
      expires_at: n,
    })
    // Enough data that others write during the backup.
    await ctx.db.transaction().execute(async (tx) => {
      for (let i = 0; i < 5_000; i += 100) {
        const forms = Array.from({ length: 100 }, (_, k) => form('before', i + k))
        await tx.insertInto('consent_forms').values(forms).execute()
      }
    })
    let isDone = false
    let written = 0
    let committed = 0
    let meanwhile = 0
    const write = async () => {
      while (!isDone) {
        const n = ++written
        await sleep(1)
        await ctx.db.transaction().execute(async (tx) => {
          // Writes to the first table of the file and to one of the last.
          await writeSetting(tx, `n${String(n).padStart(6, '0')}`, 'x')
          await tx.insertInto('consent_forms').values(form('x', n)).execute()
        })
        committed++
      }
    }
    const writing = write()
    for (let round = 0; round < 3; round++) {
      const before = committed
      const file = join(folder, `moment-${round}.gz`)
      let within = 0
      await writeDump(ctx, file, 0, (table) => {
        if (table === 'settings') within -= committed
        if (table === tables.at(-1)) within += committed
      })
      meanwhile += within
      const rows = lines(file)
        .filter((line) => line.startsWith('{"row"'))
        .map((line) => Object.fromEntries(JSON.parse(line).row))
      const settings = rows
        .filter(({ name }) => /^n\d{6}$/.test(name))
        .map(({ name }) => Number(name.slice(1)))
      const forms = rows
        .filter((row) => 'session_hash' in row && row.integration_id === 'x')
        .map((row) => row.expires_at)
      const range = Array.from({ length: settings.length }, (_, i) => i + 1)
      expect(settings.sort((a, b) => a - b)).toEqual(range)
      expect(forms.sort((a, b) => a - b)).toEqual(range)
      expect(settings.length).toBeGreaterThanOrEqual(before)
    }
    isDone = true
    await writing
    // The backup did not block the writer.
    expect(meanwhile).toBeGreaterThan(0)
  })

  onEmbedded('beside another one with the same name leaves one whole file', async () => {
    const { ctx, file, folder } = await inUse()
    await Promise.all([1, 2].map((now) => writeDump(ctx, file, now, () => {})))
    expect(lines(file).at(-2)).toMatch(/^\{"end":true,/)
    expect(partial(folder)).toEqual([])
  })

  test('that cannot be written reports it in one line, keeps the previous file and leaves no partial file', async () => {
    const { env, backup, file, folder } = await inUse()
    await backup()
    const before = readFileSync(file)
    const { code, stderr } = await commandLine(['backup', join(folder, 'nowhere/b.gz')], env)
    expect([code, stderr]).toEqual([1, `${join(folder, 'nowhere/b.gz')}: no such file or folder.\n`])
    expect(await commandLine(['backup', folder], env)).toMatchObject({
      code: 1,
      stderr: `${folder}: it is a folder.\n`,
    })
    const left = readdirSync(dirname(folder)).filter((name) => name.startsWith(`${basename(folder)}.`))
    expect([left, readFileSync(file)]).toEqual([[], before])
  })
})

describe('A restore is rejected, and leaves the database empty', () => {
  test('with another master key, or none', async () => {
    const { backup, file } = await inUse()
    await backup()
    const env = await empty()
    expect(await restore({ ...env, MASTER_KEY: newMasterKey() }, file)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The master key is not the one of the backup.\n',
    })
    expect(await everything(handle(env))).toEqual(nothing)
    const without = await restore({ ...env, MASTER_KEY: '' }, file)
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no master key\. [^\n]*\n$/),
    ])
    expect(existsSync(join(env.DATA_DIR, 'master.key'))).toBe(false)
    // With the right key, the restore then succeeds, even if a migration has recorded another one.
    expect((await commandLine(['migrate'], { ...env, MASTER_KEY: newMasterKey() })).code).toBe(0)
    expect((await restore(env, file)).code).toBe(0)
    expect((await commandLine(['migrate'], env)).code).toBe(0)
  })

  test('for a file that is missing, cut short or damaged anywhere', async () => {
    const { backup, file, folder } = await inUse()
    await backup()
    const whole = readFileSync(file)
    const broken = join(folder, 'broken.gz')
    const env = await empty()
    const db = handle(env)
    const refusal = async () => {
      const { code, stdout, stderr } = await restore(env, broken)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^[^\n]+\n$/)
      expect(await everything(db)).toEqual(nothing)
    }
    expect((await restore(env, join(folder, 'none.gz'))).stderr).toMatch(
      /^FILE: [^\n]*none\.gz: no such file or folder\.\n$/,
    )
    for (let cut = 0; cut < CUTS; cut++) {
      writeFileSync(broken, whole.subarray(0, Math.floor((whole.length * cut) / CUTS)))
      await refusal()
    }
    // Not in the gzip header, whose time and system are not data.
    for (let i = 1; i <= FLIPS; i++) {
      const bytes = Buffer.from(whole)
      const at = 10 + Math.floor(((bytes.length - 11) * i) / FLIPS)
      bytes[at] = (bytes[at] as number) ^ (1 << (i % 8))
      writeFileSync(broken, bytes)
      await refusal()
    }
    expect((await restore(env, folder)).stderr).toBe(`${folder}: it is a folder.\n`)
    writeFileSync(broken, 'This is no gzip.')
    await refusal()
  })

  onEmbedded('for a file that is not a backup, before it creates a database', async () => {
    const place = await emptyDatabase('sqlite')
    const env = envOf(place)
    expect(readdirSync(env.DATA_DIR)).toEqual([])
    const file = join(scratchOf(env), 'photo.gz')
    writeFileSync(file, gzipSync('no backup'))
    expect((await restore(env, file)).stderr).toBe('The backup has an invalid line.\n')
    expect(readdirSync(env.DATA_DIR)).toEqual([])
  })

  onEmbedded('for a complete file that is not a backup, or is one of a newer version', async () => {
    const { backup, file, folder } = await inUse()
    await backup()
    const [head = '', ...rest] = lines(file)
    const env = await empty()
    const db = handle(env)
    const broken = join(folder, 'broken.gz')
    const end = JSON.parse(rest.at(-2) as string) as { rows: number }
    const table = rest.findIndex((line) => line.startsWith('{"row"'))
    const without = (i: number) => [...rest.slice(0, i), ...rest.slice(i + 1)]
    const cases: [string[], string | RegExp][] = [
      [[''], /^The backup[^\n]+\n$/],
      [['{}'], 'This is not a Patchbay backup.\n'],
      [['[]', ...rest], 'This is not a Patchbay backup.\n'],
      [['null'], 'This is not a Patchbay backup.\n'],
      [['{"patchbay_backup":1,"migrations":["002-records"]}', ...rest], 'This is not a Patchbay backup.\n'],
      [['no json'], 'The backup has an invalid line.\n'],
      [
        [head.replace('001-initial', '999-tomorrow'), ...rest],
        'The backup is of a newer version: it has 999-tomorrow. Restore it with the version that made it.\n',
      ],
      [
        [head.replace('"patchbay_backup":1', '"patchbay_backup":2'), ...rest],
        'The backup has the format 2, and this version reads the format 1. Restore it with a newer version.\n',
      ],
      [[head], 'The backup is incomplete.\n'],
      [[head, ...rest.slice(0, -2)], 'The backup is incomplete.\n'],
      [[head, ...without(table)], 'The backup has fewer or more rows than it states.\n'],
      [
        [head, rest[0] as string, ...rest.slice(0, -2), JSON.stringify({ end: true, rows: end.rows + 1 })],
        'The backup has fewer or more rows than it states.\n',
      ],
      [[head, '{"table":"pg_shadow"}', ...rest], 'The backup has an unknown table: pg_shadow\n'],
      [[head, '{"table":"migrations"}', ...rest], 'The backup has an unknown table: migrations\n'],
      [[head, '{"row":[["name","x"]]}', ...rest], 'The backup has an invalid line.\n'],
      [[head, '{"anything":1}', ...rest], 'The backup has an invalid line.\n'],
      [[head, 'null', ...rest], 'The backup has an invalid line.\n'],
      [[head, '{', ...rest], 'The backup has an invalid line.\n'],
      ...['', '/etc/x', '../x', '1/../../x', '1//x', '1/x\\\\y', '1/.'].map((key): [string[], string] => [
        [head, `{"blob":"${key}"}`, ...rest],
        'The backup has an invalid line.\n',
      ]),
      [[head, '{"blob":"1/x"}', '{"bytes":"!!!"}', ...rest], 'The backup has an invalid line.\n'],
      [[head, ...rest.slice(0, -1), rest[table] as string], 'The backup continues after its end.\n'],
      [
        [head, '{"table":"users"}', '{"row":[["none",1]]}', ...rest],
        /^The database rejects the rows of users: [^\n]+\n$/,
      ],
      // The row before has too few columns. It must not be written while the next one is refused.
      [
        [head, '{"table":"users"}', '{"row":[["id",1]]}', '{"row":[["none",1]]}', ...rest],
        'The database rejects the rows of users: there is no column none\n',
      ],
      [
        [head, '{"table":"users"}', '{"row":[["id",1]]}', '{"row":[["name",{"base64":1}]]}', ...rest],
        /^The database rejects the rows of users: [^\n]+\n$/,
      ],
    ]
    for (const [content, message] of cases) {
      writeFileSync(broken, gzipSync(content.join('\n')))
      const { code, stdout, stderr } = await restore(env, broken)
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        typeof message === 'string' ? message : expect.stringMatching(message),
      ])
      expect(await everything(db)).toEqual(nothing)
    }
  })

  test('before it reads the backup if its files cannot be stored', async () => {
    const { backup, file } = await inUse()
    await backup()
    const env = await empty()
    const folder = join(env.DATA_DIR, 'files')
    writeFileSync(folder, '')
    expect(await restore(env, file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `DATA_DIR: ${folder}: a file exists in its place.\n`,
    })
  })

  test('beside another one, whose rows and files stay', async () => {
    const { admin, backup, file } = await inUse()
    await upload(admin.browser, randomBytes(10), { file_name: 'a.bin' })
    await backup()
    const env = await empty()
    const [db, other] = [handle(env), handle(env)]
    const folder = join(env.DATA_DIR, 'files')
    const files = await openFileStore({ kind: 'disk', folder }, { id: '', secret: '' })
    const into = (to: Db) =>
      readDump(
        { db: to, files },
        file,
        1,
        () => {},
        async () => {},
      )
    const both = await Promise.allSettled([into(db), into(other)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find((one) => one.status === 'rejected')?.reason.message).toBe(
      'The database is not empty. Restore a backup into an empty one.',
    )
    expect(blobsIn(env.DATA_DIR)).toHaveLength(1)
  })

  test('for a non-empty database, whose rows do not change', async () => {
    const { ctx, env, backup, file } = await inUse()
    await backup()
    const rows = await everything(ctx.db)
    expect(await restore(env, file)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database is not empty. Restore a backup into an empty one.\n',
    })
    expect(await everything(ctx.db)).toEqual(rows)
  })
})
