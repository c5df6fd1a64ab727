import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { kindOfRun } from '../../test/databases/databases.ts'
import { automated, tagging } from '../../test/fixtures/automation.ts'
import { foundAccount } from '../../test/fixtures/founding.ts'
import { openWebSession } from '../../test/fixtures/web-session.ts'
import { runsOn, times } from '../../test/long.ts'
import { patiently } from '../../test/patiently.ts'
import { lastingPort, startProgram } from '../../test/programs/program.ts'
import { type World, world } from '../../test/world.ts'
import { carryOut } from './carry-out.ts'

const KILLS = times(1, 40)
const LEADS = times(40, 1_500)
/** Leads whose runs two processes share. */
const SHARED = times(30, 100)
const PATIENCE = { timeout: times(120_000, 600_000), interval: 100 }

test.runIf(runsOn('postgres'))(
  `after ${KILLS} kills, each rule has acted once on each lead`,
  { timeout: 1_800_000 },
  async () => {
    const { env, admin } = await foundAccount()
    const settings = {
      ...env,
      PORT: lastingPort(),
      LOG_LEVEL: 'error',
      // A lease of a killed program ends after a minute of its clock.
      NODE_OPTIONS: `--import ${new URL('../../test/programs/fast-clock.ts', import.meta.url)}`,
      CLOCK_BEGAN: String(Date.now()),
      CLOCK_SPEED: '20',
    }
    const start = () => startProgram('serve', settings)
    let program = await start()
    const session = await openWebSession(program.base, admin)
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await patiently(() => session(method, `/web/v4${path}`, body))
      expect([200, 201], JSON.stringify(answer)).toContain(answer.status)
      return answer.body
    }
    const [{ id: pipeline_id, _embedded }] = (await ask('GET', '/leads/pipelines'))._embedded.pipelines
    const [first, second] = _embedded.statuses.filter(
      ({ is_editable }: { is_editable: boolean }) => is_editable,
    )
    await ask('POST', `/leads/pipelines/${pipeline_id}/automations`, [
      { status_id: first.id, action: { type: 'create_task', text: 'once' } },
      { status_id: first.id, action: { type: 'change_stage', status_id: second.id } },
      { status_id: second.id, action: { type: 'create_task', text: 'twice' } },
    ])
    const drafts = Array.from({ length: LEADS }, (_, i) => ({
      name: `Lead ${i}`,
      pipeline_id,
      status_id: first.id,
    }))
    for (let at = 0; at < LEADS; at += 250) await ask('POST', '/leads', drafts.slice(at, at + 250))
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(Math.random() * 400)
      await program.stop('SIGKILL')
      program = await start()
    }
    const tasks = async () => (await ask('GET', '/tasks/totals')).total
    await vi.waitFor(async () => expect(await tasks()).toBe(LEADS * 2), PATIENCE)
    await sleep(500)
    expect(await tasks()).toBe(LEADS * 2)
    const inSecond = `filter[statuses][0][pipeline_id]=${pipeline_id}&filter[statuses][0][status_id]=${second.id}`
    expect((await ask('GET', `/leads/totals?${inSecond}`)).total).toBe(LEADS)
  },
)

test.runIf(kindOfRun() === 'postgres')(
  'two processes share the runs, and keep the order of a lead',
  async () => {
    const w = await world()
    const { app } = await w.secondProcess()
    const { stages, rule, pipeline } = await automated(w)
    const [first, second, third] = stages as [number, number, number]
    await rule(
      { status_id: first, action: { type: 'change_tags', tags_to_add: ['a'] } },
      { status_id: first, action: { type: 'change_tags', tags_to_delete: ['a'], tags_to_add: ['b'] } },
      { status_id: first, action: { type: 'change_stage', status_id: second } },
      { status_id: second, action: { type: 'change_stage', status_id: third } },
    )
    const drafts = Array.from({ length: SHARED }, () => ({ pipeline_id: pipeline.id, status_id: first }))
    await w.admin.browser.post('/web/v4/leads', drafts)
    for (let left = 200; left > 0; left--) {
      await Promise.all([w.app.automation.runDue(), app.automation.runDue()])
      if (!(await statesOf(w)).includes('waiting')) break
      w.clock.advance(1)
    }
    expect(await statesOf(w)).toEqual(Array.from({ length: SHARED * 4 }, () => 'done'))
    const { body } = await w.admin.browser.get('/web/v4/leads?limit=250')
    const found: { status_id: number; _embedded: { tags: { name: string }[] } }[] = body._embedded.leads
    const leads = found.map(({ status_id, _embedded }) => [
      status_id,
      ..._embedded.tags.map(({ name }) => name),
    ])
    expect(leads).toEqual(Array.from({ length: SHARED }, () => [third, 'b']))
  },
)

test('a runner whose lease has ended does nothing', async () => {
  const w = await world()
  const { stages, rule, lead, run, outcomes } = await automated(w)
  const [status_id] = stages as [number]
  await rule({ status_id, action: { type: 'create_task', text: 'once' } })
  await lead(status_id)
  const stored = await w.ctx.db.selectFrom('automation_runs').selectAll().executeTakeFirstOrThrow()
  await carryOut(w.ctx, { ...stored, lease: 'of another' })
  expect(await outcomes()).toEqual(['create_task waiting'])
  await run()
  await carryOut(w.ctx, stored)
  expect(await outcomes()).toEqual(['create_task done'])
  expect((await w.admin.browser.get('/web/v4/tasks')).body._embedded.tasks).toHaveLength(1)
})

test('people, rules and the removal of a rule change the same leads without getting in the way', async () => {
  const w = await world()
  // The embedded database has one process, whose runner is asked twice at once.
  const { app } = kindOfRun() === 'postgres' ? await w.secondProcess() : w
  const { stages, rule, pipeline, at } = await automated(w)
  const [first, second, third] = stages as [number, number, number]
  const [removed] = await rule(
    { status_id: first, action: tagging },
    { status_id: first, action: { type: 'change_stage', status_id: second } },
    { status_id: second, delay: 30, action: { type: 'create_task', text: 'Call' } },
    { status_id: second, action: { type: 'change_tags', tags_to_add: ['y'], tags_to_delete: ['x'] } },
  )
  const { browser } = w.admin
  const draft = { pipeline_id: pipeline.id, status_id: first }
  const added = await browser.post(
    '/web/v4/leads',
    Array.from({ length: times(16, 40) }, () => draft),
  )
  const ids: number[] = added.body._embedded.leads.map(({ id }: { id: number }) => id)
  const moves = async (to: number) => {
    const shuffled = ids.toSorted(() => Math.random() - 0.5)
    const patches = shuffled.map((id) => ({ id, pipeline_id: pipeline.id, status_id: to }))
    return (await browser.patch('/web/v4/leads', patches)).status
  }
  const runners = [w.app.automation.runDue(), app.automation.runDue()]
  const statuses = await Promise.all([moves(third), moves(first), moves(second), moves(first)])
  const gone = await browser.delete(`${at}/${removed}`)
  expect([...statuses, gone.status]).toEqual([200, 200, 200, 200, 204])
  await Promise.all(runners)
  for (let left = 100; left > 0 && (await statesOf(w)).includes('waiting'); left--) {
    w.clock.advance(1)
    await Promise.all([w.app.automation.runDue(), app.automation.runDue()])
  }
  expect((await statesOf(w)).filter((state) => state === 'waiting' || state === 'failed')).toEqual([])
})

/** The states of all runs. A page of the API would be a part of them. */
const statesOf = async ({ ctx }: World): Promise<string[]> =>
  (await ctx.db.selectFrom('automation_runs').select('state').execute()).map(({ state }) => state)
