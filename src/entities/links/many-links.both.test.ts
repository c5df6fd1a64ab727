import { expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { add } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { completeRights } from '../../accounts/members/rights.ts'
import { countRows } from '../../db/dialect.ts'
import { insertRows } from '../../db/row-sets.ts'
import { writeLinks } from '../records/link-queries.ts'

const LEADS = 5_100
const OTHERS = 3

/** A company with many leads, as an import or a merge makes it, and another one with few. The last leads are Bob's. */
async function companies(all: World, bob: number) {
  const { ctx, admin } = all
  const [many, few] = [await add(admin.browser, 'companies'), await add(admin.browser, 'companies')]
  const first = await add(admin.browser, 'leads')
  const row = await ctx.db
    .selectFrom('entities')
    .selectAll()
    .where('id', '=', first)
    .executeTakeFirstOrThrow()
  const ids = Array.from({ length: LEADS + OTHERS }, (_, i) => first + i)
  const { account_id } = row
  await ctx.db.transaction().execute(async (tx) => {
    const rows = ids.slice(1).map((id, i) => ({ ...row, id, responsible_user_id: i < 600 ? bob : admin.id }))
    await insertRows(tx, 'entities', rows)
    const sides = ids.flatMap((lead, i) => {
      const [company, link] = [i < LEADS ? many : few, { account_id, is_main: 0 as const, quantity: null }]
      const ends = [
        { entity_id: company, entity_type: 'companies', to_entity_id: lead, to_entity_type: 'leads' },
        { entity_id: lead, entity_type: 'leads', to_entity_id: company, to_entity_type: 'companies' },
      ]
      return ends.map((end) => ({ ...link, ...end, catalog_id: null, price_id: null }))
    })
    await writeLinks(tx, sides)
    await countRows(tx)
  })
  return { many, few, leads: ids.slice(0, LEADS) }
}

/** The linked ids and the totals of all pages of a list. */
async function pagesOf(browser: Client, path: string) {
  const pages: { ids: number[]; total: number }[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body } = await browser.get(next)
    const ids = body._embedded.links.map((link: { to_entity_id: number }) => link.to_entity_id)
    pages.push({ ids, total: body._total_items })
    next = body._links.next?.href.replace('http://demo.localhost:8080', '')
  }
  return pages
}

test('a record with very many links shows some, and lists all of them on pages', async () => {
  const all = await world()
  const none = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' } as const
  const rights = completeRights({ leads: { ...none, view: 'M' }, companies: { ...none, view: 'A' } })
  const bob = await all.addPerson({ name: 'Bob', rights })
  const { many, few, leads } = await companies(all, bob.id)
  const { browser } = all.admin

  const pages = await pagesOf(browser, `/web/v4/companies/${many}/links`)
  expect(pages.map(({ ids, total }) => [ids.length, total])).toEqual([
    ...Array(5).fill([1_000, LEADS]),
    [100, LEADS],
  ])
  expect(pages.flatMap(({ ids }) => ids)).toEqual(leads)
  const both = `filter[entity_id][]=${many}&filter[entity_id][]=${few}`
  const last = await browser.get(`/web/v4/companies/links?${both}&page=6`)
  expect(last.body._embedded.links).toHaveLength(100 + OTHERS)
  expect((await browser.get(`/web/v4/companies/${many}/links?page=7`)).status).toBe(204)
  expect((await browser.get(`/web/v4/companies/${many}/links?limit=1001`)).status).toBe(400)
  const one = `filter[to_entity_id]=${leads[4_000]}&filter[to_entity_type]=leads`
  expect((await pagesOf(browser, `/web/v4/companies/${many}/links?${one}`))[0]).toEqual({
    ids: [leads[4_000]],
    total: 1,
  })

  const embedded = async (reader: Client, path: string) => {
    const { body } = await reader.get(`/web/v4/companies${path}with=leads`)
    const found = (body._embedded.companies ?? [body]) as { _embedded: { leads: { id: number }[] } }[]
    return found.map(({ _embedded }) => _embedded.leads.map(({ id }) => id))
  }
  const latest = leads.slice(-500)
  const others = Array.from({ length: OTHERS }, (_, i) => (leads.at(-1) as number) + 1 + i)
  expect(await embedded(browser, `/${many}?`)).toEqual([latest])
  expect(await embedded(browser, '?order[id]=asc&')).toEqual([latest, others])
  // Bob sees six hundred of the leads: fewer than are read apart for each record.
  expect(await embedded(bob.browser, '?order[id]=asc&')).toEqual([leads.slice(101, 601), []])
  expect((await pagesOf(bob.browser, `/web/v4/companies/${many}/links`))[0]?.total).toBe(600)
})
