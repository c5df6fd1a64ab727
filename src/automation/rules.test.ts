import { describe, expect, test } from 'vitest'
import { automated, tagging } from '../../test/fixtures/automation.ts'
import { PIPELINES, refusalOf } from '../../test/fixtures/pipelines.ts'
import { world } from '../../test/world.ts'

test('a rule is added, read, changed and removed, and the audit log says so', async () => {
  const w = await world()
  const { stages, at, pipeline } = await automated(w)
  const [status_id, next] = stages as [number, number]
  const { browser } = w.admin
  const draft = {
    status_id,
    delay: 600,
    // Members of other types are not stored.
    action: { type: 'change_stage', status_id: next, text: 'x', url: 'nonsense' },
    request_id: 'a',
  }
  const added = await browser.post(at, [draft])
  const [{ id, _links }] = added.body._embedded.automations
  const whole = {
    ...{ id, pipeline_id: pipeline.id, status_id, entry: 'entered', delay: 600 },
    action: { type: 'change_stage', status_id: next },
    ...{ is_enabled: true, problem: null, created_by: w.admin.id, updated_by: w.admin.id },
    ...{ created_at: w.clock.now(), updated_at: w.clock.now(), account_id: w.account.id, _links },
  }
  expect(added.body).toMatchObject({ _total_items: 1 })
  expect(added.body._embedded.automations).toEqual([{ ...whole, request_id: 'a' }])
  expect(_links.self.href).toMatch(new RegExp(`${at}/${id}$`))
  expect((await browser.get(`${at}/${id}`)).body).toEqual(whole)
  expect((await browser.get(at)).body._embedded.automations).toEqual([whole])
  w.clock.advance(5)
  const patch = { is_enabled: false, delay: 0, entry: 'created' }
  const changed = await browser.patch(`${at}/${id}`, patch)
  expect(changed.body).toEqual({ ...whole, ...patch, updated_at: w.clock.now() })
  await browser.patch(`${at}/${id}`, patch)
  expect((await browser.delete(`${at}/${id}`)).status).toBe(204)
  expect(refusalOf(await browser.get(`${at}/${id}`))).toEqual([404, 'not_found'])
  const { entries } = (await browser.get('/web/audit?area=pipelines')).body
  expect(
    entries.map(({ action, details }: { action: string; details: object }) => [action, details]),
  ).toEqual([
    ['automation.removed', { id, pipeline_id: pipeline.id, name: 'change_stage' }],
    [
      'automation.changed',
      { id, pipeline_id: pipeline.id, name: 'change_stage', changed: ['entry', 'delay', 'is_enabled'] },
    ],
    ['automation.added', { id, pipeline_id: pipeline.id, name: 'change_stage' }],
  ])
})

describe('a rule is refused', () => {
  const cases: [string, (stage: number, foreign: number) => object, string, string][] = [
    ['without a URL', () => ({ type: 'call_url' }), 'FieldMissing', 'action.url'],
    [
      'with a URL of another kind',
      () => ({ type: 'call_url', url: 'ftp://x' }),
      'InvalidFormat',
      'action.url',
    ],
    ['without a text', () => ({ type: 'create_task' }), 'FieldMissing', 'action.text'],
    ['without tags', () => ({ type: 'change_tags', tags_to_add: [] }), 'FieldMissing', 'action.tags_to_add'],
    [
      'with an unknown type of task',
      () => ({ type: 'create_task', text: 'x', task_type_id: 999 }),
      'NotSupportedChoice',
      'action.task_type_id',
    ],
    [
      'with an unknown person',
      () => ({ type: 'change_responsible', responsible_user_id: 999_999 }),
      'NotSupportedChoice',
      'action.responsible_user_id',
    ],
    [
      'with the stage in which the lead is',
      (stage) => ({ type: 'change_stage', status_id: stage }),
      'NotSupportedChoice',
      'action.status_id',
    ],
    [
      'with a stage of another account',
      (_, foreign) => ({ type: 'change_stage', status_id: foreign }),
      'NotSupportedChoice',
      'action.status_id',
    ],
    [
      'with a reason for a lead that is not lost',
      () => ({ type: 'change_stage', status_id: 142, loss_reason_id: 1 }),
      'NotSupportedChoice',
      'action.loss_reason_id',
    ],
  ]
  test.each(cases)('%s', async (_, actionOf, code, path) => {
    const w = await world()
    const { stages, at } = await automated(w)
    const [status_id] = stages as [number]
    const other = await w.addAccount('other')
    const cleo = await w.addPerson({ name: 'Cleo', account: other, is_admin: true })
    const theirs = (await cleo.browser.get(PIPELINES)).body._embedded.pipelines[0]
    const foreign = theirs._embedded.statuses.find(
      ({ is_editable }: { is_editable: boolean }) => is_editable,
    ).id
    const answer = await w.admin.browser.post(at, [{ status_id, action: actionOf(status_id, foreign) }])
    expect(answer.status).toBe(400)
    expect(answer.body['validation-errors'][0].errors[0]).toMatchObject({ code, path })
    expect((await w.admin.browser.get(at)).status).toBe(204)
  })

  test('with the incoming stage as the next one', async () => {
    const w = await world()
    const { stages, at, pipeline } = await automated(w)
    const incoming = pipeline._embedded.statuses.find(({ type }) => type === 1)?.id
    const action = { type: 'change_stage', status_id: incoming }
    const answer = await w.admin.browser.post(at, [{ status_id: stages[0], action }])
    expect(answer.body['validation-errors'][0].errors[0]).toMatchObject({ path: 'action.status_id' })
  })

  test('above the limit of a pipeline, with an unknown stage, and below a pipeline of another account', async () => {
    const w = await world()
    const { stages, at, rule } = await automated(w)
    const [status_id] = stages as [number]
    const action = tagging
    await rule(...Array.from({ length: 50 }, () => ({ status_id, action })))
    const { browser } = w.admin
    expect(refusalOf(await browser.post(at, [{ status_id, action }]))).toEqual([409, 'automation_limit'])
    const unknown = await browser.post(at, [{ status_id: 999_999, action }])
    expect(unknown.body['validation-errors'][0].errors[0]).toMatchObject({
      code: 'NotSupportedChoice',
      path: 'status_id',
    })
    const other = await w.addAccount('other')
    const cleo = await w.addPerson({ name: 'Cleo', account: other, is_admin: true })
    for (const address of [at, `${at}/1`, `${at}/runs`])
      expect(refusalOf(await cleo.browser.get(address))).toEqual([404, 'not_found'])
    expect(refusalOf(await cleo.browser.post(at, [{ status_id, action }]))).toEqual([404, 'not_found'])
  })

  test('from everybody but administrators', async () => {
    const w = await world()
    const { stages, at, rule } = await automated(w)
    const [status_id] = stages as [number]
    const action = tagging
    const [id] = await rule({ status_id, action })
    const bob = await w.addPerson({ name: 'Bob' })
    const asked = [
      bob.browser.get(at),
      bob.browser.get(`${at}/${id}`),
      bob.browser.get(`${at}/runs`),
      bob.browser.post(at, [{ status_id, action }]),
      bob.browser.patch(`${at}/${id}`, { is_enabled: false }),
      bob.browser.delete(`${at}/${id}`),
    ]
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(403)
  })
})

test('a deleted stage takes its rules with it, and so does a deleted pipeline', async () => {
  const w = await world()
  const { stages, at, rule } = await automated(w)
  const [first, second] = stages as [number, number]
  const { browser } = w.admin
  const action = tagging
  const [stays] = await rule({ status_id: first, action }, { status_id: second, action })
  await browser.delete(at.replace(/automations$/, `statuses/${second}`))
  const { body } = await browser.get(at)
  expect(body._embedded.automations.map(({ id }: { id: number }) => id)).toEqual([stays])
  const side = { name: 'Side', sort: 30, is_main: false, is_unsorted_on: false }
  const [pipeline] = (await browser.post(PIPELINES, [side])).body._embedded.pipelines
  await browser.post(`${PIPELINES}/${pipeline.id}/automations`, [{ status_id: 142, action }])
  expect((await browser.delete(`${PIPELINES}/${pipeline.id}`)).status).toBe(204)
  const rows = await w.ctx.db.selectFrom('automation_rules').select('id').execute()
  expect(rows.map(({ id }) => id)).toEqual([stays])
})

test('runs are listed a page at a time, and by rule and lead', async () => {
  const w = await world()
  const { stages, at, rule, lead } = await automated(w)
  const [status_id] = stages as [number]
  const { browser } = w.admin
  const action = tagging
  const [one, two] = await rule({ status_id, action }, { status_id, action })
  const leads = [await lead(status_id), await lead(status_id)]
  const listed = async (query: string) => {
    const { body } = await browser.get(`${at}/runs?${query}`)
    return body._embedded.runs.map((run: { automation_id: number; lead_id: number }) => [
      run.automation_id,
      run.lead_id,
    ])
  }
  expect(await listed(`filter[automation_id]=${one}`)).toEqual([
    [one, leads[1]],
    [one, leads[0]],
  ])
  expect(await listed(`filter[lead_id]=${leads[0]}`)).toEqual([
    [two, leads[0]],
    [one, leads[0]],
  ])
  const { body } = await browser.get(`${at}/runs?limit=3`)
  const next = new URL(body._links.next.href)
  expect(await listed(next.search.slice(1))).toEqual([[one, leads[0]]])
  expect(await listed('limit=3&page=2')).toEqual([[one, leads[0]]])
  expect((await browser.get(`${at}/runs?filter[lead_id]=x`)).status).toBe(400)
})
