import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { AccountRow, PipelineRow, StatusRow } from '../db/tables.ts'
import { type Fault, Refusal } from '../errors.ts'
import { type Writing, writtenDescriptions } from './descriptions.ts'
import { insertPipelines, insertStatuses } from './pipeline-queries.ts'
import type { NewPipeline, NewStatus, StatusPatch } from './schemas.ts'
import { DEFAULT_COLOR, firstColors, systemColors } from './stage-colors.ts'
import { inLanguage, type StageNames } from './stage-names.ts'
import { LOST, UNSORTED, WON } from './stages.ts'

/** The limit includes the three system stages. */
export const MAX_STAGES = 100
const SYSTEM_STAGES = 3

type PipelineDraft = Omit<NewPipeline, 'request_id'>
type StageDraft = Omit<NewStatus, 'request_id'>

const isClosing = ({ id }: { id?: number }): boolean => id === WON || id === LOST
const drafted = ({ _embedded }: PipelineDraft) => _embedded?.statuses ?? []

/** Excludes system stages, which a copied pipeline contains too. */
const isOwn = (stage: { id?: number; type?: number }): boolean => !isClosing(stage) && stage.type !== UNSORTED

export function refuseFaults(faults: Fault[]): void {
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

/** A stage has one description per level. `path` is the path of the stage, with a trailing dot. */
export function stageFaults({ descriptions }: StatusPatch, request_id: string, path = ''): Fault[] {
  const levels = (descriptions ?? []).map(({ level }) => level)
  return levels.flatMap((level, i) =>
    levels.indexOf(level) === i
      ? []
      : [
          {
            request_id,
            code: 'NotUnique',
            path: `${path}descriptions.${i}.level`,
            detail: 'A stage can have only one description per level.',
          },
        ],
  )
}

export function pipelineFaults(draft: PipelineDraft, request_id: string): Fault[] {
  const stages = drafted(draft)
  const faults = stages.flatMap((stage, i) => {
    const path = `_embedded.statuses.${i}.`
    const repeats = isClosing(stage) && stages.findIndex(({ id }) => id === stage.id) !== i
    const detail = 'This stage occurs twice.'
    return [
      ...stageFaults(stage, request_id, path),
      ...(repeats ? [{ request_id, code: 'NotUnique', path: `${path}id`, detail } satisfies Fault] : []),
    ]
  })
  if (stages.filter(isOwn).length + SYSTEM_STAGES > MAX_STAGES)
    faults.push({
      request_id,
      code: 'TooMany',
      path: '_embedded.statuses',
      detail: `A pipeline can have at most ${MAX_STAGES} stages, including ${SYSTEM_STAGES} system stages.`,
    })
  return faults
}

/** Ascending ids for stages, without those of the closing stages. */
export async function takeStageIds(tx: Tx, count: number): Promise<number[]> {
  const ids = (await nextIds(tx, 'statuses', count)).filter((id) => !isClosing({ id }))
  return ids.length === count ? ids : [...ids, ...(await takeStageIds(tx, count - ids.length))]
}

/** Writes pipelines with their stages, and returns both. Names that a pipeline omits are in the account's language. */
export async function makePipelines(
  tx: Tx,
  account: Pick<AccountRow, 'id' | 'language'>,
  drafts: PipelineDraft[],
  writing: Writing,
): Promise<{ pipelines: PipelineRow[]; stages: StatusRow[] }> {
  const names = inLanguage(account.language)
  const own = drafts.map((draft) => ownStages(draft, names))
  const ids = await nextIds(tx, 'pipelines', drafts.length)
  const stageIds = await takeStageIds(tx, own.flat().length + drafts.length)
  const pipelines = drafts.map(
    ({ name, sort, is_main, is_unsorted_on }, i): PipelineRow => ({
      account_id: account.id,
      id: ids[i] as number,
      name,
      sort,
      is_main: is_main ? 1 : 0,
      is_unsorted_on: is_unsorted_on ? 1 : 0,
      is_archive: 0,
    }),
  )
  const stages = pipelines.flatMap((pipeline, i) => [
    ...systemStages(pipeline, stageIds.shift() as number, names, drafts[i] as PipelineDraft, writing),
    ...(own[i] ?? []).map((draft) => ownStage(pipeline, stageIds.shift() as number, draft, writing)),
  ])
  await insertPipelines(tx, pipelines)
  await insertStatuses(tx, stages)
  return { pipelines, stages }
}

type PlacedDraft = StageDraft & { sort: number }

/** A pipeline has at least one own stage, because a lead must begin in one. */
function ownStages(draft: PipelineDraft, names: StageNames): PlacedDraft[] {
  const named: StageDraft[] = drafted(draft).filter(isOwn)
  const stages: StageDraft[] =
    named.length > 0 ? named : names.own.map((name, i): StageDraft => ({ name, color: firstColors[i] }))
  return stages.map((stage, i) => ({ ...stage, sort: stage.sort ?? (i + 2) * 10 }))
}

/** A new stage that people can change and delete. */
export function ownStage(
  { account_id, id: pipeline_id }: Pick<PipelineRow, 'account_id' | 'id'>,
  id: number,
  { name, sort, color, descriptions }: PlacedDraft,
  writing: Writing,
): StatusRow {
  return {
    account_id,
    pipeline_id,
    id,
    name,
    sort,
    color: color ?? DEFAULT_COLOR,
    type: 0,
    is_editable: 1,
    descriptions: writtenDescriptions('[]', descriptions ?? [], writing),
  }
}

function systemStages(
  { account_id, id: pipeline_id }: PipelineRow,
  unsorted_id: number,
  names: StageNames,
  draft: PipelineDraft,
  writing: Writing,
): StatusRow[] {
  const whole = { account_id, pipeline_id, type: 0, is_editable: 0, descriptions: '[]' } as const
  const closing = [
    { ...whole, id: WON, name: names.won, sort: 10_000, color: systemColors.won },
    { ...whole, id: LOST, name: names.lost, sort: 11_000, color: systemColors.lost },
  ].map((row) => {
    const written = drafted(draft).find(({ id }) => id === row.id)
    if (!written) return row
    return {
      ...row,
      name: written.name,
      descriptions: writtenDescriptions('[]', written.descriptions ?? [], writing),
    }
  })
  return [
    {
      ...whole,
      id: unsorted_id,
      name: names.unsorted,
      sort: 10,
      color: systemColors.unsorted,
      type: UNSORTED,
    },
    ...closing,
  ]
}
