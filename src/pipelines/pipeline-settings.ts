import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { forgetStages } from '../custom-fields/custom-fields.ts'
import type { Db, Tx } from '../db/database.ts'
import type { PipelineRow, StatusRow } from '../db/tables.ts'
import { type Fault, Refusal } from '../errors.ts'
import { administrate, requireNamed } from './administration.ts'
import {
  deletePipeline,
  listPipelineRows,
  listStatusRows,
  lockStatusRows,
  replacePipelines,
} from './pipeline-queries.ts'
import type { Named, NewPipeline, PipelinePatch } from './schemas.ts'
import { makePipelines, pipelineFaults, refuseFaults } from './stage-drafts.ts'
import type { StageUse } from './stage-use.ts'
import { inOrder, UNSORTED } from './stages.ts'

const MAX_PIPELINES = 50

export interface PipelineWithStages extends PipelineRow {
  /** In their order. The unsorted stage is included only if it is enabled. */
  stages: StatusRow[]
}

/** All pipelines, for everybody: rights hide leads, but not stages. */
export async function listPipelines(ctx: Context, { account_id }: Actor): Promise<PipelineWithStages[]> {
  const pipelines = await listPipelineRows(ctx.db, account_id)
  return withStages(pipelines, await listStatusRows(ctx.db, account_id))
}

export async function readPipeline(ctx: Context, actor: Actor, id: number): Promise<PipelineWithStages> {
  return requirePipeline(ctx.db, actor.account_id, id)
}

/** The pipeline with its stages, or Refusal('not_found'). */
export async function requirePipeline(db: Db, account_id: number, id: number): Promise<PipelineWithStages> {
  const pipelines = await listPipelineRows(db, account_id)
  return withOwnStages(db, pickPipeline(pipelines, id))
}

function pickPipeline(pipelines: PipelineRow[], id: number): PipelineRow {
  const found = pipelines.find((pipeline) => pipeline.id === id)
  if (!found) throw new Refusal('not_found', 'Pipeline not found in this account.')
  return found
}

async function withOwnStages(db: Db, pipeline: PipelineRow): Promise<PipelineWithStages> {
  const stages = await listStatusRows(db, pipeline.account_id, pipeline.id)
  return withStages([pipeline], stages)[0] as PipelineWithStages
}

function withStages(pipelines: PipelineRow[], rows: StatusRow[]): PipelineWithStages[] {
  const byPipeline = Map.groupBy(inOrder(rows), ({ pipeline_id }) => pipeline_id)
  return pipelines.map((pipeline) => {
    const stages = byPipeline.get(pipeline.id) ?? []
    const shown = stages.filter(({ type }) => type !== UNSORTED || pipeline.is_unsorted_on === 1)
    return { ...pipeline, stages: shown }
  })
}

/** Adds all or none. A new main pipeline replaces the current one. */
export async function addPipelines(
  ctx: Context,
  actor: Actor,
  drafts: NewPipeline[],
): Promise<PipelineWithStages[]> {
  return administrate(ctx, actor, async (tx, account) => {
    refuseFaults(draftFaults(drafts))
    const before = await listPipelineRows(tx, account.id)
    if (before.length + drafts.length > MAX_PIPELINES)
      throw new Refusal('conflict', `An account can have at most ${MAX_PIPELINES} pipelines.`, {
        code: 'pipeline_limit',
      })
    if (drafts.some(({ is_main }) => is_main)) await replacePipelines(tx, before.filter(isMain).map(asSide))
    const writing = { user_id: actor.user_id, now: ctx.now() }
    const { pipelines, stages } = await makePipelines(tx, account, drafts, writing)
    const added = pipelines.map(({ id, name }) => ({ id, name }))
    await auditAs(ctx, tx, actor, 'pipeline.added', ...added)
    return withStages(pipelines, stages)
  })
}

function draftFaults(drafts: NewPipeline[]): Fault[] {
  const faults = drafts.flatMap((draft, i) => pipelineFaults(draft, String(draft.request_id ?? i)))
  const [, ...others] = drafts.flatMap(({ is_main, request_id }, i) =>
    is_main ? [String(request_id ?? i)] : [],
  )
  for (const request_id of others)
    faults.push({
      request_id,
      code: 'NotUnique',
      path: 'is_main',
      detail: 'An account can have only one main pipeline.',
    })
  return faults
}

const isMain = ({ is_main }: PipelineRow): boolean => is_main === 1
const asSide = (pipeline: PipelineRow): PipelineRow => ({ ...pipeline, is_main: 0 })

/** Changes one pipeline. */
export async function changePipeline(
  ctx: Context,
  actor: Actor,
  use: StageUse,
  id: number,
  patch: PipelinePatch,
): Promise<PipelineWithStages> {
  return administrate(ctx, actor, (tx) => change(ctx, tx, actor, use, { ...patch, id }))
}

/** Changes pipelines in the order of the batch, all of them or none. */
export async function changePipelines(
  ctx: Context,
  actor: Actor,
  use: StageUse,
  patches: readonly (PipelinePatch & Named)[],
): Promise<PipelineWithStages[]> {
  return administrate(ctx, actor, async (tx, { id: account_id }) => {
    requireNamed(patches, new Set((await listPipelineRows(tx, account_id)).map(({ id }) => id)), 'pipeline')
    for (const patch of patches) await change(ctx, tx, actor, use, patch)
    const all = withStages(await listPipelineRows(tx, account_id), await listStatusRows(tx, account_id))
    return patches.map(({ id }) => all.find((one) => one.id === id) as PipelineWithStages)
  })
}

/** Changes the given members. There is always one main pipeline, so it can only be replaced. */
async function change(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  use: StageUse,
  patch: PipelinePatch & Named,
): Promise<PipelineWithStages> {
  const { id } = patch
  const pipelines = await listPipelineRows(tx, actor.account_id)
  const pipeline = pickPipeline(pipelines, id)
  const changed = patched(pipeline, patch)
  if (isMain(pipeline) && !isMain(changed)) throw mainPipeline('Make another pipeline the main one instead.')
  if (isMain(changed) && changed.is_archive === 1) throw mainPipeline('The main pipeline cannot be archived.')
  if (changed.is_unsorted_on < pipeline.is_unsorted_on) await requireNothingUnsorted(tx, use, pipeline)
  if (!isDeepStrictEqual(changed, pipeline)) {
    const others = isMain(changed) ? pipelines.filter((one) => isMain(one) && one.id !== id) : []
    await replacePipelines(tx, [...others.map(asSide), changed])
    await auditAs(ctx, tx, actor, 'pipeline.changed', { id, name: changed.name })
  }
  return withOwnStages(tx, changed)
}

function patched(row: PipelineRow, patch: PipelinePatch): PipelineRow {
  const flag = (value: boolean | undefined, before: 0 | 1) => (value === undefined ? before : value ? 1 : 0)
  return {
    ...row,
    name: patch.name ?? row.name,
    sort: patch.sort ?? row.sort,
    is_main: flag(patch.is_main, row.is_main),
    is_unsorted_on: flag(patch.is_unsorted_on, row.is_unsorted_on),
    is_archive: flag(patch.is_archive, row.is_archive),
  }
}

const mainPipeline = (detail: string) => new Refusal('conflict', detail, { code: 'main_pipeline' })

/** A disabled stage is hidden, so it must be empty. */
async function requireNothingUnsorted(tx: Tx, use: StageUse, { account_id, id }: PipelineRow) {
  const unsorted = (await lockStatusRows(tx, account_id, id)).find(({ type }) => type === UNSORTED)
  if (unsorted && (await use.hasLeads(tx, account_id, id, unsorted.id)))
    throw new Refusal('conflict', 'The pipeline has unsorted leads.', { code: 'stage_in_use' })
}

/** Deletes an empty pipeline. Refuses one with leads, including won and lost ones. */
export async function removePipeline(ctx: Context, actor: Actor, use: StageUse, id: number): Promise<void> {
  await administrate(ctx, actor, async (tx, { id: account_id }) => {
    const pipelines = await listPipelineRows(tx, account_id)
    const pipeline = pickPipeline(pipelines, id)
    if (isMain(pipeline)) throw mainPipeline('The main pipeline cannot be deleted.')
    await lockStatusRows(tx, account_id, id)
    if (await use.hasLeads(tx, account_id, id, null))
      throw new Refusal('conflict', 'The pipeline has leads.', { code: 'pipeline_in_use' })
    await use.moveSources(tx, account_id, id, pipelines.find(isMain)?.id as number)
    await use.removeRules(tx, actor, id, null)
    await forgetStages(tx, account_id, id, null)
    await deletePipeline(tx, pipeline)
    await auditAs(ctx, tx, actor, 'pipeline.removed', { id, name: pipeline.name })
  })
}
