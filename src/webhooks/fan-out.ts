import { accountNaming } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { lockNames } from '../db/dialect.ts'
import type { WebhookAnnouncementRow } from '../db/tables.ts'
import { type DeliveryDraft, enqueueDeliveries } from '../outbound/deliveries.ts'
import type { AnnouncedChange } from './announce.ts'
import { orderingKeys } from './order.ts'
import {
  announcingAccounts,
  deleteAnnouncements,
  hasAnnouncements,
  oldestAnnouncements,
  selectEnabled,
  shortenAnnouncement,
} from './queries.ts'
import { accountOf, bodyOf, deliveryTo, streamedTo } from './webhook-requests.ts'
import { webhookCodes } from './webhook-types.ts'

/** The items of a body. */
const ITEMS = 50
/** Announcements of one transaction. Few, because others cannot write to the embedded database meanwhile. */
const PORTION = 10
/** Changes after which a transaction takes no further webhook, counted for each webhook, for the same reason. */
const CHANGES = 2_500

/**
 * Creates the function that queues the requests of some announced changes, and returns whether there are more. Accounts take
 * turns. One process at a time does this, and in the order of the announcements of an account, so the requests about a
 * record keep the order of its changes (H2). An announcement to many webhooks stays the oldest one of its account until the
 * last of them has its requests.
 */
export function fanOut(ctx: Context): () => Promise<boolean> {
  /** The account that had the last turn. */
  let last = 0
  return async () => {
    if (!(await hasAnnouncements(ctx.db))) return false
    return ctx.db.transaction().execute(async (tx) => {
      await lockNames(tx, ['webhook announcements'])
      const rounds = await roundsAfter(tx, last)
      const queued: number[] = []
      let room = CHANGES
      for (const [i, row] of rounds.flat().entries()) {
        const part = await nextPart(tx, row, room)
        await enqueueDeliveries(tx, await requestsOf(ctx, tx, row, part), ctx.now())
        if (i < (rounds[0] ?? []).length) last = row.account_id
        if (part.rest.length > 0) {
          await shortenAnnouncement(tx, row, JSON.stringify(part.rest))
          break
        }
        queued.push(row.id)
        room -= part.size
        if (room <= 0) break
      }
      await deleteAnnouncements(tx, queued)
      return hasAnnouncements(tx)
    })
  }
}

/** The oldest announcements of the accounts after one, which begin again after the last. A round has one of each. */
async function roundsAfter(tx: Tx, last: number): Promise<WebhookAnnouncementRow[][]> {
  const [rest, all] = await Promise.all([
    announcingAccounts(tx, { after: last, limit: PORTION }),
    announcingAccounts(tx, { after: 0, limit: PORTION }),
  ])
  const accounts = [...new Set([...rest, ...all].map(({ account_id }) => account_id))].slice(0, PORTION)
  // Another process can have queued the last one since this one looked.
  if (accounts.length === 0) return []
  const limit = Math.ceil(PORTION / accounts.length)
  const lists = await Promise.all(
    accounts.map((account_id) => oldestAnnouncements(tx, { account_id, limit })),
  )
  return Array.from({ length: limit }, (_, i) => lists.flatMap((list) => list[i] ?? []))
}

/** A webhook or listener with the changes that it receives. */
type Concerned = Awaited<ReturnType<typeof selectEnabled>>[number] & { changes: AnnouncedChange[] }

interface Part {
  announced: AnnouncedChange[]
  /** The next webhooks that are still enabled. */
  concerned: Concerned[]
  /** The number of their changes. */
  size: number
  /** The changes for later webhooks. */
  rest: AnnouncedChange[]
}

/** As many webhooks of an announcement as there is room for their changes, at least one. */
async function nextPart(
  tx: Tx,
  { account_id, changes }: WebhookAnnouncementRow,
  room: number,
): Promise<Part> {
  const announced = JSON.parse(changes) as AnnouncedChange[]
  const part: Part = { announced, concerned: [], size: 0, rest: [] }
  const byWebhook = changesByWebhook(announced)
  const later = new Set<number>()
  for (const webhook of await selectEnabled(tx, { account_id })) {
    const own = byWebhook.get(webhook.id)
    if (own === undefined) continue
    if (part.size > 0 && part.size + own.length > room) later.add(webhook.id)
    else {
      part.concerned.push({ ...webhook, changes: own })
      part.size += own.length
    }
  }
  if (later.size > 0)
    part.rest = announced.flatMap((change) => {
      const webhooks = change.webhooks.filter((id) => later.has(id))
      return webhooks.length > 0 ? [{ ...change, webhooks }] : []
    })
  return part
}

function changesByWebhook(announced: readonly AnnouncedChange[]): Map<number, AnnouncedChange[]> {
  const byWebhook = new Map<number, AnnouncedChange[]>()
  for (const change of announced)
    for (const id of change.webhooks) {
      const own = byWebhook.get(id)
      if (own) own.push(change)
      else byWebhook.set(id, [change])
    }
  return byWebhook
}

/** The requests of a part. Changes of one action are sent together, at most 50 in one request. */
async function requestsOf(
  ctx: Context,
  tx: Tx,
  { account_id, request_id, trace_context }: WebhookAnnouncementRow,
  { announced, concerned }: Part,
): Promise<DeliveryDraft[]> {
  if (concerned.length === 0) return []
  const { subdomain } = await accountNaming(tx, account_id)
  const isWebhook = ({ destination }: { destination: string }) => destination !== ''
  const keyOf = await orderingKeys(ctx, tx, account_id, concerned.filter(isWebhook))
  const account = accountOf(ctx, account_id, subdomain)
  const bodies = new Map<string, string>()
  const places = new Map(announced.map((change, i) => [change, i]))
  return concerned.flatMap((webhook) =>
    joined(webhook.changes, (change) => keyOf(webhook.id, change.record)).map((group): DeliveryDraft => {
      // Webhooks with the same subscriptions receive the same bytes.
      const name = group.changes.map((change) => places.get(change)).join()
      const [{ codes }] = group.changes as [AnnouncedChange]
      const items = group.changes.map(({ item }) => item)
      const body = bodies.get(name) ?? bodyOf(account, codes[0], items)
      bodies.set(name, body)
      const payload = { account_id, request_id, body }
      return isWebhook(webhook)
        ? deliveryTo(webhook, codes[0], { ...payload, trace_context, ordering_key: group.ordering_key })
        : streamedTo(webhook, codes[0], payload)
    }),
  )
}

/** Groups of changes with one action and one ordering key, in the order of their first changes. */
function joined(
  changes: readonly AnnouncedChange[],
  keyOf: (change: AnnouncedChange) => string,
): { ordering_key: string; changes: AnnouncedChange[] }[] {
  const groups = Map.groupBy(changes, (change) => {
    const { key, action } = webhookCodes[change.codes[0]]
    return `${key} ${action} ${keyOf(change)}`
  })
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / ITEMS) }, (_, i) => ({
      ordering_key: keyOf(group[0] as AnnouncedChange),
      changes: group.slice(i * ITEMS, (i + 1) * ITEMS),
    })),
  )
}
