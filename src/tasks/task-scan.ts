import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { chooseIndex, isAmong } from '../db/indexes/index-choice.ts'
import { type Access, recordVisibilities } from '../entities/entities.ts'
import { fewTasks } from './few-tasks.ts'
import type { Order, TaskFilter } from './filters.ts'
import { hasMoreTasks, tasksOfIntegrations, tasksOfPeople } from './queries.ts'
import { seesAllTasks } from './task-rights.ts'

export const creator = sql.ref('tasks.created_by_integration')
export const responsible = sql.ref('tasks.responsible_user_id')

/** How the tasks of a page are found. */
export interface ChosenTasks {
  conditions: Expression<SqlBool>[]
  /** The ids of all tasks that the actor can see, if they are few. */
  few: number[] | null
  /**
   * `in_order`: by an index in the order of the list; `sorted`: by another index; `scanned`: in the order of the list, and each
   * task is checked.
   */
  way: 'in_order' | 'sorted' | 'scanned'
}

/**
 * Chooses the index that finds the tasks of a page: that of the people or integrations if they have few tasks, or as many as its
 * order allows; otherwise that of the order.
 */
export async function chooseTasks(
  db: Db,
  access: Access,
  { conditions, people, isNarrow, isCompleted }: TaskFilter,
  integrations: readonly number[] | null | undefined,
  order: Order,
): Promise<ChosenTasks> {
  const { account_id } = access.actor
  const few = await fewVisible(db, access)
  const rare = [
    people && {
      column: responsible,
      values: people,
      entries: tasksOfPeople(db, account_id, people),
      isInOrder: isCompleted !== null && order.column === 'complete_till',
    },
    integrations && {
      column: creator,
      values: integrations,
      entries: tasksOfIntegrations(db, account_id, integrations),
      isInOrder: order.column === 'id',
    },
  ].filter((one) => !!one)
  if (isNarrow || few) {
    const among = rare.map(({ column, values }) => isAmong(column, values))
    return { conditions: [...conditions, ...among], few, way: few ? 'sorted' : 'in_order' }
  }
  const chosen = await Promise.all(rare.map((one) => chooseIndex(db, one)))
  const has = (way: ChosenTasks['way']) => chosen.some((one) => one.way === way)
  // By deadline, the open tasks have an index, and so has each state of a person's tasks.
  const isIndexed = order.column === 'complete_till' && (isCompleted === false || has('in_order'))
  const indexed = isIndexed && isCompleted !== null ? 1 : 0
  const isChecked = has('scanned') || conditions.length > indexed || !seesAllTasks(access)
  const way = has('sorted') ? 'sorted' : isChecked ? 'scanned' : 'in_order'
  return { conditions: [...conditions, ...chosen.map(({ condition }) => condition)], few, way }
}

/** Up to this many tasks are looked up for a list, instead of checking whether the actor can see each task. */
const FEW = 1_000

/** The ids of the tasks that the actor can see, if they are few. */
export const fewVisible = async (db: Db, access: Access): Promise<number[] | null> =>
  seesAllTasks(access) ? null : fewTasks(db, access, await recordVisibilities(db, access), FEW)

/** With more tasks than this, a page that checks each of them can take longer than other requests should wait. */
const MANY = 10_000

export const hasMany = (db: Db, { actor }: Access): Promise<boolean> =>
  hasMoreTasks(db, actor.account_id, MANY)
