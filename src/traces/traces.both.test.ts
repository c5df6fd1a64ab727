import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { automated } from '../../test/fixtures/automation.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { moved, upload } from '../../test/fixtures/jobs.ts'
import { helper } from '../../test/fixtures/request-log.ts'
import { drawn, idOf, secondOf, traceOf } from '../../test/fixtures/traces.ts'
import { subscribed } from '../../test/fixtures/webhooks.ts'
import { receiver } from '../../test/programs/receiver.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'

/** An integration's client with a token. */
async function integrated(here: World) {
  const integration = await register(here.admin)
  const { access_token: token } = await connect(here.stranger, integration)
  return here.stranger.as({ token })
}

describe('A trace shows what a request caused', () => {
  test('from the events to the answers of receivers, with each attempt', async () => {
    const here = await world()
    const client = await integrated(here)
    const there = await subscribed(here, ['add_lead', 'note_lead'], (_hit, n) => (n === 1 ? 503 : 200))
    const answer = await client.post('/api/v4/leads', [{ name: 'Courier' }])
    await there.arrived()
    here.clock.advance(3_600)
    await there.arrived()
    const trace = await traceOf(here, idOf(answer))
    expect(drawn(trace)).toEqual([
      'request leads.create 200',
      '  event lead_added',
      '  delivery webhook delivered',
      '    attempt 503',
      '    attempt 200',
    ])
    const [request, lead, delivery, first, second] = trace.nodes
    expect(request).toMatchObject({
      parent_id: null,
      ref: idOf(answer),
      address: 'POST /api/v4/leads',
      outcome: 'done',
      at: BEGINNING * 1000,
      log_id: expect.any(Number),
      integration_id: expect.any(String),
      user_id: here.admin.id,
    })
    expect(lead).toMatchObject({
      record: { entity_type: 'lead', id: answer.body._embedded.leads[0].id, name: 'Courier' },
      user_id: here.admin.id,
      is_exact: true,
    })
    expect(delivery).toMatchObject({ outcome: 'done', subject: String(there.id), is_exact: false })
    expect(delivery?.address).toBe(`POST ${there.destination}`)
    expect([first?.outcome, second?.outcome]).toEqual(['failed', 'done'])
    expect(second?.at).toBe((BEGINNING + 3_600) * 1000)
    expect(second?.log_id).toBeGreaterThan(first?.log_id as number)
    expect(trace).toMatchObject({ is_logged: true, is_cut: false, left_out: [], asked: null })
    expect(trace.trace_id).toBe(idOf(answer).replaceAll('-', ''))
  })

  test('automation: its runs, what they wrote and sent, and what these caused', async () => {
    const here = await world()
    const { rule, lead, move, run, stages } = await automated(here)
    const [from, to, end] = stages as [number, number, number]
    const there = await subscribed(here, ['status_lead'])
    const called = await receiver()
    await rule(
      { status_id: to, action: { type: 'call_url', url: `${called.url}/stage?key=a-secret-of-the-url` } },
      { status_id: to, delay: 86_400, action: { type: 'change_stage', status_id: end } },
      { status_id: end, action: { type: 'create_task', text: 'Call back' } },
    )
    const id = await lead(from)
    const answer = await move(id, to)
    await run()
    await there.arrived()
    // A day later, far outside of the time of the request.
    here.clock.advance(86_400)
    await run()
    await run()
    await there.arrived()
    const trace = await traceOf(here, idOf(answer))
    expect(drawn(trace)).toEqual([
      'request',
      '  event lead_status_changed',
      '  run call_url done',
      '    delivery automation delivered',
      '      attempt 200',
      '  run change_stage done',
      '    event lead_status_changed',
      '    run create_task done',
      '      event task_added',
      '    delivery webhook delivered',
      '      attempt 200',
      '  delivery webhook delivered',
      '    attempt 200',
    ])
    expect(JSON.stringify(trace)).not.toContain('a-secret-of-the-url')
    // From a row of the last effect up to the request, in one step.
    const task = trace.nodes.find(({ name }) => name === 'create_task')
    const below = await traceOf(here, `automation ${task?.ref}`)
    expect(below).toMatchObject({ request_id: idOf(answer), asked: `run ${task?.ref}` })
    expect(below.nodes).toEqual(trace.nodes)
  })

  test('a job: its rows are counted, and undoing it is an effect of the request for that', async () => {
    const here = await world()
    const { browser } = here.admin
    const csv = `Name\n${Array.from({ length: 130 }, (_, i) => `Lead ${i}`).join('\n')}`
    const draft = await upload(browser, 'leads', csv)
    const at = `/web/v4/jobs/${draft.body.id}`
    await browser.patch(at, { mapping: [{ column: 0, target: 'name' }] })
    const start = await browser.post(`${at}/start`)
    await here.app.runner.runDue()
    const trace = await traceOf(here, idOf(start))
    const job = `job ${draft.body.id}`
    expect(drawn(trace).slice(0, 3)).toEqual(['request', '  job import done', '    event lead_added'])
    expect(trace.nodes).toHaveLength(102)
    expect(trace.left_out).toEqual([{ parent_id: job, kind: 'event', count: 30 }])
    expect(trace.nodes[1]?.rows).toEqual({ total: 130, done: 130, failed: 0 })
    here.clock.advance(3_600)
    const undone = await moved(here, browser, draft.body.id, 'undo')
    expect(undone.state).toBe('undone')
    const event = (await browser.get('/web/v4/events?limit=1&with=request_id')).body._embedded.events[0]
    const one = (await browser.get(`/web/v4/events/${event.id}?with=request_id`)).body
    const undo = await traceOf(here, one.request_id)
    expect(drawn(undo).slice(0, 3)).toEqual(['request', '  job undo undone', '    event lead_deleted'])
    expect(undo.left_out).toEqual([{ parent_id: `undo ${draft.body.id}`, kind: 'event', count: 30 }])
    expect(secondOf(undo.request_id)).toBe(BEGINNING + 3_600)
    expect((await traceOf(here, idOf(start))).left_out).toEqual(trace.left_out)
  })

  test('an audit entry and the disable hook of a change of settings', async () => {
    const here = await world()
    const there = await receiver()
    const integration = await register(here.admin, {
      redirect_uri: `${there.url}/oauth`,
      disable_hook_url: `${there.url}/disabled`,
    })
    await connect(here.stranger, integration)
    const answer = await here.admin.browser.post(`/web/installations/${integration.client_id}/disable`)
    await here.app.deliveries.runDue()
    expect(drawn(await traceOf(here, idOf(answer)))).toEqual([
      'request',
      '  audit integration.disabled',
      '  delivery disable_hook delivered',
      '    attempt 200',
    ])
  })

  test('a delivery that is sent again, while the request log has its attempt', async () => {
    const here = await world()
    const there = await subscribed(here, ['add_lead'])
    const answer = await here.admin.browser.post('/web/v4/leads', [{ name: 'A' }])
    await there.arrived()
    here.clock.advance(3_600)
    const again = await here.admin.browser.post(`/web/webhooks/${there.id}/replay`, { from: BEGINNING })
    expect(again.body.replayed).toBe(1)
    await there.arrived()
    expect(drawn(await traceOf(here, idOf(answer))).filter((line) => line.includes('attempt'))).toHaveLength(
      2,
    )
    await helper(here).delete('/test_helpers/requests')
    expect(drawn(await traceOf(here, idOf(answer))).filter((line) => line.includes('attempt'))).toHaveLength(
      1,
    )
  })
})

describe('Without the request log', () => {
  test('the effects of a request are found by the time in its id', async () => {
    const here = await world()
    const client = await integrated(here)
    const there = await subscribed(here, ['add_lead'])
    const answer = await client.post('/api/v4/leads', [{ name: 'A' }])
    here.clock.advance(5)
    await client.post('/api/v4/leads', [{ name: 'B' }])
    await there.arrived()
    await helper(here).delete('/test_helpers/requests')
    const trace = await traceOf(here, idOf(answer))
    expect(drawn(trace)).toEqual([
      'request',
      '  event lead_added',
      '  delivery webhook delivered',
      '    attempt 200',
    ])
    expect(trace.is_logged).toBe(false)
    expect(trace.nodes[1]?.record?.name).toBe('A')
    expect(trace.nodes[0]).toMatchObject({ at: BEGINNING * 1000, log_id: null, status: null })
  })

  onEmbedded(
    'a request that wrote nothing has no trace, and neither has an id of an earlier version',
    async () => {
      const here = await world()
      const client = await integrated(here)
      const read = idOf(await client.get('/api/v4/account'))
      expect(drawn(await traceOf(here, read))).toEqual(['request account.get 200'])
      await helper(here).delete('/test_helpers/requests')
      for (const id of [
        read,
        '572a50df-0c1f-4e0e-9a51-0f6d1d9c1b42',
        'automation 999',
        'import 7',
        'demo',
        '%F0',
      ])
        expect(await helper(here).get(`/test_helpers/traces/${encodeURIComponent(id)}`)).toMatchObject({
          status: 404,
          body: { detail: expect.stringContaining('There is no trace with this id.') },
        })
    },
  )
})

describe('Only administrators of the account read a trace', () => {
  test('nobody, other people and the id of a request of another account get nothing', async () => {
    const here = await world()
    const id = idOf(await here.admin.browser.post('/web/v4/leads', [{ name: 'A' }]))
    const at = `/web/traces/${id}`
    expect((await here.admin.browser.get(at)).body.nodes).toHaveLength(2)
    expect((await here.stranger.get(at)).status).toBe(401)
    const bob = await here.addPerson({ name: 'Bob' })
    expect((await bob.browser.get(at)).status).toBe(403)
    const account = await here.addAccount('other')
    const eve = await here.addPerson({ name: 'Eve', is_admin: true, account })
    expect((await eve.browser.get(at)).status).toBe(404)
    expect((await here.stranger.get(`/test_helpers/traces/${id}`)).status).toBe(401)
    const other = await helper(here).get(`/test_helpers/traces/${id}?account=other`, {
      host: 'localhost:8080',
    })
    expect(other.status).toBe(404)
    expect((await here.admin.browser.get(`/web/traces/${'a'.repeat(101)}`)).status).toBe(404)
    expect((await here.admin.browser.get('/web/traces/%00')).status).toBe(400)
  })

  test('runs and jobs of another account have no trace either', async () => {
    const here = await world()
    const { rule, lead, run, stages, runs } = await automated(here)
    await rule({ status_id: stages[0] as number, action: { type: 'change_tags', tags_to_add: ['x'] } })
    await lead(stages[0] as number)
    await run()
    const [first] = await runs()
    const account = await here.addAccount('other')
    const eve = await here.addPerson({ name: 'Eve', is_admin: true, account })
    expect((await eve.browser.get(`/web/traces/automation%20${first?.id}`)).status).toBe(404)
    expect((await here.admin.browser.get(`/web/traces/automation%20${first?.id}`)).status).toBe(200)
  })
})

test('A batch of 250 leads shows its first hundred events and counts the others', async () => {
  const here = await world()
  const there = await subscribed(here, ['add_lead'])
  const drafts = Array.from({ length: 250 }, (_, i) => ({ name: `Lead ${i}` }))
  const answer = await here.admin.browser.post('/web/v4/leads', drafts)
  await there.arrived()
  const trace = await traceOf(here, idOf(answer))
  expect(trace.nodes.filter(({ kind }) => kind === 'event')).toHaveLength(100)
  expect(trace.nodes.filter(({ kind }) => kind === 'delivery').length).toBeGreaterThan(4)
  expect(trace.left_out).toContainEqual({ parent_id: trace.nodes[0]?.id, kind: 'event', count: 150 })
  expect(trace.is_cut).toBe(false)
})
