import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { add, addAll } from '../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../test/world.ts'
import type { Task } from './schemas.ts'
import { compareTasks, fitsTask } from './task-filter.ts'

/** Tasks of every state, type, record, person and time that the filters below name. */
async function tasksOf() {
  const { admin, addPerson, clock } = await world()
  const { browser } = admin
  const people = [admin.id, (await addPerson()).id]
  const records = [
    { entity_type: 'leads', entity_id: await add(browser, 'leads') },
    { entity_type: 'contacts', entity_id: await add(browser, 'contacts') },
    {},
  ]
  for (const person of people) {
    clock.advance(10)
    const drafts = records.flatMap((record, i) =>
      [false, true].map((is_completed) => ({
        text: 'Call',
        complete_till: 100 * (i + 1),
        responsible_user_id: person,
        created_by: people[i % 2],
        task_type_id: 1 + (i % 2),
        is_completed,
        ...record,
      })),
    )
    await addAll(browser, 'tasks', drafts)
  }
  return { browser, people, ids: records.flatMap(({ entity_id }) => entity_id ?? []) }
}

const listOf = <Value>(...values: Value[]) =>
  fc.subarray(values, { minLength: 1 }).map((chosen) => chosen.join())

describe('The filters that the server and the web application share', () => {
  test('select the same tasks in the same order in memory as in the database', async () => {
    const { browser, people, ids } = await tasksOf()
    const all: Task[] = (await browser.get('/web/v4/tasks')).body._embedded.tasks
    const time = fc.constantFrom(BEGINNING, BEGINNING + 10, BEGINNING + 15, BEGINNING + 20).map(String)
    const due = fc.constantFrom('50', '100', '200', '250', '300')
    const filter = fc.record(
      {
        'filter[id]': listOf(...all.map(({ id }) => id)),
        'filter[responsible_user_id]': listOf(...people),
        'filter[created_by][0]': fc.constantFrom(...people.map(String)),
        'filter[task_type][]': listOf(1, 2, 3),
        'filter[entity_type]': listOf('leads', 'contacts', 'companies'),
        'filter[entity_id]': listOf(...ids),
        'filter[is_completed]': listOf('0', '1', 'true', 'false'),
        'filter[complete_till][from]': due,
        'filter[complete_till][to]': due,
        'filter[created_at]': fc.tuple(time, time).map((range) => range.join()),
        'filter[updated_at]': time,
      },
      { requiredKeys: [] },
    )
    const order = fc.constantFrom<Record<string, string>>(
      {},
      { 'order[complete_till]': 'asc' },
      { 'order[complete_till]': 'desc' },
      { 'order[created_at]': 'desc' },
      { 'order[id]': 'desc' },
    )
    await fc.assert(
      fc.asyncProperty(filter, order, async (filters, ordered) => {
        const search = { ...filters, ...ordered } as Record<string, string>
        const answer = await browser.get(`/web/v4/tasks?${new URLSearchParams(search)}`)
        const found: Task[] = answer.status === 204 ? [] : answer.body._embedded.tasks
        const expected = all.filter((task) => fitsTask(task, search)).sort(compareTasks(search))
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }),
      { numRuns: 100 },
    )
  })
})
