import Sqlite from 'better-sqlite3'
import { CompiledQuery } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { queue, worker } from '../../test/fixtures/deliveries.ts'
import { type World, world } from '../../test/world.ts'
import { closeCircuit, findCircuits } from './circuit-breaker.ts'
import { selectNextDueCircuit } from './circuit-queries.ts'
import { cancelDeliveries, findPending } from './deliveries.ts'
import type { Outbound } from './http-client.ts'
import { selectNextDue } from './queue-queries.ts'

const CIRCUIT = 'channel:1'
/** Values, subqueries and steps of a recursion; and the first entry of deliveries_due. */
const READ_IN_FULL = /^SCAN (json_each|some|steps|\d+-ROW|deliveries USING INDEX deliveries_due$)/

/** Everything that a queue does: sending, an outage, probes, the recovery, a stopped endpoint. */
async function everything(here: World): Promise<void> {
  let isDown = true
  const outbound: Outbound = {
    request: async () => ({ status: isDown ? 500 : 200, headers: {}, body: '', duration_ms: 1 }),
    close: async () => {},
  }
  const { runDue, deliveries } = worker({ ...here.ctx, outbound })
  const url = 'http://receiver.example/'
  const put = () =>
    queue(
      here,
      Array.from({ length: 60 }, (_, i) => ({ url, ordering_key: `${i % 30}`, circuit: CIRCUIT })),
    )
  await put()
  await put()
  await runDue()
  const { db } = here.ctx
  const status = async () => (await findCircuits(db, [CIRCUIT])).get(CIRCUIT)
  here.clock.set((await status())?.next_probe_at ?? 0)
  await runDue()
  await Promise.all([selectNextDue(db), selectNextDueCircuit(db), findPending(db, { circuit: CIRCUIT })])
  isDown = false
  await db.transaction().execute((tx) => closeCircuit(tx, CIRCUIT, here.clock.now()))
  await runDue()
  await put()
  await db.transaction().execute((tx) => cancelDeliveries(tx, { circuit: CIRCUIT }, here.clock.now()))
  await deliveries.stop()
}

/** The embedded database plans without having counted, so its plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('The statements of the queue', () => {
  test('find their rows by an index, and sort only those of one circuit', async () => {
    const here = await world({ ownDatabase: true })
    const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
    await everything(here)
    const texts = [...new Set(prepare.mock.calls.map(([text]) => text))]
    prepare.mockRestore()
    const ours = texts.filter((text) => /"(deliveries|circuits|delivery_attempts)"/.test(text))
    expect(ours.length).toBeGreaterThan(20)
    const wrong: string[] = []
    for (const text of ours) {
      const parameters = Array.from(text.matchAll(/\?/g), () => null)
      const { rows } = await here.ctx.db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, parameters),
      )
      const steps = rows.map(({ detail }) => detail)
      const scans = steps.filter((step) => /^SCAN \w/.test(step) && !READ_IN_FULL.test(step))
      const sorts = text.includes('"circuit" = ') ? [] : steps.filter((step) => step.includes('TEMP B-TREE'))
      wrong.push(...[...scans, ...sorts].map((step) => `${step}: ${text}`))
    }
    expect(wrong).toEqual([])
  })
})
