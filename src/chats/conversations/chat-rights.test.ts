import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../../test/client.ts'
import { line } from '../../../test/fixtures/conversations.ts'
import { BEGINNING, world } from '../../../test/world.ts'
import { completeRights, type Rights, type Width } from '../../accounts/members/rights.ts'

const of = (view: Width, edit: Width = view) => ({ view, edit, add: 'A', delete: 'D', export: 'D' }) as const
const problem = ({ status, body }: Answer) => [status, body.detail]
const FORBIDDEN = [403, 'Insufficient rights to call this method']
const MISSING = [404, 'Entity not found']
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Chats whose leads and contacts are this person's or the administrator's; and one whose lead lies in the trash. */
async function office(rights: Partial<Rights>) {
  const all = await world()
  const { browser } = all.admin
  const me = await all.addPerson({ name: 'Me', rights: completeRights(rights) })
  const open = await line(all)
  const ids: Record<string, string> = {}
  const chat = async (who: string, lead: number, contact: number, isTrashed = false) => {
    all.clock.advance(1)
    const id = await open.write(who)
    const { lead_id, contact_id } = (await browser.get(`/web/v4/chats/${id}`)).body
    await browser.patch(`/web/v4/leads/${lead_id}`, { responsible_user_id: lead })
    await browser.patch(`/web/v4/contacts/${contact_id}`, { responsible_user_id: contact })
    if (isTrashed) await browser.delete(`/web/v4/leads/${lead_id}`)
    ids[who] = id
  }
  await chat('my lead', me.id, all.admin.id)
  await chat('their lead', all.admin.id, all.admin.id)
  await chat('their lead, my contact', all.admin.id, me.id)
  await chat('trashed lead, my contact', all.admin.id, me.id, true)
  await chat('my trashed lead, their contact', me.id, all.admin.id, true)
  return { ...all, me: me.browser, ids, open }
}

/** By name, the latest first; a list and the look at one never differ. */
async function seenBy(caller: Client, ids: Record<string, string>): Promise<string[]> {
  const listed: string[] = []
  let url: string | undefined = '/web/v4/chats?limit=2'
  while (url) {
    const answer: Answer = await caller.get(url)
    const names = answer.body._embedded.chats.map(({ sender }: { sender: { name: string } }) => sender.name)
    // A page is full while there is more.
    expect(names.length === 2 || answer.body._links.next === undefined).toBe(true)
    listed.push(...names)
    url = answer.body._links.next?.href
  }
  for (const [who, id] of Object.entries(ids)) {
    const answers = await Promise.all(['', '/messages'].map((end) => caller.get(`/web/v4/chats/${id}${end}`)))
    for (const answer of answers)
      if (listed.includes(who)) expect(answer.status).toBe(200)
      else expect(problem(answer)).toEqual(MISSING)
  }
  return listed
}

const everything = [
  'my trashed lead, their contact',
  'trashed lead, my contact',
  'their lead, my contact',
  'their lead',
  'my lead',
]

describe('Seeing a chat', () => {
  test.each<[string, Partial<Rights>, string[]]>([
    ['who may see nothing', { leads: of('D'), contacts: of('D') }, []],
    ['who may see their own', { leads: of('M'), contacts: of('M') }, ['trashed lead, my contact', 'my lead']],
    [
      'who may see all leads and no contact',
      { leads: of('A'), contacts: of('D') },
      ['their lead, my contact', 'their lead', 'my lead'],
    ],
    [
      'who may see no lead and all contacts',
      { leads: of('D'), contacts: of('A') },
      ['my trashed lead, their contact', 'trashed lead, my contact'],
    ],
    ['who may see everything', { leads: of('A'), contacts: of('A') }, everything],
  ])('%s', async (_who, rights, names) => {
    const { me, ids } = await office(rights)
    expect(await seenBy(me, ids)).toEqual(names)
  })

  test('a hidden record is not part of the chat', async () => {
    const { me, ids } = await office({ leads: of('A'), contacts: of('M') })
    const { _embedded, sender } = (await me.get(`/web/v4/chats/${ids['their lead']}`)).body
    expect([_embedded.contact, _embedded.lead.name]).toEqual([null, expect.any(String)])
    expect([sender.name, sender.phone, sender.email]).toEqual(['their lead', null, null])
    const found = await me.get('/web/v4/chats?query=their')
    expect(found.body._embedded.chats.map(({ id }: { id: string }) => id)).toEqual([
      ids['their lead, my contact'],
    ])
  })

  test('works only at the address of its account and with a session', async () => {
    const { ids, addAccount, addPerson, stranger } = await office({})
    const other = await addPerson({ account: await addAccount('other'), is_admin: true })
    expect((await other.browser.get('/web/v4/chats')).status).toBe(204)
    for (const end of ['', '/messages'])
      expect(problem(await other.browser.get(`/web/v4/chats/${ids['my lead']}${end}`))).toEqual(MISSING)
    const written = await other.browser.post(`/web/v4/chats/${ids['my lead']}/messages`, { text: 'x' })
    expect(problem(written)).toEqual(MISSING)
    expect((await stranger.get('/web/v4/chats')).status).toBe(401)
  })

  test('is refused while the account is unpaid', async () => {
    const { ctx, admin, ids, account } = await office({})
    await ctx.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('accounts').set({ paid_until: BEGINNING }).where('id', '=', account.id).execute(),
      )
    const path = `/web/v4/chats/${ids['my lead']}`
    for (const url of ['/web/v4/chats', path, `${path}/messages`])
      expect((await admin.browser.get(url)).status).toBe(402)
    const stream = await admin.browser.get('/web/v4/chats', { accept: 'text/event-stream' })
    expect(stream.status).toBe(402)
    expect((await admin.browser.post(`${path}/messages`, { text: 'still' })).status).toBe(200)
  })
})

describe('Writing in a chat', () => {
  const writes = (caller: Client, id: string, message_id = NOBODY) => [
    caller.post(`/web/v4/chats/${id}/messages`, { text: 'x' }),
    caller.post(`/web/v4/chats/${id}/read`),
    caller.post(`/web/v4/chats/${id}/messages/${message_id}/send_again`),
  ]

  test('a user who can view but not edit is refused, and nothing is written', async () => {
    const { me, ids, ctx, open, app } = await office({ leads: of('A', 'M'), contacts: of('A', 'M') })
    for (const answer of await Promise.all(writes(me, ids['their lead'] as string)))
      expect(problem(answer)).toEqual(FORBIDDEN)
    const chat = (await me.get(`/web/v4/chats/${ids['their lead']}`)).body
    expect([chat.can_write, chat.unread_count, chat.last_message.position]).toEqual([false, 1, 1])
    const mine = await me.get(`/web/v4/chats/${ids['my lead']}`)
    expect(mine.body.can_write).toBe(true)
    expect(await ctx.db.selectFrom('deliveries').select('id').execute()).toEqual([])
    expect((await me.post(`/web/v4/chats/${ids['my lead']}/messages`, { text: 'mine' })).status).toBe(200)
    await app.deliveries.runDue()
    expect(open.there.received.length).toBe(1)
  })

  test('an unknown id is forbidden to users who do not see everything, and not found for others', async () => {
    const { me, ids, admin } = await office({ leads: of('M'), contacts: of('M') })
    const hidden = await Promise.all(writes(me, ids['their lead'] as string))
    const missing = await Promise.all(writes(me, NOBODY))
    expect(missing.map(problem)).toEqual(hidden.map(problem))
    expect(missing.map(problem)).toEqual(Array(3).fill(FORBIDDEN))
    for (const answer of await Promise.all(writes(admin.browser, NOBODY)))
      expect(problem(answer)).toEqual(MISSING)
  })

  test('a message is only found in its own chat', async () => {
    const { admin, ids } = await office({})
    const [mine, theirs] = [ids['my lead'] as string, ids['their lead'] as string]
    const { id } = (await admin.browser.post(`/web/v4/chats/${mine}/messages`, { text: 'x' })).body
    const again = await admin.browser.post(`/web/v4/chats/${theirs}/messages/${id}/send_again`)
    expect(problem(again)).toEqual(MISSING)
    expect(problem(await admin.browser.get(`/web/v4/chats/${theirs}/messages/${id}/attempts`))).toEqual(
      MISSING,
    )
    expect((await admin.browser.get(`/web/v4/chats/${mine}/messages/${id}/attempts`)).status).toBe(204)
  })

  test('users who see the chat see the delivery attempts', async () => {
    const { me, ids, admin, app } = await office({ leads: of('M'), contacts: of('M') })
    const post = (who: string) => admin.browser.post(`/web/v4/chats/${ids[who]}/messages`, { text: 'x' })
    const [mine, theirs] = [(await post('my lead')).body.id, (await post('their lead')).body.id]
    await app.deliveries.runDue()
    const own = await me.get(`/web/v4/chats/${ids['my lead']}/messages/${mine}/attempts`)
    expect(own.body._embedded.attempts.map(({ status }: { status: number }) => status)).toEqual([200])
    const hidden = await me.get(`/web/v4/chats/${ids['their lead']}/messages/${theirs}/attempts`)
    expect(problem(hidden)).toEqual(MISSING)
  })
})
