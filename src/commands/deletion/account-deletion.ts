import { setTimeout as sleep } from 'node:timers/promises'
import {
  countOwnPeople,
  deleteAccountRow,
  deletePeopleWithoutAccount,
  endMemberships,
  lockForDeletion,
} from '../../accounts/accounts.ts'
import { channelNames, integrationsOf, moveChannels } from '../../chats/chats.ts'
import { ConfigError } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { liftTimeLimits } from '../../db/dialect.ts'
import {
  countTenantRows,
  deleteRange,
  deleteTenantRows,
  type TenantTable,
  tenantTables,
  usedByOthers,
} from '../../db/tenant-rows.ts'
import { deleteFilesOf } from '../../drive/drive.ts'
import { REQUEST_MS } from '../../http/framing.ts'
import { clientNames, moveIntegrations } from '../../integrations/integrations.ts'
import { deleteImportFilesOf } from '../../jobs/jobs.ts'
import { retryOnContention } from '../../leased-runner.ts'
import { clearRequests } from '../../request-log/request-log.ts'

/** The rows, people and shared parts of an account. */
export interface DeletionForecast {
  /** The tables in which the account has rows, those with the most first. */
  tables: { name: string; rows: number }[]
  /** People who are in no other account. */
  people: number
  shared: Shared[]
}

/** An integration or a channel of an account that other accounts use or have used. It needs another developer account. */
export interface Shared {
  kind: 'integration' | 'channel'
  id: string
  name: string
  /** The number of other accounts. */
  accounts: number
}

/** Counts the rows and people that would go with an account, in one snapshot. It changes nothing. */
export function forecastDeletion({ db }: Context, account_id: number): Promise<DeletionForecast> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return snapshot.execute(async (tx) => {
    await liftTimeLimits(tx)
    const counted = []
    for (const table of await tenantTables(tx))
      counted.push({ name: table.name, rows: await countTenantRows(tx, table, account_id) })
    return {
      tables: counted.filter(({ rows }) => rows > 0).sort((a, b) => b.rows - a.rows),
      people: await countOwnPeople(tx, account_id),
      shared: await findShared(tx, account_id),
    }
  })
}

async function findShared(db: Db, account_id: number): Promise<Shared[]> {
  const integrations = await usedByOthers(db, account_id, 'integrations')
  const channels = await usedByOthers(db, account_id, 'channels')
  const shown = (kind: Shared['kind'], uses: Map<string, number>) => (one: { id: string; name: string }) => ({
    ...{ kind, id: one.id, name: one.name, accounts: uses.get(one.id) ?? 0 },
  })
  return [
    ...(await clientNames(db, [...integrations.keys()])).map(shown('integration', integrations)),
    ...(await channelNames(db, [...channels.keys()])).map(shown('channel', channels)),
  ]
}

export interface Deletion {
  account_id: number
  /** The account that becomes the developer of what others use. */
  heir_id: number | null
  /** For how long requests that began before may still write, in milliseconds. */
  patience?: number
  /** Gets the number of rows that are deleted so far. */
  report?: (rows: number) => void
}

export interface Deleted {
  rows: number
  people: number
}

/**
 * Deletes an account with all of its rows and files, while servers run. First it ends all memberships, so that nobody enters
 * any more; then it deletes the rows in windows, twice, because requests that had begun still write; then what is left, with the
 * account. After an interruption it can be repeated. Throws ConfigError, and deletes nothing, if others use something of the
 * account and nobody takes it over.
 */
export async function deleteAccount(ctx: Context, deletion: Deletion): Promise<Deleted> {
  const { account_id, heir_id, patience = REQUEST_MS, report = () => {} } = deletion
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) =>
    retryOnContention(() => ctx.db.transaction().execute(work))
  const began = ctx.monotonic()
  const shared = await findShared(ctx.db, account_id)
  requireHeir(shared, heir_id)
  await inTransaction(async (tx) => {
    if (heir_id !== null && shared.length > 0) await handOver(tx, shared, heir_id)
    await endMemberships(tx, account_id)
  })
  const tables = await tenantTables(ctx.db)
  let rows = 0
  const deleteRows = async () => {
    for (const table of tables)
      await deleteTenantRows(ctx.db, table, account_id, async (work) => {
        const deleted = await inTransaction(work)
        rows += deleted
        report(rows)
        return deleted
      })
  }
  await deleteRows()
  await sleep(Math.max(0, patience - (ctx.monotonic() - began)))
  await deleteRows()
  await deleteFilesOf(ctx, account_id)
  await deleteImportFilesOf(ctx, account_id)
  await clearRequests(ctx, account_id)
  const people = await inTransaction(async (tx) => {
    // The foreign keys of a deleted account or person are checked in every table.
    await liftTimeLimits(tx)
    if (!(await lockForDeletion(tx, account_id)))
      throw new ConfigError('Another command has deleted the account meanwhile.')
    rows += await deleteRest(tx, tables, account_id)
    await deleteAccountRow(tx, account_id)
    return deletePeopleWithoutAccount(tx)
  })
  return { rows, people }
}

function requireHeir(shared: readonly Shared[], heir_id: number | null): void {
  if (shared.length === 0 || heir_id !== null) return
  const names = shared.map(({ name }) => `"${name}"`).join(', ')
  throw new ConfigError(
    `Other accounts use integrations or channels of this one: ${names}. --integrations-to names the account that becomes their developer.`,
  )
}

/** Moves integrations with their channels, and channels with their integrations. */
async function handOver(tx: Tx, shared: readonly Shared[], heir_id: number): Promise<void> {
  const idsOf = (kind: Shared['kind']) => shared.filter((one) => one.kind === kind).map(({ id }) => id)
  const channel_ids = idsOf('channel')
  const ofChannels = [...(await integrationsOf(tx, channel_ids)).values()].filter((id) => id !== null)
  const integration_ids = [...new Set([...idsOf('integration'), ...ofChannels])]
  await moveIntegrations(tx, integration_ids, heir_id)
  await moveChannels(tx, { channel_ids, integration_ids }, heir_id)
}

async function deleteRest(tx: Tx, tables: readonly TenantTable[], account_id: number): Promise<number> {
  let rows = 0
  for (const table of tables) rows += await deleteRange(tx, table, account_id)
  return rows
}
