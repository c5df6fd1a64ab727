import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor, OfIntegrations } from '../accounts/accounts.ts'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import { isOneOf, sortKey } from '../db/dialect.ts'
import { isAmong } from '../db/indexes/index-choice.ts'
import { preparedByShape } from '../db/prepared.ts'
import { type Access, notFound } from '../entities/entities.ts'
import type { QueryValue } from '../http/queries/bracket-query.ts'
import type { Page, Position } from '../http/queries/paging.ts'
import { type Order, readFilters, readOrder } from './filters.ts'
import { countedTasks, selectShownTasks } from './queries.ts'
import type { Task } from './schemas.ts'
import { seesAllParents, seesAllTasks, visibleParent, visibleTask } from './task-rights.ts'
import { chooseTasks, creator, fewVisible, hasMany, responsible } from './task-scan.ts'
import { type SeenTask, type Showing, showTasks } from './view.ts'

export interface TaskQuery extends OfIntegrations {
  filter?: QueryValue
  order?: QueryValue
}

export interface ListOptions extends Showing {
  page: Page
  /** The end of the previous page, so that earlier rows are not read again. */
  after: Position | null
}

/** `showTasks` or `taskTexts`. */
type Show<T> = (db: Db, actor: Actor, rows: SeenTask[], showing: Showing) => Promise<T[]>

/** A page of the tasks that the actor can see, and the position of the next one. */
export async function listTasks<T>(
  db: Db,
  access: Access,
  asked: TaskQuery,
  options: ListOptions,
  show: Show<T>,
): Promise<{ tasks: T[]; next: Position | null }> {
  const order = readOrder(asked.order)
  const filter = readFilters(db, access, asked.filter)
  const { conditions, few, way } = await chooseTasks(db, access, filter, asked.integrations, order)
  const { account_id } = access.actor
  const { after, page } = options
  const { limit } = page
  const walk = { limit: limit + 1, offset: after === null ? page.offset : 0, after }
  const query = () => pageQuery(db, access, conditions, order, { ...walk, few, isSorted: way === 'sorted' })
  const isPlain = conditions.length === 0 && seesAllTasks(access) && seesAllParents(access)
  const isLong = way === 'scanned' && (await hasMany(db, access))
  const rows = isLong
    ? await readInBackground(db, account_id, query())
    : await (isPlain ? plainPage(db, account_id, order, walk) : query().execute())
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? { value: last[order.column], id: last.id } : null
  return { tasks: await show(db, access.actor, shown, options), next }
}

/** The task, or Refusal('not_found') if it is hidden. */
export async function readTask(db: Db, access: Access, id: number, showing: Showing): Promise<Task> {
  const row = await visibleTasks(db, access).where('tasks.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  const [task] = await showTasks(db, access.actor, [row], showing)
  return task as Task
}

/** The visible tasks among these, by id. */
export async function readTasks(
  db: Db,
  access: Access,
  ids: readonly number[],
  showing: Showing,
): Promise<Map<number, Task>> {
  if (ids.length === 0) return new Map()
  const rows = await visibleTasks(db, access)
    .where((eb) => isOneOf(db, eb.ref('tasks.id'), ids))
    .execute()
  return new Map((await showTasks(db, access.actor, rows, showing)).map((task) => [task.id, task]))
}

/** Tasks that a total reads. It checks for each whether the actor can see its record. */
const MOST_COUNTED = 5_000

/**
 * The number of tasks that the actor can see. Of more than `most` that fulfil the filter, the visible ones among the first are
 * counted, and `is_complete` is false.
 */
export async function countTasks(
  db: Db,
  access: Access,
  { filter, integrations }: TaskQuery,
  most = MOST_COUNTED,
): Promise<{ total: number; is_complete: boolean }> {
  const { account_id } = access.actor
  const { conditions, people } = readFilters(db, access, filter)
  if (people) conditions.push(isAmong(responsible, people))
  if (integrations) conditions.push(isAmong(creator, integrations))
  const few = await fewVisible(db, access)
  if (few) conditions.push(isOneOf(db, sql.ref('tasks.id'), few))
  const limit = few ? few.length : most
  const query = countedTasks(db, account_id, conditions, few ? null : visibleTask(db, access), limit + 1)
  const [counted] = few ? await query.execute() : await readInBackground(db, account_id, query)
  return {
    total: Math.min(Number(counted?.visible ?? 0), limit),
    is_complete: Number(counted?.read) <= limit,
  }
}

function visibleTasks(db: Db, access: Access, few: number[] | null = null) {
  const condition = few ? isOneOf(db, sql.ref('tasks.id'), few) : visibleTask(db, access)
  const isParentSeen = seesAllParents(access)
    ? null
    : sql<number>`case when ${visibleParent(db, access)} then 1 else 0 end`
  return seenTasks(db, access.actor.account_id, isParentSeen).$if(condition !== null, (query) =>
    query.where(condition as NonNullable<typeof condition>),
  )
}

const seenTasks = (db: Db, account_id: number, isParentSeen: RawBuilder<number> | null) =>
  selectShownTasks(db, account_id).$if(isParentSeen !== null, (query) =>
    query.select((isParentSeen as RawBuilder<number>).as('is_parent_seen')),
  )

/** Rows of a list: a page and one more, to detect a next page. */
interface Walk extends Pick<ListOptions, 'after'> {
  limit: number
  offset: number
  /** The ids of all tasks that the actor can see, if they are few. */
  few?: number[] | null
  /** Whether another index than that of the order finds the rows. */
  isSorted?: boolean
}

/**
 * Ids are in the order of the primary key. The other orders have indexes: tasks_by_creation and tasks_by_deadline. If
 * another index has found the rows, they are sorted.
 */
export const pageQuery = (
  db: Db,
  access: Access,
  conditions: Expression<SqlBool>[],
  order: Order,
  walk: Walk,
) =>
  inOrder(
    db,
    visibleTasks(db, access, walk.few).$if(conditions.length > 0, (query) =>
      query.where((eb) => eb.and(conditions)),
    ),
    order,
    walk,
  )

/** A page of a list without a filter, for an actor who can see all tasks and records: its statement is built once. */
function plainPage(
  db: Db,
  account_id: number,
  { column, direction }: Order,
  { after, limit, offset }: Walk,
): Promise<SeenTask[]> {
  const shape = { column, direction, isAfter: after !== null }
  return plainPages(db, shape, { account_id, ...(after ?? { value: 0, id: 0 }), limit, offset })
}

const plainPages = preparedByShape(
  (
    db,
    {
      account_id,
      value,
      id,
      limit,
      offset,
    }: { account_id: number; limit: number; offset: number } & Position,
    { isAfter, column, direction }: Order & { isAfter: boolean },
  ) =>
    inOrder(
      db,
      seenTasks(db, account_id, null),
      { column, direction },
      { limit, offset, after: isAfter ? { value, id } : null },
    ),
)

function inOrder(
  db: Db,
  rows: ReturnType<typeof seenTasks>,
  order: Order,
  { limit, offset, after, isSorted = false }: Walk,
) {
  const { column, direction } = order
  const key = (name: string) => (isSorted ? sortKey(db, sql.ref(name)) : sql.ref(name))
  return rows
    .$if(after !== null, (query) => query.where(beyond(order, after as Position)))
    .orderBy(key(`tasks.${column}`), direction)
    .$if(column !== 'id', (query) => query.orderBy(key('tasks.id'), direction))
    .limit(limit)
    .$if(after === null, (query) => query.offset(offset))
}

function beyond({ column, direction }: Order, { value, id }: Position): Expression<SqlBool> {
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  if (column === 'id') return sql<SqlBool>`tasks.id ${sign} ${id}`
  return sql<SqlBool>`(${sql.ref(`tasks.${column}`)}, tasks.id) ${sign} (${value}, ${id})`
}
