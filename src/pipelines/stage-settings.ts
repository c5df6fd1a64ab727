import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { forgetStages } from '../custom-fields/custom-fields.ts'
import type { Tx } from '../db/database.ts'
import type { StatusRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { nameOfItem } from '../http/bodies/validation.ts'
import { administrate, requireNamed } from './administration.ts'
import { writtenDescriptions } from './descriptions.ts'
import {
  deleteStatus,
  insertStatuses,
  listStatusRows,
  lockStatusRows,
  replaceStatuses,
} from './pipeline-queries.ts'
import { type PipelineWithStages, requirePipeline } from './pipeline-settings.ts'
import type { Named, NewStatus, StatusPatch } from './schemas.ts'
import { MAX_STAGES, ownStage, refuseFaults, stageFaults, takeStageIds } from './stage-drafts.ts'
import type { StageUse } from './stage-use.ts'

/** The stages of a pipeline in their order, for everybody. */
export async function listStages(ctx: Context, actor: Actor, pipeline_id: number): Promise<StatusRow[]> {
  return (await requirePipeline(ctx.db, actor.account_id, pipeline_id)).stages
}

export async function readStage(
  ctx: Context,
  actor: Actor,
  pipeline_id: number,
  id: number,
): Promise<StatusRow> {
  return pickStage(await requirePipeline(ctx.db, actor.account_id, pipeline_id), id)
}

function pickStage({ stages }: PipelineWithStages, id: number): StatusRow {
  const found = stages.find((stage) => stage.id === id)
  if (!found) throw new Refusal('not_found', 'Stage not found in this pipeline.')
  return found
}

const isOwn = ({ is_editable }: StatusRow): boolean => is_editable === 1

/** Adds all or none. A stage without a position comes last. */
export async function addStages(
  ctx: Context,
  actor: Actor,
  pipeline_id: number,
  drafts: NewStatus[],
): Promise<StatusRow[]> {
  return administrate(ctx, actor, async (tx, { id: account_id }) => {
    const pipeline = await requirePipeline(tx, account_id, pipeline_id)
    refuseFaults(drafts.flatMap((draft, i) => stageFaults(draft, String(draft.request_id ?? i))))
    const before = await listStatusRows(tx, account_id, pipeline_id)
    if (before.length + drafts.length > MAX_STAGES)
      throw new Refusal('conflict', `A pipeline can have at most ${MAX_STAGES} stages.`, {
        code: 'stage_limit',
      })
    const last = Math.max(0, ...before.filter(isOwn).map(({ sort }) => sort))
    const ids = await takeStageIds(tx, drafts.length)
    const writing = { user_id: actor.user_id, now: ctx.now() }
    const rows = drafts.map((draft, i) => {
      const sort = draft.sort ?? Math.min(last + (i + 1) * 10, Number.MAX_SAFE_INTEGER)
      return ownStage(pipeline, ids[i] as number, { ...draft, sort }, writing)
    })
    await insertStatuses(tx, rows)
    await auditAs(ctx, tx, actor, 'stage.added', ...rows.map(({ id, name }) => ({ pipeline_id, id, name })))
    return rows
  })
}

/** Changes a stage. System stages only accept a name and descriptions. */
export async function changeStage(
  ctx: Context,
  actor: Actor,
  pipeline_id: number,
  id: number,
  patch: StatusPatch,
): Promise<StatusRow> {
  return administrate(ctx, actor, async (tx, { id: account_id }) => {
    const stage = pickStage(await requirePipeline(tx, account_id, pipeline_id), id)
    refuseFaults(stageFaults(patch, '0'))
    return change(ctx, tx, actor, stage, patch)
  })
}

/** Changes stages of one pipeline in the order of the batch, all of them or none. */
export async function changeStages(
  ctx: Context,
  actor: Actor,
  pipeline_id: number,
  patches: readonly (StatusPatch & Named)[],
): Promise<StatusRow[]> {
  return administrate(ctx, actor, async (tx, { id: account_id }) => {
    const { stages } = await requirePipeline(tx, account_id, pipeline_id)
    const byId = new Map(stages.map((stage) => [stage.id, stage]))
    requireNamed(patches, new Set(byId.keys()), 'stage')
    refuseFaults(patches.flatMap((patch, i) => stageFaults(patch, nameOfItem(patch, i))))
    for (const { id, ...patch } of patches)
      byId.set(id, await change(ctx, tx, actor, byId.get(id) as StatusRow, patch))
    return patches.map(({ id }) => byId.get(id) as StatusRow)
  })
}

async function change(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  stage: StatusRow,
  patch: StatusPatch,
): Promise<StatusRow> {
  const { name, sort, color, descriptions } = patch
  const writing = { user_id: actor.user_id, now: ctx.now() }
  const changed = {
    ...stage,
    name: name ?? stage.name,
    ...(isOwn(stage) && { sort: sort ?? stage.sort, color: color ?? stage.color }),
    ...(descriptions !== undefined && {
      descriptions: writtenDescriptions(stage.descriptions, descriptions, writing),
    }),
  }
  if (isDeepStrictEqual(changed, stage)) return stage
  await replaceStatuses(tx, [changed])
  const { pipeline_id, id } = stage
  await auditAs(ctx, tx, actor, 'stage.changed', { pipeline_id, id, name: changed.name })
  return changed
}

/** Deletes an empty stage. Refuses one with leads, and the last stage in which leads can begin. */
export async function removeStage(
  ctx: Context,
  actor: Actor,
  use: StageUse,
  pipeline_id: number,
  id: number,
): Promise<void> {
  await administrate(ctx, actor, async (tx, { id: account_id }) => {
    const pipeline = await requirePipeline(tx, account_id, pipeline_id)
    const stage = pickStage(pipeline, id)
    if (!isOwn(stage)) throw refused('A system stage cannot be deleted.', 'system_stage')
    if (pipeline.stages.filter(isOwn).length === 1)
      throw refused('A pipeline must have at least one stage of its own.', 'last_stage')
    await lockStatusRows(tx, account_id, pipeline_id, id)
    if (await use.hasLeads(tx, account_id, pipeline_id, id))
      throw refused('The stage has leads.', 'stage_in_use')
    await use.removeRules(tx, actor, pipeline_id, id)
    await forgetStages(tx, account_id, pipeline_id, id)
    await deleteStatus(tx, stage)
    await auditAs(ctx, tx, actor, 'stage.removed', { pipeline_id, id, name: stage.name })
  })
}

const refused = (detail: string, code: string) => new Refusal('conflict', detail, { code })
