import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { world } from '../../test/world.ts'
import { adoptMasterKey } from '../db/master-key.ts'
import { openVault } from '../vault.ts'
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

test('an attempt that needs a lost secret counts, unlike one of a server that lacks the key in use', async () => {
  const { ctx, account, clock } = await world()
  await ctx.db.transaction().execute((tx) => adoptMasterKey(tx, ctx.vault))
  const lost = openVault({ present: Buffer.alloc(32, 1), previous: null }).seal('a secret', 'x')
  const prepare = async () => ({ body: ctx.vault.unseal('a secret', lost) })
  const draft = { account_id: account.id, kind: 'test', subject: 's', ordering_key: 'a', request_id: 'r' }
  const [id = 0] = await ctx.db
    .transaction()
    .execute((tx) =>
      enqueueDeliveries(tx, [{ ...draft, method: 'POST', url: 'http://127.0.0.1:1/' }], clock.now()),
    )
  expect(await createDeliveries(ctx, { test: { prepare } }).runDue()).toBe(1)
  expect(await listAttempts(ctx.db, account.id, id)).toMatchObject([{ status: null, error: 'fault' }])
})

test.each([
  { tries: 1, connections: ['close'] },
  { tries: 3, connections: ['keep-alive', 'keep-alive', 'close'] },
])('the last of $tries attempts has a new connection, which no server is closing', async (example) => {
  const { tries, connections } = example
  const { ctx, account, clock } = await world()
  const seen: unknown[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.connection)
    response.writeHead(500).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const draft = { account_id: account.id, kind: 'test', subject: 's', ordering_key: 'a', request_id: 'r' }
  await ctx.db
    .transaction()
    .execute((tx) =>
      enqueueDeliveries(tx, [{ ...draft, method: 'POST', url: `http://127.0.0.1:${port}/` }], clock.now()),
    )
  const deliveries = createDeliveries(ctx, { test: { tries } })
  for (let i = 0; i < tries + 1; i++) {
    await deliveries.runDue()
    clock.advance(50_000)
  }
  expect(seen).toEqual(connections)
})
