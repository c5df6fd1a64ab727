import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { client } from '../../../test/client.ts'
import { someoneWaits } from '../../../test/databases/lock-waits.ts'
import { CHATS, connected, signed } from '../../../test/fixtures/chats.ts'
import { closeTalks, customer, storedMessages, textPush } from '../../../test/fixtures/pushes.ts'
import { log } from '../../../test/fixtures/records.ts'
import { isLong, times } from '../../../test/long.ts'
import { patiently } from '../../../test/patiently.ts'
import { world } from '../../../test/world.ts'
import { lockNames } from '../../db/dialect.ts'
import type { ConversationRow } from '../../db/tables.ts'
import { detailNames } from '../conversations/contact-matching.ts'
import { changeConversation } from '../conversations/conversation-changes.ts'
import { lockConversation } from '../conversations/conversation-queries.ts'
import { updateTalk } from '../conversations/talk-queries.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'
/** Rounds of fifty pushes, which take ten times as long on PostgreSQL. */
const ROUNDS = isLong ? (isPostgres ? 40 : 200) : 4
/** Rounds in one conversation. */
const ROUNDS_OF_ONE = times(3, 10)
/** Rounds of fewer pushes. */
const FEW = times(3, 10)

/** A provider that calls two processes by turns; on the embedded database there is one. */
async function twoProcesses() {
  const here = await world()
  // A request that has waited too long is repeated, but no two wait for each other.
  onTestFinished(() => expect(here.logged()).not.toContain('deadlock detected'))
  const provider = await connected(here)
  const second = isPostgres ? await here.secondProcess() : { app: here.app }
  const { host } = here.stranger.identity
  const clients = [client(here.app.http, { host }), client(second.app.http, { host })]
  let turn = 0
  const push = (payload: object) => {
    const body = JSON.stringify({ event_type: 'new_message', payload })
    const headers = { 'sec-fetch-site': undefined, ...signed(provider.channel.secret, body) }
    const caller = clients[turn++ % 2] as (typeof clients)[0]
    return patiently(() => caller.post(`${CHATS}/${provider.scope_id}`, body, headers))
  }
  return { ...here, ...provider, push }
}

const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))]
const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
const count = async (rows: Promise<unknown[]>) => (await rows).length

describe('Concurrent pushes', () => {
  test(`the same msgid 50 times, ${ROUNDS} rounds: one message and equal answers`, {
    timeout: 300_000,
  }, async () => {
    const { push, ctx } = await twoProcesses()
    for (let round = 0; round < ROUNDS; round++) {
      // Some rounds begin a conversation; the others go on in one.
      const payload = textPush(`m-${round}`, { conversation_id: `c-${Math.floor(round / ROUNDS_OF_ONE)}` })
      const answers = await Promise.all(many(50, () => push(payload)))
      expect(statuses(answers)).toEqual([200])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    }
    const messages = await storedMessages(ctx)
    expect(messages.length).toBe(ROUNDS)
    expect(new Set(messages.map(({ external_id }) => external_id)).size).toBe(ROUNDS)
    expect((await log(ctx)).filter(({ type }) => type === 'incoming_chat_message').length).toBe(ROUNDS)
    const conversations = Math.ceil(ROUNDS / ROUNDS_OF_ONE)
    expect(await count(ctx.db.selectFrom('conversations').select('id').execute())).toBe(conversations)
    expect(await count(ctx.db.selectFrom('talks').select('id').execute())).toBe(conversations)
    expect(await count(ctx.db.selectFrom('chat_senders').select('id').execute())).toBe(1)
  })

  test('one msgid with different payloads: the first is accepted, the others are conflicts', async () => {
    const { push, ctx } = await twoProcesses()
    for (let round = 0; round < FEW; round++) {
      const answers = await Promise.all(
        many(20, (i) =>
          push(
            textPush(`m-${round}`, {
              conversation_id: `c-${i % 4}`,
              message: { type: 'text', text: `${i}` },
            }),
          ),
        ),
      )
      expect(answers.filter(({ status }) => status === 200).length).toBe(1)
      expect(answers.filter(({ status }) => status === 409).length).toBe(19)
    }
    expect((await storedMessages(ctx)).length).toBe(FEW)
  })

  test('the first messages of a conversation: one conversation, one contact, one lead, one talk, and no gaps', async () => {
    const { push, ctx } = await twoProcesses()
    const of = (type: string) =>
      ctx.db.selectFrom('entities').select('id').where('entity_type', '=', type).execute()
    for (let round = 0; round < FEW; round++) {
      const sender = customer({ id: `s-${round}` })
      const answers = await Promise.all(
        many(10, (i) => push(textPush(`m-${round}-${i}`, { conversation_id: `c-${round}`, sender }))),
      )
      expect(statuses(answers)).toEqual([200])
      for (const type of ['contacts', 'leads']) expect(await count(of(type))).toBe(round + 1)
    }
    const conversations = await ctx.db.selectFrom('conversations').selectAll().execute()
    expect(conversations.map(({ last_position, unread_count }) => [last_position, unread_count])).toEqual(
      many(FEW, () => [10, 10]),
    )
    const messages = Map.groupBy(await storedMessages(ctx), ({ conversation_id }) => conversation_id)
    for (const thread of messages.values())
      expect(thread.map(({ position }) => position)).toEqual(many(10, (i) => i + 1))
    expect(await count(ctx.db.selectFrom('talks').select('id').execute())).toBe(FEW)
  })

  test('the first messages after a talk was closed: one talk is open, and one lead was added', async () => {
    const { push, ctx, admin } = await twoProcesses()
    await push(textPush('first'))
    for (let round = 1; round <= FEW; round++) {
      const { lead_id } = await ctx.db.selectFrom('conversations').select('lead_id').executeTakeFirstOrThrow()
      await admin.browser.patch(`/web/v4/leads/${lead_id}`, { status_id: 142 })
      await closeTalks(ctx)
      const answers = await Promise.all(many(10, (i) => push(textPush(`m-${round}-${i}`))))
      expect(statuses(answers)).toEqual([200])
      const talks = await ctx.db.selectFrom('talks').selectAll().orderBy('id').execute()
      expect([talks.length, talks.filter(({ closed_at }) => closed_at === null).length]).toEqual([
        round + 1,
        1,
      ])
      expect(new Set(talks.map((talk) => talk.lead_id)).size).toBe(round + 1)
    }
  })

  test('new conversations with one phone number: one contact, and a lead for each', async () => {
    const { push, ctx } = await twoProcesses()
    for (let round = 0; round < FEW; round++) {
      const profile = { phone: 79_000_000_000 + round, email: `s${round}@x.example` }
      const answers = await Promise.all(
        many(8, (i) => {
          const sender = customer({ id: `s-${round}-${i}`, profile })
          return push(textPush(`m-${round}-${i}`, { conversation_id: `c-${round}-${i}`, sender }))
        }),
      )
      expect(statuses(answers)).toEqual([200])
    }
    const rows = await ctx.db.selectFrom('conversations').select(['contact_id', 'lead_id']).execute()
    const different = (ids: (number | null)[]) => new Set(ids).size
    expect(different(rows.map(({ contact_id }) => contact_id))).toBe(FEW)
    expect(different(rows.map(({ lead_id }) => lead_id))).toBe(FEW * 8)
    const contacts = ctx.db.selectFrom('entities').select('id').where('entity_type', '=', 'contacts')
    expect(await count(contacts.execute())).toBe(FEW)
  })

  test('while its contact is merged and its lead changed: every message is accepted, on the live records', async () => {
    const { push, ctx, admin } = await twoProcesses()
    const { browser } = admin
    for (let round = 0; round < FEW; round++) {
      const conversation_id = `c-${round}`
      const reached = (i: number) =>
        customer({ id: `s-${round}`, profile: { phone: 79_000_000_000 + round * 100 + i } })
      await push(textPush(`m-${round}`, { conversation_id, sender: reached(0) }))
      const at = () =>
        ctx.db
          .selectFrom('conversations')
          .selectAll()
          .where('external_id', '=', conversation_id)
          .executeTakeFirstOrThrow()
      const before = await at()
      const added = await browser.post('/web/v4/contacts', [{ name: 'Survivor' }])
      const survivor = added.body._embedded.contacts[0].id
      const answers = await Promise.all([
        patiently(() => browser.post('/web/v4/contacts/merge', { id: survivor, merge: [before.contact_id] })),
        ...[1, 2, 3, 4].map((i) =>
          push(textPush(`m-${round}-${i}`, { conversation_id, sender: reached(i) })),
        ),
        patiently(() => browser.patch(`/web/v4/leads/${before.lead_id}`, { price: round + 1 })),
      ])
      expect(statuses(answers)).toEqual([200])
      const after = { contact_id: survivor, lead_id: before.lead_id, last_position: 5 }
      expect(await at()).toMatchObject(after)
    }
  })

  test('while a user closes its talk: it waits, and opens another one', async () => {
    const { push, ctx, account } = await twoProcesses()
    const answer = await push(textPush('first'))
    const id = answer.body.new_message.conversation_id as string
    let pushed: ReturnType<typeof push> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      const conversation = (await lockConversation(tx, account.id, id)) as ConversationRow
      // On PostgreSQL it is waiting for the lock, and has begun to look, when this one goes on.
      pushed = push(textPush('second'))
      if (isPostgres) await sql`select pg_sleep(0.3)`.execute(tx)
      const talk = { account_id: account.id, id: conversation.talk_id }
      await updateTalk(tx, { ...talk, closed_at: ctx.now() })
      await changeConversation(ctx, tx, conversation, { is_in_work: 0 })
    })
    expect((await pushed)?.status).toBe(200)
    const talks = await ctx.db.selectFrom('talks').selectAll().orderBy('id').execute()
    expect(talks.map(({ closed_at }) => closed_at === null)).toEqual([false, true])
    const messages = await storedMessages(ctx)
    expect(messages.map(({ talk_id }) => talk_id)).toEqual(talks.map((talk) => talk.id))
  })

  test.runIf(isPostgres)(
    'after its contact was deleted: it has locked no record while it waits for the phone number',
    async () => {
      const { push, ctx, account, admin } = await twoProcesses()
      const phone = '79000000000'
      const sender = customer({ profile: { phone: Number(phone) } })
      await push(textPush('first', { sender }))
      const at = () => ctx.db.selectFrom('conversations').selectAll().executeTakeFirstOrThrow()
      const { contact_id, lead_id } = await at()
      await admin.browser.delete('/web/v4/contacts', [{ id: contact_id }])
      let pushed: ReturnType<typeof push> | undefined
      await ctx.db.transaction().execute(async (other) => {
        // It is the one that looks for a deadlock.
        await sql`set local deadlock_timeout = '10ms'`.execute(other)
        await lockNames(other, detailNames(account.id, { phone, email: null }))
        pushed = push(textPush('second', { sender }))
        await someoneWaits(ctx)
        await sql`select 1 from entities where id = ${lead_id} for update`.execute(other)
      })
      expect((await pushed)?.status).toBe(200)
      expect((await at()).contact_id).toBeGreaterThan(contact_id)
    },
  )
})
