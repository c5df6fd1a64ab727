import { expect, test } from 'vitest'
import { add } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { type Actor, findActor } from '../accounts/accounts.ts'
import { completeRights } from '../accounts/members/rights.ts'
import { parseQuery } from '../http/queries/bracket-query.ts'
import { eventSubjects } from '../tasks/tasks.ts'
import { readEventFilter } from './filters.ts'
import { BOUNDS, readerOf, readSlice } from './reading.ts'

const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const

/** A person who sees four of ten leads, and their reader. */
async function office() {
  const { ctx, admin, addPerson } = await world()
  const { id: user_id, account } = await addPerson({ rights: completeRights({ leads: own }) })
  const isOwn = [true, false, true, true, false, false, false, false, false, true]
  for (const [i, mine] of isOwn.entries()) {
    const lead = await add(admin.browser, 'leads', {
      name: 'Door',
      responsible_user_id: mine ? user_id : admin.id,
    })
    if (i % 2) await admin.browser.patch(`/web/v4/leads/${lead}`, { name: 'Gate', price: i })
  }
  const asking = { integration: null, request_id: 'x', address: '127.0.0.1' }
  const actor = (await findActor(ctx, { account_id: account.id, user_id }, asking)) as Actor
  return { ctx, admin, reader: await readerOf(ctx.db, actor, eventSubjects) }
}

const slices = [{ limit: 1 }, { limit: 2 }, { limit: 2, offset: 1 }, { limit: 50 }]
const directions = ['older', 'newer'] as const

test('a person with limited rights gets the same page from the log, by a filter and by their records', async () => {
  const { ctx, admin, reader } = await office()
  const asked = {
    '': 8,
    'filter[type]=lead_added': 4,
    'filter[type]=lead_added,name_field_changed': 6,
    'filter[type]=contact_added': 0,
    [`filter[created_by]=${admin.id}`]: 8,
    [`filter[created_by]=${admin.id}&filter[type]=name_field_changed`]: 2,
    'filter[type]=sale_field_changed&filter[value_after][value]=3': 1,
  }
  for (const [query, found] of Object.entries(asked)) {
    const filter = await readEventFilter(ctx, parseQuery(query).filter)
    for (const direction of directions)
      for (const slice of slices) {
        const read = (tiny: number, sparse: number) =>
          readSlice(ctx.db, reader, { filter, direction, from: null }, slice, { ...BOUNDS, tiny, sparse })
        const byRecords = await read(100, 8)
        const expected = Math.max(0, Math.min(slice.limit, found - (slice.offset ?? 0)))
        expect(byRecords, query).toHaveLength(expected)
        for (const sparse of [1, 2, 8]) expect(await read(0, sparse), query).toEqual(byRecords)
      }
  }
})
