import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { addIncoming } from '../../test/fixtures/incoming-leads.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import {
  addPipelines,
  faultsOf,
  PIPELINES,
  pipelinesOf,
  refusalOf,
  settingsOf,
  wholesale,
} from '../../test/fixtures/pipelines.ts'
import { addAll } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { nextId } from '../db/dialect.ts'
import type { Pipeline } from './schemas.ts'

const href = (path: string) => ({ self: { href: `http://demo.localhost:8080${path}` } })
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

/** The stages of a pipeline without own ones, in English. */
function stages(account_id: number, pipeline_id: number, ids: number[], path = PIPELINES) {
  const stage = (id: number, name: string, sort: number, color: string, own = true) => ({
    id,
    name,
    sort,
    is_editable: own,
    pipeline_id,
    color,
    type: sort === 10 ? 1 : 0,
    account_id,
    _links: href(`${path}/${pipeline_id}/statuses/${id}`),
  })
  const [unsorted, ...own] = ids as [number, ...number[]]
  return [
    stage(unsorted, 'Incoming leads', 10, '#c1c1c1', false),
    stage(own[0] as number, 'Initial contact', 20, '#98cbff'),
    stage(own[1] as number, 'Discussions', 30, '#fffd7f'),
    stage(own[2] as number, 'Decision making', 40, '#ffce5a'),
    stage(own[3] as number, 'Contract discussion', 50, '#ffc8c8'),
    stage(142, 'Closed - won', 10_000, '#CCFF66', false),
    stage(143, 'Closed - lost', 11_000, '#D5D8DB', false),
  ]
}

describe('V7: GET /leads/pipelines', () => {
  test('a new account has a main pipeline with the usual stages, in the order and form that clients expect', async () => {
    const here = await world()
    const { stranger, account, admin } = here
    const shop = await register(admin)
    const api = stranger.as({ token: (await connect(stranger, shop)).access_token })
    const list = await api.get('/api/v4/leads/pipelines?with=x&page=2')
    const path = '/api/v4/leads/pipelines'
    const id = list.body._embedded.pipelines[0].id
    const ids = list.body._embedded.pipelines[0]._embedded.statuses.map((one: { id: number }) => one.id)
    const pipeline = {
      id,
      name: 'Sales',
      sort: 1,
      is_main: true,
      is_unsorted_on: true,
      is_archive: false,
      account_id: account.id,
      _links: href(`${path}/${id}`),
      _embedded: { statuses: stages(account.id, id, ids, path) },
    }
    expect([list.status, list.headers['content-type']]).toEqual([200, 'application/hal+json'])
    expect(list.body).toEqual({ _total_items: 1, _links: href(path), _embedded: { pipelines: [pipeline] } })
    expect(list.text).toBe(
      JSON.stringify({ _total_items: 1, _links: href(path), _embedded: { pipelines: [pipeline] } }),
    )
    expect((await api.get(`${path}/${id}`)).text).toBe(JSON.stringify(pipeline))
  })

  test('everybody in the account sees all of them: rights hide leads, not stages', async () => {
    const here = await world()
    const seller = await here.addPerson({ name: 'Sam' })
    const [main] = (await pipelinesOf(here)) as [Pipeline]
    expect((await seller.browser.get(PIPELINES)).body).toEqual((await here.admin.browser.get(PIPELINES)).body)
    expect((await seller.browser.get(`${PIPELINES}/${main.id}`)).body).toEqual(main)
  })

  test('requires a member of the account', async () => {
    const here = await world()
    const [main] = (await pipelinesOf(here)) as [Pipeline]
    const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
    const theirs = (await other.browser.get(PIPELINES)).body._embedded.pipelines
    expect(idsOf(theirs)).not.toContain(main.id)
    expect((await here.stranger.get(PIPELINES)).status).toBe(401)
    expect((await here.stranger.get(`${PIPELINES}/${main.id}`)).status).toBe(401)
    for (const id of [main.id, 999_999])
      expect(refusalOf(await other.browser.get(`${PIPELINES}/${id}`))).toEqual([404, 'not_found'])
    for (const id of ['x', '-1', '1e400', '9007199254740993'])
      expect((await other.browser.get(`${PIPELINES}/${id}`)).status).toBe(404)
  })
})

describe('V7: POST /leads/pipelines', () => {
  test('adds a pipeline with the given stages and names of the closing ones', async () => {
    const here = await world()
    const { admin, account } = here
    const statuses = [
      { id: 143, name: 'Gone' },
      { name: 'Quote', color: '#FFFD7F' },
      { id: 77, name: 'Delivery', sort: 7, color: '#e6e8ea' },
      { id: 142, name: 'Paid', color: '#CCFF66', sort: 1 },
    ]
    const answer = await admin.browser.post(PIPELINES, [
      { ...wholesale, request_id: 5, _embedded: { statuses } },
      wholesale,
    ])
    const [one, two] = answer.body._embedded.pipelines
    expect(answer.status).toBe(200)
    expect(
      one._embedded.statuses.map(({ name, sort, color }: Record<string, unknown>) => [name, sort, color]),
    ).toEqual([
      ['Incoming leads', 10, '#c1c1c1'],
      ['Delivery', 7, '#e6e8ea'],
      ['Quote', 20, '#fffd7f'],
      ['Paid', 10_000, '#CCFF66'],
      ['Gone', 11_000, '#D5D8DB'],
    ])
    expect(idsOf(one._embedded.statuses)).not.toContain(77)
    const ids = idsOf(two._embedded.statuses)
    const whole = (id: number, statuses: unknown, request_id: unknown) => ({
      id,
      ...wholesale,
      is_archive: false,
      account_id: account.id,
      request_id,
      _links: href(`${PIPELINES}/${id}`),
      _embedded: { statuses },
    })
    expect(answer.body).toEqual({
      _total_items: 2,
      _links: href(PIPELINES),
      _embedded: {
        pipelines: [
          whole(one.id, one._embedded.statuses, 5),
          whole(two.id, stages(account.id, two.id, ids), '1'),
        ],
      },
    })
    const { request_id: _, ...shown } = two
    expect((await admin.browser.get(`${PIPELINES}/${two.id}`)).body).toEqual(shown)
    expect((await settingsOf(here)).log).toEqual(
      [one, two].map(({ id }) => ({
        action: 'pipeline.added',
        details: JSON.stringify({ id, name: 'Wholesale' }),
      })),
    )
  })

  test('never uses the id of a closing stage for another one', async () => {
    const here = await world()
    await here.ctx.db.transaction().execute(async (tx) => {
      for (let taken = 0; taken < 138; ) taken = await nextId(tx, 'statuses')
    })
    const [pipeline] = await addPipelines(here, wholesale)
    expect(idsOf(pipeline._embedded.statuses)).toEqual([139, 140, 141, 144, 145, 142, 143])
  })

  test('accepts stages in the form of the list, with colours in any case, and creates the unsorted stage once', async () => {
    const here = await world()
    const [main] = (await pipelinesOf(here)) as [Pipeline]
    const { statuses } = main._embedded
    const upper = statuses.map((stage) => ({ ...stage, color: stage.color.toUpperCase() }))
    const more = ['#c1c1c1', '#ccff66', '#D5d8DB'].map((color) => ({ name: color, color }))
    const copies = await addPipelines(
      here,
      { ...wholesale, _embedded: { statuses } },
      { ...wholesale, _embedded: { statuses: [...upper, ...more] } },
    )
    const looks = (pipeline: Pipeline) => pipeline._embedded.statuses.map(({ name, color }) => [name, color])
    expect(looks(copies[0] as Pipeline)).toEqual(looks(main))
    expect(looks(copies[1] as Pipeline).filter(([name]) => !name?.startsWith('#'))).toEqual(looks(main))
    expect(looks(copies[1] as Pipeline)).toEqual(
      expect.arrayContaining([
        ['#c1c1c1', '#c1c1c1'],
        ['#ccff66', '#CCFF66'],
        ['#D5d8DB', '#D5D8DB'],
      ]),
    )
  })

  test('replaces the main pipeline with a new one', async () => {
    const here = await world()
    const [old] = (await pipelinesOf(here)) as [Pipeline]
    const [added] = await addPipelines(here, { ...wholesale, is_main: true })
    expect((await pipelinesOf(here)).map(({ id, is_main }) => [id, is_main])).toEqual([
      [old.id, false],
      [added.id, true],
    ])
  })

  test('limits an account to fifty pipelines', async () => {
    const here = await world()
    const many = (count: number) => Array.from({ length: count }, () => wholesale)
    expect(refusalOf(await here.admin.browser.post(PIPELINES, many(50)))).toEqual([409, 'pipeline_limit'])
    expect((await pipelinesOf(here)).length).toBe(1)
    expect((await here.admin.browser.post(PIPELINES, many(49))).status).toBe(200)
    expect(refusalOf(await here.admin.browser.post(PIPELINES, many(1)))).toEqual([409, 'pipeline_limit'])
  })

  onEmbedded.each<[string, unknown, unknown]>([
    ['nothing', [], undefined],
    ['no array', wholesale, undefined],
    ['no name', [{ ...wholesale, name: undefined }], [['0', ['FieldMissing', 'name']]]],
    [
      'a blank name',
      [wholesale, { ...wholesale, name: ' ', request_id: 'b' }],
      [['b', ['InvalidFormat', 'name']]],
    ],
    ['a sort that is text', [{ ...wholesale, sort: '5' }], [['0', ['InvalidType', 'sort']]]],
    ['a negative sort', [{ ...wholesale, sort: -1 }], [['0', ['OutOfRange', 'sort']]]],
    [
      'two main pipelines',
      [
        { ...wholesale, is_main: true },
        { ...wholesale, is_main: true },
      ],
      [['1', ['NotUnique', 'is_main']]],
    ],
    [
      'an unsupported colour',
      [{ ...wholesale, _embedded: { statuses: [{ name: 'A' }, { name: 'B', color: '#123456' }] } }],
      [['0', ['NotSupportedChoice', '_embedded.statuses.1.color']]],
    ],
    [
      'a duplicate closing stage',
      [
        {
          ...wholesale,
          _embedded: {
            statuses: [
              { id: 142, name: 'A' },
              { id: 142, name: 'B' },
            ],
          },
        },
      ],
      [['0', ['NotUnique', '_embedded.statuses.1.id']]],
    ],
    [
      'more than a hundred stages, including system ones',
      [{ ...wholesale, _embedded: { statuses: Array.from({ length: 98 }, () => ({ name: 'A' })) } }],
      [['0', ['TooMany', '_embedded.statuses']]],
    ],
  ])('refuses %s and stores nothing', async (_what, body, faults) => {
    const here = await world()
    const before = await settingsOf(here)
    const answer = await here.admin.browser.post(PIPELINES, body)
    expect(answer.status).toBe(400)
    if (faults) expect(faultsOf(answer)).toEqual([400, faults])
    expect(await settingsOf(here)).toEqual(before)
  })
})

describe('V7: PATCH and DELETE /leads/pipelines/{id}', () => {
  test('changes the given members and returns the whole pipeline; no change is logged if nothing differs', async () => {
    const here = await world()
    const { request_id: _, ...added } = (await addPipelines(here, wholesale))[0]
    const path = `${PIPELINES}/${added.id}`
    const patch = { name: 'B2B', sort: 3, is_archive: true, account_id: 9, id: 9 }
    const changed = { ...added, name: 'B2B', sort: 3, is_archive: true }
    const answer = await here.admin.browser.patch(path, patch)
    expect([answer.status, answer.body]).toEqual([200, changed])
    expect((await here.admin.browser.patch(path, { name: 'B2B' })).body).toEqual(changed)
    expect((await here.admin.browser.get(path)).body).toEqual(changed)
    expect((await settingsOf(here)).log.map(({ action }) => action)).toEqual([
      'pipeline.added',
      'pipeline.changed',
    ])
  })

  test('the main pipeline can only be replaced by another one', async () => {
    const here = await world()
    const [main] = (await pipelinesOf(here)) as [Pipeline]
    const [side, archived] = await addPipelines(here, wholesale, wholesale)
    const { browser } = here.admin
    await browser.patch(`${PIPELINES}/${archived.id}`, { is_archive: true })
    const before = await settingsOf(here)
    for (const answer of [
      await browser.patch(`${PIPELINES}/${main.id}`, { is_main: false }),
      await browser.patch(`${PIPELINES}/${main.id}`, { is_archive: true }),
      await browser.patch(`${PIPELINES}/${side.id}`, { is_main: true, is_archive: true }),
      await browser.patch(`${PIPELINES}/${archived.id}`, { is_main: true }),
      await browser.delete(`${PIPELINES}/${main.id}`),
    ])
      expect(refusalOf(answer)).toEqual([409, 'main_pipeline'])
    expect(await settingsOf(here)).toEqual(before)
    expect(
      (await browser.patch(`${PIPELINES}/${archived.id}`, { is_main: true, is_archive: false })).status,
    ).toBe(200)
    expect((await pipelinesOf(here)).filter(({ is_main }) => is_main)).toMatchObject([{ id: archived.id }])
    expect((await browser.delete(`${PIPELINES}/${main.id}`)).status).toBe(204)
    expect((await browser.get(`${PIPELINES}/${main.id}`)).status).toBe(404)
    expect((await pipelinesOf(here)).map(({ id }) => id)).toEqual([side.id, archived.id])
  })

  test('a pipeline with leads cannot be deleted, but one whose leads are all in the trash can', async () => {
    const here = await world()
    const [side] = await addPipelines(here, wholesale)
    const leads = await addAll(here.admin.browser, 'leads', [
      { pipeline_id: side.id },
      { pipeline_id: side.id, status_id: 142 },
    ])
    const before = await settingsOf(here)
    for (const id of leads) {
      expect(refusalOf(await here.admin.browser.delete(`${PIPELINES}/${side.id}`))).toEqual([
        409,
        'pipeline_in_use',
      ])
      expect(await settingsOf(here)).toEqual(before)
      await here.admin.browser.delete(`/web/v4/leads/${id}`)
    }
    expect((await here.admin.browser.delete(`${PIPELINES}/${side.id}`)).status).toBe(204)
    expect((await settingsOf(here)).stages.filter(({ pipeline_id }) => pipeline_id === side.id)).toEqual([])
  })

  test('the unsorted stage is listed while it is enabled, and cannot be disabled if it has leads', async () => {
    const here = await world()
    const [side] = await addPipelines(here, wholesale)
    const path = `${PIPELINES}/${side.id}`
    const [unsorted, ...rest] = side._embedded.statuses
    const { lead } = await addIncoming(here.admin.browser, 'forms', { pipeline_id: side.id })
    expect(refusalOf(await here.admin.browser.patch(path, { is_unsorted_on: false }))).toEqual([
      409,
      'stage_in_use',
    ])
    await here.admin.browser.delete(`/web/v4/leads/${lead}`)
    const off = await here.admin.browser.patch(path, { is_unsorted_on: false })
    expect([off.status, off.body._embedded.statuses]).toEqual([200, rest])
    expect((await here.admin.browser.get(`${path}/statuses`)).body._total_items).toBe(6)
    expect((await here.admin.browser.get(`${path}/statuses/${unsorted?.id}`)).status).toBe(404)
    const on = await here.admin.browser.patch(path, { is_unsorted_on: true })
    expect(on.body._embedded.statuses).toEqual([unsorted, ...rest])
  })

  onEmbedded('requires an administrator of the account', async () => {
    const here = await world()
    const seller = await here.addPerson({ name: 'Sam' })
    const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
    const [side] = await addPipelines(here, wholesale)
    const before = await settingsOf(here)
    const ladder: [Client, number, number][] = [
      [here.stranger, 401, 401],
      [seller.browser, 403, 403],
      [other.browser, 404, 404],
    ]
    for (const [browser, existing, missing] of ladder)
      for (const [id, status] of [
        [side.id, existing],
        [999_999, missing],
      ]) {
        expect((await browser.patch(`${PIPELINES}/${id}`, { name: 'X' })).status).toBe(status)
        expect((await browser.delete(`${PIPELINES}/${id}`)).status).toBe(status)
      }
    expect((await here.stranger.post(PIPELINES, [wholesale])).status).toBe(401)
    const refused = await seller.browser.post(PIPELINES, [wholesale])
    expect([refused.status, refused.body.detail]).toEqual([403, 'Insufficient rights to call this method'])
    for (const body of [{ name: '' }, { name: 5 }, { sort: '1' }, { is_main: 1 }, [1], 'x'])
      expect((await here.admin.browser.patch(`${PIPELINES}/${side.id}`, body)).status).toBe(400)
    expect(await settingsOf(here)).toEqual(before)
  })
})
