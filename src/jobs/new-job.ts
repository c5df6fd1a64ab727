import { type Actor, actingIntegration } from '../accounts/accounts.ts'
import type { JobRow } from '../db/tables.ts'

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
    ...of,
  }
}
