import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { world } from '../../test/world.ts'
import { eachId, IdSet, readIds } from './id-sets.ts'

test.each([
  ['none', []],
  ['one', [0]],
  ['ids that follow each other', Array.from({ length: 9_000 }, (_, i) => i)],
  ['ids far from each other', Array.from({ length: 500 }, (_, i) => i * 65_536 + (i % 40))],
  ['ids above 32 bits', Array.from({ length: 500 }, (_, i) => 2 ** 40 + i * 3)],
  ['the same id several times', [7, 7, 9, 7]],
])('A set has its ids and no others: %s', (_what, ids) => {
  const set = new IdSet()
  for (const id of ids) set.add(id)
  const known = new Set(ids)
  const asked = ids.flatMap((id) => [id, id + 1, id + 31, id + 32, id + 4_096, id + 2 ** 32])
  expect([...asked, 12_345].filter((id) => set.has(id) !== known.has(id))).toEqual([])
})

test.each([
  [null, []],
  ['0', [0]],
  ['12,3,9007199254740991', [12, 3, 9_007_199_254_740_991]],
  ['{5,60}', [5, 60]],
])('The ids of %s are %j', (text, ids) => {
  const found: number[] = []
  eachId(text, (id) => found.push(id))
  expect(found).toEqual(ids)
})

test.each([true, false])('Ids are read from a query, in the background: %s', async (inBackground) => {
  const { ctx, account } = await world()
  const read = async (entries: RawBuilder<unknown>) => {
    const found: number[] = []
    await readIds(ctx.db, account.id, entries, { inBackground }, (id) => found.push(id))
    return found
  }
  expect(await read(sql`select 4 as entity_id union all select 9 union all select 4`)).toEqual([4, 9, 4])
  expect(await read(sql`select 4 as entity_id where 1 = 0`)).toEqual([])
})
