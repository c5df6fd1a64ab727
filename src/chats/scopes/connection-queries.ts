import { selectAccount } from '../../accounts/accounts.ts'
import type { Db, Tx } from '../../db/database.ts'
import { cached } from '../../db/prepared.ts'
import type { ChannelConnectionRow, ChannelRow } from '../../db/tables.ts'

const connectionRow = cached((db, at: { account_id: number; channel_id: string }) =>
  db
    .selectFrom('channel_connections')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('channel_id', '=', at.channel_id),
)

/** The connection of an account to a channel; undefined if there is none. */
export async function connectionOf(
  db: Db,
  account_id: number,
  channel_id: string,
): Promise<ChannelConnectionRow | undefined> {
  const [row] = await connectionRow(db, { account_id, channel_id })
  return row
}

const scopeRow = cached((db, at: { channel_id: string; amojo_id: string }) =>
  db
    .selectFrom('channels')
    .leftJoin(selectAccount(db).as('account'), (join) => join.on('account.amojo_id', '=', at.amojo_id))
    .leftJoin('channel_connections as connection', (join) =>
      join
        .onRef('connection.account_id', '=', 'account.id')
        .onRef('connection.channel_id', '=', 'channels.id'),
    )
    .where('channels.id', '=', at.channel_id)
    .where('channels.is_deleted', '=', 0)
    .selectAll('channels')
    .select([
      'connection.account_id as tenant_id',
      'account.subdomain',
      'connection.title',
      'connection.hook_api_version',
      'connection.is_time_window_disabled',
      'connection.connected_at',
      'connection.updated_at as connection_updated_at',
    ]),
)

/** The channel of a scope, and the account if it is connected. */
export interface Scope {
  channel: ChannelRow
  connected: {
    account: { id: number; amojo_id: string; subdomain: string }
    connection: ChannelConnectionRow
  } | null
}

/** Reads all that authenticates a request to a scope, in one query. Nothing is cached. */
export async function findScope(
  db: Db,
  at: { channel_id: string; amojo_id: string },
): Promise<Scope | undefined> {
  const [row] = await scopeRow(db, at)
  if (!row) return undefined
  const { tenant_id, subdomain, title, hook_api_version, connection_updated_at, ...rest } = row
  const { is_time_window_disabled, connected_at, ...channel } = rest
  if (tenant_id === null) return { channel, connected: null }
  return {
    channel,
    connected: {
      account: { id: tenant_id, amojo_id: at.amojo_id, subdomain: subdomain as string },
      connection: {
        account_id: tenant_id,
        channel_id: channel.id,
        title,
        hook_api_version: hook_api_version as string,
        is_time_window_disabled: is_time_window_disabled as 0 | 1,
        connected_at: connected_at as number,
        updated_at: connection_updated_at as number,
      },
    },
  }
}

export async function insertConnection(tx: Tx, row: ChannelConnectionRow): Promise<void> {
  await tx.insertInto('channel_connections').values(row).execute()
}

export async function updateConnection(
  tx: Tx,
  { account_id, channel_id }: ChannelConnectionRow,
  changes: Partial<ChannelConnectionRow>,
): Promise<void> {
  await tx
    .updateTable('channel_connections')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('channel_id', '=', channel_id)
    .execute()
}

/** Deletes the connections of an account to some channels, and returns the ids of those channels. */
export async function deleteConnections(
  tx: Tx,
  account_id: number,
  channel_ids: readonly string[],
): Promise<string[]> {
  if (channel_ids.length === 0) return []
  const gone = await tx
    .deleteFrom('channel_connections')
    .where('account_id', '=', account_id)
    .where('channel_id', 'in', [...channel_ids])
    .returning('channel_id')
    .execute()
  return gone.map(({ channel_id }) => channel_id)
}

/** Deletes all connections of a channel, and returns the accounts. */
export async function deleteConnectionsOfChannel(tx: Tx, channel_id: string): Promise<number[]> {
  const gone = await tx
    .deleteFrom('channel_connections')
    .where('channel_id', '=', channel_id)
    .returning('account_id')
    .execute()
  return gone.map(({ account_id }) => account_id)
}

export async function connectedAccounts(db: Db, channel_id: string): Promise<number[]> {
  const rows = await db
    .selectFrom('channel_connections')
    .select('account_id')
    .where('channel_id', '=', channel_id)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

/** The accounts that are connected to a channel, latest first. */
export function listConnectionRows(db: Db, channel_id: string, limit: number) {
  return db
    .selectFrom('channel_connections as connection')
    .innerJoin(selectAccount(db).as('account'), 'account.id', 'connection.account_id')
    .where('connection.channel_id', '=', channel_id)
    .selectAll('connection')
    .select(['account.name as account_name', 'account.subdomain', 'account.amojo_id'])
    .orderBy('connection.connected_at', 'desc')
    .orderBy('connection.account_id')
    .limit(limit)
    .execute()
}

/** The channels to which an account is connected, with their integrations. By the index on the account. */
export function receivingChannels(
  db: Db,
  account_id: number,
): Promise<{ id: string; name: string; integration_id: string | null }[]> {
  return db
    .selectFrom('channel_connections as connection')
    .innerJoin('channels', 'channels.id', 'connection.channel_id')
    .where('connection.account_id', '=', account_id)
    .select(['channels.id', 'channels.name', 'channels.integration_id'])
    .orderBy('channels.id')
    .execute()
}

/** The channels that are connected to an account, the oldest first. */
export function connectedChannels(
  db: Db,
  account_id: number,
): Promise<(ChannelRow & Pick<ChannelConnectionRow, 'hook_api_version'>)[]> {
  return db
    .selectFrom('channel_connections as connection')
    .innerJoin('channels', 'channels.id', 'connection.channel_id')
    .selectAll('channels')
    .select('connection.hook_api_version')
    .where('connection.account_id', '=', account_id)
    .where('channels.is_deleted', '=', 0)
    .orderBy('channels.created_at')
    .orderBy('channels.id')
    .execute()
}
