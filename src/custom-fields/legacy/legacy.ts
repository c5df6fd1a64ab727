import {
  type Actor,
  auditAs,
  lockAccount,
  offsetOf,
  requireAdmin,
  selectAccount,
} from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { CustomFieldRow } from '../../db/tables.ts'
import { type Fault, Refusal } from '../../errors.ts'
import { type FieldType, fieldTypeOf, typeOf } from '../fields/field-types.ts'
import type { FieldOwner } from '../fields/fields.ts'
import { fieldRowsById, findFields, insertFields } from '../fields/queries.ts'
import { type EnumDraft, labelDrafts } from '../settings/enum-drafts.ts'
import { deleteWithValues, newRows, pushTo, refuseMore } from '../settings/field-changes.ts'
import type { Drafted } from '../settings/field-drafts.ts'
import type { AddedField, DeletedField, Done, FieldsSet, FieldsWereSet } from './legacy-schemas.ts'

/** `element_type` of the operation. */
const owners: Record<AddedField['element_type'], FieldOwner> = { 1: 'contacts', 2: 'leads', 3: 'companies' }

/**
 * Adds and deletes fields of the calling service, all of them or none (F1). `origin` names the service: only the
 * service that created a field can delete it.
 */
export async function setFields(ctx: Context, actor: Actor, asked: FieldsSet): Promise<FieldsWereSet> {
  requireAdmin(actor)
  const { add = [], delete: gone = [] } = asked.request.fields
  if (add.length + gone.length === 0)
    throw new Refusal('invalid', 'The request neither adds nor deletes a field.', { code: 'no_parameters' })
  return ctx.db.transaction().execute(async (tx) => {
    const { timezone } = await lockAccount(tx, actor.account_id)
    const deleted = await deleteOwn(tx, ctx.now(), actor, gone)
    const added = await addOwn(ctx, tx, actor, add)
    const named = ({ id, name, entity_type, origin }: CustomFieldRow) => ({ id, name, entity_type, origin })
    if (deleted.length > 0) await auditAs(ctx, tx, actor, 'field.removed', ...deleted.map(named))
    if (added.length > 0) await auditAs(ctx, tx, actor, 'field.added', ...added.map(named))
    const nextRequestId = unusedRequestIds([...add, ...gone])
    const entry = (row: CustomFieldRow, { request_id }: { request_id?: number } = {}) => ({
      entity_type: row.entity_type,
      id: row.id,
      request_id: request_id ?? nextRequestId(),
    })
    return {
      response: {
        server_time: localTime(ctx, timezone),
        ...grouped(
          added.map((row, i) => entry(row, add[i])),
          deleted.map((row, i) => entry(row, gone[i])),
        ),
      },
    }
  })
}

async function addOwn(ctx: Context, tx: Tx, actor: Actor, add: AddedField[]): Promise<CustomFieldRow[]> {
  const byOwner = Map.groupBy(add, ({ element_type }) => owners[element_type])
  for (const [owner, drafts] of byOwner)
    refuseMore(await findFields(tx, actor.account_id, owner), drafts.length)
  const faults: Fault[] = []
  const drafted = add.map((draft, i): Drafted => {
    const type = fieldTypeOf(draft.type) as FieldType
    return {
      row: {
        account_id: actor.account_id,
        entity_type: owners[draft.element_type],
        catalog_id: null,
        group_id: null,
        type,
        name: draft.name,
        code: null,
        sort: 500,
        is_api_only: 0,
        is_predefined: 0,
        is_deletable: 1,
        // F2
        is_disabled: draft.disabled,
        origin: draft.origin,
        settings: '{}',
      },
      enums: offered(type, draft, pushTo(faults, i), `request.fields.add.${i}.enums`),
    }
  })
  refuse(faults)
  const rows = await newRows(ctx, tx, drafted)
  await insertFields(tx, rows)
  return rows
}

/** `enums` of the select types: values only. */
function offered(
  type: FieldType,
  { enums = [] }: AddedField,
  fault: ReturnType<typeof pushTo>,
  path: string,
): EnumDraft[] {
  const rule = typeOf(type).enums
  if (rule === 'labels') return labelDrafts()
  if (rule === null) return []
  if (new Set(enums).size < enums.length)
    fault('NotUnique', path, 'This collection should contain only unique elements.')
  return enums.map((value, i) => ({ id: null, value, sort: i + 1, code: null }))
}

/** Returns the deleted rows in the order of the request. */
async function deleteOwn(
  tx: Tx,
  now: number,
  { account_id }: Actor,
  gone: DeletedField[],
): Promise<CustomFieldRow[]> {
  if (gone.length === 0) return []
  const ids = gone.map(({ id }) => id)
  const rows = new Map((await fieldRowsById(tx, account_id, ids)).map((row) => [row.id, row]))
  const faults: Fault[] = []
  const codes: (string | undefined)[] = []
  gone.forEach(({ id, origin }, i) => {
    const refuseEntry = (code: string | undefined, ...fault: Parameters<ReturnType<typeof pushTo>>) => {
      pushTo(faults, i)(...fault)
      codes.push(code)
    }
    const at = `request.fields.delete.${i}`
    const row = rows.get(id)
    if (!row) refuseEntry('unknown_field', 'NotSupportedChoice', `${at}.id`, 'Field not found.')
    else if (row.origin !== origin)
      refuseEntry(
        'foreign_origin',
        'NotSupportedChoice',
        `${at}.origin`,
        'This field belongs to another service.',
      )
    else if (ids.indexOf(id) < i)
      refuseEntry(undefined, 'NotUnique', `${at}.id`, 'The request deletes this field twice.')
  })
  // The response has one code: that of the first rejected entry.
  refuse(faults, codes[0])
  await deleteWithValues(tx, now, account_id, ids)
  return ids.map((id) => rows.get(id) as CustomFieldRow)
}

function refuse(faults: Fault[], code?: string): void {
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults, code })
}

/** Generates request_ids for entries without one, avoiding those of other entries. */
function unusedRequestIds(entries: { request_id?: number }[]): () => number {
  const taken = new Set(entries.map(({ request_id }) => request_id))
  let last = 0
  return () => {
    do last++
    while (taken.has(last))
    return last
  }
}

type Entry = Done['add'][number] & { entity_type: string }

function grouped(added: Entry[], deleted: Entry[]): Omit<FieldsWereSet['response'], 'server_time'> {
  const plain = ({ id, request_id }: Entry) => ({ id, request_id })
  const of = (is: (entry: Entry) => boolean): Done => ({
    add: added.filter(is).map(plain),
    delete: deleted.filter(is).map(plain),
  })
  const kinds = [...new Set([...added, ...deleted].map(({ entity_type }) => entity_type))]
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, of((entry) => entry.entity_type === kind)])),
    fields: of(() => true),
  }
}

/** The local time of the account in seconds; UTC without an account. */
export async function serverTime(ctx: Context, account_id: number | null): Promise<number> {
  if (account_id === null) return ctx.now()
  const account = await selectAccount(ctx.db).where('id', '=', account_id).executeTakeFirstOrThrow()
  return localTime(ctx, account.timezone)
}

function localTime(ctx: Context, timezone: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offsetOf(timezone, ctx.clock())
    .slice(1)
    .split(':')
    .map(Number)
  const distance = hours * 3_600 + minutes * 60 + seconds
  return ctx.now() + (offsetOf(timezone, ctx.clock()).startsWith('-') ? -distance : distance)
}
