import { randomUUID } from 'node:crypto'
import { type ChannelDraft, type Connected, connected } from './chats.ts'
import { type Receiver, receiver } from './receiver.ts'
import type { World } from './world.ts'

/** A pushed text. `who` is the sender and also names the conversation. */
export const textOf = (world: World, who: string, text = 'Hello', more: object = {}) => ({
  timestamp: world.ctx.now(),
  msgid: randomUUID(),
  conversation_id: `c-${who}`,
  sender: { id: `s-${who}`, name: who, avatar: 'https://example.com/a.png' },
  message: { type: 'text', text },
  ...more,
})

export interface Line extends Connected {
  /** The provider's server, which receives callbacks. */
  there: Receiver
  /** Pushes a message from a customer and returns the id of the chat. */
  write(who: string, text?: string, more?: object): Promise<string>
}

/** A connected channel with a receiver for callbacks. */
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
