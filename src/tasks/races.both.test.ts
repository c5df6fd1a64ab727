import { describe, expect, test } from 'vitest'
import { client } from '../../test/client.ts'
import { add, addAll, log } from '../../test/fixtures/records.ts'
import { times } from '../../test/long.ts'
import { world } from '../../test/world.ts'

const due = (complete_till: number) => ({ text: 'Call', complete_till })

/** One person at two processes with one database. On SQLite there is one process. */
async function twoProcesses() {
  const all = await world()
  const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
  const { browser } = all.admin
  const one = browser
  const two = client(second.app.http, browser.identity)
  const closest = async (lead: number) => (await one.get(`/web/v4/leads/${lead}`)).body.closest_task_at
  return { ...all, one, two, closest }
}

const about = (entity_id: number) => ({ entity_type: 'leads', entity_id })

describe('Concurrent writes of tasks', () => {
  test('keep closest_task_at of one record correct', async () => {
    const { one, two, closest } = await twoProcesses()
    for (let round = 0; round < times(3, 10); round++) {
      const lead = await add(one, 'leads')
      const moments = Array.from({ length: 10 }, (_, i) => 1_000 - i * 10)
      const answers = await Promise.all(
        moments.map((at, i) => (i % 2 ? one : two).post('/web/v4/tasks', [{ ...due(at), ...about(lead) }])),
      )
      expect(answers.map(({ status }) => status)).toEqual(moments.map(() => 200))
      expect(await closest(lead)).toBe(910)
    }
  })

  test('keep both records correct if one completes the first task and another moves it', async () => {
    const { one, two, closest } = await twoProcesses()
    for (let round = 0; round < times(4, 15); round++) {
      const [here, there] = [await add(one, 'leads'), await add(one, 'leads')]
      const [first, later] = (await addAll(one, 'tasks', [
        { ...due(100), ...about(here) },
        { ...due(200), ...about(here) },
      ])) as [number, number]
      const answers = await Promise.all([
        one.patch(`/web/v4/tasks/${first}`, { entity_id: there }),
        two.patch(`/web/v4/tasks/${first}`, { complete_till: 300 }),
        one.patch(`/web/v4/tasks/${later}`, { complete_till: 250 }),
        two.delete(`/web/v4/tasks/${round % 2 ? later : first}`),
      ])
      for (const { status } of answers) expect([200, 204, 404]).toContain(status)
      const tasks = (await one.get('/web/v4/tasks?filter[is_completed]=0&limit=250')).body._embedded.tasks
      for (const lead of [here, there]) {
        const moments = tasks
          .filter(({ entity_id }: { entity_id: number }) => entity_id === lead)
          .map(({ complete_till }: { complete_till: number }) => complete_till)
        expect(await closest(lead)).toBe(moments.length > 0 ? Math.min(...moments) : null)
      }
    }
  })

  test('complete a task once, with a consistent log', async () => {
    const { one, two, ctx } = await twoProcesses()
    const id = await add(one, 'tasks', due(0))
    const moments = Array.from({ length: times(20, 40) }, (_, i) => i + 1)
    const answers = await Promise.all(
      moments.map((at, i) =>
        (i % 2 ? one : two).patch(`/web/v4/tasks/${id}`, { complete_till: at, is_completed: true }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(moments.map(() => 200))
    const events = await log(ctx, { entity_id: id })
    expect(events.filter(({ type }) => type === 'task_completed').length).toBe(1)
    const moves = events.filter(({ type }) => type === 'task_deadline_changed')
    expect(moves.length).toBe(moments.length)
    moves.reduce(
      (stood, { before, after }) => {
        expect(before).toEqual(stood)
        return after
      },
      [{ task_deadline: { timestamp: 0 } }] as unknown[],
    )
  })

  test('wait for each other without a deadlock if batches have opposite orders', async () => {
    const { one, two, closest } = await twoProcesses()
    const leads = await addAll(one, 'leads', Array(10).fill({}))
    const ids = await addAll(
      one,
      'tasks',
      leads.map((lead) => ({ ...due(5), ...about(lead) })),
    )
    for (let round = 1; round <= times(2, 5); round++) {
      const patches = (of: number[], at: number) => of.map((id) => ({ id, complete_till: at }))
      const answers = await Promise.all([
        one.patch('/web/v4/tasks', patches(ids, round * 2)),
        two.patch('/web/v4/tasks', patches(ids.toReversed(), round * 2 + 1)),
        two.patch(
          '/web/v4/leads',
          leads.toReversed().map((id) => ({ id, price: round })),
        ),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      const [{ complete_till }] = (await one.get(`/web/v4/tasks?filter[id]=${ids[0]}`)).body._embedded.tasks
      expect(await Promise.all(leads.map(closest))).toEqual(leads.map(() => complete_till))
    }
  })

  test('during a merge end up on the remaining record, whose closest_task_at is correct', async () => {
    const { one, two, closest } = await twoProcesses()
    for (let round = 0; round < times(3, 10); round++) {
      const [stays, goes] = [await add(one, 'leads'), await add(one, 'leads')]
      const ids = await addAll(one, 'tasks', [
        { ...due(500), ...about(goes) },
        { ...due(600), ...about(stays) },
      ])
      const [merged, changed] = await Promise.all([
        one.post('/web/v4/leads/merge', { id: stays, merge: [goes] }),
        two.patch(
          '/web/v4/tasks',
          ids.map((id, i) => ({ id, complete_till: 100 + i })),
        ),
      ])
      expect([merged.status, changed.status]).toEqual([200, 200])
      const { tasks } = (await one.get(`/web/v4/tasks?filter[id]=${ids.join()}`)).body._embedded
      expect(tasks.map(({ entity_id }: { entity_id: number }) => entity_id)).toEqual([stays, stays])
      expect(await closest(stays)).toBe(100)
    }
  })
})
