import type { Db, Tx } from '../db/database.ts'
import { derived } from '../db/prepared.ts'
import type { StatusRow } from '../db/tables.ts'
import { findCustomerStatuses, holdCustomerStatuses } from './customer-status-queries.ts'
import { findStageRows, holdStageRows, type StageRow } from './pipeline-queries.ts'

/** The closing stages, which have these ids in every pipeline. */
export const WON = 142
export const LOST = 143

/** The `type` of the unsorted stage. */
export const UNSORTED = 1

/** The order of stages: unsorted, own ones as sorted, won, lost. */
export function inOrder<Row extends Pick<StatusRow, 'id' | 'type' | 'sort'>>(rows: readonly Row[]): Row[] {
  const place = ({ id, type }: Row) => (type === UNSORTED ? 0 : id === WON ? 2 : id === LOST ? 3 : 1)
  return rows.toSorted((a, b) => place(a) - place(b) || a.sort - b.sort || a.id - b.id)
}

/** The stages of an account's pipelines, including archived ones. */
export interface Stages {
  /** The main pipeline. Every account has exactly one. */
  main: number
  pipelines: readonly number[]
  /** The stages of a pipeline, or of all. */
  ids(pipeline_id?: number): number[]
  /** The stage of new leads in a pipeline: its first own stage. */
  first(pipeline_id: number): number | undefined
  hasPipeline(pipeline_id: number): boolean
  has(pipeline_id: number, status_id: number): boolean
  /** The pipeline of a stage. Won and lost are in every pipeline and have none here. */
  pipelineOf(status_id: number): number | undefined
  /** The stages of a pipeline, or of all, into which people and integrations can put a lead: all but the unsorted ones. */
  choices(pipeline_id?: number): number[]
  /** The unsorted stage; undefined if it is disabled. */
  unsorted(pipeline_id: number): number | undefined
}

export const findStages = async (db: Db, account_id: number): Promise<Stages> =>
  stagesOf(await findStageRows(db, { account_id }))

const stagesOf = derived((rows: readonly StageRow[]): Stages => {
  const stages = rows.filter(({ type, is_unsorted_on }) => type !== UNSORTED || is_unsorted_on === 1)
  const main = rows.find(({ is_main }) => is_main === 1)
  const byPipeline = Map.groupBy(inOrder(stages), ({ pipeline_id }) => pipeline_id)
  const own = new Map(
    stages.filter(({ id }) => id !== WON && id !== LOST).map(({ id, pipeline_id }) => [id, pipeline_id]),
  )
  const find = (pipeline_id: number, is: (stage: StageRow) => boolean) =>
    byPipeline.get(pipeline_id)?.find(is)?.id
  const listed = (pipeline_id: number | undefined): StageRow[] =>
    (pipeline_id === undefined ? [...byPipeline.values()].flat() : byPipeline.get(pipeline_id)) ?? []
  const idsOf = (rows: StageRow[]): number[] => [...new Set(rows.map(({ id }) => id))]
  return {
    main: main?.pipeline_id as number,
    pipelines: [...byPipeline.keys()],
    ids: (pipeline_id) => idsOf(listed(pipeline_id)),
    choices: (pipeline_id) => idsOf(listed(pipeline_id).filter(({ type }) => type !== UNSORTED)),
    first: (pipeline_id) => find(pipeline_id, ({ is_editable }) => is_editable === 1),
    hasPipeline: (pipeline_id) => byPipeline.has(pipeline_id),
    has: (pipeline_id, status_id) => find(pipeline_id, ({ id }) => id === status_id) !== undefined,
    pipelineOf: (status_id) => own.get(status_id),
    unsorted: (pipeline_id) => find(pipeline_id, ({ type }) => type === UNSORTED),
  }
})

export interface StageOfPipeline {
  pipeline_id: number
  status_id: number
}

/**
 * Protects stages from deletion until the transaction ends, for records that are moved into them. Returns whether all
 * of them exist. Several transactions can hold a stage.
 */
export async function holdStages(
  tx: Tx,
  account_id: number,
  stages: readonly StageOfPipeline[],
): Promise<boolean> {
  const wanted = new Set(stages.map(({ pipeline_id, status_id }) => `${pipeline_id} ${status_id}`))
  const existing = await holdStageRows(tx, account_id, stages)
  for (const { pipeline_id, id } of existing) wanted.delete(`${pipeline_id} ${id}`)
  if (wanted.size > 0) return false
  // An unsorted stage is disabled instead, also while this transaction waited for it.
  const unsorted = existing.filter(({ type }) => type === UNSORTED)
  if (unsorted.length === 0) return true
  const now = await findStages(tx, account_id)
  return unsorted.every(({ pipeline_id }) => now.unsorted(pipeline_id) !== undefined)
}

/** The customer stages and the default one. */
export async function findCustomerStages(
  db: Db,
  account_id: number,
): Promise<{ first: number; ids: Set<number> }> {
  const rows = await findCustomerStatuses(db, { account_id })
  const first = rows.find(({ is_default }) => is_default === 1)
  return { first: first?.id as number, ids: new Set(rows.map(({ id }) => id)) }
}

/** Like holdStages, for customer stages. */
export async function holdCustomerStages(
  tx: Tx,
  account_id: number,
  ids: readonly number[],
): Promise<boolean> {
  const wanted = new Set(ids)
  const existing = await holdCustomerStatuses(tx, account_id, ids)
  for (const { id } of existing) wanted.delete(id)
  return wanted.size === 0
}
