import { type Actor, actingIntegration, findMembers, listTaskTypes } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { EntityRow, TaskRow } from '../db/tables.ts'
import {
  type Access,
  can,
  loadAccess,
  lockRecords,
  type Place,
  type RecordReference,
  requireNamed,
} from '../entities/entities.ts'
import { Refusal } from '../errors.ts'
import { findTasks, lockTasks } from './queries.ts'
import { saveCopies } from './save.ts'
import type { NamedPatch, ParentType, TaskDraft } from './schemas.ts'
import { applyDrafts, type References, type TaskCopy } from './task-copy.ts'
import { type NamedTask, requireTasks } from './task-rights.ts'

/** A new task requires a text and a deadline. */
export type NewTaskDraft = TaskDraft & { text: string; complete_till: number }

/**
 * Adds all the tasks or none, and returns them in the given order. Everybody can add a task, without a record or on a
 * visible one.
 */
export function addTasks(ctx: Context, actor: Actor, drafts: NewTaskDraft[]): Promise<TaskRow[]> {
  return ctx.db.transaction().execute((tx) => addTasksInside(ctx, tx, actor, drafts))
}

/** Adds tasks within the caller's transaction. */
export async function addTasksInside(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  drafts: NewTaskDraft[],
): Promise<TaskRow[]> {
  const access = await loadAccess(tx, actor)
  const references = await loadReferences(tx, actor.account_id)
  const ids = await nextIds(tx, 'tasks', drafts.length)
  const copies = ids.map(
    (id): TaskCopy => ({
      before: null,
      row: blank(id, actor, ctx.now(), references),
      isParentHidden: false,
    }),
  )
  const faults = applyDrafts(copies, drafts, references)
  const wanted = copies.flatMap(({ row }, i) => parentOf(row, drafts[i], i))
  const parents = await lockRecords(tx, actor.account_id, wanted)
  requireNamed(access, 'view', wanted, parents, 'item')
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  await saveCopies(ctx, tx, actor, copies, parents)
  return copies.map(({ row }) => row)
}

/** Changes all the tasks or none. Concurrent writers of a task wait for each other, so both changes are kept. */
export function editTasks(
  ctx: Context,
  actor: Actor,
  patches: NamedPatch[],
  place: Place,
): Promise<TaskRow[]> {
  const asked: Asked = { right: 'edit', named: patches.map(nameOf), place, patches }
  return change(ctx, actor, asked, async (tx, locked) => {
    const references = await loadReferences(tx, actor.account_id)
    const copies = new Map(locked.map((copy) => [copy.row.id, copy]))
    const written = patches.map(({ id }) => copies.get(id) as TaskCopy)
    const faults = applyDrafts(written, patches, references)
    if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
    return [...copies.values()]
  })
}

/** Deletes all the tasks or none (V8). They cannot be restored. */
export async function deleteTasks(
  ctx: Context,
  actor: Actor,
  tasks: { id: number; request_id?: string | number | undefined }[],
  place: Place,
): Promise<void> {
  const asked: Asked = { right: 'delete', named: tasks.map(nameOf), place, patches: [] }
  await change(ctx, actor, asked, async (_tx, locked) => {
    for (const { row } of locked) row.is_deleted = 1
    return locked
  })
}

/** Attempts of a change, which is repeated if a task moved to another record meanwhile. */
const MAX_TRIES = 3

/** The tasks of a request, and the right that it needs. A deletion has no patches. */
interface Asked {
  right: 'edit' | 'delete'
  named: NamedTask[]
  place: Place
  patches: readonly NamedPatch[]
}

/** Returns the changed tasks in the given order. */
async function change(
  ctx: Context,
  actor: Actor,
  asked: Asked,
  write: (tx: Tx, locked: TaskCopy[]) => Promise<TaskCopy[]>,
): Promise<TaskRow[]> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const rows = await ctx.db.transaction().execute(async (tx) => {
      const access = await loadAccess(tx, actor)
      const locked = await lockCopies(tx, access, asked)
      if (!locked) return null
      const copies = await write(tx, locked.copies)
      await saveCopies(ctx, tx, actor, copies, locked.parents)
      const byId = new Map(copies.map(({ row }) => [row.id, row]))
      return asked.named.map(({ id }) => byId.get(id) as TaskRow)
    })
    if (rows) return rows
  }
  throw new Refusal('unavailable', 'These tasks are being changed at the moment. Repeat the request.', {
    retry_after: 1,
  })
}

/**
 * Locks the tasks and, before them and in the order of all writers, their previous and new records. Returns null if a
 * task moved to another record before it was locked. Nothing is written then.
 */
async function lockCopies(
  tx: Tx,
  access: Access,
  { right, named, place, patches }: Asked,
): Promise<{ copies: TaskCopy[]; parents: Map<number, EntityRow> } | null> {
  const { account_id } = access.actor
  const ids = [...new Set(named.map(({ id }) => id))]
  const known = byId(await findTasks(tx, account_id, ids))
  // Checked first, so that a refused request locks nothing.
  requireTasks(access, right, named, known, place)
  const future = patches.flatMap((patch, i) => namedParent(patch, known.get(patch.id)?.entity_type, i))
  const present = [...known.values()].flatMap((row) => parentOf(row, undefined, 0))
  const parents = await lockRecords(tx, account_id, [...present, ...future])
  const tasks = byId(await lockTasks(tx, account_id, ids))
  requireTasks(access, right, named, tasks, place)
  for (const { id, entity_id } of tasks.values()) if (entity_id !== known.get(id)?.entity_id) return null
  const isHidden = ({ entity_id }: TaskRow) => {
    const parent = entity_id === null ? undefined : parents.get(entity_id)
    return parent !== undefined && !can(access, 'view', parent)
  }
  const wanted = patches.flatMap((patch, i) => {
    const task = tasks.get(patch.id) as TaskRow
    if (isHidden(task)) return namedParent(patch, null, i)
    // The current record of a task can be in the trash.
    const isOther = ({ entity_type, id }: RecordReference) =>
      id !== task.entity_id || entity_type !== task.entity_type
    return namedParent(patch, task.entity_type, i).filter(isOther)
  })
  requireNamed(access, 'view', wanted, parents, 'item')
  const copies = [...tasks.values()].map((row) => ({
    before: { ...row },
    row,
    isParentHidden: isHidden(row),
  }))
  return { copies, parents }
}

const byId = (rows: TaskRow[]): Map<number, TaskRow> => new Map(rows.map((row) => [row.id, row]))

const nameOf = (
  { id, request_id }: { id: number; request_id?: string | number | undefined },
  i: number,
): NamedTask => ({ id, request_id: String(request_id ?? i) })

/** The record of a task, as a reference from the body. */
function parentOf(
  { entity_type, entity_id }: Pick<TaskRow, 'entity_type' | 'entity_id'>,
  draft: TaskDraft | undefined,
  i: number,
): RecordReference[] {
  if (entity_id === null) return []
  const request_id = String(draft?.request_id ?? i)
  return [{ entity_type: entity_type as ParentType, id: entity_id, request_id, path: 'entity_id' }]
}

/** The record of a patch. Without a kind, it has the kind of the task's current record. */
function namedParent(patch: NamedPatch, known: string | null | undefined, i: number): RecordReference[] {
  const entity_type = patch.entity_type ?? known ?? null
  return entity_type === null ? [] : parentOf({ entity_type, entity_id: patch.entity_id ?? null }, patch, i)
}

async function loadReferences(db: Db, account_id: number): Promise<References> {
  const types = await listTaskTypes(db, account_id)
  return {
    members: await findMembers(db, account_id),
    task_types: new Set(types.map(({ id }) => id)),
  }
}

/** A task with default values, for its author. */
function blank(id: number, actor: Actor, now: number, { task_types }: References): TaskRow {
  const [first] = task_types
  return {
    account_id: actor.account_id,
    id,
    entity_type: null,
    entity_id: null,
    responsible_user_id: actor.user_id,
    task_type_id: first ?? 1,
    text: '',
    result: null,
    duration: 0,
    complete_till: 0,
    is_completed: 0,
    is_deleted: 0,
    created_by: actor.user_id,
    updated_by: actor.user_id,
    created_by_integration: actingIntegration(actor),
    updated_by_integration: actingIntegration(actor),
    created_at: now,
    updated_at: now,
  }
}
