import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { client } from '../../test/client.ts'
import { emptyDatabase } from '../../test/databases/databases.ts'
import { channelOf } from '../../test/fixtures/chats.ts'
import { register } from '../../test/fixtures/integrations.ts'
import { isLong, times } from '../../test/long.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { newMasterKey, runProgram } from '../../test/programs/program.ts'
import { type World, world } from '../../test/world.ts'
import { buildApp } from '../app.ts'
import type { Context } from '../context.ts'
import { followMasterKey } from '../db/master-key.ts'
import { insertRows } from '../db/row-sets.ts'
import { readMasterKeys } from '../master-keys.ts'
import { LEASE } from '../outbound/queue-queries.ts'
import { openVault } from '../vault.ts'
import { closeContext, openContext } from './open.ts'
import { rekey, sealedTables } from './rekeying.ts'

/** The master key of every world. */
const OLD = Buffer.alloc(32, 7).toString('base64')
const manifest = {
  code: 'demo_pbx',
  version: '1.0.0',
  settings_template: [{ key: 'login', name: 'login', type: 'text', is_required: true }],
}

type Env = Record<'DATA_DIR' | 'DATABASE_URL' | 'LOG_LEVEL' | 'RATE_LIMITS', string>

/** A server in use with one secret of each kind, its environment without keys, and a new key. */
async function inUse() {
  const all = await world()
  const { admin, ctx, folder } = all
  const env: Env = {
    DATA_DIR: folder,
    DATABASE_URL: ctx.config.database_url,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
  }
  expect((await commandLine(['migrate'], { ...env, MASTER_KEY: OLD })).code).toBe(0)
  const shop = await register(admin)
  await admin.browser.put(`/web/integrations/${shop.client_id}/widget`, manifest)
  await admin.browser.post('/web/v4/widgets/demo_pbx', { login: 'acme' })
  const channel = await channelOf(all)
  await admin.browser.post(`/web/channels/${channel.id}/secret`)
  const hook = { destination: 'https://shop.example/hook', settings: ['add_lead'] }
  const { id } = (await admin.browser.post('/web/v4/webhooks', hook)).body
  await admin.browser.post(`/web/webhooks/${id}/secret`)
  return { ...all, env, shop, channel, fresh: newMasterKey() }
}

/** A server with these keys, and a browser of the administrator there. */
async function serverOf(env: Env, keys: Record<string, string>, { admin, ctx: at }: World) {
  const ctx = await openContext({ mode: 'dev', env: { ...env, ...keys }, create: true })
  const app = await buildApp({ ...ctx, clock: at.clock, now: at.now })
  onTestFinished(async () => {
    await app.http.close()
    await closeContext(ctx)
  })
  return { ctx, browser: client(app.http, admin.browser.identity) }
}

interface Stored {
  place: string
  sealed: Buffer
}

/** Every stored secret. */
async function stored({ db }: Pick<Context, 'db'>): Promise<Stored[]> {
  const all = []
  for (const { table, columns, placeOf } of sealedTables)
    for (const row of await db.selectFrom(table).selectAll().execute())
      for (const column of columns) {
        const sealed = (row as Record<string, unknown>)[column] as Buffer | null
        if (sealed) all.push({ place: placeOf(row as never), sealed })
      }
  return all.sort((a, b) => (a.place < b.place ? -1 : 1))
}

const textsOf = async ({ vault, ...ctx }: Pick<Context, 'db' | 'vault'>) =>
  (await stored(ctx)).map(({ place, sealed }) => `${place} ${vault.unseal(place, sealed)}`).sort()

/** The places of the secrets that a server cannot open. */
const unopened = ({ vault }: Pick<Context, 'vault'>, all: Stored[]): string[] =>
  all.flatMap(({ place, sealed }) => {
    try {
      vault.unseal(place, sealed)
      return []
    } catch {
      return [place]
    }
  })

const refused = (env: Env, keys: Record<string, string>) =>
  openContext({ mode: 'dev', env: { ...env, ...keys }, create: true }).then(
    closeContext,
    (error: Error) => error.message,
  )

describe('rekey', () => {
  test('changes the key of the environment under running servers, and each of them reads every secret', async () => {
    const all = await inUse()
    const { env, fresh, ctx, shop } = all
    const both = { MASTER_KEY: fresh, MASTER_KEY_PREVIOUS: OLD }
    const texts = await textsOf(ctx)
    expect(texts.map((text) => text.split('/')[0])).toEqual([
      'channels',
      'channels',
      'integrations',
      'webhooks',
      'widgets',
    ])
    const backup = join(env.DATA_DIR, 'before.gz')
    expect((await commandLine(['backup', backup], { ...env, MASTER_KEY: OLD })).code).toBe(0)

    // Before the change, what a server with both keys seals is read by one with only the old key.
    const server = await serverOf(env, both, all)
    const handle = server.ctx.vault.lasting('integration handles')
    await server.browser.post(`/web/integrations/${shop.client_id}/secret`)
    const before = await textsOf(ctx)
    expect(before).not.toEqual(texts)

    expect(await commandLine(['rekey'], { ...env, ...both })).toEqual({
      code: 0,
      stdout: [
        'The master key is changed. Secrets that were encrypted with the new one: 5.',
        'Keep the previous key for backups that were made before, and restart every server without MASTER_KEY_PREVIOUS.\n',
      ].join('\n'),
      stderr: '',
    })
    expect(await textsOf(server.ctx)).toEqual(before)
    const shown = await server.browser.post(`/web/integrations/${shop.client_id}/keys`)
    expect(before).toContain(`integrations/secret/${shop.client_id} ${shown.body.client_secret}`)
    // The server that ran meanwhile seals with the new key.
    expect(server.ctx.vault.usesNewest).toBe(false)
    await server.browser.post(`/web/integrations/${shop.client_id}/secret`)
    const after = await serverOf(env, { MASTER_KEY: fresh }, all)
    expect(await textsOf(after.ctx)).toEqual(await textsOf(server.ctx))
    expect(after.ctx.vault.lasting('integration handles')).toEqual(handle)
    for (const { place, sealed } of await stored(ctx)) expect(() => ctx.vault.unseal(place, sealed)).toThrow()
    // A server that was not restarted says what it lacks.
    const keys = `/web/integrations/${shop.client_id}/keys`
    for (const path of [keys, `/web/integrations/${shop.client_id}/secret`]) {
      const { status, body, headers } = await all.admin.browser.post(path)
      expect([status, body.type, headers['retry-after']]).toEqual([
        503,
        expect.stringMatching(/#master_key_missing$/),
        '60',
      ])
    }
    await all.admin.browser.post('/web/v4/leads', [{}])
    for (const _ of [1, 2]) {
      expect(await all.app.deliveries.runDue()).toBe(0)
      const waiting = await ctx.db.selectFrom('deliveries').select(['ended_at', 'attempts']).execute()
      expect(waiting).toEqual([{ ended_at: null, attempts: 0 }])
      all.clock.advance(LEASE + 1)
    }
    const probe = await all.app.operator.inject({ url: '/readyz' })
    expect([probe.statusCode, probe.json()]).toEqual([503, { status: 'no master key' }])
    expect(all.logged()).toContain(`No known master key opens the stored secret integrations/secret/`)

    expect(await refused(env, { MASTER_KEY: OLD })).toBe(
      'The master key is not the one with which this data was encrypted.',
    )
    const other = { MASTER_KEY: newMasterKey(), MASTER_KEY_PREVIOUS: newMasterKey() }
    expect(await refused(env, other)).toMatch(/^Neither the master key nor the previous one /)
    const again = await commandLine(['rekey'], { ...env, ...both })
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^All stored secrets are .*\n$/)])
    const without = await commandLine(['rekey'], { ...env, MASTER_KEY: fresh })
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(/^MASTER_KEY_PREVIOUS is not set/),
    ])

    // A backup from before needs the key from before, and the server then has two again.
    const place = await emptyDatabase()
    const there = { ...env, DATA_DIR: place.data_dir, DATABASE_URL: place.database_url }
    expect((await commandLine(['restore', backup], { ...there, MASTER_KEY: fresh })).stderr).toBe(
      'The master key is not the one of the backup.\n',
    )
    expect((await commandLine(['restore', backup], { ...there, ...both })).code).toBe(0)
    expect((await commandLine(['rekey'], { ...there, ...both })).code).toBe(0)
    expect(await textsOf((await serverOf(there, { MASTER_KEY: fresh }, all)).ctx)).toEqual(texts)
  })

  test('can be interrupted after each of its steps, and continues', async () => {
    const all = await inUse()
    const { env, fresh, ctx } = all
    const both = { MASTER_KEY: fresh, MASTER_KEY_PREVIOUS: OLD }
    const [channel] = await ctx.db.selectFrom('channels').selectAll().execute()
    const copies = Array.from({ length: 230 }, () => {
      const id = randomUUID()
      const secret_sealed = ctx.vault.seal(`channels/secret/${id}`, `of ${id}`)
      return { ...(channel as NonNullable<typeof channel>), id, secret_sealed, previous_sealed: null }
    })
    await ctx.db.transaction().execute((tx) => insertRows(tx, 'channels', copies))
    const texts = await textsOf(ctx)
    const before = await stored(ctx)
    const server = await serverOf(env, both, all)
    let isDone = false
    let interruptions = 0
    for (let most = 1; !isDone; most++) {
      // Continuing with the keys in the wrong variables does not go back to the old one.
      const keys = most === 3 ? { MASTER_KEY: OLD, MASTER_KEY_PREVIOUS: fresh } : both
      const one = await openContext({ mode: 'dev', env: { ...env, ...keys }, create: true })
      let steps = 0
      try {
        await rekey(one, null, () => {
          if (++steps >= most) throw new Error('killed')
        })
        isDone = true
      } catch (error) {
        expect((error as Error).message).toBe('killed')
        interruptions++
        expect(await textsOf(server.ctx)).toEqual(texts)
        expect(await refused(env, { MASTER_KEY: fresh })).toMatch(
          /^The change of the master key is not finished/,
        )
        const wrong = [
          { MASTER_KEY: newMasterKey(), MASTER_KEY_PREVIOUS: fresh },
          { MASTER_KEY: fresh, MASTER_KEY_PREVIOUS: newMasterKey() },
        ]
        for (const keys of wrong)
          expect(await refused(env, keys)).toMatch(/^The change of the master key is not finished/)
      } finally {
        await closeContext(one)
      }
    }
    // One for each batch: three of channels.
    expect(interruptions).toBe(7)
    const last = await serverOf(env, { MASTER_KEY: fresh }, all)
    expect(await textsOf(last.ctx)).toEqual(texts)
    const kept = new Set(before.map(({ sealed }) => sealed.toString('hex')))
    for (const { sealed } of await stored(ctx)) expect(kept.has(sealed.toString('hex'))).toBe(false)
  })

  test('makes a new key in the file, and running servers need no restart, wherever it was killed', async () => {
    const all = await inUse()
    const { env, ctx, folder, shop } = all
    const file = join(folder, 'master.key')
    const read = (name = file) => (existsSync(name) ? readFileSync(name, 'utf8').trim() : undefined)
    writeFileSync(file, `${OLD}\n`)
    const texts = await textsOf(ctx)
    const server = await serverOf(env, {}, all)
    // Killed between the two files.
    writeFileSync(`${file}.previous`, `${OLD}\n`)
    expect(await textsOf((await serverOf(env, {}, all)).ctx)).toEqual(texts)
    const done = await commandLine(['rekey'], env)
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toContain(`The previous key is in ${file}.previous.`)
    expect(read(`${file}.previous`)).toBe(OLD)
    expect(read()).not.toBe(OLD)
    expect(await textsOf(server.ctx)).toEqual(texts)
    expect((await server.browser.post(`/web/integrations/${shop.client_id}/secret`)).status).toBe(200)
    const renewed = await textsOf(server.ctx)

    // The previous key is never overwritten.
    const again = await commandLine(['rekey'], env)
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^All stored secrets .* move /)])
    expect(await refused(env, { MASTER_KEY: OLD })).toMatch(/^The master key is not the one/)
    const last = await serverOf(env, { MASTER_KEY: String(read()) }, all)
    expect(await textsOf(last.ctx)).toEqual(renewed)
  })

  test('of another owner changes no file', async () => {
    const { env, folder } = await inUse()
    const file = join(folder, 'master.key')
    writeFileSync(file, `${OLD}\n`)
    vi.spyOn(process, 'getuid').mockReturnValue(4_242)
    onTestFinished(() => void vi.restoreAllMocks())
    const { code, stderr } = await commandLine(['rekey'], env)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Run this command as the owner of .*\n$/)])
    expect([readFileSync(file, 'utf8'), existsSync(`${file}.previous`)]).toEqual([`${OLD}\n`, false])
  })

  test(
    `killed ${times(1, 40)} times under a server that writes secrets, loses none, and names one that no key opens`,
    async () => {
      const all = await inUse()
      const { env, ctx, channel, shop } = all
      const file = join(env.DATA_DIR, 'master.key')
      writeFileSync(file, `${OLD}\n`)
      const broken = await channelOf(all)
      const unreadable = { secret_sealed: Buffer.alloc(60, 1) }
      await ctx.db
        .transaction()
        .execute((tx) => tx.updateTable('channels').set(unreadable).where('id', '=', broken.id).execute())
      const server = await serverOf(env, {}, all)
      let isDone = false
      let written = 0
      let complete = 0
      const writing = (async () => {
        while (!isDone) {
          const rotated = await server.browser.post(`/web/channels/${channel.id}/secret`)
          const renewed = await server.browser.post(`/web/integrations/${shop.client_id}/secret`)
          expect([rotated.status, renewed.status]).toEqual([200, 200])
          written++
        }
      })()
      for (let round = 0; round < times(1, 40); round++) {
        const killed = new AbortController()
        setTimeout(() => killed.abort(), 400 + Math.random() * 1_200)
        await runProgram(['rekey'], env, '', killed.signal)
        expect(unopened(server.ctx, await stored(ctx))).toEqual([`channels/secret/${broken.id}`])
        const vault = openVault(readMasterKeys({}, file, false))
        expect(await followMasterKey(ctx.db, vault)).toBe(true)
        // Complete: the next round is another change.
        if (vault.hasPrevious && vault.usesNewest && vault.state.changing_from === null) {
          rmSync(`${file}.previous`)
          complete++
        }
      }
      const last = await runProgram(['rekey'], env)
      isDone = true
      await writing
      expect(written).toBeGreaterThan(0)
      expect(last.stderr).toBe(
        `Neither key opens these secrets, so they were left (1):\n  channels/secret/${broken.id}\n`,
      )
      // Some of the kills come too late, and some in time.
      if (isLong) expect(complete).toBeLessThan(40)
      const after = await serverOf(env, { MASTER_KEY: readFileSync(file, 'utf8').trim() }, all)
      expect(unopened(after.ctx, await stored(ctx))).toEqual([`channels/secret/${broken.id}`])
    },
    times(120_000, 900_000),
  )
})
