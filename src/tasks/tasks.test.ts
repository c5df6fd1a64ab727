import { describe, expect, test } from 'vitest'
import type { Answer } from '../../test/client.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, addAll, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'

const TASKS = 'http://demo.localhost:8080/web/v4/tasks'
const link = (id: number) => ({ self: { href: `${TASKS}/${id}` } })
const DUE = BEGINNING + 3_600
const call = { text: 'Call', complete_till: DUE }

async function withLead() {
  const all = await world()
  const { browser } = all.admin
  const lead = await add(browser, 'leads', { name: 'Roof' })
  const closest = async (id = lead) => (await browser.get(`/web/v4/leads/${id}`)).body.closest_task_at
  const read = async (id: number) => (await browser.get(`/web/v4/tasks/${id}`)).body
  return { ...all, browser, lead, closest, read, about: { entity_type: 'leads', entity_id: lead } }
}

/** The events that were recorded during a request, without their author. */
async function recorded({ ctx }: World, act: () => Promise<Answer>) {
  const known = (await log(ctx)).length
  const { status } = await act()
  const events = (await log(ctx)).slice(known)
  return { status, events: events.map(({ type, entity, before, after }) => [type, entity, before, after]) }
}

describe('POST /tasks', () => {
  test('adds tasks and returns their ids, with the request_id or the index', async () => {
    const { browser, about } = await withLead()
    const answer = await browser.post('/web/v4/tasks', [
      { ...call, ...about, request_id: 'r-1' },
      { ...call, request_id: 7 },
      call,
    ])
    const [one, two, three] = answer.body._embedded.tasks.map(({ id }: { id: number }) => id)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _links: { self: { href: TASKS } },
        _embedded: {
          tasks: [
            { id: one, request_id: 'r-1', _links: link(one) },
            { id: two, request_id: 7, _links: link(two) },
            { id: three, request_id: '2', _links: link(three) },
          ],
        },
      },
    ])
  })

  test('with only a text and a time creates a task of the first type, without a record, for its author', async () => {
    const { browser, admin, account, read } = await withLead()
    const id = await add(browser, 'tasks', call)
    const task = {
      id,
      created_by: admin.id,
      updated_by: admin.id,
      created_at: BEGINNING,
      updated_at: BEGINNING,
      responsible_user_id: admin.id,
      group_id: 0,
      entity_id: null,
      entity_type: null,
      duration: 0,
      is_completed: false,
      task_type_id: 1,
      text: 'Call',
      result: [],
      complete_till: DUE,
      account_id: account.id,
      _links: link(id),
    }
    expect(await read(id)).toEqual(task)
    expect(Object.keys(await read(id))).toEqual(Object.keys(task))
  })

  test('stores all members of a draft', async () => {
    const { browser, admin, addPerson, about, read } = await withLead()
    const group = (await browser.post('/web/v4/groups', { name: 'Second' })).body.id
    const ann = await addPerson({ group_id: group })
    const draft = {
      ...call,
      ...about,
      responsible_user_id: ann.id,
      task_type_id: 2,
      duration: 1_800,
      is_completed: true,
      result: { text: 'Done' },
      created_by: 0,
      updated_by: ann.id,
      created_at: 5,
      updated_at: 6,
    }
    const id = await add(browser, 'tasks', draft)
    expect(await read(id)).toEqual({
      id,
      ...draft,
      group_id: group,
      account_id: admin.account.id,
      _links: link(id),
    })
  })

  test('records the addition, and for a completed task also its result', async () => {
    const all = await withLead()
    const { browser, about, lead } = all
    const done = { ...call, ...about, is_completed: true, result: { text: 'Done' } }
    const { events } = await recorded(all, () => browser.post('/web/v4/tasks', [call, done]))
    expect(events).toEqual([
      ['task_added', ['task', 1], [], []],
      ['task_added', ['task', 2], [], []],
      ['task_completed', ['task', 2], [], []],
      ['task_result_added', ['lead', lead], [], [{ note: { id: 2 } }]],
    ])
  })

  test.each<[string, object, ...string[]]>([
    ['no text', { text: undefined }, 'FieldMissing text'],
    ['no time', { complete_till: undefined }, 'FieldMissing complete_till'],
    ['an empty text', { text: '' }, 'NotBlank text'],
    ['a blank text', { text: ' \n' }, 'InvalidFormat text'],
    ['a text that is too long', { text: 'x'.repeat(10_001) }, 'TooLong text'],
    ['a time that is text', { complete_till: '5' }, 'InvalidType complete_till'],
    ['a negative time', { complete_till: -1 }, 'OutOfRange complete_till'],
    ['an unknown type', { task_type_id: 99 }, 'NotSupportedChoice task_type_id'],
    ['an unknown person', { responsible_user_id: 999_999 }, 'NotSupportedChoice responsible_user_id'],
    ['an unknown author', { created_by: 999_999 }, 'NotSupportedChoice created_by'],
    ['an unknown editor', { updated_by: 999_999 }, 'NotSupportedChoice updated_by'],
    ['an unknown record', { entity_type: 'leads', entity_id: 999_999 }, 'NotSupportedChoice entity_id'],
    ['a record of another kind', { entity_type: 'contacts', entity_id: 1 }, 'NotSupportedChoice entity_id'],
    ['a kind without tasks', { entity_type: 'tasks', entity_id: 1 }, 'NotSupportedChoice entity_type'],
    ['an id without a kind', { entity_id: 1 }, 'FieldMissing entity_type'],
    ['a kind without an id', { entity_type: 'leads' }, 'FieldMissing entity_id'],
    ['a kind and no id', { entity_type: 'leads', entity_id: null }, 'NotNullable entity_id'],
    ['a negative duration', { duration: -1 }, 'OutOfRange duration'],
    ['a result that is text', { result: 'Done' }, 'InvalidType result'],
    ['a result without its text', { result: {} }, 'FieldMissing result.text', 'InvalidType result'],
    ['is_completed as a number', { is_completed: 1 }, 'InvalidType is_completed'],
  ])('refuses %s with its path, and stores nothing of the batch', async (_what, draft, ...faults) => {
    const all = await withLead()
    const before = await traces(all.ctx)
    const bad = { ...call, ...draft, request_id: 'bad' }
    const answer = await all.browser.post('/web/v4/tasks', [{ ...call, ...all.about }, bad])
    expect(faultsOf(answer)).toEqual([400, ...faults.map((fault) => `bad ${fault}`)])
    expect([await traces(all.ctx), await all.closest()]).toEqual([before, null])
  })

  test('refuses a responsible person who has left', async () => {
    const { browser, addPerson } = await withLead()
    const ann = await addPerson()
    await browser.post(`/web/v4/users/${ann.id}/deactivate`)
    const answer = await browser.post('/web/v4/tasks', [{ ...call, responsible_user_id: ann.id }])
    expect(faultsOf(answer)).toEqual([400, '0 NotSupportedChoice responsible_user_id'])
  })

  test('refuses a record in the trash', async () => {
    const { browser, lead, about } = await withLead()
    await browser.delete(`/web/v4/leads/${lead}`)
    const answer = await browser.post('/web/v4/tasks', [{ ...call, ...about }])
    expect(faultsOf(answer)).toEqual([400, '0 NotSupportedChoice entity_id'])
  })

  test.each([
    ['nothing', [], 'TooFew'],
    ['more than 250', Array(251).fill(call), 'TooMany'],
    ['no list', call, 'InvalidType'],
  ])('refuses %s as a batch', async (_what, body, code) => {
    const { browser, ctx } = await withLead()
    const before = await traces(ctx)
    const answer = await browser.post('/web/v4/tasks', body)
    expect([answer.status, answer.body['validation-errors'][0].errors[0].code]).toEqual([400, code])
    expect(await traces(ctx)).toEqual(before)
  })
})

describe('PATCH /tasks', () => {
  test('changes the given members and records each difference, before and after', async () => {
    const all = await withLead()
    const { browser, addPerson, admin, clock, read } = all
    const ann = await addPerson()
    const id = await add(browser, 'tasks', call)
    clock.advance(60)
    const patch = {
      text: 'Write',
      complete_till: DUE + 60,
      task_type_id: 2,
      responsible_user_id: ann.id,
      duration: 60,
    }
    let answer: Answer | undefined
    const { events } = await recorded(all, async () => {
      answer = await browser.patch(`/web/v4/tasks/${id}`, patch)
      return answer
    })
    expect([answer?.status, answer?.body]).toEqual([
      200,
      { id, updated_at: BEGINNING + 60, request_id: '0', _links: link(id) },
    ])
    expect(await read(id)).toMatchObject({ ...patch, updated_by: admin.id, created_at: BEGINNING })
    expect(events).toEqual([
      ['task_type_changed', ['task', id], [{ task_type: { id: 1 } }], [{ task_type: { id: 2 } }]],
      ['task_text_changed', ['task', id], [{ task: { text: 'Call' } }], [{ task: { text: 'Write' } }]],
      [
        'task_deadline_changed',
        ['task', id],
        [{ task_deadline: { timestamp: DUE } }],
        [{ task_deadline: { timestamp: DUE + 60 } }],
      ],
      [
        'entity_responsible_changed',
        ['task', id],
        [{ responsible_user: { id: admin.id } }],
        [{ responsible_user: { id: ann.id } }],
      ],
    ])
  })

  test('with a result completes a task, with an event and a note on its record', async () => {
    const all = await withLead()
    const { browser, admin, ctx, about, lead, read } = all
    const id = await add(browser, 'tasks', { ...call, ...about })
    const { status, events } = await recorded(all, () =>
      browser.patch('/web/v4/tasks', [
        { id, is_completed: true, result: { text: 'They said yes' }, request_id: 'a' },
      ]),
    )
    expect([status, events]).toEqual([
      200,
      [
        ['task_completed', ['task', id], [], []],
        ['task_result_added', ['lead', lead], [], [{ note: { id: 2 } }]],
      ],
    ])
    expect(await read(id)).toMatchObject({ is_completed: true, result: { text: 'They said yes' } })
    const note = await ctx.db.selectFrom('notes').selectAll().where('id', '=', 2).executeTakeFirst()
    expect(note).toMatchObject({
      entity_type: 'leads',
      entity_id: lead,
      note_type: 'task_result',
      params: JSON.stringify({ text: 'They said yes', task_id: id }),
      created_by: admin.id,
    })
  })

  test('records the result of a task without a record on the task itself', async () => {
    const all = await withLead()
    const id = await add(all.browser, 'tasks', call)
    const { events } = await recorded(all, () =>
      all.browser.patch(`/web/v4/tasks/${id}`, { is_completed: true, result: { text: 'Done' } }),
    )
    expect(events).toEqual([
      ['task_completed', ['task', id], [], []],
      ['task_result_added', ['task', id], [], [{ note: { id: 2 } }]],
    ])
    const notes = await all.ctx.db
      .selectFrom('notes')
      .select(['entity_type', 'entity_id'])
      .where('note_type', '=', 'task_result')
      .execute()
    expect(notes).toEqual([{ entity_type: 'tasks', entity_id: id }])
  })

  test('reopens a task without an event; later changes are recorded again', async () => {
    const all = await withLead()
    const { browser, read } = all
    const id = await add(browser, 'tasks', call)
    const set = (body: object) => recorded(all, () => browser.patch(`/web/v4/tasks/${id}`, body))
    await set({ is_completed: true, result: { text: 'Done' } })
    expect((await set({ is_completed: false })).events).toEqual([])
    expect(await read(id)).toMatchObject({ is_completed: false, result: { text: 'Done' } })
    // The same result is not recorded again.
    expect((await set({ is_completed: true, result: { text: 'Done' } })).events).toEqual([
      ['task_completed', ['task', id], [], []],
    ])
    expect((await set({ result: { text: 'Really' } })).events).toEqual([
      ['task_result_added', ['task', id], [], [{ note: { id: 3 } }]],
    ])
    for (const none of [null, [], { text: '' }]) {
      await set({ result: { text: 'Some' } })
      expect((await set({ result: none })).events).toEqual([])
      expect((await read(id)).result).toEqual([])
    }
  })

  test('without a difference records nothing and changes nothing', async () => {
    const all = await withLead()
    const { browser, clock, about, read } = all
    const id = await add(browser, 'tasks', { ...call, ...about })
    const before = await read(id)
    const marks = await traces(all.ctx)
    clock.advance(60)
    for (const body of [{}, before, { text: 'Call' }, { unknown: 1 }])
      expect((await browser.patch(`/web/v4/tasks/${id}`, body)).body.updated_at).toBe(BEGINNING)
    expect([await read(id), await traces(all.ctx)]).toEqual([before, marks])
  })

  test('applies two patches for one task in order, and records one change', async () => {
    const all = await withLead()
    const id = await add(all.browser, 'tasks', call)
    const { events } = await recorded(all, () =>
      all.browser.patch('/web/v4/tasks', [
        { id, text: 'One', duration: 5 },
        { id, text: 'Two' },
      ]),
    )
    expect(events).toEqual([
      ['task_text_changed', ['task', id], [{ task: { text: 'Call' } }], [{ task: { text: 'Two' } }]],
    ])
    expect(await all.read(id)).toMatchObject({ text: 'Two', duration: 5 })
  })

  test('accepts a record by id alone if the kind stays the same', async () => {
    const { browser, about, read } = await withLead()
    const id = await add(browser, 'tasks', { ...call, ...about })
    const other = await add(browser, 'leads')
    await browser.patch(`/web/v4/tasks/${id}`, { entity_id: other })
    expect(await read(id)).toMatchObject({ entity_type: 'leads', entity_id: other })
    await browser.patch(`/web/v4/tasks/${id}`, { entity_id: null })
    expect(await read(id)).toMatchObject({ entity_type: null, entity_id: null })
    expect(faultsOf(await browser.patch(`/web/v4/tasks/${id}`, { entity_id: other }))).toEqual([
      400,
      '0 FieldMissing entity_type',
    ])
  })

  test('uses the original kind of record for two patches of one task', async () => {
    const { browser, about, read } = await withLead()
    const id = await add(browser, 'tasks', { ...call, ...about })
    const contact = await add(browser, 'contacts')
    const other = await add(browser, 'leads')
    const answer = await browser.patch('/web/v4/tasks', [
      { id, entity_type: 'contacts', entity_id: contact },
      { id, entity_id: other },
    ])
    expect(answer.status).toBe(200)
    expect(await read(id)).toMatchObject({ entity_type: 'leads', entity_id: other })
  })

  test('is all or nothing', async () => {
    const { browser, ctx, read, about, closest } = await withLead()
    const id = await add(browser, 'tasks', { ...call, ...about })
    const before = await traces(ctx)
    const good = { id, text: 'Changed', is_completed: true, result: { text: 'Done' } }
    const refused = async (bad: object) => faultsOf(await browser.patch('/web/v4/tasks', [good, bad]))
    expect(await refused({ id, task_type_id: 9 })).toEqual([400, '1 NotSupportedChoice task_type_id'])
    expect(await refused({ id: 999, request_id: 'x' })).toEqual([400, 'x NotSupportedChoice id'])
    expect(await refused({ text: 'x' })).toEqual([400, '1 FieldMissing id'])
    expect(await refused({ id, text: '' })).toEqual([400, '1 NotBlank text'])
    expect(await refused({ id, entity_id: 999 })).toEqual([400, '1 NotSupportedChoice entity_id'])
    // The id of its own record with another kind.
    const wrong = { id, entity_type: 'contacts', entity_id: about.entity_id }
    expect(await refused(wrong)).toEqual([400, '1 NotSupportedChoice entity_id'])
    expect([await traces(ctx), (await read(id)).text, await closest()]).toEqual([before, 'Call', DUE])
  })
})

describe('DELETE /tasks', () => {
  test('deletes one or several tasks and records it', async () => {
    const all = await withLead()
    const { browser, about, closest } = all
    const [one, two, three] = await addAll(browser, 'tasks', Array(3).fill({ ...call, ...about }))
    const single = await recorded(all, () => browser.delete(`/web/v4/tasks/${one}`))
    expect(single).toEqual({ status: 204, events: [['task_deleted', ['task', one], [], []]] })
    const many = await recorded(all, () => browser.delete('/web/v4/tasks', [{ id: two }, { id: three }]))
    expect(many).toEqual({
      status: 204,
      events: [
        ['task_deleted', ['task', two], [], []],
        ['task_deleted', ['task', three], [], []],
      ],
    })
    expect((await browser.get('/web/v4/tasks')).status).toBe(204)
    expect((await browser.get(`/web/v4/tasks/${one}`)).status).toBe(404)
    expect((await browser.patch(`/web/v4/tasks/${one}`, { text: 'x' })).status).toBe(404)
    expect((await browser.delete(`/web/v4/tasks/${one}`)).status).toBe(404)
    expect(await closest()).toBe(null)
  })

  test('is all or nothing', async () => {
    const { browser, ctx } = await withLead()
    const id = await add(browser, 'tasks', call)
    const before = await traces(ctx)
    expect(faultsOf(await browser.delete('/web/v4/tasks', [{ id }, { id: 999 }]))).toEqual([
      400,
      '1 NotSupportedChoice id',
    ])
    expect(faultsOf(await browser.delete('/web/v4/tasks', []))).toEqual([400, '0 TooFew '])
    expect([await traces(ctx), (await browser.get(`/web/v4/tasks/${id}`)).status]).toEqual([before, 200])
  })
})

describe('closest_task_at of a record', () => {
  test('is always the deadline of the first open task', async () => {
    const { browser, about, lead, closest } = await withLead()
    const other = await add(browser, 'leads')
    const both = async () => [await closest(), await closest(other)]
    const due = (hours: number) => ({ ...call, ...about, complete_till: BEGINNING + hours * 3_600 })
    const [late, soon] = (await addAll(browser, 'tasks', [due(9), due(3)])) as [number, number]
    expect(await both()).toEqual([due(3).complete_till, null])
    const change = (id: number, patch: object) => browser.patch(`/web/v4/tasks/${id}`, patch)
    await change(soon, { complete_till: due(4).complete_till })
    expect(await both()).toEqual([due(4).complete_till, null])
    await change(soon, { is_completed: true })
    expect(await both()).toEqual([due(9).complete_till, null])
    await change(soon, { is_completed: false })
    expect(await both()).toEqual([due(4).complete_till, null])
    await change(soon, { entity_id: other, entity_type: 'leads' })
    expect(await both()).toEqual([due(9).complete_till, due(4).complete_till])
    await change(soon, { entity_id: null })
    expect(await both()).toEqual([due(9).complete_till, null])
    await change(soon, { entity_id: lead, entity_type: 'leads' })
    await browser.delete(`/web/v4/tasks/${soon}`)
    expect(await both()).toEqual([due(9).complete_till, null])
    await add(browser, 'tasks', { ...due(1), is_completed: true })
    expect(await both()).toEqual([due(9).complete_till, null])
    await browser.delete('/web/v4/tasks', [{ id: late }])
    expect(await both()).toEqual([null, null])
  })

  test('exists for every kind of record and is updated by a merge', async () => {
    const { browser, closest, lead, about } = await withLead()
    for (const type of ['contacts', 'companies', 'customers']) {
      const entity_id = await add(browser, type, { name: 'x' })
      await add(browser, 'tasks', { ...call, entity_type: type, entity_id })
      expect((await browser.get(`/web/v4/${type}/${entity_id}`)).body.closest_task_at).toBe(DUE)
    }
    const id = await add(browser, 'tasks', { ...call, ...about })
    const survivor = await add(browser, 'leads', { name: 'Wall' })
    await add(browser, 'tasks', {
      ...call,
      complete_till: DUE + 5,
      entity_type: 'leads',
      entity_id: survivor,
    })
    expect((await browser.post('/web/v4/leads/merge', { id: survivor, merge: [lead] })).status).toBe(200)
    expect((await browser.get(`/web/v4/tasks/${id}`)).body.entity_id).toBe(survivor)
    expect(await closest(survivor)).toBe(DUE)
  })
})

test('PATCH /tasks/{id} accepts the longest text and result', async () => {
  const { browser } = await withLead()
  const id = await add(browser, 'tasks', call)
  const text = '😀'.repeat(10_000)
  expect((await browser.patch(`/web/v4/tasks/${id}`, { text, result: { text } })).status).toBe(200)
})
