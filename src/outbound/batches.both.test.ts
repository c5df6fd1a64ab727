import { expect, test } from 'vitest'
import { answering, queue, worker } from '../../test/fixtures/deliveries.ts'
import { world } from '../../test/world.ts'
import type { DeliveryRow } from '../db/tables.ts'
import { listAttempts } from './deliveries.ts'

const statesOf = ({ ctx }: Awaited<ReturnType<typeof world>>) =>
  ctx.db.selectFrom('deliveries').select(['subject', 'state', 'attempts']).orderBy('id').execute()

test('owners are informed of simultaneous successes together, and each attempt is logged', async () => {
  const here = await world()
  const { url } = await answering()
  const outcomes: string[][] = []
  const { runDue } = worker(here.ctx, {
    allDelivered: async (_tx, deliveries) => void outcomes.push(deliveries.map(described)),
  })
  const ids = await queue(here, [{ url }, { url, ordering_key: 'a' }, { url, ordering_key: 'b' }])
  await runDue()
  expect(outcomes.flat().sort()).toEqual(['s0 delivered 1', 's1 delivered 1', 's2 delivered 1'])
  expect(outcomes.length).toBeLessThan(3)
  for (const id of ids)
    expect(await listAttempts(here.ctx.db, here.account.id, id)).toMatchObject([{ attempt: 1, status: 200 }])
})

test('an owner that throws for one delivery does not block the others', async () => {
  const here = await world()
  const { url } = await answering()
  const ended: string[] = []
  const { runDue } = worker(here.ctx, {
    allDelivered: async (_tx, deliveries) => {
      if (deliveries.some(({ subject }) => subject === 's1')) throw new Error('a fault of the owner')
      ended.push(...deliveries.map(described))
    },
  })
  await queue(here, [{ url }, { url }, { url }])
  await runDue()
  expect(ended.sort()).toEqual(['s0 delivered 1', 's2 delivered 1'])
  expect(await statesOf(here)).toEqual([
    { subject: 's0', state: 'delivered', attempts: 1 },
    { subject: 's1', state: 'ready', attempts: 1 },
    { subject: 's2', state: 'delivered', attempts: 1 },
  ])
})

test('a delivery with a lost lease is dropped, and the others in its batch are not', async () => {
  const here = await world()
  const { url, hits, release } = await answering(() => 'hang')
  const { runDue, outcomes } = worker(here.ctx)
  const [first = 0, lost = 0, last = 0] = await queue(here, [{ url }, { url }, { url }])
  const running = runDue()
  await expect.poll(() => hits.length).toBe(3)
  await here.ctx.db
    .transaction()
    .execute((tx) =>
      tx
        .updateTable('deliveries')
        .set({ state: 'failed', leased_until: null, ended_at: here.clock.now() })
        .where('id', '=', lost)
        .execute(),
    )
  release(200)
  await running
  // They are informed again: the first transaction was rolled back because of the lost lease.
  expect(outcomes).toEqual(expect.arrayContaining([`${first} delivered 200`, `${last} delivered 200`]))
  expect((await statesOf(here)).map(({ state }) => state)).toEqual(['delivered', 'failed', 'delivered'])
  expect(await listAttempts(here.ctx.db, here.account.id, lost)).toEqual([])
})

// On the embedded database, a transaction that waits holds up all others.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a batch that waits for a lock does not hold up the next one',
  async () => {
    const here = await world()
    const [prompt, late] = [await answering(), await answering(() => 'hang')]
    const began = Promise.withResolvers<void>()
    const hold = Promise.withResolvers<void>()
    const { runDue } = worker(here.ctx, {
      allDelivered: async (_tx, deliveries) => {
        if (!deliveries.some(({ subject }) => subject === 's0')) return
        began.resolve()
        await hold.promise
      },
    })
    await queue(here, [{ url: prompt.url }, { url: late.url }])
    const running = runDue()
    await began.promise
    late.release(200)
    await expect.poll(() => statesOf(here)).toMatchObject([{ state: 'in_flight' }, { state: 'delivered' }])
    hold.resolve()
    await running
    expect(await statesOf(here)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  },
)

const described = ({ subject, state, attempts }: DeliveryRow) => `${subject} ${state} ${attempts}`
