import { type Actor, accountLanguage, auditAs, lockAccount, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { CustomFieldGroupRow, CustomFieldRow } from '../../db/tables.ts'
import { type Fault, notAChoice, Refusal } from '../../errors.ts'
import { fieldIdsAbove } from '../fields/field-ids.ts'
import type { Field, FieldSet } from '../fields/fields.ts'
import {
  deleteGroup,
  findFields,
  groupOwnerOf,
  groupsOf,
  insertGroups,
  replaceGroup,
  setGroups,
} from '../fields/queries.ts'
import type { FieldGroupPatch, NewFieldGroup } from '../fields/schemas.ts'
import { mainGroupName } from './default-fields.ts'
import {
  type FieldCollection,
  type FieldHooks,
  pushTo,
  refuseFaults,
  requireFieldCollection,
} from './field-changes.ts'

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

/** Whose groups are meant, and the hooks that find a list. */
export interface GroupsAsked {
  hooks: FieldHooks
  actor: Actor
  collection: FieldCollection
}

/** The groups of a card. Every member of the account can read them; those of a list, everybody who sees the list. */
export async function readGroups(ctx: Context, { hooks, actor, collection }: GroupsAsked): Promise<Group[]> {
  await requireFieldCollection(ctx.db, hooks, actor, collection.catalog_id)
  const rows = await allGroups(ctx.db, actor, collection, await accountLanguage(ctx, actor))
  return withFields(rows, await fieldsIn(ctx.db, actor, collection))
}

export async function readGroup(ctx: Context, asked: GroupsAsked, id: string): Promise<Group> {
  const found = (await readGroups(ctx, asked)).find((group) => group.id === id)
  if (!found) throw groupNotFound()
  return found
}

const fieldsIn = (db: Db, { account_id }: Actor, { owner, catalog_id }: FieldCollection): Promise<FieldSet> =>
  findFields(db, account_id, owner, catalog_id)

/** The groups of a card in their order. The first group of a list is stored with its first change (K9). */
async function allGroups(
  db: Db,
  { account_id }: Actor,
  { owner, catalog_id }: FieldCollection,
  language: string,
): Promise<CustomFieldGroupRow[]> {
  const rows = await groupsOf(db, account_id, owner, catalog_id)
  if (catalog_id === null || rows.some(({ id }) => id === DEFAULT)) return rows
  const first = {
    account_id,
    entity_type: groupOwnerOf(owner, catalog_id),
    id: DEFAULT,
    name: mainGroupName(language),
    sort: 0,
    created_at: 0,
  }
  return [first, ...rows].sort((a, b) => a.sort - b.sort)
}

function withFields(rows: CustomFieldGroupRow[], { list }: FieldSet): Group[] {
  const byGroup = Map.groupBy(list, ({ group_id }) => group_id ?? DEFAULT)
  return rows.map((row) => ({ ...row, fields: (byGroup.get(row.id) ?? []).map(({ id }) => id) }))
}

/** Adds all groups or none. The fields that they name move into them. */
export function addGroups(ctx: Context, asked: GroupsAsked, drafts: NewFieldGroup[]): Promise<Group[]> {
  const { actor, collection } = asked
  const { owner, catalog_id } = collection
  return change(ctx, asked, async (tx, rows, fields) => {
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
      entity_type: groupOwnerOf(owner, catalog_id),
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
    return withFields(added, await fieldsIn(tx, actor, collection))
  })
}

/** Changes a group. `fields` is the complete list of its fields: others move back into the first group. */
export function changeGroup(
  ctx: Context,
  asked: GroupsAsked,
  id: string,
  patch: FieldGroupPatch,
): Promise<Group> {
  const { actor, collection } = asked
  return change(ctx, asked, async (tx, rows, fields) => {
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
    const after = await fieldsIn(tx, actor, collection)
    return withFields([changed], after)[0] as Group
  })
}

function movesInto({ list }: FieldSet, id: string, fields: number[]): Map<number, string | null> {
  const group_id = id === DEFAULT ? null : id
  const left = list.filter((field) => field.group_id === group_id).map((field) => [field.id, null] as const)
  return new Map([...left, ...fields.map((field) => [field, group_id] as const)])
}

/** Deletes a group. Its fields move back into the first group. */
export function removeGroup(ctx: Context, asked: GroupsAsked, id: string): Promise<void> {
  const { actor } = asked
  return change(ctx, asked, async (tx, rows, fields) => {
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
  { hooks, actor, collection }: GroupsAsked,
  apply: (tx: Tx, rows: CustomFieldGroupRow[], fields: FieldSet) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    const { language } = await lockAccount(tx, actor.account_id)
    await requireFieldCollection(tx, hooks, actor, collection.catalog_id)
    const rows = await allGroups(tx, actor, collection, language)
    return apply(tx, rows, await fieldsIn(tx, actor, collection))
  })
}

const groupNotFound = () => new Refusal('not_found', 'Group of fields not found.')
