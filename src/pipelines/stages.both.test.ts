import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import {
  addPipelines,
  faultsOf,
  mainPipeline,
  PIPELINES,
  refusalOf,
  settingsOf,
  wholesale,
} from '../../test/fixtures/pipelines.ts'
import { addAll } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { findStages } from './pipelines.ts'
import type { Status } from './schemas.ts'

const self = (path: string) => ({ self: { href: `http://demo.localhost:8080${path}` } })
const namesOf = (stages: Status[]) => stages.map(({ name }) => name)

/** A world, and the address of the stages of its main pipeline. */
async function place() {
  const here = await world()
  const main = await mainPipeline(here)
  const path = `${PIPELINES}/${main.id}/statuses`
  const stages = main._embedded.statuses as [Status, Status, Status, Status, Status, Status, Status]
  return { here, main, path, stages, browser: here.admin.browser }
}

describe('V7: /leads/pipelines/{id}/statuses', () => {
  test('are listed in their order and read by id, by everybody', async () => {
    const { here, path, stages } = await place()
    const seller = await here.addPerson({ name: 'Sam' })
    const list = await seller.browser.get(path)
    const statuses = stages
    expect([list.status, list.body]).toEqual([
      200,
      { _total_items: 7, _links: self(path), _embedded: { statuses } },
    ])
    expect((await seller.browser.get(`${path}/142`)).body).toEqual(stages[5])
  })

  test('are added, without a position at the end, but before 143', async () => {
    const { here, main, path, browser } = await place()
    const answer = await browser.post(path, [
      { name: 'Between', sort: 25, color: '#F3BEFF', request_id: 'b', type: 1, is_editable: false },
      { name: 'Last' },
      { name: 'Far', sort: Number.MAX_SAFE_INTEGER },
    ])
    const [{ id }, last] = answer.body._embedded.statuses
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      _total_items: 3,
      _links: self(path),
      _embedded: {
        statuses: [
          {
            id,
            name: 'Between',
            sort: 25,
            is_editable: true,
            pipeline_id: main.id,
            color: '#f3beff',
            type: 0,
            account_id: here.account.id,
            request_id: 'b',
            _links: self(`${path}/${id}`),
          },
          expect.objectContaining({ name: 'Last', sort: 70, color: '#fffeb2', request_id: '1' }),
          expect.objectContaining({ name: 'Far', sort: Number.MAX_SAFE_INTEGER, request_id: '2' }),
        ],
      },
    })
    expect(namesOf((await browser.get(path)).body._embedded.statuses)).toEqual([
      'Incoming leads',
      'Initial contact',
      'Between',
      'Discussions',
      'Decision making',
      'Contract discussion',
      'Last',
      'Far',
      'Closed - won',
      'Closed - lost',
    ])
    const { request_id: _, ...shown } = last
    expect((await browser.get(`${path}/${last.id}`)).body).toEqual(shown)
    // There is no number after the last position.
    expect((await browser.post(path, [{ name: 'Farther' }])).body._embedded.statuses).toMatchObject([
      { sort: Number.MAX_SAFE_INTEGER },
    ])
  })

  test('are changed one by one; system stages accept a name, and their position and colour are read-only', async () => {
    const { here, path, stages, browser } = await place()
    const [unsorted, own] = stages
    const patch = { name: 'Hello', sort: 45, color: '#EB93FF', type: 1, pipeline_id: 9 }
    const answer = await browser.patch(`${path}/${own.id}`, patch)
    expect([answer.status, answer.body]).toEqual([200, { ...own, name: 'Hello', sort: 45, color: '#eb93ff' }])
    for (const stage of [unsorted, stages[5], stages[6]]) {
      const renamed = await browser.patch(`${path}/${stage.id}`, { ...patch, color: '#CCFF66' })
      expect([renamed.status, renamed.body]).toEqual([200, { ...stage, name: 'Hello' }])
    }
    await browser.patch(`${path}/${own.id}`, { name: 'Hello' })
    expect((await settingsOf(here)).log.map(({ action }) => action)).toEqual(Array(4).fill('stage.changed'))
  })

  test('with=descriptions adds the descriptions per level, with author and time', async () => {
    const { here, main, path, stages, browser } = await place()
    const own = stages[1]
    const texts = [
      { level: 'newbie', description: 'Call.' },
      { level: 'master', description: 'x'.repeat(1000) },
    ]
    await browser.patch(`${path}/${own.id}`, { descriptions: texts })
    here.clock.advance(90)
    const other = await here.addPerson({ name: 'Bob', is_admin: true })
    await other.browser.patch(`${path}/${own.id}`, {
      descriptions: [{ level: 'newbie', description: 'Write.' }, texts[1]],
    })
    const description = (id: number, level: string, text: string, updated: [string, number]) => ({
      id,
      account_id: here.account.id,
      created_at: '2026-03-01 12:00:00',
      created_by: here.admin.id,
      updated_at: updated[0],
      updated_by: updated[1],
      pipeline_id: main.id,
      status_id: own.id,
      level,
      description: text,
    })
    const descriptions = [
      description(1, 'newbie', 'Write.', ['2026-03-01 12:01:30', other.id]),
      description(3, 'master', 'x'.repeat(1000), ['2026-03-01 12:00:00', here.admin.id]),
    ]
    const shown = { ...own, descriptions }
    expect((await browser.get(`${path}/${own.id}?with=descriptions`)).body).toEqual(shown)
    expect((await browser.get(`${path}?with=descriptions`)).body._embedded.statuses[1]).toEqual(shown)
    expect(
      (await browser.get(`${PIPELINES}/${main.id}?with=descriptions`)).body._embedded.statuses[1],
    ).toEqual(shown)
    expect((await browser.get(`${PIPELINES}?with[]=descriptions`)).body._embedded.pipelines).toMatchObject([
      {
        _embedded: {
          statuses: [{ descriptions: [] }, { descriptions }, ...Array(5).fill({ descriptions: [] })],
        },
      },
    ])
    const cleared = await browser.patch(`${path}/${own.id}?with=descriptions`, { descriptions: null })
    expect(cleared.body.descriptions).toEqual([])
  })

  test('are limited to a hundred per pipeline, including system ones', async () => {
    const { path, browser } = await place()
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `Stage ${i}` }))
    expect(refusalOf(await browser.post(path, many(94)))).toEqual([409, 'stage_limit'])
    expect((await browser.post(path, many(93))).status).toBe(200)
    expect(refusalOf(await browser.post(path, many(1)))).toEqual([409, 'stage_limit'])
    expect((await browser.get(path)).body._total_items).toBe(100)
  })

  test('cannot be deleted with leads, as system stages, or as the last own stage', async () => {
    const { here, main, path, stages, browser } = await place()
    const [unsorted, first, second, third, fourth] = stages
    const [lead] = await addAll(browser, 'leads', [{ pipeline_id: main.id, status_id: first.id }])
    const before = await settingsOf(here)
    expect(refusalOf(await browser.delete(`${path}/${first.id}`))).toEqual([409, 'stage_in_use'])
    for (const { id } of [unsorted, stages[5], stages[6]])
      expect(refusalOf(await browser.delete(`${path}/${id}`))).toEqual([409, 'system_stage'])
    expect(await settingsOf(here)).toEqual(before)
    for (const { id } of [second, third, fourth])
      expect((await browser.delete(`${path}/${id}`)).status).toBe(204)
    expect((await browser.delete(`${path}/${second.id}`)).status).toBe(404)
    await browser.delete(`/web/v4/leads/${lead}`)
    expect(refusalOf(await browser.delete(`${path}/${first.id}`))).toEqual([409, 'last_stage'])
    expect(namesOf((await browser.get(path)).body._embedded.statuses)).toEqual([
      'Incoming leads',
      'Initial contact',
      'Closed - won',
      'Closed - lost',
    ])
  })

  onEmbedded.each<[string, unknown, unknown]>([
    ['no name', [{ sort: 5 }], [['0', ['FieldMissing', 'name']]]],
    ['a long name', [{ name: 'a' }, { name: 'x'.repeat(256) }], [['1', ['TooLong', 'name']]]],
    ['a sort outside of the range', [{ name: 'a', sort: -5 }], [['0', ['OutOfRange', 'sort']]]],
    ['an unsupported colour', [{ name: 'a', color: '#CCFF67' }], [['0', ['NotSupportedChoice', 'color']]]],
    [
      'an unknown level',
      [{ name: 'a', descriptions: [{ level: 'guru', description: 'x' }] }],
      [['0', ['NotSupportedChoice', 'descriptions.0.level']]],
    ],
    [
      'a duplicate level',
      [{ name: 'a', request_id: 7, descriptions: [1, 2].map(() => ({ level: 'master', description: 'x' })) }],
      [['7', ['NotUnique', 'descriptions.1.level']]],
    ],
    [
      'a long description',
      [{ name: 'a', descriptions: [{ level: 'master', description: 'x'.repeat(1001) }] }],
      [['0', ['TooLong', 'descriptions.0.description']]],
    ],
  ])('%s is refused and nothing is stored', async (_what, body, faults) => {
    const { here, path, browser } = await place()
    const before = await settingsOf(here)
    expect(faultsOf(await browser.post(path, body))).toEqual([400, faults])
    expect(await settingsOf(here)).toEqual(before)
  })

  onEmbedded('require an administrator of the account, and belong to their pipeline', async () => {
    const { here, main, path, stages, browser } = await place()
    const [side] = await addPipelines(here, wholesale)
    const own = stages[1]
    const seller = await here.addPerson({ name: 'Sam' })
    const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
    const before = await settingsOf(here)
    const places = [
      `${path}/${own.id}`,
      `${path}/999999`,
      `${PIPELINES}/${side.id}/statuses/${own.id}`,
      `${PIPELINES}/999999/statuses/142`,
    ]
    const writes = async (client: Client, place: string) => [
      (await client.patch(place, { name: 'X' })).status,
      (await client.delete(place)).status,
    ]
    for (const [i, place] of places.entries()) {
      expect(await writes(here.stranger, place)).toEqual([401, 401])
      expect(await writes(seller.browser, place)).toEqual([403, 403])
      expect(await writes(other.browser, place)).toEqual([404, 404])
      if (i > 0) expect(await writes(browser, place)).toEqual([404, 404])
      expect((await here.stranger.get(place)).status).toBe(401)
      expect((await other.browser.get(place)).status).toBe(404)
      expect((await browser.get(place)).status).toBe(i > 0 ? 404 : 200)
    }
    const drafts = [{ name: 'X' }]
    expect((await here.stranger.post(path, drafts)).status).toBe(401)
    expect((await seller.browser.post(path, drafts)).status).toBe(403)
    expect((await other.browser.post(path, drafts)).status).toBe(404)
    expect((await other.browser.get(path)).status).toBe(404)
    expect((await browser.post(`${PIPELINES}/999999/statuses`, drafts)).status).toBe(404)
    for (const body of [{ name: '' }, { sort: 1.5 }, { color: 'red' }, { descriptions: {} }, [1], 'x'])
      expect((await browser.patch(`${path}/${own.id}`, body)).status).toBe(400)
    expect(await settingsOf(here)).toEqual(before)
    expect(main._embedded.statuses).toContainEqual(own)
  })
})

describe('The stages for other slices', () => {
  test('include the first stage, membership and the unsorted stage', async () => {
    const { here, main, stages } = await place()
    const { ctx, account } = here
    const statuses = [
      { name: 'Late', sort: 9 },
      { name: 'Early', sort: 5 },
    ]
    const [side] = await addPipelines(here, { ...wholesale, is_unsorted_on: false, _embedded: { statuses } })
    await here.admin.browser.patch(`${PIPELINES}/${side.id}`, { is_archive: true })
    const foreign = await findStages(ctx.db, (await here.addAccount('other')).id)
    const found = await findStages(ctx.db, account.id)
    const [early, late] = side._embedded.statuses as [Status, Status]
    const [unsorted, first] = stages
    expect([early.name, late.name, found.main]).toEqual(['Early', 'Late', main.id])
    expect([main.id, side.id, foreign.main].map(found.hasPipeline)).toEqual([true, true, false])
    expect([main.id, side.id, foreign.main].map(found.first)).toEqual([first.id, early.id, undefined])
    expect([main.id, side.id, foreign.main].map(found.unsorted)).toEqual([unsorted.id, undefined, undefined])
    expect([first.id, early.id, unsorted.id, 142, 143, 999_999].map(found.pipelineOf)).toEqual([
      main.id,
      side.id,
      main.id,
      undefined,
      undefined,
      undefined,
    ])
    const pairs: [number, number][] = [
      [main.id, first.id],
      [main.id, unsorted.id],
      [side.id, 142],
      [side.id, late.id],
      [side.id, first.id],
      [foreign.main, 142],
    ]
    expect(pairs.map((pair) => found.has(...pair))).toEqual([true, true, true, true, false, false])
  })
})
