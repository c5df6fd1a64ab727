import { expect, test } from 'vitest'
import { add } from '../../test/fixtures/records.ts'
import { type Person, type World, world } from '../../test/world.ts'
import { completeRights } from '../accounts/members/rights.ts'
import { insertRows } from '../db/row-sets.ts'

const own = { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' } as const
const follow = async ({ browser }: Person, card: string) =>
  (await browser.put(`/web/v4/${card}/subscriptions`)).status
const followersOf = async ({ admin }: World, card: string): Promise<number[]> =>
  (await admin.browser.get(`/web/v4/${card}/subscriptions`)).body?._embedded.subscriptions.map(
    ({ subscriber_id }: { subscriber_id: number }) => subscriber_id,
  ) ?? []

test('people follow cards that they can see, and stop', async () => {
  const all = await world()
  const ann = await all.addPerson({ rights: completeRights({ leads: own }) })
  const theirs = `leads/${await add(all.admin.browser, 'leads', { responsible_user_id: ann.id })}`
  const hidden = `leads/${await add(all.admin.browser, 'leads')}`
  expect([
    await follow(ann, theirs),
    await follow(ann, theirs),
    await follow(all.admin, theirs),
    await follow(ann, hidden),
    await follow(ann, 'leads/999999'),
  ]).toEqual([204, 204, 204, 403, 403])
  const answer = await all.admin.browser.get(`/web/v4/${theirs}/subscriptions?limit=1`)
  const at = `http://demo.localhost:8080/web/v4/${theirs}/subscriptions`
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      _total_items: 2,
      _page: 1,
      _page_count: 2,
      _links: { self: { href: `${at}?limit=1&page=1` }, next: { href: `${at}?limit=1&page=2` } },
      _embedded: { subscriptions: [{ subscriber_id: all.admin.id, type: 'user' }] },
    },
  ])
  const alias = await all.admin.browser.get(`/web/v4/${theirs}/followers`)
  expect(alias.body._embedded.subscriptions).toHaveLength(2)
  expect((await ann.browser.get('/web/followed')).body).toEqual({
    records: [{ entity_type: 'leads', entity_id: Number(theirs.slice(6)) }],
  })
  expect((await ann.browser.delete(`/web/v4/${theirs}/subscriptions`)).status).toBe(204)
  expect(await followersOf(all, theirs)).toEqual([all.admin.id])
  expect((await ann.browser.get(`/web/v4/${hidden}/subscriptions`)).status).toBe(404)
})

test('a card that nobody follows has an empty list', async () => {
  const { admin, stranger } = await world()
  const id = await add(admin.browser, 'customers', { name: 'Ann', next_date: 1_800_000_000 })
  const at = `/web/v4/customers/${id}/subscriptions`
  expect([(await admin.browser.get(at)).status, (await stranger.get(at)).status]).toEqual([204, 401])
})

test('people who have left the account are no followers', async () => {
  const all = await world()
  const ann = await all.addPerson({ is_admin: true })
  const card = `leads/${await add(all.admin.browser, 'leads')}`
  await follow(ann, card)
  await all.admin.browser.post(`/web/v4/users/${ann.id}/deactivate`)
  expect(await followersOf(all, card)).toEqual([])
  await all.admin.browser.post(`/web/v4/users/${ann.id}/activate`)
  expect(await followersOf(all, card)).toEqual([ann.id])
})

test('the followers of merged cards follow the remaining one', async () => {
  const all = await world()
  const ann = await all.addPerson({ is_admin: true })
  const ids = [await add(all.admin.browser, 'leads'), await add(all.admin.browser, 'leads')] as const
  const third = await add(all.admin.browser, 'leads')
  for (const id of [...ids, third]) await follow(ann, `leads/${id}`)
  await follow(all.admin, `leads/${ids[0]}`)
  const merged = await all.admin.browser.post('/web/v4/leads/merge', { id: third, merge: ids })
  expect(merged.status).toBe(200)
  expect(await followersOf(all, `leads/${third}`)).toEqual([all.admin.id, ann.id])
  expect((await ann.browser.get('/web/followed')).body.records).toEqual([
    { entity_type: 'leads', entity_id: third },
  ])
})

test('a person follows a limited number of records, also with requests at the same time', async () => {
  const { admin, account, ctx } = await world()
  const cards = await Promise.all(Array.from({ length: 6 }, () => add(admin.browser, 'leads')))
  const ids = Array.from({ length: 998 }, (_, i) => 1_000_000 + i)
  const row = {
    account_id: account.id,
    user_id: admin.id,
    entity_type: 'leads',
    created_at: ctx.now(),
  } as const
  const rows = ids.map((entity_id) => ({ ...row, entity_id }))
  await ctx.db.transaction().execute((tx) => insertRows(tx, 'subscriptions', rows))
  const answers = await Promise.all(cards.map((id) => follow(admin, `leads/${id}`)))
  expect(answers.toSorted()).toEqual([204, 204, 409, 409, 409, 409])
  // Following a card again is no further one.
  expect(await follow(admin, `leads/${cards[answers.indexOf(204)]}`)).toBe(204)
})
