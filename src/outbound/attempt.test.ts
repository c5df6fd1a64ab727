import { expect, test } from 'vitest'
import { world } from '../../test/world.ts'
import { createDeliveries, enqueueDeliveries, listAttempts } from './deliveries.ts'

test('a delivery that cannot be prepared follows the schedule and does not block others for ever', async () => {
  const { ctx, account, clock, logged } = await world()
  const draft = {
    account_id: account.id,
    kind: 'test',
    subject: 's',
    ordering_key: 'a',
    method: 'POST' as const,
  }
  const [id = 0] = await ctx.db.transaction().execute(async (tx) => {
    const ids = await enqueueDeliveries(
      tx,
      [{ ...draft, url: 'http://127.0.0.1:1/', request_id: 'r' }],
      clock.now(),
    )
    await tx.updateTable('deliveries').set({ headers: 'not JSON' }).where('id', 'in', ids).execute()
    return ids
  })
  const deliveries = createDeliveries(ctx, {})
  for (let i = 0; i < 11; i++) {
    expect(await deliveries.runDue()).toBe(1)
    clock.advance(50_000)
  }
  const row = await ctx.db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ state: 'failed', attempts: 11 })
  expect(await listAttempts(ctx.db, account.id, id)).toMatchObject(
    Array(11).fill({ status: null, error: 'fault' }),
  )
  expect(logged()).toContain('a delivery could not be prepared')
})
