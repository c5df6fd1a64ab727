import Sqlite from 'better-sqlite3'
import { CompiledQuery } from 'kysely'
import { expect, test, vi } from 'vitest'
import { automated, tagging } from '../../test/fixtures/automation.ts'
import { idOf, traceOf } from '../../test/fixtures/traces.ts'
import { subscribed } from '../../test/fixtures/webhooks.ts'
import { world } from '../../test/world.ts'

const large = /\b(events|deliveries|delivery_attempts|automation_runs|audit_log)\b/
/** The newest row, which is the first one of a scan. */
const NEWEST = /order by "id" desc limit \+?\?$/

/** The embedded database plans without having counted, so its plans are the same for ten rows and for a million. */
test.runIf(process.env.TEST_DATABASE === 'sqlite')(
  'A trace reads ranges of keys, never a table',
  async () => {
    const here = await world({ ownDatabase: true })
    const { rule, lead, move, run, stages } = await automated(here)
    const [from, to] = stages as [number, number]
    const there = await subscribed(here, ['status_lead'])
    await rule({ status_id: to, action: tagging })
    const answer = await move(await lead(from), to)
    await run()
    await there.arrived()
    const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
    expect((await traceOf(here, idOf(answer))).nodes.length).toBeGreaterThan(4)
    const texts = [...new Set(prepare.mock.calls.map(([text]) => text))]
    prepare.mockRestore()
    const ours = texts.filter((text) => /^select/.test(text) && large.test(text) && !NEWEST.test(text))
    expect(ours.length).toBeGreaterThan(6)
    const wrong: string[] = []
    for (const text of ours) {
      const parameters = Array.from(text.matchAll(/\?/g), () => null)
      const { rows } = await here.ctx.db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, parameters),
      )
      const bad = rows.filter(
        ({ detail }) => large.test(detail) && (/^SCAN/.test(detail) || /\(account_id=\?\)$/.test(detail)),
      )
      wrong.push(...bad.map(({ detail }) => `${detail}: ${text}`))
    }
    expect(wrong).toEqual([])
  },
)
