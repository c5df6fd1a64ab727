import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { add, addAll } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'
import { type Actor, findActor } from '../../accounts/accounts.ts'
import { completeRights } from '../../accounts/members/rights.ts'
import { loadAccess } from '../records/access.ts'
import { findHolders } from './word-holders.ts'

type Found = Record<string, { id: number; name: string }[]>

async function find(caller: Client, query: string): Promise<Record<string, string[]>> {
  const answer = await caller.get(`/web/v4/search?query=${encodeURIComponent(query)}`)
  if (answer.status !== 200) throw new Error(answer.text)
  const found = Object.entries(answer.body._embedded as Found).filter(([, some]) => some.length > 0)
  return Object.fromEntries(found.map(([kind, some]) => [kind, some.map(({ name }) => name)]))
}

describe('A search across records', () => {
  test('finds all kinds, in the format of their lists', async () => {
    const { admin } = await world()
    const [list] = await addAll(admin.browser, 'catalogs', [{ name: 'Goods' }])
    const paths = ['leads', 'contacts', 'companies', 'customers', `catalogs/${list}/elements`]
    for (const path of paths) await addAll(admin.browser, path, [{ name: 'Roof of Anna' }, { name: 'Wall' }])
    const { body } = await admin.browser.get('/web/v4/search?query=ANN%20roof')
    expect(Object.keys(body._embedded)).toEqual([
      'leads',
      'contacts',
      'companies',
      'customers',
      'catalog_elements',
    ])
    for (const path of paths) {
      const listed = (await admin.browser.get(`/web/v4/${path}?query=roof`)).body._embedded
      const kind = path.startsWith('catalogs') ? 'catalog_elements' : path
      expect(body._embedded[kind]).toEqual(Object.values(listed)[0])
    }
    expect(await find(admin.browser, 'roof wall')).toEqual({})
    expect(await find(admin.browser, '')).toEqual({})
    expect(await find(admin.browser, ' ,;')).toEqual({})
  })

  test('ranks whole words and recent changes first, with each record once', async () => {
    const { admin, clock } = await world()
    for (const name of ['annabel anna', 'anna', 'annabel', 'Anna again']) {
      clock.advance(10)
      await add(admin.browser, 'contacts', { name })
    }
    expect(await find(admin.browser, 'anna')).toEqual({
      contacts: ['Anna again', 'anna', 'annabel anna', 'annabel'],
    })
    const { body } = await admin.browser.get('/web/v4/search?query=anna&limit=1')
    expect(body._embedded.contacts).toHaveLength(1)
  })

  test('finds records by fields, and omits the trash', async () => {
    const { admin } = await world()
    const phone = { field_code: 'PHONE', values: [{ value: '+7 912 345-67-89', enum_code: 'WORK' }] }
    const id = await add(admin.browser, 'contacts', { name: 'Ann', custom_fields_values: [phone] })
    expect(await find(admin.browser, '345-67-89')).toEqual({ contacts: ['Ann'] })
    await admin.browser.delete(`/web/v4/contacts/${id}`)
    expect(await find(admin.browser, '345-67-89')).toEqual({})
  })

  test('finds a telephone number by its last digits and an e-mail by a part', async () => {
    const { admin } = await world()
    const custom_fields_values = [
      { field_code: 'PHONE', values: [{ value: '+34 600 104 219', enum_code: 'WORK' }] },
      { field_code: 'EMAIL', values: [{ value: 'ann.lee119@mail.example', enum_code: 'WORK' }] },
    ]
    await add(admin.browser, 'contacts', { name: 'Ann', custom_fields_values })
    const found = ['104219', '104 219', '4219', '04219', '119@mail', 'lee119@mail.ex', 'mail.example']
    expect(await Promise.all(found.map((query) => find(admin.browser, query)))).toEqual(
      found.map(() => ({ contacts: ['Ann'] })),
    )
    const lost = ['104218', '219', '700104', 'ee119']
    expect(await Promise.all(lost.map((query) => find(admin.browser, query)))).toEqual(lost.map(() => ({})))
  })

  test('contains only visible records of the account, however many are hidden', async () => {
    const { admin, addPerson, addAccount } = await world()
    const view = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
    const ann = await addPerson({
      rights: completeRights({
        leads: view,
        contacts: { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' },
      }),
    })
    const hidden = Array.from({ length: 250 }, (_, i) => ({ name: `roof ${i}` }))
    for (let i = 0; i < 3; i++) await addAll(admin.browser, 'leads', hidden)
    await addAll(admin.browser, 'contacts', [{ name: 'Roof', responsible_user_id: ann.id }])
    await addAll(admin.browser, 'leads', [{ name: 'Roofs of Ann', responsible_user_id: ann.id }])
    expect(await find(ann.browser, 'roof')).toEqual({ leads: ['Roofs of Ann'] })
    const other = await addPerson({ account: await addAccount('other'), is_admin: true })
    expect(await find(other.browser, 'roof')).toEqual({})
  })

  test('finds the same records in each way', async () => {
    const { ctx, account, admin, addPerson } = await world()
    const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
    const ann = await addPerson({ rights: completeRights({ leads: own }) })
    const leads = Array.from({ length: 40 }, (_, i) => ({
      name: `${i % 2 ? 'Roof' : 'Roofs'} ${i % 3 ? 'red' : 'grey'} ${i % 5}`,
      responsible_user_id: i % 4 ? admin.id : ann.id,
    }))
    await addAll(admin.browser, 'leads', leads)
    const ways = {
      few: { few: 100, listed: 100, window: 100 },
      sets: { few: 0, listed: 100, window: 100 },
      inBackground: { few: 0, listed: 100, window: 0 },
      windows: { few: 0, listed: 0, window: 3 },
    }
    for (const [reader, words] of [
      [admin, ['roof', 'red']],
      [admin, ['roofs']],
      [ann, ['roof']],
      [ann, ['roof', 'red', '2']],
      [ann, ['roofs', 'blue']],
    ] as const) {
      const at = { account_id: account.id, user_id: reader.id }
      const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
      const access = await loadAccess(ctx.db, actor as Actor)
      const expected = leads.flatMap(({ name, responsible_user_id }, i) => {
        const own = name.toLowerCase().split(' ')
        const isFound = words.every((word) => own.some((one) => one.startsWith(word)))
        return isFound && (reader === admin || responsible_user_id === ann.id) ? [i + 1] : []
      })
      for (const [way, limits] of Object.entries(ways)) {
        const { holders } = await findHolders({ db: ctx.db, access, type: 'leads' }, words, limits)
        const ids = [...new Set(holders.map(({ id }) => id))].sort((a, b) => a - b)
        expect({ way, words, ids }).toEqual({ way, words, ids: expected })
      }
    }
  })

  test.each([
    ['', 400],
    ['query=a&limit=0', 400],
    ['query=a&limit=21', 400],
    [`query=${'a'.repeat(257)}`, 400],
    ['query[x]=a', 400],
    ['query=a&limit=20', 200],
  ])('returns for ?%s the status %i', async (query, status) => {
    const { admin, stranger } = await world()
    expect((await admin.browser.get(`/web/v4/search?${query}`)).status).toBe(status)
    expect((await stranger.get(`/web/v4/search?${query}`)).status).toBe(401)
  })

  onEmbedded('is refused for an unpaid account', async () => {
    const { admin, ctx, account } = await world()
    await ctx.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('accounts').set({ paid_until: 1 }).where('id', '=', account.id).execute(),
      )
    expect((await admin.browser.get('/web/v4/search?query=a')).status).toBe(402)
  })
})
