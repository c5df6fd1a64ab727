import { activeIds, findMembers, listTaskTypes } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'
import { callableWidgets } from '../integrations/integrations.ts'
import { findLossReasons, findStages, LOST, type Stages } from '../pipelines/pipelines.ts'
import type { Action } from './action-schemas.ts'
import type { MissingThing } from './run-types.ts'

/** The objects of an account that actions can name. */
export interface References {
  /** The ids of the active people. */
  people: ReadonlySet<number>
  task_types: readonly number[]
  stages: Stages
  loss_reasons: ReadonlySet<number>
  /** The codes of the installed widgets that take calls. */
  widgets: readonly string[]
}

export async function loadReferences(db: Db, account_id: number): Promise<References> {
  return {
    people: new Set(activeIds(await findMembers(db, account_id))),
    task_types: (await listTaskTypes(db, account_id)).map(({ id }) => id),
    stages: await findStages(db, account_id),
    loss_reasons: new Set((await findLossReasons(db, account_id)).keys()),
    widgets: (await callableWidgets(db, account_id)).map(({ code }) => code),
  }
}

/** A member of an action that names something missing. */
export interface Missing {
  path: 'code' | 'responsible_user_id' | 'task_type_id' | 'pipeline_id' | 'status_id' | 'loss_reason_id'
  thing: MissingThing
}

/** The first thing that an action names and the account does not have. */
export function findMissing(
  { code, responsible_user_id, task_type_id, pipeline_id, status_id, loss_reason_id }: Action,
  own_pipeline: number,
  { people, task_types, stages, loss_reasons, widgets }: References,
): Missing | null {
  if (code !== undefined && !widgets.includes(code)) return { path: 'code', thing: 'widget_missing' }
  if (responsible_user_id !== undefined && !people.has(responsible_user_id))
    return { path: 'responsible_user_id', thing: 'person_missing' }
  if (task_type_id !== undefined && !task_types.includes(task_type_id))
    return { path: 'task_type_id', thing: 'task_type_missing' }
  if (pipeline_id !== undefined && !stages.hasPipeline(pipeline_id))
    return { path: 'pipeline_id', thing: 'stage_missing' }
  if (status_id !== undefined && !stages.has(pipeline_id ?? own_pipeline, status_id))
    return { path: 'status_id', thing: 'stage_missing' }
  if (loss_reason_id !== undefined && !(status_id === LOST && loss_reasons.has(loss_reason_id)))
    return { path: 'loss_reason_id', thing: 'loss_reason_missing' }
  return null
}
