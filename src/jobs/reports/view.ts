import type { Context } from '../../context.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import type { JobRow } from '../../db/tables.ts'
import { self } from '../../http/hal.ts'
import type { Changes } from '../batches/bulk-schemas.ts'
import { isUndoable, type JobState } from '../imports/job-states.ts'
import type { Import, Job, JobSummary } from '../imports/schemas.ts'
import type { ImportSettings } from '../rows/import-settings.ts'
import { type ImportedType, targetsOf } from '../rows/targets.ts'

/** Jobs of an account as items of a list. `base` is the address of the surface. */
export async function summariesOf(
  ctx: Context,
  account_id: number,
  jobs: readonly JobRow[],
  base: string,
): Promise<JobSummary[]> {
  const numbers = jobs.map(({ created_by_integration }) => created_by_integration)
  const integrations = await ctx.actingIntegrations.find(ctx, account_id, numbers)
  return jobs.map((job) => ({
    ...summaryOf(ctx, job, base),
    created_by_integration: integrations.get(job.created_by_integration ?? 0) ?? null,
  }))
}

function summaryOf(ctx: Context, job: JobRow, base: string): Omit<JobSummary, 'created_by_integration'> {
  const settings = JSON.parse(job.settings) as Partial<ImportSettings> & { changes?: Changes }
  const { id, entity_type, catalog_id, total, position, added, changed, skipped, failed, warned } = job
  return {
    id,
    kind: job.kind as JobSummary['kind'],
    entity_type,
    catalog_id,
    state: job.state as JobState,
    name: settings.file?.name ?? null,
    changes: settings.changes ?? null,
    total,
    done: position,
    added,
    changed,
    skipped,
    failed,
    warned,
    undone: job.undone,
    kept: job.kept,
    can_undo: isUndoable(job, ctx.now()),
    error: job.error,
    created_by: job.created_by,
    created_at: job.created_at,
    updated_at: job.updated_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
    _links: self(`${base}/jobs/${id}`),
  }
}

/** A job with all its details: an import with its file and the targets of its columns. */
export async function jobView(ctx: Context, job: JobRow, base: string): Promise<Job> {
  const [summary] = await summariesOf(ctx, job.account_id, [job], base)
  return { ...(summary as JobSummary), import: job.kind === 'import' ? await importOf(ctx, job) : null }
}

async function importOf(ctx: Context, { account_id, entity_type, settings }: JobRow): Promise<Import> {
  const { file, columns, rows, mapping, duplicates, dates, defaults } = JSON.parse(settings) as ImportSettings
  const type = entity_type as ImportedType
  const targets = targetsOf(type, await findFields(ctx.db, account_id, type))
  const { size, encoding, is_encoding_guessed = false, delimiter } = file
  return {
    size,
    encoding,
    is_encoding_guessed,
    delimiter,
    columns,
    rows,
    targets,
    mapping,
    duplicates,
    dates,
    defaults,
  }
}
