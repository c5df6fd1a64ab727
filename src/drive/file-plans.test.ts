import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { world } from '../../test/world.ts'
import { type Actor, findActor } from '../accounts/accounts.ts'
import { completeRights } from '../accounts/members/rights.ts'
import { fileUses } from '../surfaces/file-uses.ts'
import { visibleFilesCondition } from './file-rights.ts'
import { readFilters } from './filters.ts'
import { pageQuery } from './list.ts'

/** SQLite plans without row counts of its own, so plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A page of the visible files', () => {
  test.each([
    ['id', 'files_by_id'],
    ['created_at', 'files_by_creation'],
  ] as const)(
    'is scanned in the order of %s, and cards and chats are looked up by file',
    async (column, index) => {
      const { ctx, account, addPerson, admin } = await world()
      const created = await admin.browser.post('/web/v4/leads/custom_fields', [
        { name: 'Plan', type: 'file' },
      ])
      expect(created.status).toBe(201)
      const of = { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' } as const
      const { id } = await addPerson({ rights: completeRights({ leads: of, contacts: of }) })
      const asking = { integration: null, request_id: 'r', address: 'a' }
      const actor = (await findActor(ctx, { account_id: account.id, user_id: id }, asking)) as Actor
      const seen = await visibleFilesCondition(ctx.db, actor, fileUses)
      const order = { column, direction: 'asc' } as const
      const walk = { page: { page: 1, limit: 50, offset: 0 }, after: null, seen }
      const filtering = { db: ctx.db, account_id: account.id, now: ctx.now() }
      const conditions = await readFilters(filtering, undefined)
      const { sql, parameters } = pageQuery(
        ctx.db,
        account.id,
        [...conditions, ...(seen ? [seen] : [])],
        order,
        walk,
      ).compile()
      const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
      const steps = (await ctx.db.executeQuery<{ detail: string }>(explain)).rows.map(({ detail }) => detail)
      for (const name of [index, 'notes_by_file', 'chat_messages_by_file', 'field_keys'])
        expect([
          name,
          steps.filter((step) => step.startsWith('SEARCH') && step.includes(name)).length,
        ]).toEqual([name, 1])
      expect(steps.filter((step) => step.startsWith('SCAN') || step.includes('TEMP B-TREE'))).toEqual([])
    },
  )
})
