import { randomUUID } from 'node:crypto'
import amotop from '@mobilon-dev/amotop'
import type { KnownChannel } from '../../../src/commands/demo/demo.ts'
import { demo, host, openAdmin } from './errand.ts'

/** Lets the leads of new chats wait, and writes as a new customer. Creates an incoming lead of the category chats. */
export async function openWaitingChat(): Promise<void> {
  await (await openAdmin())('PUT', '/web/new-chats', { are_chats_unsorted: true })
  const { secret, scope_id } = demo.channel_live as KnownChannel
  const scope = new amotop.AmoJoScopeClient({ amoChatDomain: host, channelSecret: secret, scopeId: scope_id })
  const time = Date.now()
  await scope.sendMessage({
    timestamp: Math.floor(time / 1000),
    msec_timestamp: time,
    msgid: randomUUID(),
    conversation_id: randomUUID(),
    sender: { id: randomUUID(), name: 'Petra', profile: { phone: '79995550101' } },
    message: { type: 'text', text: 'Do you have lamps?' },
  })
}
