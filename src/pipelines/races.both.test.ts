import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../test/client.ts'
import { someoneWaits } from '../../test/databases/lock-waits.ts'
import { form } from '../../test/fixtures/incoming-leads.ts'
import {
  addPipelines,
  mainPipeline,
  PIPELINES,
  pipelinesOf,
  refusalOf,
  wholesale,
} from '../../test/fixtures/pipelines.ts'
import { addAll } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { lockStatusRows } from './pipeline-queries.ts'
import { holdCustomerStages, holdStages } from './pipelines.ts'
import type { CustomerStatus, Status } from './schemas.ts'

/** Only PostgreSQL has concurrent writers. */
const onPostgres = test.runIf(process.env.TEST_DATABASE === 'postgres')

/** Two administrators, each in a browser. */
async function twoAdministrators() {
  const here = await world()
  const other = await here.addPerson({ name: 'Bob', is_admin: true })
  return { here, one: here.admin.browser, two: other.browser }
}

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

describe('Two administrators at the same time', () => {
  test('make different pipelines main: exactly one is main', async () => {
    const { here, one, two } = await twoAdministrators()
    const [left, right] = await addPipelines(here, wholesale, wholesale)
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        one.patch(`${PIPELINES}/${left.id}`, { is_main: true }),
        two.patch(`${PIPELINES}/${right.id}`, { is_main: true }),
        one.post(PIPELINES, [{ ...wholesale, is_main: true }]),
      ])
      expect(statusesOf(answers)).toEqual([200, 200, 200])
      expect((await pipelinesOf(here)).filter(({ is_main }) => is_main).length).toBe(1)
    }
  })

  test('delete a pipeline and make it main: one of them is refused', async () => {
    const { here, one, two } = await twoAdministrators()
    for (let round = 0; round < 5; round++) {
      const [side] = await addPipelines(here, wholesale)
      const path = `${PIPELINES}/${side.id}`
      const [deleted, made] = await Promise.all([one.delete(path), two.patch(path, { is_main: true })])
      expect([
        [204, 404],
        [409, 200],
      ]).toContainEqual([deleted.status, made.status])
      expect((await mainPipeline(here)).id === side.id).toBe(made.status === 200)
    }
  })

  test('delete the same pipeline: it is deleted once', async () => {
    const { here, one, two } = await twoAdministrators()
    const [side] = await addPipelines(here, wholesale)
    const path = `${PIPELINES}/${side.id}`
    expect(statusesOf(await Promise.all([one.delete(path), two.delete(path)]))).toEqual([204, 404])
  })

  test('delete the last two stages: one remains', async () => {
    const { here, one, two } = await twoAdministrators()
    const statuses = [{ name: 'A' }, { name: 'B' }]
    const [side] = await addPipelines(here, { ...wholesale, is_unsorted_on: false, _embedded: { statuses } })
    const [a, b] = side._embedded.statuses as [Status, Status]
    const path = `${PIPELINES}/${side.id}/statuses`
    const answers = await Promise.all([one.delete(`${path}/${a.id}`), two.delete(`${path}/${b.id}`)])
    expect(statusesOf(answers)).toEqual([204, 409])
    expect((await one.get(path)).body._total_items).toBe(3)
  })

  test('fill the account to its limit: the limit is kept', async () => {
    const { here, one, two } = await twoAdministrators()
    const many = Array.from({ length: 30 }, () => wholesale)
    expect(statusesOf(await Promise.all([one.post(PIPELINES, many), two.post(PIPELINES, many)]))).toEqual([
      200, 409,
    ])
    expect((await pipelinesOf(here)).length).toBe(31)
  })
})

describe('A stage that a record is moved into', () => {
  onPostgres('cannot be deleted before the record is visible there', async () => {
    const { here, one, two } = await twoAdministrators()
    const { ctx, account } = here
    const main = await mainPipeline(here)
    const [, first, second] = main._embedded.statuses as [Status, Status, Status]
    const [lead] = (await addAll(one, 'leads', [{ pipeline_id: main.id, status_id: first.id }])) as [number]
    let deleting: ReturnType<typeof two.delete> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      const at = { pipeline_id: main.id, status_id: second.id }
      expect(await holdStages(tx, account.id, [at, at])).toBe(true)
      deleting = two.delete(`${PIPELINES}/${main.id}/statuses/${second.id}`)
      await setTimeout(200)
      await tx.updateTable('entities').set({ status_id: second.id }).where('id', '=', lead).execute()
    })
    expect(refusalOf(await (deleting as NonNullable<typeof deleting>))).toEqual([409, 'stage_in_use'])
  })

  onPostgres('cannot be deleted if it is a customer stage either', async () => {
    const { here, one, two } = await twoAdministrators()
    const { ctx, account } = here
    const path = '/web/v4/customers/statuses'
    const [first, second] = (await one.get(path)).body._embedded.statuses as [CustomerStatus, CustomerStatus]
    const draft = { name: 'Kim', next_date: 1_800_000_000, status_id: first.id }
    const [customer] = (await addAll(one, 'customers', [draft])) as [number]
    let deleting: ReturnType<typeof two.delete> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      expect(await holdCustomerStages(tx, account.id, [second.id])).toBe(true)
      deleting = two.delete(`${path}/${second.id}`)
      await setTimeout(200)
      await tx.updateTable('entities').set({ status_id: second.id }).where('id', '=', customer).execute()
    })
    expect(refusalOf(await (deleting as NonNullable<typeof deleting>))).toEqual([
      409,
      'customer_status_in_use',
    ])
  })

  onPostgres('is refused if it is the unsorted one and was disabled meanwhile', async () => {
    const { here, one } = await twoAdministrators()
    const { ctx, account } = here
    const { id } = await mainPipeline(here)
    let adding: ReturnType<typeof one.post> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      await lockStatusRows(tx, account.id, id)
      adding = one.post('/web/v4/leads/unsorted/forms', [form])
      await someoneWaits(ctx)
      await tx.updateTable('pipelines').set({ is_unsorted_on: 0 }).where('id', '=', id).execute()
    })
    expect((await (adding as NonNullable<typeof adding>)).status).toBe(409)
    expect((await one.get('/web/v4/leads')).status).toBe(204)
  })

  onPostgres('gives way to the next one if it was deleted and nobody has named it', async () => {
    const { here, one } = await twoAdministrators()
    const { ctx, account } = here
    const main = await mainPipeline(here)
    const [, first, second] = main._embedded.statuses as [Status, Status, Status]
    const named = { pipeline_id: main.id, status_id: first.id }
    let adding: Promise<Answer[]> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      await lockStatusRows(tx, account.id, main.id)
      adding = Promise.all([{}, named].map((lead) => one.post('/web/v4/leads', [lead])))
      await someoneWaits(ctx, 2)
      await tx.deleteFrom('statuses').where('id', '=', first.id).execute()
    })
    const [free, bound] = (await adding) as [Answer, Answer]
    expect([free.status, bound.status]).toEqual([200, 400])
    const [lead] = (await one.get('/web/v4/leads')).body._embedded.leads
    expect([lead.pipeline_id, lead.status_id]).toEqual([main.id, second.id])
  })

  test('is refused if it was deleted', async () => {
    const { here } = await twoAdministrators()
    const { ctx, account } = here
    const main = await mainPipeline(here)
    const other = await here.addAccount('other')
    const [, first] = main._embedded.statuses as [Status, Status]
    const held = (account_id: number, ...pairs: [number, number][]) =>
      ctx.db.transaction().execute((tx) =>
        holdStages(
          tx,
          account_id,
          pairs.map(([pipeline_id, status_id]) => ({ pipeline_id, status_id })),
        ),
      )
    expect(await held(account.id)).toBe(true)
    expect(await held(account.id, [main.id, first.id], [main.id, 143])).toBe(true)
    expect(await held(account.id, [main.id, first.id], [main.id, 999_999])).toBe(false)
    expect(await held(other.id, [main.id, first.id])).toBe(false)
    const customers = (ids: number[]) =>
      ctx.db.transaction().execute((tx) => holdCustomerStages(tx, other.id, ids))
    expect([await customers([]), await customers([1])]).toEqual([true, false])
  })
})
