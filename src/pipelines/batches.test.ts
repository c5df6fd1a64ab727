import { expect, test } from 'vitest'
import { faultsOf } from '../../test/faults.ts'
import {
  addPipelines,
  mainPipeline,
  PIPELINES,
  pipelinesOf,
  settingsOf,
  wholesale,
} from '../../test/pipelines.ts'
import { world } from '../../test/world.ts'

test('several pipelines change in the order of the batch', async () => {
  const all = await world()
  const [side] = await addPipelines(all, wholesale)
  const main = await mainPipeline(all)
  const answer = await all.admin.browser.patch(PIPELINES, [
    { id: side.id, is_main: true },
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
  expect(answer.body._embedded.pipelines.map(({ id }: { id: number }) => id)).toEqual([side.id, main.id])
})

test('several stages of a pipeline change together, or none of them', async () => {
  const all = await world()
  const { id, _embedded } = await mainPipeline(all)
  const [first, second] = _embedded.statuses.filter(({ is_editable }) => is_editable)
  const at = `${PIPELINES}/${id}/statuses`
  const answer = await all.admin.browser.patch(at, [
    { id: first?.id, name: 'Called' },
    { id: 142, name: 'Sold' },
  ])
  const named = answer.body._embedded.statuses.map(({ name }: { name: string }) => name)
  expect([answer.status, named]).toEqual([200, ['Called', 'Sold']])
  const before = await settingsOf(all)
  const refused = await all.admin.browser.patch(at, [
    { id: second?.id, name: 'Changed' },
    { id: 999_999, name: 'None' },
  ])
  expect(faultsOf(refused)).toEqual([400, '999999 NotSupportedChoice id'])
  const refusedPipelines = await all.admin.browser.patch(PIPELINES, [
    { id, name: 'Changed' },
    { id: 999_999, name: 'None' },
  ])
  expect(faultsOf(refusedPipelines)).toEqual([400, '999999 NotSupportedChoice id'])
  expect(await settingsOf(all)).toEqual(before)
})
