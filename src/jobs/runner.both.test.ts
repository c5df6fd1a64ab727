import { expect, onTestFinished, test, vi } from 'vitest'
import type { Client } from '../../test/client.ts'
import { upload } from '../../test/fixtures/jobs.ts'
import { times } from '../../test/long.ts'
import { bucket } from '../../test/programs/s3.ts'
import { world } from '../../test/world.ts'

/** Of a job that takes several turns, of a thousand rows each. */
const ROWS = times(1_100, 3_000)

const people = (count: number) => `Name\n${Array.from({ length: count }, (_, i) => `Person ${i}\n`).join('')}`

async function started(caller: Client, csv: string): Promise<number> {
  const { body } = await upload(caller, 'contacts', csv)
  expect((await caller.post(`/web/v4/jobs/${body.id}/start`)).status).toBe(200)
  return body.id
}

test('Long jobs of one account do not block other accounts', async () => {
  const here = await world()
  const olga = await here.addPerson({ name: 'Olga', account: await here.addAccount('other'), is_admin: true })
  const { browser } = here.admin
  const mine = [await started(browser, people(ROWS)), await started(browser, people(ROWS))]
  const hers = await started(olga.browser, people(10))
  const running = here.app.runner.runDue()
  const ended: number[] = []
  // The logger is that of other tests, too.
  const info = vi.spyOn(here.ctx.log, 'info').mockImplementation(((about: {
    job?: number
    step?: string
  }) => {
    if (about.step === 'ended') ended.push(about.job as number)
  }) as never)
  onTestFinished(() => info.mockRestore())
  await running
  expect(ended).toEqual([hers, ...mine])
  const { jobs } = (await browser.get('/web/v4/jobs')).body._embedded
  expect(jobs.map(({ state, added }: { state: string; added: number }) => [state, added])).toEqual([
    ['done', ROWS],
    ['done', ROWS],
  ])
  expect((await browser.get('/web/v4/contacts/totals')).body.total).toBe(2 * ROWS)
})

test('A temporary error postpones a job, and no row is written twice', async () => {
  const here = await world()
  const { browser } = here.admin
  const id = await started(browser, people(120))
  const { open } = here.ctx.files
  let faults = 0
  here.ctx.files.open = async () => {
    faults++
    throw Object.assign(new Error('the network is down'), { code: 'ECONNRESET' })
  }
  await here.app.runner.runDue()
  here.ctx.files.open = open
  expect([faults, (await browser.get(`/web/v4/jobs/${id}`)).body.state]).toEqual([1, 'waiting'])
  here.clock.advance(60)
  await here.app.runner.runDue()
  expect((await browser.get(`/web/v4/jobs/${id}`)).body).toMatchObject({ state: 'done', added: 120 })
})

test('A job waits for a bucket that does not answer, however long, and takes no turn meanwhile', async () => {
  const store = await bucket()
  const here = await world({ env: store.env })
  const id = await started(here.admin.browser, people(120))
  store.trouble = () => 500
  for (let i = 0; i < 6; i++) {
    await here.app.runner.runDue()
    here.clock.advance(60)
  }
  const read = async () => (await (await here.signIn(here.admin)).get(`/web/v4/jobs/${id}`)).body
  expect(await read()).toMatchObject({ state: 'waiting', error: null })
  store.trouble = () => null
  await here.app.runner.runDue()
  expect(await read()).toMatchObject({ state: 'done', added: 120 })
})

test('A repeated error ends its job, and others continue', async () => {
  const here = await world()
  const { browser } = here.admin
  const id = await started(browser, people(5))
  here.ctx.files.open = async () => {
    throw new Error('the file is gone')
  }
  for (let i = 0; i < 10; i++) {
    await here.app.runner.runDue()
    here.clock.advance(600)
  }
  expect(here.logged()).toMatch('a job failed with an internal error')
  const job = (await (await here.signIn(here.admin)).get(`/web/v4/jobs/${id}`)).body
  expect(job).toMatchObject({ state: 'failed', error: 'internal' })
})

test('An import whose file is gone has no preview, and fails at once', async () => {
  const here = await world()
  const { browser } = here.admin
  const { id } = (await upload(browser, 'contacts', people(5))).body
  await here.ctx.files.deleteFolder('imports')
  const preview = await browser.get(`/web/v4/jobs/${id}/preview`)
  expect([preview.status, preview.body.type.split('#')[1]]).toEqual([404, 'import_file_missing'])
  await browser.post(`/web/v4/jobs/${id}/start`)
  await here.app.runner.runDue()
  expect((await browser.get(`/web/v4/jobs/${id}`)).body).toMatchObject({
    state: 'failed',
    error: 'import_file_missing',
  })
})

test('A job that was postponed while the clock was ahead continues when the clock is put back', async () => {
  const here = await world()
  const { browser } = here.admin
  const began = here.clock.now()
  here.clock.set(began + 2 * 3_600)
  const id = await started(browser, people(120))
  const { open } = here.ctx.files
  here.ctx.files.open = async () => {
    throw Object.assign(new Error('the network is down'), { code: 'ECONNRESET' })
  }
  await here.app.runner.runDue()
  here.ctx.files.open = open
  here.clock.set(began)
  await here.app.runner.runDue()
  expect((await browser.get(`/web/v4/jobs/${id}`)).body).toMatchObject({ state: 'done', added: 120 })
})
