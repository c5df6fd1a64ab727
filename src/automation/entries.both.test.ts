import { expect, test, vi } from 'vitest'
import { automated, tagging } from '../../test/fixtures/automation.ts'
import { add } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'

const HOUR = 3_600

test('a rule with a delay acts when the lead has stayed so long, and is skipped if it has left', async () => {
  const w = await world()
  const { stages, rule, lead, move, run, runs, outcomes } = await automated(w)
  const [status_id, next] = stages as [number, number]
  await rule({ status_id, delay: HOUR, action: { type: 'create_task', text: 'Call' } })
  const [stays, leaves] = [await lead(status_id), await lead(status_id)]
  await run()
  const planned_at = w.clock.now() + HOUR
  expect((await runs()).map(({ state, planned_at }) => [state, planned_at])).toEqual([
    ['waiting', planned_at],
    ['waiting', planned_at],
  ])
  await move(leaves, next)
  await move(leaves, status_id)
  w.clock.advance(HOUR - 1)
  await run()
  expect(await outcomes()).toEqual(['create_task waiting', 'create_task skipped left', 'create_task waiting'])
  await move(leaves, next)
  w.clock.advance(1)
  await run()
  expect((await runs()).map(({ lead_id, state, reason }) => [lead_id, state, reason])).toEqual([
    [stays, 'done', null],
    [leaves, 'skipped', 'left'],
    [leaves, 'skipped', 'left'],
  ])
})

test('a rule is for leads that are moved, created, or both; a disabled one is for none', async () => {
  const w = await world()
  const { stages, rule, lead, move, runs } = await automated(w)
  const [from, to] = stages as [number, number]
  const action = tagging
  const [moved, created, entered] = await rule(
    { status_id: to, entry: 'moved', action },
    { status_id: to, entry: 'created', action },
    { status_id: to, entry: 'entered', action },
    { status_id: to, is_enabled: false, action },
  )
  await move(await lead(from), to)
  await lead(to)
  expect((await runs()).map(({ automation_id }) => automation_id)).toEqual([moved, entered, created, entered])
})

test('a change that is no entry causes nothing, and neither does a restored lead', async () => {
  const w = await world()
  const { stages, rule, lead, runs, run, outcomes, pipeline } = await automated(w)
  const [status_id] = stages as [number]
  const { browser } = w.admin
  const id = await lead(status_id)
  await rule({ status_id, delay: 60, action: tagging })
  await browser.patch(`/web/v4/leads/${id}`, { name: 'Other', status_id, pipeline_id: pipeline.id })
  await browser.delete(`/web/v4/leads/${id}`)
  await browser.post(`/web/v4/leads/${id}/restore`)
  await add(browser, 'contacts', { name: 'Sue' })
  expect(await runs()).toEqual([])
  await browser.delete(`/web/v4/leads/${await lead(status_id)}`)
  w.clock.advance(60)
  await run()
  expect(await outcomes()).toEqual(['change_tags skipped lead_deleted'])
})

test('a loop of two rules is found, and its last run says so', async () => {
  const w = await world()
  const { stages, rule, lead, run, outcomes } = await automated(w)
  const [a, b] = stages as [number, number]
  await rule(
    { status_id: a, action: { type: 'change_stage', status_id: b } },
    { status_id: b, action: { type: 'change_stage', status_id: a } },
  )
  const id = await lead(a)
  await run()
  expect(await outcomes()).toEqual(['change_stage done', 'change_stage done', 'change_stage skipped loop'])
  expect((await w.admin.browser.get(`/web/v4/leads/${id}`)).body.status_id).toBe(a)
})

test('a chain of more than twenty rules ends', async () => {
  const w = await world()
  const { pipeline, rule, lead, run, outcomes } = await automated(w)
  const drafts = Array.from({ length: 22 }, (_, i) => ({ name: `Step ${i}` }))
  const { body } = await w.admin.browser.post(`/web/v4/leads/pipelines/${pipeline.id}/statuses`, drafts)
  const steps: number[] = body._embedded.statuses.map(({ id }: { id: number }) => id)
  await rule(
    ...steps.slice(1).map((status_id, i) => ({
      status_id: steps[i] as number,
      action: { type: 'change_stage', status_id } as const,
    })),
  )
  await lead(steps[0] as number)
  await run()
  expect((await outcomes()).slice(-2)).toEqual(['change_stage done', 'change_stage skipped too_long'])
})

test('a person who moves the lead meanwhile wins over a rule that would move it', async () => {
  const w = await world()
  const { stages, rule, lead, move, run, outcomes } = await automated(w)
  const [a, b, c] = stages as [number, number, number]
  await rule({ status_id: a, action: { type: 'change_stage', status_id: b } })
  const id = await lead(a)
  await move(id, c)
  await run()
  expect(await outcomes()).toEqual(['change_stage skipped left'])
  expect((await w.admin.browser.get(`/web/v4/leads/${id}`)).body.status_id).toBe(c)
})

test('what waits follows the rule as it is then: disabled, changed or removed', async () => {
  const w = await world()
  const { stages, rule, lead, run, runs, at } = await automated(w)
  const [status_id] = stages as [number]
  const { browser } = w.admin
  const action = tagging
  const wait = { status_id, delay: 60, action }
  const [disabled, changed, removed] = await rule(wait, wait, wait)
  const id = await lead(status_id)
  await browser.patch(`${at}/${disabled}`, { is_enabled: false })
  await browser.patch(`${at}/${changed}`, { action: { type: 'change_tags', tags_to_add: ['y'] } })
  await browser.delete(`${at}/${removed}`)
  w.clock.advance(60)
  await run()
  expect((await runs()).map(({ automation_id, state, reason }) => [automation_id, state, reason])).toEqual([
    [disabled, 'skipped', 'rule_disabled'],
    [changed, 'done', null],
    [removed, 'skipped', 'rule_removed'],
  ])
  const { body } = await browser.get(`/web/v4/leads/${id}`)
  expect(body._embedded.tags.map(({ name }: { name: string }) => name)).toEqual(['y'])
})

test('a bulk change and a batch enter stages as people do', async () => {
  const w = await world()
  const { stages, rule, lead, runs, pipeline } = await automated(w)
  const [first, second] = stages as [number, number]
  const { browser } = w.admin
  await rule({ status_id: second, action: tagging })
  const ids = [await lead(first), await lead(first), await lead(first)]
  const changes = { pipeline_id: pipeline.id, status_id: second }
  await browser.patch('/web/v4/leads', [{ id: ids[0], ...changes }])
  const job = await browser.post('/web/v4/jobs/bulk_changes', {
    entity_type: 'leads',
    ids: [ids[1]],
    changes: { status: changes },
  })
  expect(job.status).toBe(200)
  await w.app.runner.runDue()
  expect((await runs()).map(({ lead_id }) => lead_id)).toEqual([ids[0], ids[1]])
})

test('the entries of a batch of 250 leads are one call, and so are their runs', async () => {
  const w = await world()
  const { stages, rule, pipeline } = await automated(w)
  const [status_id] = stages as [number]
  const noticed = vi.spyOn(w.ctx, 'leadsEntered')
  const stored = () => w.ctx.db.selectFrom('automation_runs').select('id').execute()
  const drafts = Array.from({ length: 250 }, (_, i) => ({
    name: `L${i}`,
    pipeline_id: pipeline.id,
    status_id,
  }))
  const send = () => w.admin.browser.post('/web/v4/leads', drafts)
  await send()
  expect(await stored()).toEqual([])
  await rule({ status_id, action: tagging })
  await send()
  expect(await stored()).toHaveLength(250)
  expect(noticed.mock.calls.map(([, , , entries]) => entries.length)).toEqual([250, 250])
})

test('ended runs are kept for thirty days', async () => {
  const w = await world()
  const { stages, rule, lead, run } = await automated(w)
  const [status_id] = stages as [number]
  await rule({ status_id, action: tagging })
  await lead(status_id)
  await run()
  const runs = () => w.ctx.db.selectFrom('automation_runs').select('id').execute()
  const sweep = () => w.app.chores.find(({ name }) => name === 'old runs of automation')?.run()
  w.clock.advance(30 * 24 * HOUR)
  await sweep()
  expect(await runs()).toHaveLength(1)
  w.clock.advance(1)
  await sweep()
  expect(await runs()).toEqual([])
})
