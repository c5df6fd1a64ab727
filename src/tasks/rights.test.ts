import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../test/client.ts'
import { faultsOf } from '../../test/faults.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add, traces } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { completeRights, type Rights, type Width } from '../accounts/members/rights.ts'

const due = { text: 'Call', complete_till: 5 }
const of = (view: Width) => ({ view, edit: view, add: 'A', delete: view, export: view }) as const
const problem = ({ status, body }: Answer) => [status, body.detail]
const textsOf = ({ body }: Answer): string[] => body._embedded.tasks.map(({ text }: { text: string }) => text)
const FORBIDDEN = [403, 'Insufficient rights to call this method']

/** Tasks of every sort, as a person with these rights sees them. `others` is in another group. */
async function office(rights: Partial<Rights>) {
  const all = await world()
  const { admin, addPerson } = all
  const { browser } = admin
  const second = (await browser.post('/web/v4/groups', { name: 'Second' })).body.id
  const me = await addPerson({ name: 'Me', rights: completeRights(rights), group_id: second })
  const peer = await addPerson({ name: 'Peer', group_id: second })
  const lead = async (responsible_user_id: number) => add(browser, 'leads', { responsible_user_id })
  const mine = await lead(me.id)
  const others = await lead(admin.id)
  const task = (text: string, person: number, entity_id?: number, more: object = {}) =>
    add(browser, 'tasks', {
      ...due,
      text,
      responsible_user_id: person,
      ...(entity_id && { entity_type: 'leads', entity_id }),
      ...more,
    })
  const ids = {
    'mine, of nothing': await task('mine, of nothing', me.id),
    'mine, of theirs': await task('mine, of theirs', me.id, others),
    "peer's, of nothing": await task("peer's, of nothing", peer.id),
    'theirs, of nothing': await task('theirs, of nothing', admin.id),
    'theirs, of mine': await task('theirs, of mine', admin.id, mine),
    'theirs, of theirs': await task('theirs, of theirs', admin.id, others),
    'theirs, made by me': await task('theirs, made by me', admin.id, undefined, { created_by: me.id }),
    'theirs, made by me, of theirs': await task('theirs, made by me, of theirs', admin.id, others, {
      created_by: me.id,
    }),
  }
  return { ...all, me: me.browser, myId: me.id, ids, leads: { mine, others } }
}

const everything = [
  'mine, of nothing',
  'mine, of theirs',
  "peer's, of nothing",
  'theirs, of nothing',
  'theirs, of mine',
  'theirs, of theirs',
  'theirs, made by me',
  'theirs, made by me, of theirs',
]

async function seenBy(caller: Client, ids: Record<string, number>) {
  const listed = textsOf(await caller.get('/web/v4/tasks'))
  const read = await Promise.all(
    Object.entries(ids).map(async ([text, id]) => ({
      text,
      answer: await caller.get(`/web/v4/tasks/${id}`),
    })),
  )
  for (const { answer } of read)
    if (answer.status !== 200) expect(problem(answer)).toEqual([404, 'Entity not found'])
  // The list and single tasks must agree.
  expect(read.filter(({ answer }) => answer.status === 200).map(({ text }) => text)).toEqual(listed)
  // The totals must agree, too.
  expect((await caller.get('/web/v4/tasks/totals')).body).toEqual({
    total: listed.length,
    is_complete: true,
  })
  return listed
}

describe('Visible tasks', () => {
  test.each<[string, Partial<Rights>, string[]]>([
    ['of a person without rights', {}, ['mine, of nothing', 'mine, of theirs', 'theirs, made by me']],
    [
      'of a person who sees their own leads',
      { leads: of('M') },
      ['mine, of nothing', 'mine, of theirs', 'theirs, of mine', 'theirs, made by me'],
    ],
    [
      'of a person who sees all leads',
      { leads: of('A') },
      everything.filter((text) => !["peer's, of nothing", 'theirs, of nothing'].includes(text)),
    ],
    [
      'of a person who can edit their own tasks',
      { tasks: { edit: 'M', delete: 'D' } },
      ['mine, of nothing', 'mine, of theirs', 'theirs, made by me'],
    ],
    [
      'of a person who can edit the tasks of their group',
      { tasks: { edit: 'G', delete: 'D' } },
      ['mine, of nothing', 'mine, of theirs', "peer's, of nothing", 'theirs, made by me'],
    ],
    ['of a person who can edit all tasks', { tasks: { edit: 'A', delete: 'D' } }, everything],
  ])('%s', async (_who, rights, texts) => {
    const { me, ids } = await office(rights)
    expect(await seenBy(me, ids)).toEqual(texts)
  })

  test('of an administrator are all of them', async () => {
    const { admin, ids } = await office({})
    expect(await seenBy(admin.browser, ids)).toEqual(everything)
  })

  test('are hidden from everybody else and other accounts', async () => {
    const { ids, stranger, addAccount, addPerson } = await office({})
    expect((await stranger.get('/web/v4/tasks')).status).toBe(401)
    expect((await stranger.get(`/api/v4/tasks/${ids['mine, of nothing']}`)).status).toBe(401)
    const far = await addPerson({ account: await addAccount('other'), is_admin: true })
    expect(await seenBy(far.browser, ids)).toEqual([])
  })
})

describe('Changing tasks', () => {
  const text = (caller: Client, id: number) => caller.patch(`/web/v4/tasks/${id}`, { text: 'New' })
  const item = (caller: Client, id: number) => caller.patch('/web/v4/tasks', [{ id, text: 'New' }])
  const drop = (caller: Client, id: number) => caller.delete(`/web/v4/tasks/${id}`)
  const dropAll = (caller: Client, id: number) => caller.delete('/web/v4/tasks', [{ id }])

  test.each<[Width, Width, string[], string[]]>([
    ['D', 'D', [], []],
    ['M', 'D', ['mine, of nothing', 'mine, of theirs'], []],
    [
      'G',
      'M',
      ['mine, of nothing', 'mine, of theirs', "peer's, of nothing"],
      ['mine, of nothing', 'mine, of theirs'],
    ],
    ['A', 'G', everything, ['mine, of nothing', 'mine, of theirs', "peer's, of nothing"]],
    ['A', 'A', everything, everything],
  ])('is limited to edit %s and delete %s', async (edit, remove, editable, deletable) => {
    const { me, ids } = await office({ leads: of('A'), tasks: { edit, delete: remove } })
    for (const [what, id] of Object.entries(ids)) {
      for (const write of [text, item]) {
        const answer = await write(me, id)
        if (editable.includes(what)) expect([what, answer.status]).toEqual([what, 200])
        else expect([what, problem(answer)]).toEqual([what, FORBIDDEN])
      }
      const answer = await (id % 2 ? drop : dropAll)(me, id)
      if (deletable.includes(what)) expect([what, answer.status]).toEqual([what, 204])
      else expect([what, problem(answer)]).toEqual([what, FORBIDDEN])
    }
  })

  test('is refused without revealing whether the id exists, and changes nothing', async () => {
    const { me, ids, ctx } = await office({ leads: of('M'), tasks: { edit: 'M', delete: 'M' } })
    const before = await traces(ctx)
    const known = ids['theirs, of nothing'] as number
    for (const write of [text, item, drop, dropAll]) {
      const [hidden, missing] = [await write(me, known), await write(me, 999_999)]
      expect([hidden.status, hidden.text]).toEqual([403, missing.text])
    }
    expect(await traces(ctx)).toEqual(before)
  })

  test('of a person who sees all tasks reports a missing one', async () => {
    const { me } = await office({ tasks: { edit: 'A', delete: 'M' } })
    expect((await text(me, 999_999)).status).toBe(404)
    expect((await drop(me, 999_999)).status).toBe(404)
    expect(faultsOf(await item(me, 999_999))).toEqual([400, '0 NotSupportedChoice id'])
    expect(faultsOf(await dropAll(me, 999_999))).toEqual([400, '0 NotSupportedChoice id'])
  })

  test('is impossible in another account', async () => {
    const { ids, addAccount, addPerson, ctx } = await office({})
    const far = (await addPerson({ account: await addAccount('other'), is_admin: true })).browser
    const before = await traces(ctx)
    const id = ids['theirs, of nothing'] as number
    expect([(await text(far, id)).status, (await drop(far, id)).status]).toEqual([404, 404])
    expect([(await item(far, id)).status, (await dropAll(far, id)).status]).toEqual([400, 400])
    expect(await traces(ctx)).toEqual(before)
  })
})

describe('Moving a task to a record', () => {
  test('requires view rights; hidden and missing records are refused in the same way', async () => {
    const { me, leads, ctx } = await office({ leads: of('M') })
    const on = (entity_id: number) =>
      me.post('/web/v4/tasks', [due, { ...due, entity_type: 'leads', entity_id }])
    expect((await on(leads.mine)).status).toBe(200)
    const before = await traces(ctx)
    for (const id of [leads.others, 999_999]) expect(problem(await on(id))).toEqual(FORBIDDEN)
    expect(await traces(ctx)).toEqual(before)
  })

  test('is checked for changes, too', async () => {
    const { me, leads, ids, ctx } = await office({ leads: of('M'), tasks: { edit: 'M', delete: 'D' } })
    const move = (entity_id: number) =>
      me.patch(`/web/v4/tasks/${ids['mine, of nothing']}`, { entity_type: 'leads', entity_id })
    expect((await move(leads.mine)).status).toBe(200)
    const before = await traces(ctx)
    for (const target of [leads.others, 999_999]) expect(problem(await move(target))).toEqual(FORBIDDEN)
    expect(await traces(ctx)).toEqual(before)
  })

  test('is not necessary to keep a deleted record', async () => {
    const { admin, leads, ids } = await office({})
    await admin.browser.delete(`/web/v4/leads/${leads.mine}`)
    const id = ids['theirs, of mine']
    const task = (await admin.browser.get(`/web/v4/tasks/${id}`)).body
    expect(task.entity_id).toBe(leads.mine)
    expect((await admin.browser.patch(`/web/v4/tasks/${id}`, { ...task, text: 'New' })).status).toBe(200)
  })

  test('is impossible for a record of another account', async () => {
    const { leads, addAccount, addPerson, ctx } = await office({})
    const far = (await addPerson({ account: await addAccount('other'), is_admin: true })).browser
    const before = await traces(ctx)
    const answer = await far.post('/web/v4/tasks', [{ ...due, entity_type: 'leads', entity_id: leads.mine }])
    expect(faultsOf(answer)).toEqual([400, '0 NotSupportedChoice entity_id'])
    expect(await traces(ctx)).toEqual(before)
  })
})

describe('A task on a record that is hidden from the responsible user', () => {
  const rights = { leads: of('M'), tasks: { edit: 'M', delete: 'D' } } as const

  test('is shown without the record and not found by it', async () => {
    const { me, admin, ids, leads } = await office(rights)
    const id = ids['mine, of theirs']
    const parentOf = async (caller: Client) => {
      const { entity_id, entity_type } = (await caller.get(`/web/v4/tasks/${id}`)).body
      const listed = (await caller.get(`/web/v4/tasks?filter[id]=${id}`)).body._embedded.tasks[0]
      expect([listed.entity_id, listed.entity_type]).toEqual([entity_id, entity_type])
      return [entity_type, entity_id]
    }
    expect(await parentOf(me)).toEqual([null, null])
    expect(await parentOf(admin.browser)).toEqual(['leads', leads.others])
    const about = async (lead: number) =>
      textsOf(await me.get(`/web/v4/tasks?filter[entity_type]=leads&filter[entity_id]=${lead}`))
    expect([await about(leads.others), await about(leads.mine)]).toEqual([[], ['theirs, of mine']])
    expect(textsOf(await me.get('/web/v4/tasks?filter[entity_type]=leads'))).toEqual(['theirs, of mine'])
    const { status_id } = (await admin.browser.get(`/web/v4/leads/${leads.others}`)).body
    const inStage = await me.get(`/web/v4/tasks?filter[lead_statuses][0][status_id]=${status_id}`)
    expect(textsOf(inStage)).toEqual(['theirs, of mine'])
  })

  test('keeps the record when they edit it, and does not let them guess it', async () => {
    const { me, admin, ids, leads, ctx } = await office(rights)
    const id = ids['mine, of theirs']
    const change = (body: object) => me.patch(`/web/v4/tasks/${id}`, body)
    const task = (await me.get(`/web/v4/tasks/${id}`)).body
    expect((await change({ ...task, text: 'New' })).status).toBe(200)
    const stored = async () => (await admin.browser.get(`/web/v4/tasks/${id}`)).body
    expect(await stored()).toMatchObject({ text: 'New', entity_type: 'leads', entity_id: leads.others })
    const before = await traces(ctx)
    for (const entity_id of [leads.others, 999_999])
      expect(problem(await change({ entity_type: 'leads', entity_id }))).toEqual(FORBIDDEN)
    expect(faultsOf(await change({ entity_type: 'leads' }))).toEqual([400, '0 FieldMissing entity_id'])
    expect(faultsOf(await change({ entity_id: leads.mine }))).toEqual([400, '0 FieldMissing entity_type'])
    expect(await traces(ctx)).toEqual(before)
    expect((await change({ entity_type: 'leads', entity_id: leads.mine })).status).toBe(200)
    expect((await stored()).entity_id).toBe(leads.mine)
  })
})

describe('Bearer tokens', () => {
  test('write and read tasks with the rights of their person, as hal+json', async () => {
    const { admin, stranger } = await world()
    const { access_token } = await connect(stranger, await register(admin))
    const api = stranger.as({ token: access_token })
    const id = await add(api, 'tasks', due)
    const answer = await api.get(`/api/v4/tasks/${id}`)
    expect([answer.status, answer.headers['content-type'], answer.body._links.self.href]).toEqual([
      200,
      'application/hal+json',
      `http://demo.localhost:8080/api/v4/tasks/${id}`,
    ])
    expect((await api.delete(`/api/v4/tasks/${id}`)).status).toBe(204)
    expect((await api.get(`/api/v4/tasks/${id}`)).status).toBe(404)
  })
})
