import type { Db, Tx } from '../../db/database.ts'
import { forUpdate, isOneOf } from '../../db/dialect.ts'
import { cached } from '../../db/prepared.ts'
import type { ChannelRow } from '../../db/tables.ts'

const channelRow = cached((db, at: { id: string }) =>
  db.selectFrom('channels').selectAll().where('id', '=', at.id).where('is_deleted', '=', 0),
)

/** A channel by its id, of any account; undefined if it is deleted or the text is no UUID. */
export async function findChannel(db: Db, id: string): Promise<ChannelRow | undefined> {
  if (!isUuid(id)) return undefined
  return (await channelRow(db, { id }))[0]
}

/** The integrations of channels, by the id of the channel; deleted channels too. */
export async function integrationsOf(db: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'integration_id'])
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
  return new Map(rows.map((row) => [row.id, row.integration_id]))
}

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)

/** Locks a channel: the channel and its connections do not change until the transaction ends. */
export function lockChannel(tx: Tx, id: string): Promise<ChannelRow | undefined> {
  return tx
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .where('is_deleted', '=', 0)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
}

export async function insertChannel(tx: Tx, row: ChannelRow): Promise<void> {
  await tx.insertInto('channels').values(row).execute()
}

export async function updateChannelRow(tx: Tx, id: string, changes: Partial<ChannelRow>): Promise<void> {
  await tx.updateTable('channels').set(changes).where('id', '=', id).execute()
}

/**
 * The channels of a developer account, newest first, with the number of connected accounts and whether this account
 * is one of them.
 */
export function ownChannels(db: Db, account_id: number, id?: string) {
  return db
    .selectFrom('channels')
    .selectAll('channels')
    .select((eb) => [
      eb
        .selectFrom('channel_connections as connection')
        .whereRef('connection.channel_id', '=', 'channels.id')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('connections'),
      eb
        .selectFrom('channel_connections as own')
        .whereRef('own.channel_id', '=', 'channels.id')
        .where('own.account_id', '=', account_id)
        .select('own.connected_at')
        .as('own_connected_at'),
    ])
    .where('channels.account_id', '=', account_id)
    .where('channels.is_deleted', '=', 0)
    .$if(id !== undefined, (query) => query.where('channels.id', '=', id as string))
    .orderBy('channels.created_at', 'desc')
    .orderBy('channels.id')
    .execute()
}

/** The channels of an integration, without deleted ones. */
export async function channelsOfIntegration(db: Db, integration_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select('id')
    .where('integration_id', '=', integration_id)
    .where('is_deleted', '=', 0)
    .execute()
  return rows.map(({ id }) => id)
}

/** Records that the provider has used the current secret, unless it was replaced meanwhile. */
export async function markSecretUsed(tx: Tx, { id, secret_sealed }: ChannelRow): Promise<void> {
  await tx
    .updateTable('channels')
    .set({ is_secret_used: 1 })
    .where('id', '=', id)
    .where('secret_sealed', '=', secret_sealed)
    .execute()
}

/** The names of channels, deleted ones too. */
export function channelNames(db: Db, ids: readonly string[]): Promise<Pick<ChannelRow, 'id' | 'name'>[]> {
  return db
    .selectFrom('channels')
    .select(['id', 'name'])
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
}

/** Makes another account the developer of channels: of these, and of those of these integrations. */
export async function moveChannels(
  tx: Tx,
  { channel_ids, integration_ids }: Record<'channel_ids' | 'integration_ids', readonly string[]>,
  account_id: number,
): Promise<void> {
  await tx
    .updateTable('channels')
    .set({ account_id })
    .where((eb) =>
      eb.or([isOneOf(tx, eb.ref('id'), channel_ids), isOneOf(tx, eb.ref('integration_id'), integration_ids)]),
    )
    .execute()
}
