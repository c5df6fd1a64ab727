import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { someoneWaits } from '../../../test/databases/lock-waits.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { type Connected, connected } from '../../../test/fixtures/chats.ts'
import { customer, textPush } from '../../../test/fixtures/pushes.ts'
import { type World, world } from '../../../test/world.ts'
import { lockConversation } from './conversation-queries.ts'

const PATH = '/web/v4/contacts/chats'

async function shop() {
  const w = await world()
  const here = await connected(w)
  const chat = async (n: number) => {
    const sender = customer({ id: `s-${n}`, name: `Sue ${n}` })
    const push = textPush(`m-${n}`, { conversation_id: `c-${n}`, sender })
    return (await here.push(push)).body.new_message.conversation_id as string
  }
  const contact = async () =>
    (await w.admin.browser.post('/web/v4/contacts', [{ name: 'Bea' }])).body._embedded.contacts[0]
      .id as number
  const shown = async (id: string) => (await w.admin.browser.get(`/web/v4/chats/${id}`)).body
  return { w, here, chat, contact, shown }
}

describe('The chats of contacts (/contacts/chats)', () => {
  test('are listed by contacts and by chats', async () => {
    const { w, chat, shown } = await shop()
    const [first, second] = [await chat(1), await chat(2)]
    const [a, b] = [await shown(first), await shown(second)]
    const row = ({ id, contact_id, talk_id }: typeof a, request_id = '0') => ({
      chat_id: id,
      contact_id,
      id: talk_id,
      request_id,
    })
    const one = await w.admin.browser.get(`${PATH}?contact_id=${a.contact_id}`)
    expect([one.status, one.body]).toEqual([200, { _total_items: 1, _embedded: { chats: [row(a)] } }])
    const two = await w.admin.browser.get(`${PATH}?contact_id[]=${a.contact_id}&contact_id[]=${b.contact_id}`)
    expect(two.body._total_items).toBe(2)
    const named = await w.admin.browser.get(`${PATH}?chat_id[]=${second}`)
    expect(named.body._embedded.chats).toEqual([row(b)])
  })

  onEmbedded.each([
    '',
    '?contact_id=1&chat_id=00000000-0000-4000-8000-000000000000',
    '?contact_id=x',
    '?chat_id=5',
  ])('are not listed for "%s"', async (query) => {
    const { w } = await shop()
    expect((await w.admin.browser.get(PATH + query)).status).toBe(400)
  })

  test('are moved to a contact with their open lead and a new talk; repeating it changes nothing', async () => {
    const { w, here, chat, contact, shown } = await shop()
    const chat_id = await chat(1)
    const before = await shown(chat_id)
    const contact_id = await contact()
    const answer = await w.admin.browser.post(PATH, [{ contact_id, chat_id }])
    const after = await shown(chat_id)
    const link = { chat_id, contact_id, id: after.talk_id, request_id: '0' }
    expect([answer.status, answer.body]).toEqual([200, { _total_items: 1, _embedded: { chats: [link] } }])
    expect(after).toMatchObject({ contact_id, lead_id: before.lead_id, is_in_work: true })
    expect(after.talk_id).not.toBe(before.talk_id)
    const { body: lead } = await w.admin.browser.get(`/web/v4/leads/${before.lead_id}?with=contacts`)
    expect(lead._embedded.contacts.map(({ id }: { id: number }) => id)).toContain(contact_id)

    const again = await w.admin.browser.post(PATH, [{ contact_id, chat_id, request_id: 'r' }])
    expect(again.body._embedded.chats).toEqual([{ ...link, request_id: 'r' }])
    const sender = customer({ id: 's-1', name: 'Sue 1' })
    await here.push(textPush('m-3', { conversation_id: 'c-1', sender }))
    expect(await shown(chat_id)).toMatchObject({
      contact_id,
      lead_id: before.lead_id,
      talk_id: after.talk_id,
    })
  })

  test('stay where they are when one item names a missing record, and each fault names its item', async () => {
    const { w, chat, contact, shown } = await shop()
    const chat_id = await chat(1)
    const before = await shown(chat_id)
    const contact_id = await contact()
    const none = '00000000-0000-4000-8000-000000000000'
    const { status, body } = await w.admin.browser.post(PATH, [
      { contact_id, chat_id },
      { contact_id: 999, chat_id: none, request_id: 'b' },
    ])
    const faults = body['validation-errors'].map(
      ({ request_id, errors }: { request_id: string; errors: { path: string }[] }) => [
        request_id,
        errors.map(({ path }) => path),
      ],
    )
    expect([status, faults]).toEqual([400, [['b', ['contact_id', 'chat_id']]]])
    expect(await shown(chat_id)).toEqual(before)
  })

  test('that two requests move at once in opposite directions have one contact each', async () => {
    const { w, chat, contact, shown } = await shop()
    const chats = [await chat(1), await chat(2)]
    const contacts = [await contact(), await contact()]
    const move = (order: number[]) =>
      w.admin.browser.post(
        PATH,
        order.map((i) => ({ contact_id: contacts[i], chat_id: chats[i] })),
      )
    const answers = await Promise.all([move([0, 1]), move([1, 0]), move([0, 1]), move([1, 0])])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([
      (await shown(chats[0] as string)).contact_id,
      (await shown(chats[1] as string)).contact_id,
    ]).toEqual(contacts)
  })
})

// Only PostgreSQL has concurrent writers.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'the chats of a merged contact are locked in the order of their ids',
  async () => {
    const { w, chat, contact } = await shop()
    const { ctx, account, admin } = w
    const chats = [await chat(0)]
    let earlier = chats[0] as string
    // The database finds chats in the order in which they were made: one with a greater id was made before.
    while (!chats.some((id) => id > earlier)) {
      earlier = await chat(chats.length)
      chats.push(earlier)
    }
    const later = chats.find((id) => id > earlier) as string
    const [from, into] = [await contact(), await contact()]
    const named = [later, earlier].map((chat_id) => ({ chat_id, contact_id: from }))
    expect((await admin.browser.post(PATH, named)).status).toBe(200)
    let merging: ReturnType<typeof admin.browser.post> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      await lockConversation(tx, account.id, earlier)
      merging = admin.browser.post('/web/v4/contacts/merge', { id: into, merge: [from] })
      await someoneWaits(ctx)
      await sql`set local lock_timeout = 100`.execute(tx)
      await lockConversation(tx, account.id, later)
    })
    expect((await merging)?.status).toBe(200)
  },
)

describe('A chat that is created for a member of the account (user.ref_id)', () => {
  async function created(ref: (w: World, here: Connected) => Promise<string>) {
    const at = await shop()
    const ref_id = await ref(at.w, at.here)
    const create = () =>
      at.here.call('POST', `/${at.here.scope_id}/chats`, { conversation_id: 'c-1', user: { ref_id } })
    return { ...at, ref_id, create, answer: await create() }
  }
  const ofAda = async (w: World) =>
    (await w.admin.browser.get(`/web/v4/users/${w.admin.id}?with=amojo_id`)).body.amojo_id as string
  const ofBot = async (w: World, here: Connected) =>
    (await w.admin.browser.get(`/web/channels/${here.channel.id}`)).body.bot_id as string

  test.each([
    ['a person', ofAda],
    ['the bot', ofBot],
  ] as const)('for %s returns both ids, also the second time, and creates no contact', async (_who, ref) => {
    const { w, ref_id, create, answer, shown } = await created(ref)
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect([answer.status, answer.body]).toEqual([200, { id, user: { id: ref_id } }])
    expect((await create()).body).toEqual(answer.body)
    const contacts = await w.ctx.db.selectFrom('entities').selectAll().execute()
    expect(contacts).toEqual([])
    expect(await shown(answer.body.id)).toMatchObject({ lead_id: null, _embedded: { contact: null } })
  })

  test('belongs to the first customer who writes in it, with their own contact and lead', async () => {
    const { answer, chat, shown } = await created(ofAda)
    expect(await chat(1)).toBe(answer.body.id)
    expect(await shown(answer.body.id)).toMatchObject({
      sender: { external_id: 's-1', name: 'Sue 1' },
      lead_id: expect.any(Number),
      _embedded: { contact: { name: 'Sue 1' } },
    })
  })

  test('keeps the contact that it was moved to before', async () => {
    const { w, answer, chat, contact, shown } = await created(ofAda)
    const contact_id = await contact()
    await w.admin.browser.post(PATH, [{ contact_id, chat_id: answer.body.id }])
    await chat(1)
    expect(await shown(answer.body.id)).toMatchObject({
      contact_id,
      sender: { external_id: 's-1' },
      lead_id: expect.any(Number),
    })
  })

  test('is not created for an unknown person', async () => {
    const { here } = await shop()
    const user = { ref_id: '00000000-0000-4000-8000-000000000000' }
    const { status, body } = await here.call('POST', `/${here.scope_id}/chats`, {
      conversation_id: 'c',
      user,
    })
    expect([status, body.errors[0].path]).toEqual([400, 'user.ref_id'])
  })
})
