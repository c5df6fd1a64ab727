import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { kindOfRun } from '../../../test/databases/databases.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { foundAccount } from '../../../test/fixtures/founding.ts'
import { upload } from '../../../test/fixtures/jobs.ts'
import { openWebSession } from '../../../test/fixtures/web-session.ts'
import { times } from '../../../test/long.ts'
import { lastingPort, startProgram } from '../../../test/programs/program.ts'
import { world } from '../../../test/world.ts'

/** On PostgreSQL, each kill costs the rest of a lease. */
const KILLS = kindOfRun() === 'postgres' ? times(1, 5) : times(1, 20)
/** More than are imported between the kills. */
const ROWS = times(800, 20_000)
/** Enough for a cancellation in between. */
const MANY_ROWS = times(1_500, 10_000)
const PATIENCE = { timeout: 60_000, interval: 100 }
const SOON = { timeout: 60_000, interval: 10 }

onEmbedded(`an import that is killed ${KILLS} times writes each row once`, { timeout: 600_000 }, async () => {
  const { env, admin } = await foundAccount()
  const PORT = lastingPort()
  const start = () => startProgram('serve', { ...env, PORT })
  let program = await start()
  const session = await openWebSession(program.base, admin)
  const ask = async (method: string, path: string, body?: Blob) =>
    (await session(method, `/web/v4${path}`, body)).body
  const csv = `Name,Phone\n${Array.from({ length: ROWS }, (_, i) => `Person ${i},+1555${String(i).padStart(7, '0')}\n`).join('')}`
  const file = new Blob([csv], { type: 'text/csv' })
  const { id } = await ask('POST', '/jobs/imports?entity_type=contacts', file)
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
  'two processes share a job without duplicates, and a process with an expired lease does nothing',
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

onEmbedded(
  `${MANY_ROWS} rows take a few seconds and can be cancelled in between`,
  {
    timeout: 120_000,
  },
  async () => {
    const here = await world()
    const { browser } = here.admin
    const csv = `Name,Email\n${Array.from({ length: MANY_ROWS }, (_, i) => `Person ${i},p${i}@example.com\n`).join('')}`
    const { body } = await upload(browser, 'contacts', csv)
    const at = `/web/v4/jobs/${body.id}`
    await browser.post(`${at}/start`)
    const running = here.app.runner.runDue()
    await vi.waitFor(async () => expect((await browser.get(at)).body.done).toBeGreaterThan(200), SOON)
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
    expect(job).toMatchObject({ state: 'done', added: MANY_ROWS - added, skipped: added, failed: 0 })
    expect(seconds).toBeLessThan(60)
  },
)
