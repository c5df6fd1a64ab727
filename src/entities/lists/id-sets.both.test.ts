import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { IdSet, inAll, readIds } from './id-sets.ts'

test.each([
  ['none', []],
  ['one', [0]],
  ['ids that follow each other', Array.from({ length: 9_000 }, (_, i) => i)],
  ['ids far from each other', Array.from({ length: 500 }, (_, i) => i * 65_536 + (i % 40))],
  ['ids above 32 bits', Array.from({ length: 500 }, (_, i) => 2 ** 40 + i * 3)],
  ['the same id several times', [7, 7, 9, 7]],
])('A set has its ids and no others: %s', (_what, ids) => {
  const set = new IdSet(ids)
  const known = new Set(ids)
  const asked = ids.flatMap((id) => [id, id + 1, id + 31, id + 32, id + 4_096, id + 2 ** 32])
  expect([...asked, 12_345].filter((id) => set.has(id) !== known.has(id))).toEqual([])
})

test.each([true, false])('Ids are read from a query, in the background: %s', async (inBackground) => {
  const { ctx, account } = await world()
  const read = (entries: RawBuilder<unknown>) => readIds(ctx.db, account.id, entries, { inBackground })
  expect(await read(sql`select 4 as entity_id union all select 9 union all select 4`)).toEqual([4, 9, 4])
  expect(await read(sql`select 4 as entity_id where 1 = 0`)).toEqual([])
})

test('The ids in all sets keep their order', () => {
  expect(inAll([new IdSet([1, 2, 3]), new IdSet([3, 2, 9])], [9, 3, 1, 2, 3])).toEqual([3, 2, 3])
  expect(inAll([], [2, 1])).toEqual([2, 1])
})
