import { randomUUID } from 'node:crypto'
import { type ChannelDraft, type Connected, connected } from './chats.ts'
import { type Receiver, receiver } from './receiver.ts'
import type { World } from './world.ts'

/** A text as a provider pushes it; `who` is the sender, and names the conversation too. */
export const textOf = (world: World, who: string, text = 'Hello', more: object = {}) => ({
  timestamp: world.ctx.now(),
  msgid: randomUUID(),
  conversation_id: `c-${who}`,
  sender: { id: `s-${who}`, name: who, avatar: 'https://example.com/a.png' },
  message: { type: 'text', text },
  ...more,
})

export interface Line extends Connected {
  /** The provider's server, where callbacks arrive. */
  there: Receiver
  /** Has somebody write in, and answers the id of the chat. */
  write(who: string, text?: string, more?: object): Promise<string>
}

/** A connected channel whose callbacks are received. */
export async function line(world: World, draft: ChannelDraft = {}): Promise<Line> {
  const there = await receiver()
  const open = await connected(world, { callback_url: `${there.url}/callback`, ...draft })
  return {
    ...open,
    there,
    async write(who, text, more) {
      const answer = await open.push(textOf(world, who, text, more))
      if (answer.status !== 200) throw new Error(`not pushed: ${answer.text}`)
      return answer.body.new_message.conversation_id
    },
  }
}
