import { selectAccount } from '../accounts/accounts.ts'
import type { Db, Tx } from '../db/database.ts'
import { forKeyShare, forUpdate, isOneOf } from '../db/dialect.ts'
import { referenceData } from '../db/prepared.ts'
import { deleteRows, insertRows, replaceRows } from '../db/row-sets.ts'
import type { AccountRow, PipelineRow, StatusRow } from '../db/tables.ts'

/** A stage with its settings in its pipeline. */
export type StageRow = Pick<StatusRow, 'pipeline_id' | 'id' | 'sort' | 'type' | 'is_editable'> &
  Pick<PipelineRow, 'is_main' | 'is_unsorted_on'>

/** Every stage of the account, about ten per pipeline, by the primary keys of both tables. */
export const findStageRows: (db: Db, at: { account_id: number }) => Promise<StageRow[]> = referenceData(
  (db, at) =>
    db
      .selectFrom('pipelines')
      .innerJoin('statuses', (join) =>
        join
          .onRef('statuses.account_id', '=', 'pipelines.account_id')
          .onRef('statuses.pipeline_id', '=', 'pipelines.id'),
      )
      .where('pipelines.account_id', '=', at.account_id)
      .where('statuses.account_id', '=', at.account_id)
      .select([
        'statuses.pipeline_id',
        'statuses.id',
        'statuses.sort',
        'statuses.type',
        'statuses.is_editable',
        'pipelines.is_main',
        'pipelines.is_unsorted_on',
      ]),
)

const heldStages = referenceData((db, at: { account_id: number; pipelines: number[]; ids: number[] }) =>
  db
    .selectFrom('statuses')
    .select(['pipeline_id', 'id', 'type'])
    .where('account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('pipeline_id'), at.pipelines))
    .where((eb) => isOneOf(db, eb.ref('id'), at.ids))
    .orderBy('pipeline_id')
    .orderBy('id')
    .modifyEnd(forKeyShare(db)),
)

/**
 * The stages with one of these pipelines and one of these ids, in one order, so that two transactions with the same
 * stages do not deadlock.
 */
export function holdStageRows(
  tx: Tx,
  account_id: number,
  stages: readonly { pipeline_id: number; status_id: number }[],
): Promise<Pick<StatusRow, 'pipeline_id' | 'id' | 'type'>[]> {
  if (stages.length === 0) return Promise.resolve([])
  const pipelines = new Set(stages.map(({ pipeline_id }) => pipeline_id))
  const ids = new Set(stages.map(({ status_id }) => status_id))
  return heldStages(tx, { account_id, pipelines: [...pipelines], ids: [...ids] })
}

const pipelinesOf = referenceData((db, at: { account_id: number }) =>
  db
    .selectFrom('pipelines')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .orderBy('sort')
    .orderBy('id'),
)

export const listPipelineRows = (db: Db, account_id: number): Promise<PipelineRow[]> =>
  pipelinesOf(db, { account_id })

const statusesOf = referenceData((db, at: { account_id: number }) =>
  db.selectFrom('statuses').selectAll().where('account_id', '=', at.account_id),
)

/** The stages of one pipeline or of all. */
export async function listStatusRows(db: Db, account_id: number, pipeline_id?: number): Promise<StatusRow[]> {
  const all = await statusesOf(db, { account_id })
  return pipeline_id === undefined ? all : all.filter((row) => row.pipeline_id === pipeline_id)
}

export const insertPipelines = (tx: Tx, rows: PipelineRow[]): Promise<void> =>
  insertRows(tx, 'pipelines', rows)
export const insertStatuses = (tx: Tx, rows: StatusRow[]): Promise<void> => insertRows(tx, 'statuses', rows)

export const replacePipelines = (tx: Tx, rows: PipelineRow[]): Promise<void> =>
  replaceRows(tx, 'pipelines', ['account_id', 'id'], rows)
export const replaceStatuses = (tx: Tx, rows: StatusRow[]): Promise<void> =>
  replaceRows(tx, 'statuses', ['account_id', 'pipeline_id', 'id'], rows)

/** Locks stages against transactions that hold them (see holdStages), and then sees their records. */
export function lockStatusRows(
  tx: Tx,
  account_id: number,
  pipeline_id: number,
  id?: number,
): Promise<StatusRow[]> {
  const all = tx
    .selectFrom('statuses')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('pipeline_id', '=', pipeline_id)
  return (id === undefined ? all : all.where('id', '=', id)).orderBy('id').modifyEnd(forUpdate(tx)).execute()
}

export const deleteStatus = (tx: Tx, { account_id, pipeline_id, id }: StatusRow): Promise<void> =>
  deleteRows(tx, 'statuses', [{ account_id, pipeline_id, id }])

/** Deletes a pipeline with all its stages. */
export async function deletePipeline(tx: Tx, { account_id, id }: PipelineRow): Promise<void> {
  await deleteRows(tx, 'statuses', [{ account_id, pipeline_id: id }])
  await deleteRows(tx, 'pipelines', [{ account_id, id }])
}

/** Accounts without pipelines, from earlier versions: all, or this one. */
export async function accountsWithoutPipelines(db: Db, id?: number): Promise<AccountRow[]> {
  const accounts = selectAccount(db).orderBy('id')
  const owners = db.selectFrom('pipelines').select('account_id').distinct()
  const found = await (id === undefined ? accounts : accounts.where('id', '=', id)).execute()
  const rows = await (id === undefined ? owners : owners.where('account_id', '=', id)).execute()
  const having = new Set(rows.map(({ account_id }) => account_id))
  return found.filter((account) => !having.has(account.id))
}
