import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { kindOfRun } from '../../../test/databases/databases.ts'
import { addAll } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'
import { recordsOfPerson } from './person-queries.ts'

test('The records of a person are read by kind, up to a number of each', async () => {
  const { ctx, account, admin, addPerson } = await world()
  const { browser, id: person } = await addPerson({ is_admin: true })
  const leads = await addAll(browser, 'leads', [{}, {}, {}])
  const contacts = await addAll(browser, 'contacts', [{}, {}, {}, {}])
  await addAll(admin.browser, 'leads', [{ responsible_user_id: admin.id }])
  await browser.delete(`/web/v4/leads/${leads[0]}`)
  const kinds = ['leads', 'contacts', 'companies'] as const
  const at = (most: number) => recordsOfPerson(ctx.db, { account_id: account.id, person }, kinds, most)
  const three = at(3)
  expect((await three('leads'))?.toSorted()).toEqual(leads.toSorted())
  expect(await three('contacts')).toBeNull()
  expect(await three('companies')).toEqual([])
  expect((await at(4)('contacts'))?.toSorted()).toEqual(contacts.toSorted())
  expect(await at(2)('leads')).toBeNull()
})

test('The records of a person in another account are not read', async () => {
  const { ctx, addAccount, admin } = await world()
  const other = await addAccount('other')
  await addAll(admin.browser, 'leads', [{}])
  const read = recordsOfPerson(ctx.db, { account_id: other.id, person: admin.id }, ['leads'], 9)
  expect(await read('leads')).toEqual([])
})

test.runIf(kindOfRun() === 'postgres')(
  'The records of a person of all kinds take one round trip',
  async () => {
    const { ctx, account, admin } = await world()
    await addAll(admin.browser, 'leads', [{}, {}])
    await addAll(admin.browser, 'contacts', [{}])
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => spy.mockRestore())
    const kinds = ['leads', 'contacts', 'companies', 'customers'] as const
    const roundTrips = async (most: number, asked: readonly (typeof kinds)[number][]) => {
      spy.mockClear()
      const records = recordsOfPerson(ctx.db, { account_id: account.id, person: admin.id }, kinds, most)
      for (const kind of asked) await records(kind)
      return spy.mock.calls.length
    }
    expect([await roundTrips(2, kinds), await roundTrips(1, ['leads'])]).toEqual([1, 1])
  },
)
