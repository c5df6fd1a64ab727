import { type Actor, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { nextId } from '../db/dialect.ts'
import type { SavedViewRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { deleteView, insertView, listOwnViews, listSharedViews, replaceView } from './queries.ts'
import type { NewView, View, ViewPatch } from './schemas.ts'

/** The limit per person, and of shared views per account. */
export const MAX_OWN_VIEWS = 100
export const MAX_SHARED_VIEWS = 200

/** The actor's own views and the shared ones, oldest first. */
export async function listViews(ctx: Context, actor: Actor): Promise<View[]> {
  return (await visible(ctx.db, actor)).map(viewOf)
}

/** Saves a view. Administrators can share it. */
export function addView(ctx: Context, actor: Actor, draft: NewView): Promise<View> {
  if (draft.is_shared) requireAdmin(actor)
  return write(ctx, actor, async (tx, views) => {
    const now = ctx.now()
    const row: SavedViewRow = {
      account_id: actor.account_id,
      id: await nextId(tx, 'saved_views'),
      page: draft.page,
      name: draft.name.trim(),
      search: draft.search,
      is_shared: draft.is_shared ? 1 : 0,
      created_by: actor.user_id,
      created_at: now,
      updated_at: now,
    }
    refuseMore(views, row)
    await insertView(tx, row)
    return viewOf(row)
  })
}

/**
 * Changes the given members. An administrator who makes a shared view private becomes its owner: otherwise it would be
 * lost if its owner has left.
 */
export function changeView(ctx: Context, actor: Actor, id: number, patch: ViewPatch): Promise<View> {
  return write(ctx, actor, async (tx, views) => {
    const before = pick(views, actor, id)
    if (patch.is_shared) requireAdmin(actor)
    const is_shared = patch.is_shared === undefined ? before.is_shared : patch.is_shared ? 1 : 0
    const row: SavedViewRow = {
      ...before,
      name: patch.name?.trim() ?? before.name,
      search: patch.search ?? before.search,
      is_shared,
      created_by: is_shared ? before.created_by : actor.user_id,
      updated_at: ctx.now(),
    }
    if (row.is_shared !== before.is_shared) refuseMore(views, row)
    await replaceView(tx, row)
    return viewOf(row)
  })
}

export async function removeView(ctx: Context, actor: Actor, id: number): Promise<void> {
  await write(ctx, actor, async (tx, views) => deleteView(tx, pick(views, actor, id)))
}

/** People can change their own views, administrators also shared ones. */
function pick(views: SavedViewRow[], actor: Actor, id: number): SavedViewRow {
  const view = views.find((one) => one.id === id)
  if (!view) throw new Refusal('not_found', 'View not found.')
  if (view.is_shared) requireAdmin(actor)
  return view
}

function refuseMore(views: SavedViewRow[], { is_shared }: SavedViewRow): void {
  const most = is_shared ? MAX_SHARED_VIEWS : MAX_OWN_VIEWS
  if (views.filter((one) => one.is_shared === is_shared).length < most) return
  const whose = is_shared ? 'An account' : 'A person'
  throw new Refusal('conflict', `${whose} can have at most ${most} saved views.`, { code: 'view_limit' })
}

/** Writes run one after the other, so that counts stay correct. */
function write<T>(
  ctx: Context,
  actor: Actor,
  change: (tx: Tx, views: SavedViewRow[]) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    return change(tx, await visible(tx, actor))
  })
}

async function visible(db: Db | Tx, { account_id, user_id }: Actor): Promise<SavedViewRow[]> {
  const own = await listOwnViews(db, account_id, user_id)
  return [...own, ...(await listSharedViews(db, account_id))].sort((a, b) => a.id - b.id)
}

const viewOf = ({ id, page, name, search, is_shared, created_by }: SavedViewRow): View => ({
  id,
  page,
  name,
  search,
  is_shared: is_shared === 1,
  created_by,
})
