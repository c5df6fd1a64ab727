import { type Actor, actingIntegration } from '../../accounts/accounts.ts'
import type { JobRow } from '../../db/tables.ts'

/** The name of a job, or of its undoing, in the place of the id of a request. */
export const nameOfJob = ({ kind, id, state }: Pick<JobRow, 'kind' | 'id' | 'state'>): string =>
  state === 'undoing' ? `undo ${id}` : `${kind} ${id}`

export interface JobName {
  id: number
  is_undo: boolean
}

/** The job in a name; null if it is another name. */
export function jobNamed(name: string): JobName | null {
  const [, kind, id] = /^(import|bulk_change|undo) (\d{1,15})$/.exec(name) ?? []
  return id === undefined ? null : { id: Number(id), is_undo: kind === 'undo' }
}

/** A job in its initial state. */
export function newJob(
  actor: Actor,
  now: number,
  of: Pick<JobRow, 'id' | 'kind' | 'entity_type' | 'state' | 'settings' | 'total'> & Partial<JobRow>,
): JobRow {
  return {
    account_id: actor.account_id,
    catalog_id: null,
    position: 0,
    added: 0,
    changed: 0,
    skipped: 0,
    failed: 0,
    warned: 0,
    undone: 0,
    kept: 0,
    error: null,
    created_by: actor.user_id,
    created_by_integration: actingIntegration(actor),
    run_by: actor.user_id,
    run_by_integration: actingIntegration(actor),
    created_at: now,
    updated_at: now,
    started_at: null,
    finished_at: null,
    due_at: null,
    lease: null,
    request_id: null,
    undo_request_id: null,
    trace_context: null,
    ...of,
  }
}
