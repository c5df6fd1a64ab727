import { type Actor, auditAs, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { CustomFieldGroupRow, CustomFieldRow } from '../db/tables.ts'
import { type Fault, notAChoice, Refusal } from '../errors.ts'
import { pushTo, refuseFaults } from './field-changes.ts'
import { fieldIdsAbove } from './field-ids.ts'
import type { Field, FieldOwner, FieldSet } from './fields.ts'
import { deleteGroup, findFields, groupsOf, insertGroups, replaceGroup, setGroups } from './queries.ts'
import type { FieldGroupPatch, NewFieldGroup } from './schemas.ts'

/** Tabs are few, so their list is one page. */
const MAX_GROUPS = 100

/** Groups of every account. Fields without a group are in the first one. */
const DEFAULT = 'default'
const predefined = [DEFAULT, 'statistic']

export const isPredefined = (id: string): boolean => predefined.includes(id)

/** A tab of a card, with the ids of its fields in order. */
export interface Group extends CustomFieldGroupRow {
  fields: number[]
}

/** The groups of a card; every member of the account can read them. */
export async function readGroups(ctx: Context, { account_id }: Actor, owner: FieldOwner): Promise<Group[]> {
  const rows = await groupsOf(ctx.db, account_id, owner)
  return withFields(rows, await findFields(ctx.db, account_id, owner))
}

export async function readGroup(ctx: Context, actor: Actor, owner: FieldOwner, id: string): Promise<Group> {
  const found = (await readGroups(ctx, actor, owner)).find((group) => group.id === id)
  if (!found) throw groupNotFound()
  return found
}

function withFields(rows: CustomFieldGroupRow[], { list }: FieldSet): Group[] {
  const byGroup = Map.groupBy(list, ({ group_id }) => group_id ?? DEFAULT)
  return rows.map((row) => ({ ...row, fields: (byGroup.get(row.id) ?? []).map(({ id }) => id) }))
}

/** Adds all groups or none. The fields that they name move into them. */
export function addGroups(
  ctx: Context,
  actor: Actor,
  owner: FieldOwner,
  drafts: NewFieldGroup[],
): Promise<Group[]> {
  return change(ctx, actor, owner, async (tx, rows, fields) => {
    if (rows.length + drafts.length > MAX_GROUPS)
      throw new Refusal('conflict', `There can be at most ${MAX_GROUPS} groups.`, { code: 'field_limit' })
    const faults: Fault[] = []
    drafts.forEach((draft, i) => {
      refuseUnknown(fields, draft.fields, pushTo(faults, draft.request_id ?? i))
    })
    refuseFaults(faults)
    const ids = await fieldIdsAbove(tx, 0, drafts.length)
    const added = drafts.map(({ name, sort }, i) => ({
      account_id: actor.account_id,
      entity_type: owner,
      id: `${owner}_${ids[i]}`,
      name,
      sort,
      created_at: ctx.now(),
    }))
    await insertGroups(tx, added)
    const moves = drafts.flatMap((draft, i) =>
      (draft.fields ?? []).map((id): [number, string | null] => [id, added[i]?.id as string]),
    )
    await move(tx, fields, new Map(moves))
    await auditAs(ctx, tx, actor, 'field_group.added', ...added.map(({ id, name }) => ({ id, name })))
    return withFields(added, await findFields(tx, actor.account_id, owner))
  })
}

/** Changes a group. `fields` is the complete list of its fields: others move back into the first group. */
export function changeGroup(
  ctx: Context,
  actor: Actor,
  owner: FieldOwner,
  id: string,
  patch: FieldGroupPatch,
): Promise<Group> {
  return change(ctx, actor, owner, async (tx, rows, fields) => {
    const row = rows.find((group) => group.id === id)
    if (!row) throw groupNotFound()
    const faults: Fault[] = []
    refuseUnknown(fields, patch.fields, pushTo(faults, 0))
    refuseFaults(faults)
    const changed = { ...row, name: patch.name ?? row.name, sort: patch.sort ?? row.sort }
    const isRenamed = changed.name !== row.name || changed.sort !== row.sort
    if (isRenamed) await replaceGroup(tx, changed)
    const isMoved =
      patch.fields !== undefined && (await move(tx, fields, movesInto(fields, id, patch.fields)))
    if (isRenamed || isMoved) await auditAs(ctx, tx, actor, 'field_group.changed', { id, name: changed.name })
    const after = await findFields(tx, actor.account_id, owner)
    return withFields([changed], after)[0] as Group
  })
}

function movesInto({ list }: FieldSet, id: string, fields: number[]): Map<number, string | null> {
  const group_id = id === DEFAULT ? null : id
  const left = list.filter((field) => field.group_id === group_id).map((field) => [field.id, null] as const)
  return new Map([...left, ...fields.map((field) => [field, group_id] as const)])
}

/** Deletes a group. Its fields move back into the first group. */
export function removeGroup(ctx: Context, actor: Actor, owner: FieldOwner, id: string): Promise<void> {
  return change(ctx, actor, owner, async (tx, rows, fields) => {
    const row = rows.find((group) => group.id === id)
    if (!row) throw groupNotFound()
    if (isPredefined(id))
      throw new Refusal('conflict', 'This group cannot be deleted.', { code: 'predefined_group' })
    await deleteGroup(tx, row)
    await move(tx, fields, movesInto(fields, id, []))
    await auditAs(ctx, tx, actor, 'field_group.removed', { id, name: row.name })
  })
}

/** Returns whether any field moved. */
async function move(tx: Tx, { byId }: FieldSet, moves: Map<number, string | null>): Promise<boolean> {
  const moved = [...moves]
    .map(
      ([id, group_id]): Pick<CustomFieldRow, 'account_id' | 'id' | 'group_id'> => ({
        account_id: (byId.get(id) as Field).account_id,
        id,
        group_id,
      }),
    )
    .filter(({ id, group_id }) => byId.get(id)?.group_id !== group_id)
  await setGroups(tx, moved)
  return moved.length > 0
}

function refuseUnknown(
  { byId }: FieldSet,
  fields: number[] | undefined,
  fault: ReturnType<typeof pushTo>,
): void {
  fields?.forEach((id, i) => {
    if (!byId.has(id)) fault('NotSupportedChoice', `fields.${i}`, notAChoice(byId))
  })
}

async function change<T>(
  ctx: Context,
  actor: Actor,
  owner: FieldOwner,
  apply: (tx: Tx, rows: CustomFieldGroupRow[], fields: FieldSet) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const rows = await groupsOf(tx, actor.account_id, owner)
    return apply(tx, rows, await findFields(tx, actor.account_id, owner))
  })
}

const groupNotFound = () => new Refusal('not_found', 'Group of fields not found.')
