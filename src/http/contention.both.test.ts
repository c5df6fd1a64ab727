import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { someoneWaits } from '../../test/databases/lock-waits.ts'
import { add, addAll, log } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import type { Tx } from '../db/database.ts'
import { isContention } from '../db/failures.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'
const BUSY = {
  title: 'Service Unavailable',
  type: 'http://demo.localhost:8080/docs/errors#unavailable',
  status: 503,
  detail: 'Other requests are changing the same data. Repeat the request.',
  retry_after: 1,
}

/** Holds a transaction open in another process while `work` runs. */
async function beside(
  { secondProcess }: Awaited<ReturnType<typeof world>>,
  first: (tx: Tx) => Promise<unknown>,
  meanwhile: (tx: Tx) => Promise<void>,
) {
  const { ctx } = await secondProcess()
  await ctx.db.transaction().execute(async (tx) => {
    await first(tx)
    await meanwhile(tx)
  })
}

const lockLead = (tx: Tx, id: number) =>
  isPostgres
    ? sql`select 1 from entities where entity_type = 'leads' and id = ${id} for update`.execute(tx)
    : sql`select 1 from entities`.execute(tx)

describe('A request that waits too long for other writers', () => {
  test('is refused with a retry time of one second and changes nothing', async () => {
    const all = await world()
    const { browser } = all.admin
    const id = await add(browser, 'leads', { name: 'Roof' })
    const known = await log(all.ctx)
    await beside(
      all,
      (tx) => lockLead(tx, id),
      async () => {
        const answer = await browser.patch(`/web/v4/leads/${id}`, { name: 'Wall' })
        expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([503, BUSY, '1'])
      },
    )
    expect([(await browser.get(`/web/v4/leads/${id}`)).body.name, await log(all.ctx)]).toEqual([
      'Roof',
      known,
    ])
    expect((await browser.patch(`/web/v4/leads/${id}`, { name: 'Wall' })).status).toBe(200)
  })

  test("is detected by the database's error code", async () => {
    const codes = ['40P01', '40001', '55P03', '57014', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT']
    expect(codes.map((code) => isContention(Object.assign(new Error(), { code })))).toEqual(
      codes.map(() => true),
    )
    for (const other of [new Error('SQLITE_BUSY'), { code: '23505' }, { code: 5 }, null, undefined, 'x'])
      expect(isContention(other)).toBe(false)
  })

  test.runIf(isPostgres)('is refused after a deadlock, too', async () => {
    const all = await world()
    const { browser } = all.admin
    const [one, two] = (await addAll(browser, 'leads', [{}, {}])) as [number, number]
    await beside(
      all,
      async (tx) => {
        await lockLead(tx, two)
        await sql`set local deadlock_timeout = '60s'`.execute(tx)
      },
      async (tx) => {
        const asked = browser.patch('/web/v4/leads', [
          { id: one, price: 1 },
          { id: two, price: 1 },
        ])
        // The request holds one lead, waits for the other, and is the one that looks for a deadlock.
        await someoneWaits(all.ctx)
        await lockLead(tx, one)
        const answer = await asked
        expect([answer.status, answer.body]).toEqual([503, BUSY])
      },
    )
    expect((await browser.patch(`/web/v4/leads/${one}`, { price: 1 })).status).toBe(200)
  })
})
