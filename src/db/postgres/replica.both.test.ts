import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { client } from '../../../test/client.ts'
import { isDistributedRun, kindOfRun, migratedDatabase } from '../../../test/databases/databases.ts'
import { add } from '../../../test/fixtures/records.ts'
import { commandLine } from '../../../test/programs/command-line.ts'
import { lineTo } from '../../../test/programs/cut-line.ts'
import { world } from '../../../test/world.ts'
import { completeRights } from '../../accounts/members/rights.ts'
import { buildApp } from '../../app.ts'
import { readDump, writeDump } from '../../commands/dump.ts'
import { closeContext, openContext } from '../../commands/open.ts'
import { openDatabase } from '../database.ts'
import { failureOf } from '../failures.ts'
import { adoptMasterKey } from '../master-key.ts'
import { checkReplica, openReplica, readsFor } from './replica.ts'

const onPostgres = describe.runIf(kindOfRun() === 'postgres' && !isDistributedRun())
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

const leads = (exported: 'A' | 'D') =>
  completeRights({ leads: { view: 'A', edit: 'A', add: 'A', delete: 'A', export: exported } })

/** A server with a lead that its replica has, and one that it does not have yet. The replica can be cut off. */
async function withReplica() {
  const all = await world({ ownServer: true })
  const { ctx: main, admin, folder } = all
  const seller = await all.addPerson({ rights: leads('A') })
  await main.db.transaction().execute((tx) => adoptMasterKey(tx, main.vault))
  await add(admin.browser, 'leads', { name: 'Early' })
  const copied = join(folder, 'copied.gz')
  await writeDump(main, copied, main.now(), () => {})
  const place = await migratedDatabase()
  const copy = openDatabase(place, { onCommitFailure: () => {} })
  onTestFinished(() => copy.destroy())
  await readDump(
    { db: copy, files: main.files },
    copied,
    main.now(),
    () => {},
    async () => {},
  )
  await add(admin.browser, 'leads', { name: 'Late' })

  const line = await lineTo(place.database_url)
  const replica = openReplica(line.url)
  const app = await buildApp({ ...main, replica })
  onTestFinished(async () => {
    await app.http.close()
    await replica.destroy()
  })
  const browser = client(app.http, admin.browser.identity)
  return { main, app, copy, replica, line, admin, seller, browser }
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const asLines = { accept: 'application/x-ndjson' }

onPostgres('A replica', () => {
  test('serves the rows of exports, and nothing else', async () => {
    const { app, main, admin, seller, browser, replica } = await withReplica()
    const list = await browser.get('/web/v4/leads')
    expect(list.body._embedded.leads.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Early',
      'Late',
    ])
    const early = list.body._embedded.leads.find(({ name }: { name: string }) => name === 'Early')
    const lines = await browser.get('/web/v4/leads', asLines)
    expect([lines.status, linesOf(lines.text)]).toEqual([200, [early]])
    const csv = await browser.get('/web/v4/leads?format=csv')
    expect([csv.text.includes('Early'), csv.text.includes('Late')]).toEqual([true, false])

    const page = await browser.get('/web/v4/events?filter[type]=lead_added&with=lead_name')
    expect(page.body._embedded.events).toHaveLength(2)
    const events = await browser.get('/web/v4/events?filter[type]=lead_added&with=lead_name', asLines)
    expect(linesOf(events.text)).toEqual([page.body._embedded.events[1]])

    const rows = () => client(app.http, seller.browser.identity).get('/web/v4/leads', asLines)
    expect((await rows()).status).toBe(200)
    const changed = await admin.browser.patch(`/web/v4/users/${seller.id}`, {
      rights: leads('D'),
    })
    expect(changed.status).toBe(200)
    expect((await rows()).status).toBe(403)

    const write = sql`delete from entities`.execute(replica)
    await expect(write.catch(failureOf)).resolves.toBe('unavailable')
    expect(await main.db.selectFrom('entities').select('id').execute()).toHaveLength(2)
  })

  test('that is away, has an older schema or is another database makes exports 503, and changes nothing else', async () => {
    const { app, browser, copy, line, main, replica } = await withReplica()
    const figures = async () => {
      const { body } = await app.operator.inject({ url: '/metrics' })
      return Object.fromEntries(
        [...body.matchAll(/^patchbay_(replica_\S+) (\d+)$/gm)].map(([, name, value]) => [
          name,
          Number(value),
        ]),
      )
    }
    expect(await figures()).toMatchObject({ replica_up: 1, 'replica_connections{state="waiting"}': 0 })
    await line.cut()
    for (const path of ['leads', 'events']) {
      const refused = await browser.get(`/web/v4/${path}`, asLines)
      expect([refused.status, refused.headers['retry-after'], refused.body]).toMatchObject([
        503,
        '30',
        { detail: 'The database for exports cannot be read. Repeat the request later.' },
      ])
      expect((await browser.get(`/web/v4/${path}`)).status).toBe(200)
    }
    expect((await app.operator.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' })
    expect(await figures()).toMatchObject({ replica_up: 0 })
    await line.restore()
    // The server tries again after a quarter of a second.
    await expect.poll(async () => (await browser.get('/web/v4/leads', asLines)).status).toBe(200)

    const { name } = (
      await sql<{ name: string }>`delete from migrations
      where name = (select max(name) from migrations) returning name`.execute(copy)
    ).rows[0] as { name: string }
    const state = () => checkReplica({ db: main.db, replica }).catch(({ message }) => message)
    expect(await state()).toBe('it has not received the migrations of this version yet')
    expect((await browser.get('/web/v4/leads', asLines)).status).toBe(503)
    await copy.insertInto('migrations').values({ name, applied_at: 1 }).execute()
    expect(await state()).toBeUndefined()

    await copy.transaction().execute((tx) => adoptMasterKey(tx, main.vault))
    expect(await state()).toBe('it is not a copy of the database of DATABASE_URL')
    expect((await browser.get('/web/v4/events', asLines)).status).toBe(503)
    await sql`alter table settings rename to others`.execute(copy)
    expect(await state()).toContain('it is not a copy of the database: relation "settings" does not exist')
  })

  test('can be backed up, and does not keep a server from starting', async () => {
    const { main, line } = await withReplica()
    const env = {
      DATA_DIR: main.config.data_dir,
      DATABASE_URL: main.config.database_url,
      READ_URL: line.url,
      MASTER_KEY,
      LOG_LEVEL: 'silent',
    }
    const file = join(main.config.data_dir, 'b.gz')
    const backup = (...options: string[]) => commandLine(['backup', ...options, file], env)
    const text = () => gunzipSync(readFileSync(file)).toString()
    expect((await backup('--replica')).code).toBe(0)
    expect([text().includes('"Early"'), text().includes('"Late"')]).toEqual([true, false])
    expect((await backup()).code).toBe(0)
    expect(text()).toContain('"Late"')

    await line.cut()
    const { code, stderr } = await backup('--replica')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^READ_URL: connect ECONNREFUSED \S+\n$/)])
    const started = await openContext({ mode: 'dev', env, create: true })
    onTestFinished(() => closeContext(started))
    await expect(readsFor(started)).rejects.toMatchObject({ reason: 'unavailable', retry_after: 30 })
  })
})

describe('READ_URL', () => {
  test('is needed for a backup of the replica', async () => {
    const { data_dir, database_url } = await migratedDatabase()
    const env = { DATA_DIR: data_dir, DATABASE_URL: database_url, MASTER_KEY, LOG_LEVEL: 'silent' }
    expect(await commandLine(['backup', '--replica', join(data_dir, 'b.gz')], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'READ_URL is not set; --replica needs it.\n',
    })
  })
})
