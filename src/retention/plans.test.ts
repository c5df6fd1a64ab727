import { CompiledQuery } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { add } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { Handle } from '../db/sqlite/sqlite-handle.ts'
import { type KindName, kindNames } from './kind-types.ts'
import { kinds } from './kinds.ts'

/** The steps of SQLite's plans for the statements that the work sends. They do not depend on the data. */
async function plansOf({ db }: Context, work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const run = vi.spyOn(Handle.prototype, 'run')
  await db.transaction().execute(work)
  const sent = new Map(run.mock.calls.map(([query]) => [query.sql, query.parameters]))
  run.mockRestore()
  const plans: string[] = []
  for (const [sql, parameters] of sent) {
    const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
    const { rows } = await db.executeQuery<{ detail: string }>(explained)
    plans.push(...rows.map(({ detail }) => detail))
  }
  return plans
}

/** By kind, the index of its windows. */
const indexes: Record<KindName, string> = {
  events: 'SEARCH events USING PRIMARY KEY',
  messages: 'SEARCH chat_messages USING PRIMARY KEY',
  trash: 'entities_in_trash',
  merged: 'entities_in_trash',
  notes: 'notes_in_trash',
  tasks: 'tasks_in_trash',
  audit: 'SEARCH audit_log USING PRIMARY KEY',
  grants: 'grants_by_creation',
}
/** A key of each kind, for the statements that delete; that of the trash is a lead. */
const keys: Record<KindName, unknown> = {
  events: '0',
  messages: '0',
  trash: null,
  merged: { type: 'leads', id: 1 },
  notes: { entity_type: 'leads', id: 1 },
  tasks: 1,
  audit: '0',
  grants: '0',
}

describe.runIf(process.env.TEST_DATABASE === 'sqlite')('Old rows are found by an index', () => {
  test.each(kindNames)('%s, at the beginning and at a position, and are deleted by one', async (kind) => {
    const { ctx, account, admin } = await world()
    const { rows } = kinds[kind]
    const window = { account_id: account.id, before: ctx.now() + 1, limit: 10 }
    const id = await add(admin.browser, 'leads', { _embedded: { tags: [{ name: 'roof' }] } })
    await admin.browser.post(`/web/v4/leads/${id}/notes`, [{ note_type: 'common', params: { text: 'x' } }])
    await admin.browser.delete(`/web/v4/leads/${id}`)
    const position = { trash: [0, 5, 5], merged: [0, 5, 5], notes: [5, 5], tasks: [5, 5], grants: [5, 'a'] }
    const after = position[kind as keyof typeof position] ?? ['a']
    const found = await plansOf(ctx, async (tx) => {
      await rows.find(tx, { ...window, after: null })
      await rows.find(tx, { ...window, after })
    })
    expect(found.join('\n')).toContain(indexes[kind])
    const deleted = await plansOf(ctx, (tx) =>
      rows.remove(tx, window, [kind === 'trash' ? { type: 'leads', id } : keys[kind]]),
    )
    const all = [...found, ...deleted]
    expect(all.filter((step) => /^SCAN (?!json_each)|TEMP B-TREE FOR ORDER/.test(step))).toEqual([])
  })
})
