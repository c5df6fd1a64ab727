import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { line } from '../../test/conversations.ts'
import { times } from '../../test/long.ts'
import { add, log } from '../../test/records.ts'
import { allRows, play, type Rows, remaining, type Step, whats } from '../../test/retention-model.ts'
import { type World, world } from '../../test/world.ts'
import { type KindName, kindNames, kindTypes } from './kind-types.ts'

const DAY = 86_400

/** Deletes everything that is due, as the server does once a day. */
async function runNow(all: World): Promise<void> {
  const browser = await all.signIn(all.admin)
  expect((await browser.post('/web/retention/runs')).status).toBe(202)
  await all.app.retention.runDue()
}

async function setDays(all: World, days: Partial<Record<KindName, number | null>>): Promise<void> {
  const browser = await all.signIn(all.admin)
  const answer = await browser.patch('/web/retention', { days })
  expect(answer.status, answer.text).toBe(204)
}

/** Tables that the deletion itself, and signing in, write. */
const ownTables = ['audit_log', 'retention_runs', 'retention_settings', 'sessions', 'settings'] as const

const sorted = (rows: Rows) =>
  Object.fromEntries(
    Object.entries(rows)
      .filter(([table]) => !ownTables.some((own) => own === table))
      .map(([table, list]) => [table, (list as object[]).map((row) => JSON.stringify(row)).sort()]),
  )

describe('A deletion of old rows', () => {
  test('deletes exactly what the rules say, and what the dry run counted', { timeout: 600_000 }, async () => {
    const steps = fc.array(
      fc.record({
        days: fc.integer({ min: 1, max: 60 }),
        what: fc.constantFrom(...whats, 'lead' as const, 'contact' as const, 'message' as const),
        pick: fc.nat(1_000),
      }) satisfies fc.Arbitrary<Step>,
      { minLength: 25, maxLength: 40 },
    )
    const days = fc.record(
      Object.fromEntries(
        kindNames.map((kind) => [
          kind,
          fc.option(fc.integer({ min: kindTypes[kind].least_days, max: 900 }), { freq: 4 }),
        ]),
      ) as Record<KindName, fc.Arbitrary<number | null>>,
    )
    await fc.assert(
      fc.asyncProperty(steps, days, async (history, periods) => {
        const all = await world()
        await play(all, history)
        await setDays(all, periods)
        const browser = await all.signIn(all.admin)
        const before = await allRows(all.ctx)
        const since = Object.fromEntries(
          Object.entries(periods).flatMap(([kind, of]) =>
            of === null ? [] : [[kind, all.clock.now() - of * DAY]],
          ),
        )
        const expected = remaining(before, since)
        const forecast = await browser.post('/web/retention/forecasts', { days: {} })
        await runNow(all)
        const after = await allRows(all.ctx)
        expect(sorted(after)).toEqual(sorted(expected))
        const kept = new Set(after.audit_log.map(({ id }) => id))
        expect(before.audit_log.filter(({ id }) => kept.has(id))).toEqual(expected.audit_log)
        const { deleted } = (await browser.get('/web/retention')).body.run
        const counted = forecast.body.kinds.flatMap((kind: { kind: string; rows: number }) =>
          kind.rows > 0 ? [[kind.kind, kind.rows]] : [],
        )
        expect(Object.entries(deleted).sort()).toEqual(counted.sort())
      }),
      { numRuns: times(2, 60), endOnFailure: true },
    )
  })
})
