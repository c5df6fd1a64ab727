import Sqlite from 'better-sqlite3'
import { CompiledQuery } from 'kysely'
import { expect, test, vi } from 'vitest'
import { automated, tagging } from '../../test/fixtures/automation.ts'
import { world } from '../../test/world.ts'

/** The embedded database plans without having counted, so its plans are the same for ten rows and for a million. */
test.runIf(process.env.TEST_DATABASE === 'sqlite')('runs are found by an index that fits', async () => {
  const w = await world({ ownDatabase: true })
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
  const { stages, rule, lead, move, run, runs, at } = await automated(w)
  const [first, second] = stages as [number, number]
  const [id] = await rule(
    { status_id: first, delay: 60, action: tagging },
    { status_id: second, action: tagging },
  )
  const lead_id = await lead(first)
  await move(lead_id, second)
  await lead(first)
  await run()
  await runs()
  await runs(`&filter[automation_id]=${id}`)
  await runs(`&filter[lead_id]=${lead_id}`)
  await w.admin.browser.delete(`${at}/${id}`)
  await w.app.chores.find(({ name }) => name === 'old runs of automation')?.run()
  const texts = [...new Set(prepare.mock.calls.map(([text]) => text))]
  prepare.mockRestore()
  const ours = texts.filter((text) => /^(select|update|delete).*"automation_runs"/.test(text))
  expect(ours.length).toBeGreaterThan(8)
  const wrong: string[] = []
  for (const text of ours) {
    const parameters = Array.from(text.matchAll(/\?/g), () => null)
    const { rows } = await w.ctx.db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${text}`, parameters),
    )
    const bad = rows.filter(
      ({ detail }) => /automation_runs/.test(detail) && /^SCAN|\(account_id=\?\)$/.test(detail),
    )
    wrong.push(...bad.map(({ detail }) => `${detail}: ${text}`))
  }
  expect(wrong).toEqual([])
})
