import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { nextId } from '../db/dialect.ts'
import type { JobRow } from '../db/tables.ts'
import { listedIds, loadAccess } from '../entities/entities.ts'
import { invalid, Refusal } from '../errors.ts'
import { parseQuery, UNREADABLE } from '../http/bracket-query.ts'
import { type Changes, MAX_CHANGED, type NewBulkChange } from './bulk-schemas.ts'
import { requireRoom } from './job-states.ts'
import { newJob } from './new-job.ts'
import { insertJob, insertJobRows } from './queries.ts'

/** Begins a bulk change: of these records, or of all that a search finds now. What is changed is fixed here. */
export async function beginBulkChange(ctx: Context, actor: Actor, asked: NewBulkChange): Promise<JobRow> {
  requireSense(asked)
  const ids = asked.ids ? [...new Set(asked.ids)] : await found(ctx, actor, asked)
  const job = await ctx.db.transaction().execute(async (tx) => {
    await requireRoom(tx, actor.account_id)
    const id = await nextId(tx, 'jobs')
    const row = newJob(actor, ctx.now(), {
      ...{ id, kind: 'bulk_change', state: 'waiting', entity_type: asked.entity_type },
      catalog_id: asked.catalog_id ?? null,
      settings: JSON.stringify({ changes: asked.changes }),
      total: ids.length,
      started_at: ctx.now(),
      due_at: ctx.now(),
    })
    await insertJob(tx, row)
    const { account_id } = actor
    await insertJobRows(
      tx,
      ids.map((entity_id, i) => ({
        ...{ account_id, job_id: id, position: i + 1, entity_id },
        outcome: null,
        data: null,
        has_warning: 0,
      })),
    )
    return row
  })
  ctx.jobs_due.ring()
  return job
}

/** Which changes each kind knows. */
const known: Record<NewBulkChange['entity_type'], (keyof Changes)[]> = {
  leads: ['status', 'responsible_user_id', 'tags_to_add', 'tags_to_delete', 'delete'],
  contacts: ['responsible_user_id', 'tags_to_add', 'tags_to_delete', 'delete'],
  companies: ['responsible_user_id', 'tags_to_add', 'tags_to_delete', 'delete'],
  customers: ['status', 'responsible_user_id', 'tags_to_add', 'tags_to_delete', 'delete'],
  catalog_elements: ['delete'],
}

function requireSense({ entity_type, catalog_id, ids, search, changes }: NewBulkChange): void {
  if ((ids === undefined) === (search === undefined))
    throw invalid('ids', 'FieldMissing', 'Either ids or a search says what is changed.')
  if ((entity_type === 'catalog_elements') !== (catalog_id !== undefined))
    throw invalid('catalog_id', 'FieldMissing', 'Elements are those of one list, and of nothing else.')
  const asked = Object.keys(changes) as (keyof Changes)[]
  if (asked.length === 0) throw invalid('changes', 'TooFew', 'Nothing is to be changed.')
  const foreign = asked.find((name) => !known[entity_type].includes(name))
  if (foreign !== undefined)
    throw invalid(`changes.${foreign}`, 'NotSupportedChoice', 'Records of this kind do not have this.')
  if (changes.delete && asked.length > 1)
    throw invalid('changes.delete', 'NotSupportedChoice', 'What is deleted is not changed besides.')
}

async function found(
  ctx: Context,
  actor: Actor,
  { entity_type, catalog_id, search = '' }: NewBulkChange,
): Promise<number[]> {
  const query = parseQuery(search.replace(/^\?/, ''))
  if (query === UNREADABLE) throw invalid('search', 'InvalidFormat', 'The search is too deep or too long.')
  // As of addresses: no text of ours holds it.
  if (search.includes('%00')) throw invalid('search', 'InvalidFormat', 'The search holds NUL.')
  const access = await loadAccess(ctx.db, actor)
  const ids = await listedIds(ctx.db, access, entity_type, query, { catalog_id, most: MAX_CHANGED })
  if (ids === null)
    throw new Refusal('invalid', `A bulk change takes ${MAX_CHANGED} records at most.`, {
      code: 'job_too_large',
    })
  return ids
}
