import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { add, addAll } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { listOrders } from '../../db/migrations/009-list-orders.ts'
import { nameKey } from '../records/orders.ts'

/** The names in a list in order, by `next` links and by page numbers, which must agree. */
async function walked({ admin }: World, path: string, query: string): Promise<string[]> {
  const type = path.split('/').at(-1) as string
  const namesOf = ({ body }: Answer) => body._embedded[type].map(({ name }: { name: string }) => name)
  const seen: string[] = []
  for (let url: string | undefined = `/web/v4/${path}?limit=2&${query}`; url; ) {
    const answer: Answer = await admin.browser.get(url)
    if (answer.status >= 300) throw new Error(answer.text)
    seen.push(...namesOf(answer))
    url = answer.body._links.next?.href
  }
  const counted: string[] = []
  for (let page = 1; ; page++) {
    const names = namesOf(await admin.browser.get(`/web/v4/${path}?limit=2&page=${page}&${query}`))
    if (names.length === 0) break
    counted.push(...names)
  }
  expect(counted).toEqual(seen)
  return seen
}

const shuffled = ['émile', 'Zoe', 'Ёлка', 'anna', 'Еж', 'Anna', ' yuri', 'Яна', '10', 'Éva']
const alphabetical = ['10', 'anna', 'Anna', 'émile', 'Éva', ' yuri', 'Zoe', 'Еж', 'Ёлка', 'Яна']

describe('Lists sorted by', () => {
  test.each(['leads', 'contacts', 'companies', 'customers'])(
    'names, of %s: ignoring case and diacritics, in both scripts',
    async (type) => {
      const all = await world()
      await addAll(
        all.admin.browser,
        type,
        shuffled.map((name) => ({ name })),
      )
      expect(await walked(all, type, 'order[name]=asc')).toEqual(alphabetical)
      expect(await walked(all, type, 'order[name]=desc')).toEqual(alphabetical.toReversed())
    },
  )

  test('changed names', async () => {
    const all = await world()
    const id = await add(all.admin.browser, 'leads', { name: 'Zebra' })
    await add(all.admin.browser, 'leads', { name: 'Lion' })
    await all.admin.browser.patch(`/web/v4/leads/${id}`, { name: 'Ant' })
    expect(await walked(all, 'leads', 'order[name]=asc')).toEqual(['Ant', 'Lion'])
  })

  test('elements of a list: in all their orders', async () => {
    const all = await world()
    const { admin, clock } = all
    const [list] = await addAll(admin.browser, 'catalogs', [{ name: 'Goods' }])
    const [other] = await addAll(admin.browser, 'catalogs', [{ name: 'Others' }])
    await add(admin.browser, `catalogs/${other}/elements`, { name: 'Not this' })
    const at = `catalogs/${list}/elements`
    const ids: number[] = []
    for (const name of ['c', 'a', 'b']) {
      clock.advance(10)
      ids.push(await add(admin.browser, at, { name }))
    }
    clock.advance(10)
    await admin.browser.patch(`/web/v4/${at}/${ids[1]}`, { name: 'A' })
    expect(await walked(all, at, 'order[name]=desc')).toEqual(['c', 'b', 'A'])
    expect(await walked(all, at, 'order[created_at]=desc')).toEqual(['b', 'A', 'c'])
    expect(await walked(all, at, 'order[updated_at]=asc')).toEqual(['c', 'b', 'A'])
  })

  test('prices', async () => {
    const all = await world()
    const drafts = [5, 20, 0, 20, 1].map((price, i) => ({ name: `${i}`, price }))
    await addAll(all.admin.browser, 'leads', drafts)
    expect(await walked(all, 'leads', 'order[price]=asc')).toEqual(['2', '4', '0', '1', '3'])
    expect(await walked(all, 'leads', 'order[price]=desc&filter[price][from]=1')).toEqual([
      '3',
      '1',
      '0',
      '4',
    ])
  })

  test('closing time of leads: open leads come last in both directions', async () => {
    const all = await world()
    const closings = [null, 30, 10, null, 20, null, null]
    await addAll(
      all.admin.browser,
      'leads',
      closings.map((closed_at, i) => ({ name: `${i}`, ...(closed_at && { status_id: 142, closed_at }) })),
    )
    expect(await walked(all, 'leads', 'order[closed_at]=asc')).toEqual(['2', '4', '1', '0', '3', '5', '6'])
    expect(await walked(all, 'leads', 'order[closed_at]=desc')).toEqual(['1', '4', '2', '6', '5', '3', '0'])
    expect(await walked(all, 'leads', 'order[closed_at]=desc&filter[id]=1,4')).toEqual(['3', '0'])
  })

  test('next purchases', async () => {
    const all = await world()
    const drafts = [
      { name: 'a', next_price: 5, next_date: 300 },
      { name: 'b', next_price: 50 },
      { name: 'c', next_price: 1, next_date: 100 },
    ]
    await addAll(all.admin.browser, 'customers', drafts)
    expect(await walked(all, 'customers', 'order[next_price]=desc')).toEqual(['b', 'a', 'c'])
    expect(await walked(all, 'customers', 'order[next_date]=desc')).toEqual(['a', 'c', 'b'])
  })

  test.each([
    'leads?order[closed_at]=desc&page=2&position=2.none.1',
    'leads?order[name]=asc&page=2&position=2.5.1',
    'leads?order[price]=asc&page=2&position=2.tYQ.1',
    'leads?order[id]=asc&page=2&position=2.none.1',
    'leads?order[name]=asc&page=2&position=2.tAA.1',
    'leads?order[name]=asc&page=2&position=2.t.1',
    'leads?page=2&position=2.t_w.1',
  ])('a position of another order is harmless: %s', async (path) => {
    const { admin } = await world()
    await addAll(admin.browser, 'leads', [{ name: 'a' }, { name: 'b' }])
    expect((await admin.browser.get(`/web/v4/${path}`)).status).toBeLessThan(300)
  })

  onEmbedded('an unknown direction is rejected by name', async () => {
    const { admin } = await world()
    const answer = await admin.browser.get('/web/v4/leads?order[name]=up')
    expect([answer.status, answer.body['validation-errors'][0].errors[0].path]).toEqual([400, 'order.name'])
  })
})

describe('Lists filtered by tags', () => {
  test.each(['leads', 'contacts', 'companies', 'customers'])('%s: any of the tags', async (type) => {
    const all = await world()
    const tagged = (...names: string[]) => ({ _embedded: { tags: names.map((name) => ({ name })) } })
    await addAll(all.admin.browser, type, [
      { name: 'a', ...tagged('red') },
      { name: 'b', ...tagged('blue', 'red') },
      { name: 'c', ...tagged('green') },
      { name: 'd' },
    ])
    const { tags } = (await all.admin.browser.get(`/web/v4/${type}/tags`)).body._embedded
    const id = (name: string) => tags.find((tag: { name: string }) => tag.name === name).id
    expect(await walked(all, type, `filter[tags]=${id('red')}`)).toEqual(['a', 'b'])
    expect(await walked(all, type, `filter[tags][]=${id('blue')}&filter[tags][]=${id('green')}`)).toEqual([
      'b',
      'c',
    ])
    for (const nothing of ['filter[tags]=999', 'filter[tags]='])
      expect(await walked(all, type, nothing)).toEqual([])
    const answer = await all.admin.browser.get(`/web/v4/${type}?filter[tags]=red`)
    expect([answer.status, answer.body['validation-errors'][0].errors[0].path]).toEqual([400, 'filter.tags'])
  })
})

test('a migrated database gets sort keys of names', async () => {
  const all = await world()
  await addAll(
    all.admin.browser,
    'contacts',
    shuffled.map((name) => ({ name })),
  )
  const { db } = all.ctx
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('entities').set({ name_key: '' }).execute()
    await listOrders.fill?.(tx)
  })
  const rows = await db.selectFrom('entities').select(['name', 'name_key']).execute()
  expect(rows.map(({ name_key }) => name_key)).toEqual(rows.map(({ name }) => nameKey(name)))
  expect(await walked(all, 'contacts', 'order[name]=asc')).toEqual(alphabetical)
})
