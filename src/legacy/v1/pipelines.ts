import { type Static, Type } from 'typebox'
import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import {
  addPipelines,
  addStages,
  changePipelines,
  changeStages,
  listPipelines,
  type PipelineWithStages,
  removePipeline,
  type StageUse,
} from '../../pipelines/pipelines.ts'
import { Named, NewPipeline, type NewStatus, PipelinePatch, StatusPatch } from '../../pipelines/schemas.ts'
import {
  type Draft,
  draftOf,
  flagIn,
  type Item,
  listIn,
  numberIn,
  type Translate,
  textIn,
  to,
} from '../members.ts'
import { asOne, type Batch, inBatch, MAX_ITEMS, validated } from '../requests.ts'

const members: Record<string, Translate> = {
  id: to('id', numberIn),
  name: to('name', textIn),
  sort: to('sort', numberIn),
  is_main: to('is_main', flagIn),
}
const stageMembers: Record<string, Translate> = {
  id: to('id', numberIn),
  name: to('name', textIn),
  sort: to('sort', numberIn),
  color: to('color'),
}

/** The stages of a pipeline, which can be an array or an object. */
const stagesIn = ({ statuses }: Item): Draft[] =>
  listIn(statuses).map((stage) => draftOf(Object(stage), stageMembers))

const NamedPatch = Type.Intersect([PipelinePatch, Named])
const WrittenStage = Type.Intersect([StatusPatch, Type.Partial(Named)])

/** Adds and changes pipelines with their stages, all of them or none. Stages that a change does not name stay. */
export function setLegacyPipelines(
  ctx: Context,
  actor: Actor,
  use: StageUse,
  { add, update }: { add: Batch; update: Batch },
): Promise<{ add: PipelineWithStages[]; update: PipelineWithStages[] }> {
  return asOne(async () => {
    const added = add.items.length > 0 ? await addAll(ctx, actor, add) : []
    const ids = update.items.length > 0 ? await changeAll(ctx, actor, use, update) : []
    const now = new Map((await listPipelines(ctx, actor)).map((pipeline) => [pipeline.id, pipeline]))
    return { add: added, update: ids.map((id) => now.get(id) as PipelineWithStages) }
  })
}

/** The first API knows nothing of incoming leads, so new pipelines have the setting of the main one. */
async function addAll(ctx: Context, actor: Actor, batch: Batch): Promise<PipelineWithStages[]> {
  const main = (await listPipelines(ctx, actor)).find(({ is_main }) => is_main === 1)
  const drafts = batch.items.map((item, i) => ({
    ...{ sort: 0, is_main: false, is_unsorted_on: main?.is_unsorted_on === 1 },
    ...draftOf(item, members),
    _embedded: { statuses: stagesIn(item) },
    request_id: i,
  }))
  const pipelines = validated(NewPipeline, drafts, batch)
  return inBatch(batch, () => addPipelines(ctx, actor, pipelines))
}

async function changeAll(ctx: Context, actor: Actor, use: StageUse, batch: Batch): Promise<number[]> {
  const patches = batch.items.map((item, i) => ({ ...draftOf(item, members), request_id: i }))
  const named = validated(NamedPatch, patches, batch)
  await inBatch(batch, () => changePipelines(ctx, actor, use, named))
  for (const [i, { id }] of named.entries()) {
    const stages = stagesIn(batch.items[i] as Item).map((stage, place) => ({ ...stage, request_id: place }))
    await setStages(ctx, actor, id, stages, `${batch.at}.${i}.statuses`)
  }
  return named.map(({ id }) => id)
}

/** Changes the stages that have an id, and adds the others. */
async function setStages(ctx: Context, actor: Actor, id: number, stages: Draft[], at: string): Promise<void> {
  if (stages.length > MAX_ITEMS)
    throw invalid(at, 'TooMany', `A request names at most ${MAX_ITEMS} stages of a pipeline.`)
  const batch = { at, items: stages }
  const written = validated(WrittenStage, stages, batch)
  const changed = written.filter(hasId)
  const fresh = written.filter((stage) => !hasId(stage))
  for (const { name, request_id } of fresh)
    if (name === undefined)
      throw invalid(`${at}.${request_id}.name`, 'FieldMissing', 'This field is missing.')
  if (changed.length > 0) await inBatch(batch, () => changeStages(ctx, actor, id, changed))
  if (fresh.length > 0) await inBatch(batch, () => addStages(ctx, actor, id, fresh as NewStatus[]))
}

type WrittenStage = Static<typeof WrittenStage>

const hasId = (stage: WrittenStage): stage is StatusPatch & Named => stage.id !== undefined

/** Deletes pipelines, all of them or none. */
export function removeLegacyPipelines(
  ctx: Context,
  actor: Actor,
  use: StageUse,
  named: unknown,
): Promise<number[]> {
  const ids = listIn(named).map((entry, i) => {
    const id = numberIn(entry)
    if (Number.isSafeInteger(id) && (id as number) > 0) return id as number
    throw invalid(`request.id.${i}`, 'InvalidType', 'This value should be an id.')
  })
  if (ids.length === 0) throw invalid('request.id', 'FieldMissing', 'This field is missing.')
  if (ids.length > MAX_ITEMS)
    throw invalid('request.id', 'TooMany', `A request names at most ${MAX_ITEMS} ids.`)
  return asOne(async () => {
    for (const id of new Set(ids)) await removePipeline(ctx, actor, use, id)
    return ids
  })
}
