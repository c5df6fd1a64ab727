import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { connected } from '../../../test/chats.ts'
import { customer, storedMessages, textPush } from '../../../test/pushes.ts'
import { world } from '../../../test/world.ts'

/** As a client of the live service names a chat: by our id, beside a name of its own that nobody knows. */
const referring = (msgid: string, conversation_ref_id: string) =>
  textPush(msgid, {
    conversation_id: randomUUID(),
    conversation_ref_id,
    sender: customer({ id: randomUUID() }),
  })

async function opened(protocol: 'spec' | 'live') {
  const here = await world()
  const channel = await connected(here, { protocol })
  const chat = (await channel.push(textPush('first'))).body.new_message.conversation_id as string
  const homeOf = async (conversation_ref_id: string) => {
    const answer = await channel.push(referring(randomUUID(), conversation_ref_id))
    expect(answer.status).toBe(200)
    return answer.body.new_message.conversation_id as string
  }
  return { here, channel, chat, homeOf }
}

describe('A push that names its chat by our id (conversation_ref_id)', () => {
  test('goes into that chat, under any id of the provider', async () => {
    const { here, chat, homeOf } = await opened('live')
    expect([await homeOf(chat), await homeOf(chat)]).toEqual([chat, chat])
    const messages = await storedMessages(here.ctx)
    expect(messages.map(({ conversation_id, position }) => [conversation_id, position])).toEqual([
      [chat, 1],
      [chat, 2],
      [chat, 3],
    ])
  })

  test('opens a new chat if the channel has none with this id', async () => {
    const { here, chat, homeOf } = await opened('live')
    const other = await connected(here, { protocol: 'live' })
    const foreign = (await other.push(textPush('first'))).body.new_message.conversation_id
    const abroad = await here.addAccount('abroad')
    const by = await here.addPerson({ account: abroad, is_admin: true, name: 'Abe' })
    const theirs = await connected(here, { protocol: 'live', by })
    const far = (await theirs.push(textPush('first'))).body.new_message.conversation_id
    const taken = [chat, foreign, far]
    for (const ref of [foreign, far, randomUUID(), 'none']) {
      const home = await homeOf(ref)
      expect(taken).not.toContain(home)
      taken.push(home)
    }
  })

  test('ignores that id in the protocol spec, which does not have it', async () => {
    const { chat, homeOf } = await opened('spec')
    expect(await homeOf(chat)).not.toBe(chat)
  })
})
