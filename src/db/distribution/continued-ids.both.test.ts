import { expect, test } from 'vitest'
import { add, addAll } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'
import { newUlid } from '../ulids.ts'
import { continueLog } from './continued-ids.ts'

test('A program that starts with its clock set back continues after the newest event of all accounts', async () => {
  const { ctx, admin, addAccount, addPerson } = await world()
  // The clock of another program.
  const clock = () => ctx.clock() - 3_600_000
  await addAll(admin.browser, 'leads', [{ name: 'a' }, { name: 'b' }])
  const other = await addPerson({ name: 'Olga', account: await addAccount('other'), is_admin: true })
  await add(other.browser, 'leads', { name: 'c' })
  const rows = await ctx.db.selectFrom('events').select('id').orderBy('id', 'desc').execute()
  const newest = rows[0]?.id ?? ''
  expect(newUlid({ clock: () => clock() }) < newest).toBe(true)
  await continueLog({ db: ctx.db, clock })
  const [next, later] = [newUlid({ clock }), newUlid({ clock })]
  expect([next > newest, later > next]).toEqual([true, true])
})
