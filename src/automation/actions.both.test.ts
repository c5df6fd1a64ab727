import { parse } from 'qs'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { automated } from '../../test/fixtures/automation.ts'
import { connected } from '../../test/fixtures/chats.ts'
import { answering } from '../../test/fixtures/deliveries.ts'
import { storedMessages, textPush } from '../../test/fixtures/pushes.ts'
import { log } from '../../test/fixtures/records.ts'
import { receiver } from '../../test/programs/receiver.ts'
import { world } from '../../test/world.ts'

const LOOPBACK = { env: { OUTBOUND_ALLOW: '127.0.0.0/8' }, ownServer: true }

describe('a rule calls a URL', () => {
  test('when a lead is moved to its stage, with the form of the platform to the byte', async () => {
    const w = await world(LOOPBACK)
    const { url, hits } = await answering()
    const { stages, rule, lead, move, run, runs, pipeline } = await automated(w)
    const [from, to] = stages as [number, number]
    const [id] = await rule({ status_id: to, action: { type: 'call_url', url: `${url}/in?key=1` } })
    const lead_id = await lead(from)
    await move(lead_id, to)
    await run()
    expect((await runs())[0]).toMatchObject({ state: 'sending', call: { attempts: 0, last_status: null } })
    await w.app.deliveries.runDue()
    const [{ body, headers, path }] = hits as [(typeof hits)[number]]
    expect(path).toBe('/in?key=1')
    expect(body).toBe(
      `leads%5Bstatus%5D%5B0%5D%5Bid%5D=${lead_id}&leads%5Bstatus%5D%5B0%5D%5Bstatus_id%5D=${to}` +
        `&leads%5Bstatus%5D%5B0%5D%5Bpipeline_id%5D=${pipeline.id}` +
        `&leads%5Bstatus%5D%5B0%5D%5Bold_status_id%5D=${from}` +
        `&leads%5Bstatus%5D%5B0%5D%5Bold_pipeline_id%5D=${pipeline.id}` +
        `&account%5Bid%5D=${w.account.id}&account%5Bsubdomain%5D=demo`,
    )
    expect(headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'amoCRM-Webhooks/3.0',
      'x-amocrm-requestid': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(await runs()).toEqual([
      {
        id: expect.any(Number),
        automation_id: id,
        action: 'call_url',
        lead_id,
        lead_name: 'Deal',
        pipeline_id: pipeline.id,
        status_id: to,
        state: 'done',
        reason: null,
        detail: null,
        created_at: w.clock.now(),
        planned_at: w.clock.now(),
        ended_at: w.clock.now(),
        task_id: null,
        message_id: null,
        call: { attempts: 1, next_attempt_at: null, last_status: 200, last_error: null },
      },
    ])
  })

  onEmbedded('when a lead is created in its stage, as an addition', async () => {
    const w = await world(LOOPBACK)
    const { url, hits } = await answering()
    const { stages, rule, lead, run, pipeline } = await automated(w)
    const [status_id] = stages as [number]
    await rule({ status_id, entry: 'created', action: { type: 'call_url', url } })
    const id = await lead(status_id)
    await run()
    await w.app.deliveries.runDue()
    expect(hits.map(({ body }) => parse(body))).toEqual([
      {
        leads: {
          add: [{ id: String(id), status_id: String(status_id), pipeline_id: String(pipeline.id) }],
        },
        account: { id: String(w.account.id), subdomain: 'demo' },
      },
    ])
  })

  onEmbedded('five times within an hour, and then the run has failed', async () => {
    const w = await world(LOOPBACK)
    const { url, hits } = await answering(() => 500)
    const { stages, rule, lead, run, runs } = await automated(w)
    const [status_id] = stages as [number]
    await rule({ status_id, action: { type: 'call_url', url } })
    await lead(status_id)
    await run()
    const began = w.clock.now()
    for (let minute = 0; minute < 60; minute++) {
      await w.app.deliveries.runDue()
      w.clock.advance(60)
    }
    expect(hits).toHaveLength(5)
    const [ended] = await runs()
    expect(ended).toMatchObject({
      state: 'failed',
      reason: 'exhausted',
      call: { attempts: 5, next_attempt_at: null, last_status: 500 },
    })
    expect((ended?.ended_at ?? 0) - began).toBeLessThanOrEqual(3_600)
  })
})

describe('a rule', () => {
  test('adds a task for the person of the lead, until the end of the day', async () => {
    const w = await world()
    const { stages, rule, lead, run, runs } = await automated(w)
    const [status_id] = stages as [number]
    const bob = await w.addPerson({ name: 'Bob' })
    await rule(
      { status_id, action: { type: 'create_task', text: 'Call back' } },
      {
        status_id,
        action: { type: 'create_task', text: 'Wait', complete_in: 7_200, responsible_user_id: w.admin.id },
      },
    )
    const id = await lead(status_id, { responsible_user_id: bob.id })
    await run()
    const { body } = await w.admin.browser.get(`/web/v4/tasks?filter[entity_id]=${id}&order[id]=asc`)
    const tasks: { id: number; text: string; complete_till: number }[] = body._embedded.tasks
    const byText = new Map(tasks.map((task) => [task.text, task]))
    expect(byText.get('Call back')).toMatchObject({
      responsible_user_id: bob.id,
      created_by: 0,
      entity_type: 'leads',
      entity_id: id,
    })
    const till = byText.get('Call back')?.complete_till ?? 0
    expect(till).toBeGreaterThan(w.clock.now())
    expect(till - w.clock.now()).toBeLessThan(86_400)
    expect(byText.get('Wait')).toMatchObject({
      responsible_user_id: w.admin.id,
      complete_till: w.clock.now() + 7_200,
    })
    expect((await runs()).map(({ state, task_id }) => [state, task_id])).toEqual([
      ['done', byText.get('Call back')?.id],
      ['done', byText.get('Wait')?.id],
    ])
    const added = (await log(w.ctx)).filter(({ type }) => type === 'task_added')
    expect(added.map(({ by }) => by)).toEqual([0, 0])
  })

  test('changes the responsible person and the tags, in the order of the rules', async () => {
    const w = await world()
    const { stages, rule, lead, run, outcomes } = await automated(w)
    const [status_id] = stages as [number]
    const bob = await w.addPerson({ name: 'Bob' })
    await rule(
      { status_id, action: { type: 'change_responsible', responsible_user_id: bob.id } },
      {
        status_id,
        action: { type: 'change_tags', tags_to_add: [' Hot '], tags_to_delete: ['Cold', 'Unknown'] },
      },
      { status_id, action: { type: 'create_task', text: 'Meet' } },
    )
    const id = await lead(status_id, { _embedded: { tags: [{ name: 'Cold' }] } })
    await run()
    expect(await outcomes()).toEqual(['change_responsible done', 'change_tags done', 'create_task done'])
    const { body } = await w.admin.browser.get(`/web/v4/leads/${id}`)
    expect(body).toMatchObject({ responsible_user_id: bob.id, updated_by: 0 })
    expect(body._embedded.tags.map(({ name }: { name: string }) => name)).toEqual(['Hot'])
    const tasks = (await w.admin.browser.get(`/web/v4/tasks?filter[entity_id]=${id}`)).body._embedded.tasks
    expect(tasks[0].responsible_user_id).toBe(bob.id)
    const [changed] = (await log(w.ctx, { entity_id: id })).filter(
      ({ type }) => type === 'entity_responsible_changed',
    )
    expect(changed?.by).toBe(0)
  })

  test('moves a lead on, also to lost with a reason, although fields are required', async () => {
    const w = await world()
    const { stages, rule, lead, run, outcomes } = await automated(w)
    const [status_id] = stages as [number]
    const reason = await w.admin.browser.post('/web/v4/leads/loss_reasons', [{ name: 'Silent' }])
    const loss_reason_id = reason.body._embedded.loss_reasons[0].id
    await rule({ status_id, action: { type: 'change_stage', status_id: 143, loss_reason_id } })
    const id = await lead(status_id)
    await run()
    expect(await outcomes()).toEqual(['change_stage done'])
    const { body } = await w.admin.browser.get(`/web/v4/leads/${id}`)
    expect(body).toMatchObject({ status_id: 143, loss_reason_id, closed_at: w.clock.now() })
  })

  test('sends a message of the bot to the conversation of the lead, or says that there is none', async () => {
    const w = await world({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' }, ownServer: true })
    const callback = await receiver()
    const here = await connected(w, { callback_url: `${callback.url}/to/:scope_id` })
    const { stages, rule, lead, run, runs, outcomes, move } = await automated(w)
    const [first, second] = stages as [number, number]
    await rule({ status_id: second, action: { type: 'send_message', text: 'We are on our way.' } })
    await here.push(textPush('m-1'))
    const { body } = await w.admin.browser.get('/web/v4/leads')
    await move(body._embedded.leads[0].id, second)
    await move(await lead(first), second)
    await run()
    expect(await outcomes()).toEqual(['send_message done', 'send_message skipped no_conversation'])
    const sent = (await storedMessages(w.ctx)).filter(({ direction }) => direction === 'out')
    expect(sent.map(({ origin, text, state, user_id }) => [origin, text, state, user_id])).toEqual([
      ['bot', 'We are on our way.', 'pending', 0],
    ])
    expect((await runs())[0]?.message_id).toBe(sent[0]?.id)

    const { id: lead_id } = body._embedded.leads[0]
    const [bot] = (await w.admin.browser.get('/web/v4/bots')).body._embedded.items
    await w.admin.browser.post(`/web/v4/bots/${bot.id}/stop`, { entity_id: lead_id, entity_type: 'leads' })
    await move(lead_id, first)
    await move(lead_id, second)
    await run()
    expect((await outcomes()).at(-1)).toBe('send_message skipped bot_stopped')
  })

  test('fails with the reason if what it names is gone', async () => {
    const w = await world()
    const { stages, rule, lead, run, runs, at } = await automated(w)
    const [status_id, next] = stages as [number, number]
    const bob = await w.addPerson({ name: 'Bob' })
    await rule(
      { status_id, action: { type: 'change_responsible', responsible_user_id: bob.id } },
      { status_id, action: { type: 'change_stage', status_id: next } },
    )
    await w.admin.browser.delete(`/web/v4/users/${bob.id}`)
    await w.admin.browser.delete(at.replace(/automations$/, `statuses/${next}`))
    await lead(status_id)
    await run()
    expect((await runs()).map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', 'person_missing'],
      ['failed', 'stage_missing'],
    ])
    const { body } = await w.admin.browser.get(at)
    expect(body._embedded.automations.map(({ problem }: { problem: string }) => problem)).toEqual([
      'person_missing',
      'stage_missing',
    ])
  })
})
