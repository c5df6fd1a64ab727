import { expect, test } from 'vitest'
import { world } from '../../test/world.ts'
import { nextIds } from '../db/dialect.ts'
import type { DeliveryRow } from '../db/tables.ts'
import { enqueueDeliveries } from './deliveries.ts'
import { deleteExpiredDeliveries, deleteUnusedBodies } from './delivery-queries.ts'
import { insertAttempts, insertBodies } from './queue-queries.ts'

const DAY = 86_400

test('deliveries that ended more than 30 days ago are deleted with their attempts, and nothing else', async () => {
  const { ctx, account, clock } = await world()
  const draft = { account_id: account.id, kind: 'test', subject: 's', url: 'http://x/', request_id: 'r' }

  /** Deliveries in a given state, with one attempt each. */
  const bring = (count: number, end: Pick<DeliveryRow, 'state' | 'ended_at'>) =>
    ctx.db.transaction().execute(async (tx) => {
      const drafts = Array.from({ length: count }, () => ({ ...draft, method: 'GET' as const }))
      const ids = await enqueueDeliveries(tx, drafts, clock.now())
      await tx.updateTable('deliveries').set(end).where('id', 'in', ids).execute()
      const tried = { attempt: 1, at: clock.now(), duration_ms: 1, status: 200, error: null, answer: '' }
      for (const delivery_id of ids) await insertAttempts(tx, [{ delivery_id, ...tried }])
      return ids
    })
  const left = async () => {
    const rows = await ctx.db.selectFrom('deliveries').select('id').orderBy('id').execute()
    const tries = await ctx.db
      .selectFrom('delivery_attempts')
      .select('delivery_id')
      .orderBy('delivery_id')
      .execute()
    expect(tries.map((row) => row.delivery_id)).toEqual(rows.map(({ id }) => id))
    return rows.map(({ id }) => id)
  }

  const began = clock.now()
  const delivered = await bring(600, { state: 'delivered', ended_at: began })
  const pending = await bring(1, { state: 'ready', ended_at: null })
  const failedLate = await bring(1, { state: 'failed', ended_at: began + DAY })
  const failed = await bring(600, { state: 'failed', ended_at: began })
  clock.advance(DAY)
  const young = await bring(700, { state: 'delivered', ended_at: clock.now() })

  clock.set(began + 30 * DAY)
  expect(await deleteExpiredDeliveries(ctx.db, clock.now())).toBe(0)
  clock.advance(1)
  expect(await deleteExpiredDeliveries(ctx.db, clock.now())).toBe(delivered.length + failed.length)
  expect(await left()).toEqual([...pending, ...failedLate, ...young])
  clock.advance(DAY)
  expect(await deleteExpiredDeliveries(ctx.db, clock.now())).toBe(young.length + 1)
  expect(await left()).toEqual(pending)
})

test('shared bodies that no delivery sends any more are deleted after 30 days, however many there are', async () => {
  const { ctx, account, clock } = await world()
  const began = clock.now()
  const bring = (count: number) =>
    ctx.db.transaction().execute(async (tx) => {
      const ids = await nextIds(tx, 'delivery_bodies', count)
      const common = { account_id: account.id, body: 'a=1', created_at: clock.now() }
      await insertBodies(
        tx,
        ids.map((id) => ({ id, ...common })),
      )
      return ids
    })
  const draft = { account_id: account.id, kind: 'test', subject: 's', url: 'http://x/', request_id: 'r' }
  const shared = { ...draft, method: 'POST' as const, body: 'shared' }
  const left = async () =>
    (await ctx.db.selectFrom('delivery_bodies').select('id').orderBy('id').execute()).map(({ id }) => id)

  await bring(1_200)
  await ctx.db.transaction().execute((tx) => enqueueDeliveries(tx, [shared, shared], began))
  const used = (await left()).slice(-1)
  clock.advance(DAY)
  const young = await bring(3)
  clock.set(began + 30 * DAY)
  expect(await deleteUnusedBodies(ctx.db, clock.now())).toBe(0)
  clock.advance(1)
  expect(await deleteUnusedBodies(ctx.db, clock.now())).toBe(1_200)
  expect(await left()).toEqual([...used, ...young])
})
