import { findAccountBySubdomain } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import type { EntityRow, VisitorRow, VisitRow } from '../db/tables.ts'
import { lockSurvivor } from '../entities/entities.ts'
import { VISITOR_UID } from '../entities/records/draft-schemas.ts'
import { eventEntityType } from '../entities/records/entity-types.ts'
import { recordEvents } from '../events/events.ts'
import { addSystemNotes } from '../notes/notes.ts'
import {
  deleteOldVisits,
  findVisit,
  findVisitor,
  insertVisitors,
  replaceVisit,
  replaceVisitors,
  visitorsOfTrashed,
} from './visitor-queries.ts'
import { webAddress } from './web-addresses.ts'

/**
 * A visitor of a site has an id that the site generates. A lead or contact that is written with `visitor_uid` is bound
 * to that visitor, and the pixel then records the visited pages on it. The ids belong to an account: two accounts with
 * the same id are independent, and the host of the pixel determines the account.
 */

const VISITED_KINDS: readonly string[] = ['leads', 'contacts']

/** Repeated visits of a page within this time are not recorded. */
const SAME_VISIT_SECONDS = 1_800

/**
 * Binds visitors to the records with their ids. The first binding stays unless its record is in the trash, so that a
 * known id cannot be used to take a visitor away from a lead.
 */
export async function bindVisitors(
  ctx: Context,
  tx: Tx,
  rows: EntityRow[],
  drafts: { visitor_uid?: string | null | undefined }[],
): Promise<void> {
  const bindings = new Map<string, VisitorRow>()
  rows.forEach(({ account_id, entity_type, id }, i) => {
    const visitor_uid = drafts[i]?.visitor_uid
    if (!visitor_uid || bindings.has(visitor_uid) || !VISITED_KINDS.includes(entity_type)) return
    bindings.set(visitor_uid, { account_id, visitor_uid, entity_type, entity_id: id, created_at: ctx.now() })
  })
  if (bindings.size === 0) return
  // All writers use one order, so that they wait for each other without a deadlock.
  const uids = [...bindings.keys()].sort()
  const bindingOf = (uid: string) => bindings.get(uid) as VisitorRow
  await insertVisitors(tx, uids.map(bindingOf))
  const idle = await visitorsOfTrashed(tx, bindingOf(uids[0] as string).account_id, uids)
  await replaceVisitors(tx, idle.sort().map(bindingOf))
}

/** A visit of a page, as reported by the pixel. */
export interface PageView {
  subdomain: string
  visitor_uid: string
  /** The address of the page, as the page reports it. */
  url: string
  request_id: string
}

/**
 * Records a visit on the visitor's lead or contact, without an author, at most once per page and half hour. Ignores
 * unknown visitors, invalid addresses and records in the trash.
 */
export async function recordVisit(ctx: Context, view: PageView): Promise<void> {
  const page = webAddress(view.url)
  if (!page || !VISITOR_UID.test(view.visitor_uid)) return
  // The fragment does not matter.
  page.hash = ''
  const account = await findAccountBySubdomain(ctx.db, view.subdomain)
  const { visitor_uid } = view
  const visitor = account && (await findVisitor(ctx.db, { account_id: account.id, visitor_uid }))
  if (!visitor) return
  const visit = { account_id: visitor.account_id, visitor_uid, url: page.href, at: ctx.now() }
  if (await isKnown(ctx.db, visit)) return
  if (!(await ctx.limits.allows('visitor_record', `visitor ${visitor.account_id} ${visitor_uid}`))) return
  await ctx.db.transaction().execute((tx) => writeVisit(ctx, tx, visitor, visit, view.request_id))
}

async function writeVisit(
  ctx: Context,
  tx: Tx,
  { account_id, entity_type, entity_id }: VisitorRow,
  visit: VisitRow,
  request_id: string,
): Promise<void> {
  const row = await lockSurvivor(tx, account_id, entity_type, entity_id)
  // Checked again after the record is locked, because two requests can report the same visit.
  if (!row || (await isKnown(tx, visit))) return
  await replaceVisit(tx, visit)
  const by = { account_id, user_id: 0, request_id }
  const { id, responsible_user_id } = row
  const note = { note_type: 'site_visit' as const, params: { url: visit.url }, entity_type, entity_id: id }
  const [note_id] = (await addSystemNotes(ctx, tx, by, [{ ...note, responsible_user_id }])) as [number]
  await recordEvents(ctx, tx, by, [
    {
      type: 'site_visit_note_added',
      entity_type: eventEntityType(row),
      entity_id: id,
      after: [{ note: { id: note_id } }],
    },
  ])
}

async function isKnown(db: Db, visit: VisitRow): Promise<boolean> {
  const known = await findVisit(db, visit)
  return known !== undefined && Math.abs(visit.at - known.at) < SAME_VISIT_SECONDS
}

/** Deletes visits that are old enough for the next one to be recorded. */
export async function sweepVisits(ctx: Context): Promise<void> {
  await ctx.db.transaction().execute((tx) => deleteOldVisits(tx, ctx.now() - SAME_VISIT_SECONDS))
}
