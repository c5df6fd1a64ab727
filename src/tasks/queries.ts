import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, holds, isOneOf } from '../db/dialect.ts'
import { isAmong } from '../db/indexes/index-choice.ts'
import { compilable, prepared } from '../db/prepared.ts'
import { insertRows, replaceRows } from '../db/row-sets.ts'
import type { TaskRow } from '../db/tables.ts'

const undeletedTasks = (db: Db, account_id: number) =>
  db.selectFrom('tasks').where('tasks.account_id', '=', account_id).where('tasks.is_deleted', '=', sql.lit(0))

/** Tasks that are not deleted. */
export const selectTasks = (db: Db, account_id: number) => undeletedTasks(db, account_id).selectAll('tasks')

/** The columns that the text of a task contains. Pages read only these: each one is a value of 250 rows. */
const shownColumns = [
  'id',
  'entity_type',
  'entity_id',
  'responsible_user_id',
  'task_type_id',
  'text',
  'result',
  'duration',
  'complete_till',
  'is_completed',
  'created_by',
  'updated_by',
  'created_by_integration',
  'updated_by_integration',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof TaskRow)[]

export type ShownTask = Pick<TaskRow, (typeof shownColumns)[number]>

/** The same with the columns of their texts. */
export const selectShownTasks = (db: Db, account_id: number) =>
  undeletedTasks(db, account_id).select(shownColumns.map((name) => `tasks.${name}` as const))

/** The tasks that integrations created, for counting them; by tasks_by_integration. Includes deleted tasks. */
export const tasksOfIntegrations = (db: Db, account_id: number, integrations: readonly number[]) =>
  db
    .selectFrom('tasks')
    .select(sql.lit(1).as('one'))
    .where('account_id', '=', account_id)
    .where(isAmong(sql.ref('created_by_integration'), integrations))

/** The tasks of these responsible users, for counting them; by tasks_by_responsible. Includes deleted tasks. */
export const tasksOfPeople = (db: Db, account_id: number, people: readonly number[]) =>
  db
    .selectFrom('tasks')
    .select(sql.lit(1).as('one'))
    .where('account_id', '=', account_id)
    .where(isAmong(sql.ref('responsible_user_id'), people))

/** Whether the account has more than so many tasks, including deleted ones; by the primary key. */
export async function hasMoreTasks(db: Db, account_id: number, than: number): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select('id')
    .where('account_id', '=', account_id)
    .orderBy('id')
    .limit(1)
    .offset(than)
    .executeTakeFirst()
  return row !== undefined
}

/** Of the first `limit` tasks with some conditions, how many there are (`read`), and how many of them are visible. */
export const countedTasks = (
  db: Db,
  account_id: number,
  conditions: readonly Expression<SqlBool>[],
  visible: Expression<SqlBool> | null,
  limit: number,
) =>
  db
    .selectFrom(
      undeletedTasks(db, account_id)
        .select(['tasks.entity_type', 'tasks.entity_id', 'tasks.responsible_user_id', 'tasks.created_by'])
        .where((eb) => eb.and([...conditions]))
        .limit(limit)
        .as('tasks'),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('read'),
      visible
        ? sql<number>`sum(case when ${visible} then 1 else 0 end)`.as('visible')
        : eb.fn.countAll<number>().as('visible'),
    ])

interface TasksAt {
  account_id: number
  ids: readonly number[]
}

const tasksByIds = (db: Db, { account_id, ids }: TasksAt) =>
  selectTasks(db, account_id).where((eb) => isOneOf(db, eb.ref('tasks.id'), ids))

const foundTasks = prepared(tasksByIds)

/** Tasks by id; by the primary key. */
export const findTasks = (db: Db, account_id: number, ids: readonly number[]): Promise<TaskRow[]> =>
  foundTasks(db, { account_id, ids })

const lockedTasks = prepared((db, at: TasksAt) =>
  tasksByIds(db, at).orderBy('tasks.id').modifyEnd(forUpdate(db)),
)

/**
 * Like findTasks, and locks the rows until the transaction ends, in the order of ids, so that two writers do not
 * deadlock.
 */
export const lockTasks = (tx: Tx, account_id: number, ids: readonly number[]): Promise<TaskRow[]> =>
  lockedTasks(tx, { account_id, ids })

export const insertTasks = (tx: Tx, rows: TaskRow[]): Promise<void> => insertRows(tx, 'tasks', rows)

export const replaceTasks = (tx: Tx, rows: TaskRow[]): Promise<void> =>
  replaceRows(tx, 'tasks', ['account_id', 'id'], rows)

const deadlines = prepared((db, at: { account_id: number; entity_ids: readonly number[] }) =>
  db
    .selectFrom('tasks')
    .select((eb) => ['entity_id', eb.fn.min('complete_till').as('at')])
    .where('account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('entity_id'), at.entity_ids))
    .where('is_completed', '=', 0)
    .where('is_deleted', '=', 0)
    .groupBy('entity_id'),
)

/** The earliest deadline of open tasks per record. Records without one are left out. By tasks_by_entity. */
export async function firstDeadlines(
  db: Db,
  account_id: number,
  entity_ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await deadlines(db, { account_id, entity_ids })
  return new Map(rows.map(({ entity_id, at }) => [entity_id as number, at]))
}

/** Moves the tasks of some records to another one, also deleted ones, and returns them. */
export const changeParent = (
  tx: Tx,
  account_id: number,
  from_ids: readonly number[],
  changed: Pick<TaskRow, 'entity_id' | 'updated_by' | 'updated_by_integration' | 'updated_at'>,
): Promise<TaskRow[]> =>
  tx
    .updateTable('tasks')
    .set(changed)
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), from_ids))
    .returningAll()
    .execute()

/** Whether the task whose id is in a column meets a condition on `tasks`. Includes deleted tasks. */
export function isTaskWith(db: Db, account_id: number, condition: Expression<SqlBool>, id_column: string) {
  const task = db
    .selectFrom('tasks')
    .select(sql.lit(1).as('one'))
    .where('tasks.account_id', '=', account_id)
    .where('tasks.id', '=', sql.ref<number>(id_column))
    .where(condition)
  return holds(task)
}

/** Keys by which tasks are found, each with an index. Includes deleted tasks. */
export interface TaskHolders {
  /** The responsible users; by tasks_by_responsible. */
  people: readonly number[]
  /** The author of tasks without a record, and the records of the others; by tasks_by_entity. */
  author: number
  entity_ids: readonly number[]
}

const idsByHolder = prepared(
  (
    db,
    { account_id, people, author, entity_ids, limit }: TaskHolders & { account_id: number; limit: number },
  ) => {
    const held = (condition: Expression<SqlBool>) =>
      sql`select id from (select id from tasks where account_id = ${account_id} and ${condition} limit ${limit}) as held`
    const parts = [
      isOneOf(db, sql.ref('responsible_user_id'), people),
      sql<SqlBool>`entity_id is null and created_by = ${author}`,
      isOneOf(db, sql.ref('entity_id'), entity_ids),
    ]
    const query = sql<{ id: number }>`${sql.join(parts.map(held), sql` union `)}`
    return compilable(db, query)
  },
)

/** The ids of these holders' tasks; null if there are more than `most`. */
export async function idsOfHolders(
  db: Db,
  account_id: number,
  holders: TaskHolders,
  most: number,
): Promise<number[] | null> {
  const found = await idsByHolder(db, { ...holders, account_id, limit: most + 1 })
  return found.length > most ? null : found.map(({ id }) => id)
}
