import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { WebhookOrderRow } from '../db/tables.ts'
import { newUlid } from '../db/ulids.ts'
import { findPendingKeys } from '../outbound/deliveries.ts'
import { deleteOrders, type OrderKey, replaceOrders, selectOldOrders, selectOrders } from './queries.ts'

interface Concerned {
  id: number
  changes: readonly { record: string }[]
}

/** The joint ordering keys of a record by the id of the webhook. */
type JointKeys = Record<string, string>

/**
 * Chooses the ordering keys of deliveries about these records, by webhook. A record has a key of its own. Records that
 * are announced together get a joint key, which is stored for each of them: until the deliveries with that key have
 * ended, later ones about any of these records follow them. A record with pending deliveries keeps its present key.
 */
export async function orderingKeys(
  ctx: Context,
  tx: Tx,
  account_id: number,
  concerned: readonly Concerned[],
): Promise<(webhook_id: number, record: string) => string> {
  const recordsOf = new Map(
    concerned.map(({ id, changes }) => [id, [...new Set(changes.map(({ record }) => record))]]),
  )
  const records = [...new Set([...recordsOf.values()].flat())]
  const stored = new Map(
    (await selectOrders(tx, { account_id, records })).map(({ record, ordering_keys }) => [
      record,
      JSON.parse(ordering_keys) as JointKeys,
    ]),
  )
  const joint = [...stored.values()].flatMap((keys) => Object.values(keys))
  const several = [...recordsOf].filter(([, records]) => records.length > 1)
  const own = several.flatMap(([id, records]) => records.map((record) => ownKey(id, record)))
  const pending = await findPendingKeys(tx, account_id, [...new Set([...joint, ...own])])
  const batch = newUlid(ctx)
  const keys = new Map<string, string>()
  const changed = new Map<string, JointKeys>()
  for (const [webhook_id, records] of recordsOf) {
    const free = records.filter((record) => {
      const key = ownKey(webhook_id, record)
      const present = [stored.get(record)?.[webhook_id], key].find((name) => name && pending.has(name))
      if (present !== undefined) keys.set(key, present)
      return present === undefined
    })
    if (free.length < 2) continue
    const ordering_key = ownKey(webhook_id, batch)
    for (const record of free) {
      keys.set(ownKey(webhook_id, record), ordering_key)
      const known = changed.get(record) ?? onlyPending(stored.get(record), pending)
      changed.set(record, { ...known, [webhook_id]: ordering_key })
    }
  }
  const rows = [...changed].map(([record, keys]): WebhookOrderRow => {
    return { account_id, record, ordering_keys: JSON.stringify(keys), created_at: ctx.now() }
  })
  await replaceOrders(tx, rows)
  return (webhook_id, record) => {
    const key = ownKey(webhook_id, record)
    return keys.get(key) ?? key
  }
}

/** The record comes first, so that the entries of several webhooks are side by side in the index. */
const ownKey = (webhook_id: number, record: string): string => `${record} webhook:${webhook_id}`

const onlyPending = (keys: JointKeys = {}, pending: ReadonlySet<string>): JointKeys =>
  Object.fromEntries(Object.entries(keys).filter(([, key]) => pending.has(key)))

const HOUR = 3_600
const PORTION = 500

/** Deletes stored joint keys whose deliveries have ended, hourly. Those whose deliveries are pending are passed by. */
export async function sweepOrders(ctx: Context): Promise<void> {
  const before = ctx.now() - HOUR
  for (let after: OrderKey = { account_id: 0, record: '' }; ; ) {
    const old = await selectOldOrders(ctx.db, before, after, PORTION)
    await deleteEnded(ctx, old, before)
    const last = old.at(-1)
    if (!last || old.length < PORTION) return
    after = last
  }
}

async function deleteEnded(ctx: Context, old: readonly WebhookOrderRow[], before: number): Promise<void> {
  for (const [account_id, rows] of Map.groupBy(old, (row) => row.account_id)) {
    const keysOf = ({ ordering_keys }: WebhookOrderRow) =>
      Object.values(JSON.parse(ordering_keys) as JointKeys)
    const pending = await findPendingKeys(ctx.db, account_id, [...new Set(rows.flatMap(keysOf))])
    const ended = rows.filter((row) => !keysOf(row).some((key) => pending.has(key)))
    const records = ended.map(({ record }) => record)
    await ctx.db.transaction().execute((tx) => deleteOrders(tx, account_id, records, before))
  }
}
