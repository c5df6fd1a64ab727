import { expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { connected } from '../../../test/fixtures/chats.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { customer, textPush } from '../../../test/fixtures/pushes.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'
import { completeRights } from '../../accounts/members/rights.ts'

interface ListedTalk {
  talk_id: number
  contact_id: number
  entity_id: number | null
  chat_id: string
}

/** Three customers have written; the talk of the first was closed, and followed by another one. */
async function talked() {
  const w = await world()
  const here = await connected(w)
  const writes = async (who: string, msgid: string) => {
    const sender = customer({ id: `s-${who}`, name: who })
    const answer = await here.push(textPush(msgid, { conversation_id: `c-${who}`, sender }))
    expect(answer.status).toBe(200)
  }
  await writes('Ann', 'm-1')
  const [first] = await listed(w)
  await w.admin.browser.post(`/web/v4/talks/${first?.talk_id}/close`, {})
  w.clock.advance(60)
  await writes('Ben', 'm-2')
  await writes('Cid', 'm-3')
  await writes('Ann', 'm-4')
  return { w, talks: await listed(w) }
}

async function listed({ admin }: World, query = '', browser = admin.browser): Promise<ListedTalk[]> {
  const { status, body } = await browser.get(`/web/v4/talks?${query}`)
  return status === 204 ? [] : body._embedded.talks
}

const idsOf = (talks: ListedTalk[]) => talks.map(({ talk_id }) => talk_id)

test('talks are listed newest first, and each is the same as alone', async () => {
  const { w, talks } = await talked()
  expect(talks).toHaveLength(4)
  expect(idsOf(talks)).toEqual(idsOf(talks).toSorted((a, b) => b - a))
  expect(talks.map((talk) => 'status' in talk && talk.status)).toEqual([
    'in_work',
    'in_work',
    'in_work',
    'closed',
  ])
  for (const talk of talks)
    expect((await w.admin.browser.get(`/web/v4/talks/${talk.talk_id}`)).body).toEqual(talk)
})

test('an account without talks gets 204', async () => {
  const w = await world()
  expect((await w.admin.browser.get('/web/v4/talks')).status).toBe(204)
})

test('pages are followed by `next`, and by the number of the page', async () => {
  const { w, talks } = await talked()
  const { body } = await w.admin.browser.get('/web/v4/talks?limit=3')
  expect([body._page, idsOf(body._embedded.talks)]).toEqual([1, idsOf(talks.slice(0, 3))])
  const next = await w.admin.browser.get(body._links.next.href)
  expect([next.body._page, idsOf(next.body._embedded.talks), next.body._links.next]).toEqual([
    2,
    idsOf(talks.slice(3)),
    undefined,
  ])
  expect(idsOf(await listed(w, 'limit=3&page=2'))).toEqual(idsOf(talks.slice(3)))
})

test('each filter selects its talks', async () => {
  const { w, talks } = await talked()
  const [ann, cid, ben, old] = talks as [ListedTalk, ListedTalk, ListedTalk, ListedTalk]
  const found = async (query: string) => idsOf(await listed(w, query))
  expect(await found(`filter[talk_id][]=${ben.talk_id}&filter[talk_id][]=${old.talk_id}`)).toEqual(
    idsOf([ben, old]),
  )
  expect(await found(`filter[contact_id]=${ann.contact_id}`)).toEqual(idsOf([ann, old]))
  expect(await found(`filter[entity_id][]=${cid.entity_id}&filter[entity_type]=lead`)).toEqual(idsOf([cid]))
  expect(await found(`filter[entity_id][]=${cid.entity_id}&filter[entity_type]=customer`)).toEqual([])
  for (const value of ['1', '0', ''])
    expect(await found(`filter[only_in_work]=${value}`)).toEqual(idsOf([ann, cid, ben]))
  await w.admin.browser.delete(`/web/v4/leads/${cid.entity_id}`)
  expect(await found(`filter[entity_id]=${cid.entity_id}`)).toEqual([])
})

onEmbedded.each([
  ['filter[talk_id]=x', 'filter.talk_id', 'InvalidType'],
  ['filter[entity_type]=company', 'filter.entity_type', 'NotSupportedChoice'],
  [`filter[contact_id]=${Array.from({ length: 251 }, (_, i) => i + 1)}`, 'filter.contact_id', 'TooMany'],
])('%s is refused', async (query, path, code) => {
  const w = await world()
  const { status, body } = await w.admin.browser.get(`/web/v4/talks?${query}`)
  const [fault] = body['validation-errors'][0].errors
  expect([status, fault.path, fault.code]).toEqual([400, path, code])
})

test('a person sees the talks of their own leads, and finds none by a lead that is hidden', async () => {
  const { w, talks } = await talked()
  const [ann, cid] = talks as [ListedTalk, ListedTalk]
  const own = { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' } as const
  const me = await w.addPerson({ name: 'Me', rights: completeRights({ leads: own, contacts: own }) })
  await w.admin.browser.patch(`/web/v4/leads/${cid.entity_id}`, { responsible_user_id: me.id })
  expect(idsOf(await listed(w, '', me.browser))).toEqual([cid.talk_id])
  expect(await listed(w, `filter[entity_id]=${ann.entity_id}`, me.browser)).toEqual([])
})

onEmbedded('talks cannot be listed while the account is unpaid', async () => {
  const { w } = await talked()
  await w.ctx.db.transaction().execute((tx) => tx.updateTable('accounts').set({ paid_until: 5 }).execute())
  expect((await w.admin.browser.get('/web/v4/talks')).status).toBe(402)
})

test('a talk names the source of the channel’s integration', async () => {
  const w = await world()
  const shop = await register(w.admin, { multiple_sources: true })
  const { access_token } = await connect(w.stranger, shop)
  const api = w.stranger.as({ token: access_token })
  const { body } = await api.post('/api/v4/sources', [{ name: 'Line', external_id: 'line-1' }])
  const here = await connected(w, { protocol: 'live', integration_id: shop.client_id })
  const named = (msgid: string, external_id: string) =>
    here.push(textPush(msgid, { conversation_id: `c-${msgid}`, source: { external_id } }))
  expect((await named('m-1', 'line-1')).status).toBe(200)
  expect((await named('m-2', 'line-2')).status).toBe(200)
  const { talks } = (await api.get('/api/v4/talks')).body._embedded
  expect(talks.map(({ source_id }: { source_id: number | null }) => source_id)).toEqual([
    null,
    body._embedded.sources[0].id,
  ])
  expect(talks[0].created_at).toBe(BEGINNING)
})
