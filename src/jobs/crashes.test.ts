import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase, kindOfRun } from '../../test/databases.ts'
import { upload } from '../../test/jobs.ts'
import { newMasterKey, type Program, startProgram } from '../../test/program.ts'
import { world } from '../../test/world.ts'

/** Each kill on PostgreSQL costs the rest of a lease. */
const KILLS = Number(process.env.KILLS ?? (kindOfRun() === 'postgres' ? 2 : 5))
const ROWS = 2_000
const PATIENCE = { timeout: 60_000, interval: 100 }

/** An account with an administrator, and how its server is started and spoken to. */
async function house() {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-jobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder), MASTER_KEY: newMasterKey() }
  const patchbay = (...words: string[]) =>
    execFileSync(process.execPath, ['src/main.ts', ...words], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    })
  patchbay('account', 'create', '--subdomain', 'demo', '--name', 'Demo')
  const email = 'ada@demo.example'
  const added = patchbay('user', 'create', '--account', 'demo', '--email', email, '--name', 'Ada', '--admin')
  const password = /Password: (\S+)/.exec(added)?.[1]
  const start = () =>
    startProgram('serve', { ...env, PUBLIC_URL: 'http://localhost', TRUST_PROXY: '', HOST: '127.0.0.1' })
  return { start, email, password }
}

async function signIn({ base }: Program, credentials: object) {
  const site = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', host: 'localhost' }
  const first = await fetch(`${base}/web/session`, {
    method: 'POST',
    headers: site,
    body: JSON.stringify(credentials),
  })
  const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] as string
  const { csrf_token } = (await first.json()) as { csrf_token: string }
  return { cookie, 'x-csrf-token': csrf_token, 'sec-fetch-site': 'same-origin', host: 'localhost' }
}

test(`an import that is killed ${KILLS} times writes each row once`, { timeout: 180_000 }, async () => {
  const { start, email, password } = await house()
  let program = await start()
  const headers = await signIn(program, { email, password })
  const ask = async (method: string, path: string, body?: string, type = 'text/csv') => {
    const answer = await fetch(`${program.base}/web/v4${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    })
    return (await answer.json()) as Record<string, never>
  }
  const csv = `Name,Phone\n${Array.from({ length: ROWS }, (_, i) => `Person ${i},+1555${String(i).padStart(7, '0')}\n`).join('')}`
  const { id } = await ask('POST', '/jobs/imports?entity_type=contacts', csv)
  await ask('POST', `/jobs/${id}/start`)
  let done = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await vi.waitFor(async () => {
      const job = await ask('GET', `/jobs/${id}`)
      expect(Number(job.done)).toBeGreaterThan(done)
      done = Number(job.done)
    }, PATIENCE)
    await sleep(Math.random() * 60)
    await program.stop('SIGKILL')
    program = await start()
  }
  await vi.waitFor(async () => expect((await ask('GET', `/jobs/${id}`)).state).toBe('done'), PATIENCE)
  expect(await ask('GET', `/jobs/${id}`)).toMatchObject({ added: ROWS, skipped: 0, failed: 0, done: ROWS })
  const total = await ask('GET', '/contacts/totals')
  expect(total.total).toBe(ROWS)
})

test.runIf(kindOfRun() === 'postgres')(
  'two processes do a job together with nobody twice, and a late one does nothing',
  async () => {
    const here = await world()
    const { app, ctx } = await here.secondProcess()
    const { browser } = here.admin
    const csv = `Name\n${Array.from({ length: 400 }, (_, i) => `Person ${i}\n`).join('')}`
    const ids: number[] = []
    for (let i = 0; i < 4; i++) {
      const { body } = await upload(browser, 'contacts', csv)
      await browser.post(`/web/v4/jobs/${body.id}/start`)
      ids.push(body.id)
    }
    await Promise.all([here.app.runner.runDue(), app.runner.runDue()])
    const jobs = (await browser.get('/web/v4/jobs')).body._embedded.jobs
    expect(jobs.map(({ state, added }: { state: string; added: number }) => [state, added])).toEqual(
      ids.map(() => ['done', 400]),
    )
    const { rows } = await ctx.db
      .selectFrom('entities')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    expect(Number(rows)).toBe(1_600)
  },
)

test('ten thousand rows are written in a few seconds, and can be cancelled in the middle', {
  timeout: 120_000,
}, async () => {
  const here = await world()
  const { browser } = here.admin
  const csv = `Name,Email\n${Array.from({ length: 10_000 }, (_, i) => `Person ${i},p${i}@example.com\n`).join('')}`
  const { body } = await upload(browser, 'contacts', csv)
  const at = `/web/v4/jobs/${body.id}`
  await browser.post(`${at}/start`)
  const running = here.app.runner.runDue()
  await vi.waitFor(async () => expect((await browser.get(at)).body.done).toBeGreaterThan(1_000), PATIENCE)
  const stopped = (await browser.post(`${at}/cancel`)).body
  await running
  expect(stopped.state).toBe('cancelled')
  const { added, done, state } = (await browser.get(at)).body
  expect([state, added, added]).toEqual(['cancelled', done, stopped.added])
  expect((await browser.get('/web/v4/contacts/totals')).body.total).toBe(added)
  const again = await upload(browser, 'contacts', csv)
  await browser.post(`/web/v4/jobs/${again.body.id}/start`)
  const begun = performance.now()
  await here.app.runner.runDue()
  const seconds = (performance.now() - begun) / 1_000
  const job = (await browser.get(`/web/v4/jobs/${again.body.id}`)).body
  expect(job).toMatchObject({ state: 'done', added: 10_000 - added, skipped: added, failed: 0 })
  expect(seconds).toBeLessThan(60)
})
