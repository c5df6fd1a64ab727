import { type Actor, auditAs, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { AudienceRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { deleteAudience, insertAudiences, listAudienceRows, replaceAudience } from './audience-queries.ts'

export interface AudienceDraft {
  name: string
  service: string
}

const MAX_AUDIENCES = 250

/** The account's advertising audiences, for everybody, because everybody who edits a record can add it to one. */
export function listAudiences(ctx: Context, actor: Actor): Promise<AudienceRow[]> {
  return listAudienceRows(ctx.db, actor.account_id)
}

export async function readAudience(ctx: Context, actor: Actor, id: number): Promise<AudienceRow> {
  return pick(await listAudiences(ctx, actor), id)
}

function pick(audiences: AudienceRow[], id: number): AudienceRow {
  const found = audiences.find((audience) => audience.id === id)
  if (!found) throw noSuchAudience()
  return found
}

export const noSuchAudience = () => new Refusal('not_found', 'Audience not found in this account.')

/** Adds all or none, for administrators. */
export function addAudiences(ctx: Context, actor: Actor, drafts: AudienceDraft[]): Promise<AudienceRow[]> {
  return administrate(ctx, actor, async (tx, before) => {
    if (before.length + drafts.length > MAX_AUDIENCES)
      throw new Refusal('conflict', `An account can have at most ${MAX_AUDIENCES} audiences.`, {
        code: 'audience_limit',
      })
    const ids = await nextIds(tx, 'audiences', drafts.length)
    const rows = drafts.map(({ name, service }, i) => ({
      account_id: actor.account_id,
      id: ids[i] as number,
      name,
      service,
      created_by: actor.user_id,
      created_at: ctx.now(),
    }))
    await insertAudiences(tx, rows)
    await auditAs(ctx, tx, actor, 'audience.added', ...rows.map(({ id, name }) => ({ id, name })))
    return rows
  })
}

export function changeAudience(
  ctx: Context,
  actor: Actor,
  id: number,
  { name, service }: Partial<AudienceDraft>,
): Promise<AudienceRow> {
  return administrate(ctx, actor, async (tx, before) => {
    const audience = pick(before, id)
    const changed = { ...audience, name: name ?? audience.name, service: service ?? audience.service }
    if (changed.name === audience.name && changed.service === audience.service) return audience
    await replaceAudience(tx, changed)
    await auditAs(ctx, tx, actor, 'audience.changed', { id, name: changed.name })
    return changed
  })
}

/** Deletes the audience with its members. The records get no events, because nobody removed them. */
export async function removeAudience(ctx: Context, actor: Actor, id: number): Promise<void> {
  await administrate(ctx, actor, async (tx, before) => {
    const audience = pick(before, id)
    await deleteAudience(tx, audience)
    await auditAs(ctx, tx, actor, 'audience.removed', { id, name: audience.name })
  })
}

function administrate<T>(
  ctx: Context,
  actor: Actor,
  apply: (tx: Tx, before: AudienceRow[]) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    return apply(tx, await listAudienceRows(tx, actor.account_id))
  })
}
