import { type Actor, withActing } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { nextId } from '../db/dialect.ts'
import type { JobRow } from '../db/tables.ts'
import {
  type Access,
  coversNothing,
  insufficientRights,
  listedIds,
  loadAccess,
  unselective,
} from '../entities/entities.ts'
import { invalid, Refusal } from '../errors.ts'
import { sentenceOf } from '../http/problems/fault-types.ts'
import { parseQuery, UNREADABLE } from '../http/queries/bracket-query.ts'
import { type Changes, MAX_CHANGED, type NewBulkChange } from './batches/bulk-schemas.ts'
import { newJob } from './batches/new-job.ts'
import { insertJob, insertJobRows } from './batches/queries.ts'
import { takeRoom } from './imports/job-states.ts'

/**
 * Starts a bulk change of these records, or of everything that a search finds now. The set of records is fixed at the
 * start. Throws Refusal('forbidden') if the person can change no record of the kind; otherwise the report names the records
 * that they cannot change.
 */
export async function beginBulkChange(ctx: Context, actor: Actor, draft: NewBulkChange): Promise<JobRow> {
  requireSense(draft)
  const access = await loadAccess(ctx.db, actor)
  const right = draft.changes.delete ? 'delete' : 'edit'
  if (coversNothing(access, right, draft.entity_type, draft.catalog_id)) throw insufficientRights()
  await ctx.limits.take('job', String(actor.account_id))
  const ids = draft.ids ? [...new Set(draft.ids)] : await found(ctx, access, draft)
  const job = await ctx.db.transaction().execute(async (tx) => {
    await takeRoom(tx, actor.account_id, 'started')
    const id = await nextId(tx, 'jobs')
    const row = newJob(actor, ctx.now(), {
      ...{ id, kind: 'bulk_change', state: 'waiting', entity_type: draft.entity_type },
      catalog_id: draft.catalog_id ?? null,
      settings: JSON.stringify({ changes: draft.changes }),
      total: ids.length,
      started_at: ctx.now(),
      due_at: ctx.now(),
      request_id: actor.request_id,
      trace_context: ctx.traces.of(actor.request_id),
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

/** The changes that each kind supports. */
const known: Record<NewBulkChange['entity_type'], (keyof Changes)[]> = {
  leads: ['status', 'responsible_user_id', 'tags_to_add', 'tags_to_delete', 'delete'],
  contacts: ['responsible_user_id', 'tags_to_add', 'tags_to_delete', 'delete'],
  companies: ['responsible_user_id', 'tags_to_add', 'tags_to_delete', 'delete'],
  customers: ['status', 'responsible_user_id', 'tags_to_add', 'tags_to_delete', 'delete'],
  catalog_elements: ['delete'],
}

function requireSense({ entity_type, catalog_id, ids, search, changes }: NewBulkChange): void {
  if ((ids === undefined) === (search === undefined))
    throw invalid('ids', 'FieldMissing', 'A bulk change requires either ids or a search.')
  if ((entity_type === 'catalog_elements') !== (catalog_id !== undefined))
    throw invalid('catalog_id', 'FieldMissing', 'Elements, and only elements, require the id of their list.')
  const names = Object.keys(changes) as (keyof Changes)[]
  if (names.length === 0) throw invalid('changes', 'TooFew', 'The request contains no changes.')
  const foreign = names.find((name) => !known[entity_type].includes(name))
  if (foreign !== undefined)
    throw invalid(
      `changes.${foreign}`,
      'NotSupportedChoice',
      sentenceOf('unknown_field', { name: foreign, names: known[entity_type].join(', ') }),
    )
  if (changes.delete && names.length > 1)
    throw invalid('changes.delete', 'NotSupportedChoice', 'A deletion cannot be combined with other changes.')
}

async function found(
  ctx: Context,
  access: Access,
  { entity_type, catalog_id, search = '' }: NewBulkChange,
): Promise<number[]> {
  const parsed = parseQuery(search.replace(/^\?/, ''))
  if (parsed === UNREADABLE) throw invalid('search', 'InvalidFormat', 'The search is too deep or too long.')
  // Like the query of an address: stored texts never contain NUL.
  if (search.includes('%00'))
    throw invalid('search', 'InvalidFormat', 'The search should not contain the character NUL.')
  const [unknown] = unselective(entity_type, parsed, ['order', 'with'])
  if (unknown !== undefined)
    throw invalid('search', 'NotSupportedChoice', `The list has no parameter "${unknown.slice(0, 255)}".`)
  const query = await withActing(ctx, parsed)
  const ids = await listedIds({ db: ctx.db, access, type: entity_type }, query, {
    catalog_id,
    most: MAX_CHANGED,
  })
  if (ids === null)
    throw new Refusal('invalid', `A bulk change can have at most ${MAX_CHANGED} records.`, {
      code: 'job_too_large',
    })
  return ids
}
