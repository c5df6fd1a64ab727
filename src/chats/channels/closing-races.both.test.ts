import { expect, test } from 'vitest'
import type { Answer } from '../../../test/client.ts'
import { type Line, line } from '../../../test/conversations.ts'
import { times } from '../../../test/long.ts'
import { type World, world } from '../../../test/world.ts'

const CHATS = times(5, 8)
const ROUNDS = times(1, 5)

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
