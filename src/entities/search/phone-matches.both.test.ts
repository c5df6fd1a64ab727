import { type Compilable, CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type World, world } from '../../../test/world.ts'
import { findActor } from '../../accounts/accounts.ts'
import { completeRights } from '../../accounts/members/rights.ts'
import { loadAccess } from '../records/access.ts'
import { newestHolders, newestOpenRecords } from './phone-queries.ts'

async function accessOf({ ctx, account }: World, user_id: number) {
  const at = { account_id: account.id, user_id }
  const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
  if (!actor) throw new Error('no actor')
  return loadAccess(ctx.db, actor)
}

async function planOf({ ctx }: World, query: Compilable): Promise<string[]> {
  const { sql, parameters } = query.compile()
  const { rows } = await ctx.db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  )
  return rows.map(({ detail }) => detail).filter((step) => !step.startsWith('CORRELATED'))
}

const repeated = (times: number, ...steps: string[]) => Array.from({ length: times }, () => steps).flat()

/** SQLite plans without row counts of its own, so plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('The owner of a number is found', () => {
  test.each(['A', 'M'] as const)('by keys alone, for a person with rights %s', async (width) => {
    const all = await world()
    const of = { view: width, edit: width, add: 'A', delete: width, export: width } as const
    const rights = completeRights({ leads: of, contacts: of, companies: of })
    const access = await accessOf(all, (await all.addPerson({ rights })).id)
    const fields = { contacts: 300, companies: 301 }
    expect(await planOf(all, newestHolders(all.ctx.db, access, 'edit', fields, ['9123456789']))).toEqual([
      'SCAN json_each VIRTUAL TABLE INDEX 1:',
      ...repeated(
        2,
        'SEARCH field_keys USING PRIMARY KEY (account_id=? AND field_id=? AND key=?)',
        'SEARCH holder USING PRIMARY KEY (account_id=? AND entity_type=? AND id=?)',
      ),
    ])
    expect(await planOf(all, newestOpenRecords(all.ctx.db, access, 'edit', [1]))).toEqual([
      'SCAN json_each VIRTUAL TABLE INDEX 1:',
      ...repeated(
        4,
        'SEARCH links USING PRIMARY KEY (account_id=? AND entity_id=?)',
        'SEARCH linked USING PRIMARY KEY (account_id=? AND entity_type=? AND id=?)',
      ),
    ])
  })
})
