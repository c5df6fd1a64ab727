import { expect, onTestFinished, test } from 'vitest'
import { startSession } from '../../src/accounts/sessions/sessions.ts'
import { buildApp } from '../../src/app.ts'
import { closeContext, openContext } from '../../src/commands/open.ts'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type Client, client } from '../client.ts'
import { copyOf, emptyDatabase, kindOfRun, type Place } from '../databases/databases.ts'
import { AT, first, firstVersion, INTEGRATION, KEY } from '../databases/first-version.ts'
import { commandLine } from '../programs/command-line.ts'

const envOf = ({ data_dir, database_url }: Place) => ({
  ...{ DATA_DIR: data_dir, DATABASE_URL: database_url, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' },
  MASTER_KEY: KEY.toString('base64'),
})

/** A server of this version on the database, and the browser of its administrator. */
async function thisVersion(place: Place) {
  const ctx = await openContext({ mode: 'serve', env: envOf(place), create: true })
  const app = await buildApp(ctx)
  const { cookie, csrf_token } = await startSession(ctx, 1, 1, {
    address: '127.0.0.1',
    user_agent: undefined,
  })
  return {
    browser: client(app.http, { host: 'demo.localhost:8080', cookie, csrf_token }),
    stop: async () => {
      await app.http.close()
      await closeContext(ctx)
    },
  }
}

/** Expects that the data of the first version is complete, and that new rows do not collide with it. */
async function expectData(browser: Client): Promise<void> {
  const read = async (path: string) => (await browser.get(`/web/v4/${path}`)).body
  const lead = await read('leads/1?with=contacts')
  expect(lead).toMatchObject({
    name: 'Émile ZOLA',
    price: 1_250,
    pipeline_id: 1,
    status_id: 10,
    created_at: AT,
  })
  expect(lead._embedded.contacts).toMatchObject([{ id: 2, is_main: true }])
  expect(lead._embedded.tags).toMatchObject([{ id: 1, name: 'vip' }])
  const found = async (path: string, key: string) =>
    (await read(path))._embedded[key].map((one: { id: number }) => one.id)
  expect(await found('leads?order[name]=asc', 'leads')).toEqual([1])
  expect(await found('leads/1/notes', 'notes')).toEqual([1, 2])
  expect(await found('tasks', 'tasks')).toEqual([1])
  expect(await found('events?filter[type]=lead_added', 'events')).toHaveLength(1)
  const keys = await browser.post(`/web/integrations/${INTEGRATION}/keys`)
  expect(keys.body).toMatchObject({ client_secret: 'the secret' })
  const sent = (await browser.get('/web/deliveries')).body.deliveries
  expect(sent).toMatchObject([{ kind: 'disable_hook' }])
  // New rows do not collide with the old ones.
  const added = await browser.post('/web/v4/leads', [{ name: 'Second' }])
  expect(added.body._embedded.leads[0].id).toBeGreaterThan(2)
}

test('a database of the first version is upgraded with its data, and the copy from before can be used again', async () => {
  const { place, db } = await firstVersion()
  await db.destroy()
  const before = await copyOf(place)

  const { browser, stop } = await thisVersion(place)
  await expectData(browser)
  await stop()

  // The old version refuses the upgraded database, and continues with the copy.
  const handle = (at: Place) => {
    const opened = openDatabase(at, { onCommitFailure: () => {} })
    onTestFinished(() => opened.destroy())
    return opened
  }
  await expect(migrate(handle(place), AT, first)).rejects.toThrow(
    /^The database is newer than this version: 003-/,
  )
  const back = handle(before)
  expect(await migrate(back, AT, first)).toEqual([])
  const [row] = await back.selectFrom('entities').select('name').where('id', '=', 1).execute()
  expect(row).toEqual({ name: 'Émile ZOLA' })
})

test('a backup of the first version is restored by this version, also into the other kind of database', async () => {
  const { place } = await firstVersion()
  const file = `${place.data_dir}/first.gz`
  expect((await commandLine(['backup', file], envOf(place))).stderr).toBe('')
  const kinds = kindOfRun() === 'postgres' ? (['postgres', 'sqlite'] as const) : (['sqlite'] as const)
  for (const kind of kinds) {
    const into = await emptyDatabase(kind)
    const restored = await commandLine(['restore', file], envOf(into))
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    const { browser, stop } = await thisVersion(into)
    await expectData(browser)
    await stop()
  }
})
