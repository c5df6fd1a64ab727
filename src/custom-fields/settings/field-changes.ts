import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs, lockAccount, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { CustomFieldRow } from '../../db/tables.ts'
import { type Fault, noSuch, Refusal } from '../../errors.ts'
import { inParts } from '../../fair-turns.ts'
import { fieldIdsAbove } from '../fields/field-ids.ts'
import { type Field, type FieldOwner, type FieldSet, fieldOf } from '../fields/fields.ts'
import {
  deleteFields,
  deleteGroupsOfCatalog,
  fieldRowsById,
  findFields,
  groupsOf,
  insertFields,
  replaceFields,
} from '../fields/queries.ts'
import type { FieldPatch, NewField } from '../fields/schemas.ts'
import { deleteValuesOfEntities } from '../values/value-queries.ts'
import { isChosen, namedEnums, newOnes } from './enum-drafts.ts'
import { eraseChoices, eraseFields } from './erasures.ts'
import { codesOf, type DraftContext, type Drafted, draftField, redraftField } from './field-drafts.ts'

/** Bounded, because every read of a record loads all fields of its owner. */
const MAX_FIELDS = 1_000

/** Hooks into the slices above this one. */
export interface FieldHooks {
  /** Whether the account has this list and the actor can see it. */
  hasCatalog(db: Db, actor: Actor, id: number): Promise<boolean>
  findStages(db: Db, account_id: number): Promise<{ ids(pipeline_id: number): number[] }>
}

/** The owner of a collection of fields; `catalog_id` names the list if the owner is one. */
export interface FieldCollection {
  owner: FieldOwner
  catalog_id: number | null
}

/** The fields of an owner; every member of the account can read them. */
export async function readFields(
  ctx: Context,
  hooks: FieldHooks,
  actor: Actor,
  { owner, catalog_id }: FieldCollection,
): Promise<FieldSet> {
  await requireFieldCollection(ctx.db, hooks, actor, catalog_id)
  return findFields(ctx.db, actor.account_id, owner, catalog_id)
}

export async function readField(
  ctx: Context,
  hooks: FieldHooks,
  actor: Actor,
  collection: FieldCollection,
  id: number,
): Promise<Field> {
  const field = (await readFields(ctx, hooks, actor, collection)).byId.get(id)
  if (!field) throw fieldNotFound()
  return field
}

/** Adds all fields or none. */
export function addFields(
  ctx: Context,
  hooks: FieldHooks,
  actor: Actor,
  collection: FieldCollection,
  drafts: NewField[],
): Promise<Field[]> {
  return change(ctx, hooks, actor, collection, async (tx, fields, judged) => {
    refuseMore(fields, drafts.length)
    const faults: Fault[] = []
    const drafted = drafts.map((draft, i) =>
      draftField(
        actor.account_id,
        collection.catalog_id,
        draft,
        judged,
        pushTo(faults, draft.request_id ?? i),
      ),
    )
    refuseFaults(faults)
    const rows = await newRows(ctx, tx, drafted)
    await insertFields(tx, rows)
    await auditAs(ctx, tx, actor, 'field.added', ...rows.map(nameOf))
    return rows.map(fieldOf)
  })
}

/**
 * Builds rows of new fields. Ids of choices are assigned first: after a restore, the count continues from the last
 * field.
 */
export async function newRows(ctx: Context, tx: Tx, drafted: Drafted[]): Promise<CustomFieldRow[]> {
  const offered = drafted.reduce((sum, { enums }) => sum + newOnes(enums), 0)
  const ids = await fieldIdsAbove(tx, 0, offered + drafted.length)
  let next = 0
  const enums = drafted.map((one) => namedEnums(one.enums ?? [], () => ids[next++] as number))
  const now = ctx.now()
  return drafted.map(({ row }, i) => ({
    ...row,
    id: ids[offered + i] as number,
    enums: JSON.stringify(enums[i]),
    created_at: now,
    updated_at: now,
  }))
}

/**
 * Changes all fields or none. `where` decides how an unknown id is reported: as 404 for the address, or as a fault
 * of an item.
 */
export function changeFields(
  ctx: Context,
  hooks: FieldHooks,
  actor: Actor,
  collection: FieldCollection,
  patches: (FieldPatch & { id: number })[],
  where: 'path' | 'item',
): Promise<Field[]> {
  return change(ctx, hooks, actor, collection, async (tx, fields, judged) => {
    const faults: Fault[] = []
    const seen = new Set<number>()
    const drafted = patches.map((patch, i): [Field, Drafted] | undefined => {
      const fault = pushTo(faults, patch.request_id ?? i)
      const field = fields.byId.get(patch.id)
      if (!field && where === 'path') throw fieldNotFound()
      if (!field) fault('NotSupportedChoice', 'id', noSuch('field'))
      else if (seen.has(field.id)) fault('NotUnique', 'id', 'The batch changes this field twice.')
      seen.add(patch.id)
      if (!field) return undefined
      if (!isOfAccount(patch)) requireOrigin(field, patch.origin)
      return [field, redraftField(field, patch, judged, fault)]
    })
    refuseFaults(faults)
    const before = drafted.filter((one) => one !== undefined)
    const rows = await changedRows(ctx, tx, before)
    const changed = rows.filter((row, i) => !isSame(row, (before[i] as [Field, Drafted])[0]))
    if (changed.length === 0) return rows.map(fieldOf)
    await replaceFields(tx, changed)
    await dropChoices(tx, ctx.now(), before, rows)
    await auditAs(ctx, tx, actor, 'field.changed', ...changed.map(nameOf))
    return rows.map(fieldOf)
  })
}

async function changedRows(ctx: Context, tx: Tx, drafted: [Field, Drafted][]): Promise<CustomFieldRow[]> {
  const offered = drafted.reduce((sum, [, { enums }]) => sum + newOnes(enums), 0)
  const known = drafted.flatMap(([field]) => field.enums.map(({ id }) => id))
  const ids = await fieldIdsAbove(tx, Math.max(0, ...known), offered)
  let next = 0
  return drafted.map(([field, { row, enums }]) => ({
    ...row,
    id: field.id,
    enums: JSON.stringify(enums ? namedEnums(enums, () => ids[next++] as number) : field.enums),
    created_at: field.created_at,
    updated_at: ctx.now(),
  }))
}

const isSame = (row: CustomFieldRow, field: Field): boolean =>
  isDeepStrictEqual({ ...fieldOf(row), updated_at: 0 }, { ...field, updated_at: 0 })

/** Deleted choices disappear from responses at once; their stored values are erased afterwards. */
async function dropChoices(
  tx: Tx,
  now: number,
  before: [Field, Drafted][],
  rows: CustomFieldRow[],
): Promise<void> {
  for (const [i, [field]] of before.entries()) {
    const left = fieldOf(rows[i] as CustomFieldRow).enumsById
    const gone = field.enums.filter(({ id }) => !left.has(id)).map(({ id }) => id)
    if (gone.length > 0 && isChosen(field.type)) await eraseChoices(tx, now, rows[i] as CustomFieldRow, gone)
  }
}

/** Deletes a field and its values. Its log entries stay (F3). */
export function removeField(
  ctx: Context,
  hooks: FieldHooks,
  actor: Actor,
  collection: FieldCollection,
  id: number,
  origin: string | undefined,
): Promise<void> {
  return change(ctx, hooks, actor, collection, async (tx, fields) => {
    const field = fields.byId.get(id)
    if (!field) throw fieldNotFound()
    if (!field.is_deletable)
      throw new Refusal('conflict', 'This field cannot be deleted.', { code: 'predefined_field' })
    requireOrigin(field, origin)
    await deleteWithValues(tx, ctx.now(), actor.account_id, [id])
    await auditAs(ctx, tx, actor, 'field.removed', nameOf(field))
  })
}

/** Deletes the fields, and queues the erasure of their stored values. */
export async function deleteWithValues(
  tx: Tx,
  now: number,
  account_id: number,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return
  await eraseFields(tx, now, await fieldRowsById(tx, account_id, ids))
  await deleteFields(tx, account_id, ids)
}

/** Elements of one statement: others are answered between two of them. */
const ELEMENTS_AT_ONCE = 250

/** Deletes the fields of a list, their groups, and all values of its elements, when the list is deleted. */
export async function deleteCatalogFields(
  tx: Tx,
  now: number,
  account_id: number,
  catalog_id: number,
  element_ids: readonly number[],
): Promise<void> {
  const { byId } = await findFields(tx, account_id, 'catalogs', catalog_id)
  for (const some of inParts(element_ids, ELEMENTS_AT_ONCE))
    await deleteValuesOfEntities(tx, account_id, some)
  await deleteWithValues(tx, now, account_id, [...byId.keys()])
  await deleteGroupsOfCatalog(tx, account_id, catalog_id)
}

/** Serialises changes to the fields of an account. */
async function change<T>(
  ctx: Context,
  hooks: FieldHooks,
  actor: Actor,
  { owner, catalog_id }: FieldCollection,
  apply: (tx: Tx, fields: FieldSet, judged: DraftContext) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  const { account_id } = actor
  return ctx.db.transaction().execute(async (tx) => {
    const { currency } = await lockAccount(tx, account_id)
    await requireFieldCollection(tx, hooks, actor, catalog_id)
    const fields = await findFields(tx, account_id, owner, catalog_id)
    const groups = await groupsOf(tx, account_id, owner, catalog_id)
    const stages = await hooks.findStages(tx, account_id)
    return apply(tx, fields, {
      owner,
      codes: codesOf(fields),
      groups: new Set(groups.map(({ id }) => id)),
      currency,
      stagesOf: stages.ids,
    })
  })
}

/** Throws Refusal('not_found') if the collection is that of a list which the actor cannot see. */
export async function requireFieldCollection(
  db: Db,
  hooks: FieldHooks,
  actor: Actor,
  catalog_id: number | null,
): Promise<void> {
  if (catalog_id !== null && !(await hooks.hasCatalog(db, actor, catalog_id)))
    throw new Refusal('not_found', 'List not found in this account.')
}

/** Members that the account can change in any field, because they only arrange its cards. */
const ofAccount = ['id', 'request_id', 'type', 'group_id', 'sort', 'required_statuses', 'hidden_statuses']
const isOfAccount = (patch: FieldPatch): boolean =>
  Object.entries(patch).every(([name, value]) => value === undefined || ofAccount.includes(name))

/** A field made by a service can be changed and deleted only by callers that name the service (F1). */
function requireOrigin(field: Field, origin: string | undefined): void {
  if (field.origin !== null && field.origin !== origin)
    throw new Refusal('forbidden', 'This field belongs to the service that created it.', {
      code: 'field_of_service',
    })
}

export function refuseMore({ list }: FieldSet, added: number): void {
  if (list.length + added > MAX_FIELDS)
    throw new Refusal('conflict', `There can be at most ${MAX_FIELDS} fields.`, { code: 'field_limit' })
}

export const pushTo =
  (faults: Fault[], request_id: string | number) =>
  (code: Fault['code'], path: string, detail: string): void => {
    faults.push({ request_id: String(request_id), code, path, detail })
  }

export function refuseFaults(faults: Fault[]): void {
  if (faults.length > 0)
    throw new Refusal('invalid', 'Request validation failed', { faults: faults.slice(0, 100) })
}

const fieldNotFound = () => new Refusal('not_found', 'Field not found.')
const nameOf = ({ id, name, entity_type }: { id: number; name: string; entity_type: string }) => ({
  id,
  name,
  entity_type,
})
