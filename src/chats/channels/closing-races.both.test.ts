import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../test/client.ts'
import { someoneWaits } from '../../../test/databases/lock-waits.ts'
import { type Line, line } from '../../../test/fixtures/conversations.ts'
import { times } from '../../../test/long.ts'
import { type World, world } from '../../../test/world.ts'
import { type Actor, findActor } from '../../accounts/accounts.ts'
import { requireChat } from '../conversations/chat-rights.ts'
import { sendMessage } from '../messages/send.ts'
import { lockChannel } from '../scopes/channel-queries.ts'
import { deleteConnectionsOfChannel } from '../scopes/connection-queries.ts'

const CHATS = times(5, 8)
const ROUNDS = times(1, 5)

const asking = { integration: null, request_id: 'r', address: 'a' }

type End = (all: World, open: Line) => Promise<Answer>

/** Actions that take a channel away from an account while people write in it and messages go out. */
const ends: [what: string, end: End][] = [
  [
    'its provider disconnects the account',
    ({ account }, open) =>
      open.call('DELETE', `/${open.channel.id}/disconnect`, { account_id: account.amojo_id }),
  ],
  [
    'an administrator disconnects it',
    ({ admin }, open) => admin.browser.post(`/web/channels/${open.channel.id}/disconnect`),
  ],
  ['the channel is deleted', ({ admin }, open) => admin.browser.delete(`/web/channels/${open.channel.id}`)],
]

test.each(ends)(
  '%s: no request waits for ever, and nothing stays pending',
  async (_what, end) => {
    for (let round = 0; round < ROUNDS; round++) {
      const all = await world()
      const open = await line(all)
      // A callback that refuses for now: what it refused waits.
      open.there.answer = (_request, response) => {
        response.statusCode = Math.random() < 0.5 ? 200 : 500
        response.end()
      }
      const chats = await Promise.all(Array.from({ length: CHATS }, (_, i) => open.write(`s${i}`)))
      const write = (chat: string, text: string) =>
        all.admin.browser.post(`/web/v4/chats/${chat}/messages`, { text })
      const writeAll = (text: string) => Promise.all(chats.map((chat) => write(chat, text)))
      await writeAll('First')

      const delivering = all.app.deliveries.runDue()
      const writing = Promise.all([writeAll('Second'), writeAll('Third')])
      const ended = await end(all, open)
      expect([200, 204]).toContain(ended.status)
      const statuses = (await writing).flat().map(({ status }) => status)
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
      await delivering
      await all.app.deliveries.runDue()

      const pending = async (table: 'chat_messages' | 'deliveries') =>
        all.ctx.db.selectFrom(table).select('id').where('state', '=', 'pending').execute()
      expect([await pending('chat_messages'), await pending('deliveries')]).toEqual([[], []])
      expect(all.logged()).not.toContain('unexpected error')
    }
  },
  120_000,
)

/** Only PostgreSQL has concurrent writers. */
describe.runIf(process.env.TEST_DATABASE === 'postgres')('Beside messages in another conversation', () => {
  test.each(ends)('%s: without a deadlock', async (_what, end) => {
    const all = await world()
    const open = await line(all)
    open.there.answer = (_request, response) => {
      response.statusCode = 500
      response.end()
    }
    const [waiting, other] = [await open.write('a'), await open.write('b')]
    const write = (chat: string) => all.admin.browser.post(`/web/v4/chats/${chat}/messages`, { text: 'Hi' })
    await write(waiting)
    const person = { account_id: all.account.id, user_id: all.admin.id }
    const actor = (await findActor(all.ctx, person, asking)) as Actor
    // The channel waits for the first message, and then finds the second one in its conversation, before the channel.
    const [ended, second] = await all.ctx.db.transaction().execute(async (tx) => {
      const conversation = await requireChat(tx, actor, other)
      await sendMessage(all.ctx, tx, actor, conversation, { text: 'Hi', origin: 'person' })
      const second = write(other)
      await someoneWaits(all.ctx)
      const ended = end(all, open)
      await someoneWaits(all.ctx, 2)
      return [ended, second]
    })
    expect([200, 204]).toContain((await ended).status)
    expect([200, 409]).toContain((await second).status)
    const { db } = all.ctx
    const messages = await db
      .selectFrom('chat_messages')
      .select('id')
      .where('state', '=', 'pending')
      .execute()
    const deliveries = await db.selectFrom('deliveries').select('id').where('ended_at', 'is', null).execute()
    expect([messages, deliveries]).toEqual([[], []])
  })

  test('a sender waits for the channel before it locks the connection, as a deletion does', async () => {
    const all = await world()
    const open = await line(all)
    const chat = await open.write('a')
    const sent = await all.ctx.db.transaction().execute(async (tx) => {
      await lockChannel(tx, open.channel.id)
      const sent = all.admin.browser.post(`/web/v4/chats/${chat}/messages`, { text: 'Hi' })
      await someoneWaits(all.ctx)
      expect(await deleteConnectionsOfChannel(tx, open.channel.id)).toEqual([all.account.id])
      return [sent]
    })
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([409])
  })
})
