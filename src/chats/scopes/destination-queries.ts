import { accountNaming, selectAccount } from '../../accounts/accounts.ts'
import type { Db, Tx } from '../../db/database.ts'
import { forKeyShare } from '../../db/dialect.ts'
import { batched, prepared } from '../../db/prepared.ts'
import type { ChannelConnectionRow, ChannelRow, ChatSenderRow, ConversationRow } from '../../db/tables.ts'

/** The destination of the messages of a conversation. */
export interface Destination {
  channel: Pick<ChannelRow, 'id' | 'state' | 'is_deleted' | 'protocol' | 'callback_url'>
  connection: Pick<ChannelConnectionRow, 'hook_api_version'>
  account: { amojo_id: string }
  receiver: Pick<ChatSenderRow, 'id' | 'external_id' | 'name' | 'phone' | 'email'>
}

const destinationRow = batched((db, at: { account_id: number; channel_id: string; sender_id: string }) =>
  db
    // Rows are locked in the order of the tables: the channel before the connection, as its deletion locks them.
    .selectFrom('channels')
    .innerJoin('channel_connections as connection', 'connection.channel_id', 'channels.id')
    .innerJoin('chat_senders as receiver', (join) => join.on('receiver.account_id', '=', at.account_id))
    .where('connection.account_id', '=', at.account_id)
    .where('connection.channel_id', '=', at.channel_id)
    .where('receiver.id', '=', at.sender_id)
    .select(['channels.id as channel_id', 'channels.state', 'channels.is_deleted', 'channels.protocol'])
    .select(['channels.callback_url', 'connection.hook_api_version'])
    .select(['receiver.id', 'receiver.external_id', 'receiver.name', 'receiver.phone', 'receiver.email'])
    .modifyEnd(forKeyShare(db)),
)

/**
 * Finds the destination and locks it for share; null if the account is not connected. A transaction that stops the
 * channel or disconnects the account waits, and then sees what was queued meanwhile.
 */
export async function findDestination(
  tx: Tx,
  { account_id, channel_id, sender_id }: Pick<ConversationRow, 'account_id' | 'channel_id' | 'sender_id'>,
): Promise<Destination | null> {
  const [[row], { amojo_id }] = await Promise.all([
    destinationRow(tx, { account_id, channel_id, sender_id }),
    accountNaming(tx, account_id),
  ])
  if (!row) return null
  const { state, is_deleted, protocol, callback_url, hook_api_version, ...rest } = row
  const { channel_id: id, ...receiver } = rest
  return {
    channel: { id, state, is_deleted, protocol, callback_url },
    connection: { hook_api_version },
    account: { amojo_id },
    receiver,
  }
}

const channelTo = prepared((db, at: { account_id: number; channel_id: string }) =>
  db
    .selectFrom('channels')
    .innerJoin(selectAccount(db).as('receiver'), (join) => join.on('receiver.id', '=', at.account_id))
    .selectAll('channels')
    .select('receiver.amojo_id')
    .where('channels.id', '=', at.channel_id)
    .where('channels.is_deleted', '=', 0),
)

/** A channel that is not deleted, with the amojo_id of an account that it sends for. */
export async function findChannelTo(
  db: Db,
  account_id: number,
  channel_id: string,
): Promise<(ChannelRow & { amojo_id: string }) | undefined> {
  const [row] = await channelTo(db, { account_id, channel_id })
  return row
}
