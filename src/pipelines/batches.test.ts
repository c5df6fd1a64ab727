import { expect, test } from 'vitest'
import { faultsOf } from '../../test/faults.ts'
import {
  addPipelines,
  mainPipeline,
  PIPELINES,
  pipelinesOf,
  settingsOf,
  wholesale,
} from '../../test/fixtures/pipelines.ts'
import { world } from '../../test/world.ts'

test('several pipelines change in the order of the batch', async () => {
  const all = await world()
  const [side] = await addPipelines(all, wholesale)
  const main = await mainPipeline(all)
  const answer = await all.admin.browser.patch(PIPELINES, [
    { id: side.id, is_main: true, request_id: 'first' },
    { id: main.id, name: 'Former', sort: 90 },
  ])
  const seen = (await pipelinesOf(all)).map(({ id, name, is_main, sort }) => ({ id, name, is_main, sort }))
  expect([answer.status, seen]).toEqual([
    200,
    [
      { id: side.id, name: 'Wholesale', is_main: true, sort: 20 },
      { id: main.id, name: 'Former', is_main: false, sort: 90 },
    ],
  ])
  expect(answer.body._embedded.pipelines).toMatchObject([
    { id: side.id, request_id: 'first' },
    { id: main.id, request_id: '1' },
  ])
})

test('several stages of a pipeline change together, or none of them', async () => {
  const all = await world()
  const { id, _embedded } = await mainPipeline(all)
  const [first, second] = _embedded.statuses.filter(({ is_editable }) => is_editable)
  const at = `${PIPELINES}/${id}/statuses`
  const answer = await all.admin.browser.patch(at, [
    { id: first?.id, name: 'Called' },
    { id: 142, name: 'Sold', request_id: 7 },
  ])
  expect([answer.status, answer.body._embedded.statuses]).toEqual([
    200,
    [
      expect.objectContaining({ name: 'Called', request_id: '0' }),
      expect.objectContaining({ name: 'Sold', request_id: 7 }),
    ],
  ])
  const before = await settingsOf(all)
  const refused = await all.admin.browser.patch(at, [
    { id: second?.id, name: 'Changed' },
    { id: 999_999, name: 'None', request_id: 'none' },
  ])
  expect(faultsOf(refused)).toEqual([400, 'none NotSupportedChoice id'])
  const twice = { level: 'newbie', description: 'Ask' }
  const repeated = await all.admin.browser.patch(at, [
    { id: second?.id, name: 'Changed' },
    { id: first?.id, descriptions: [twice, twice] },
  ])
  expect(faultsOf(repeated)).toEqual([400, '1 NotUnique descriptions.1.level'])
  const refusedPipelines = await all.admin.browser.patch(PIPELINES, [
    { id, name: 'Changed' },
    { id: 999_999, name: 'None' },
  ])
  expect(faultsOf(refusedPipelines)).toEqual([400, '1 NotSupportedChoice id'])
  expect(await settingsOf(all)).toEqual(before)
})

test('a batch of settings can be larger than 64 KiB (V12)', async () => {
  const all = await world()
  const descriptions = ['newbie', 'candidate', 'master'].map((level) => ({
    level,
    description: 'x'.repeat(1_000),
  }))
  const statuses = Array.from({ length: 30 }, (_, i) => ({ name: `Stage ${i}`, descriptions }))
  const [side] = await addPipelines(all, { ...wholesale, _embedded: { statuses } })
  const own = side._embedded.statuses.filter(({ is_editable }) => is_editable)
  expect(own.length).toBe(30)
  const patches = own.map(({ id }) => ({ id, name: 'Changed', descriptions }))
  const answer = await all.admin.browser.patch(`${PIPELINES}/${side.id}/statuses`, patches)
  expect(answer.status).toBe(200)
})
