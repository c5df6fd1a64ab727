import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { addListFields, deleteCatalogFields } from '../custom-fields/custom-fields.ts'
import type { Db, Tx } from '../db/database.ts'
import { nextIdsAbove } from '../db/dialect.ts'
import type { CatalogRow, Flag } from '../db/tables.ts'
import {
  type Access,
  canSeeList,
  deleteCatalog,
  discardElementsOf,
  findCatalogs,
  insertCatalogs,
  loadAccess,
  lockCatalog,
  type Place,
  replaceCatalogs,
} from '../entities/entities.ts'
import { type Fault, noSuch, Refusal } from '../errors.ts'
import type { CatalogPatch, NewCatalog } from './schemas.ts'

const MAX_LISTS = 10
/** List ids start above this (R19): a client of the platform rejects lower ones before it sends a request. */
const MAX_REFUSED_ID = 1000

/** The lists that the actor can see, in their order. */
export async function listCatalogs(db: Db, access: Access): Promise<CatalogRow[]> {
  const lists = await findCatalogs(db, access.actor)
  return lists.filter(({ id }) => canSeeList(access, id))
}

export async function readCatalog(db: Db, access: Access, id: number): Promise<CatalogRow> {
  const found = (await listCatalogs(db, access)).find((list) => list.id === id)
  if (!found) throw listNotFound()
  return found
}

/** Whether the account has this list and the actor can see it. */
export async function hasCatalog(db: Db, actor: Actor, id: number): Promise<boolean> {
  const access = await loadAccess(db, actor)
  return (await listCatalogs(db, access)).some((list) => list.id === id)
}

/** The list of invoices, unless there is none that the actor can see. */
export async function invoicesList(db: Db, actor: Actor): Promise<number | null> {
  const lists = await listCatalogs(db, await loadAccess(db, actor))
  return lists.find(({ type }) => type === 'invoices')?.id ?? null
}

/** Adds all lists or none, with the fields of their types. */
export function addCatalogs(ctx: Context, actor: Actor, drafts: NewCatalog[]): Promise<CatalogRow[]> {
  return administrate(ctx, actor, async (tx, lists, language) => {
    if (lists.length + drafts.length > MAX_LISTS)
      throw new Refusal('conflict', `An account can have at most ${MAX_LISTS} lists.`, {
        code: 'catalog_limit',
      })
    refuseSecondOfType(lists, drafts)
    const ids = await nextIdsAbove(tx, 'catalogs', MAX_REFUSED_ID, drafts.length)
    const last = Math.max(0, ...lists.map(({ sort }) => sort))
    const now = ctx.now()
    const rows = drafts.map(
      (draft, i): CatalogRow => ({
        account_id: actor.account_id,
        id: ids[i] as number,
        type: draft.type ?? 'regular',
        created_by: actor.user_id,
        updated_by: actor.user_id,
        created_at: now,
        updated_at: now,
        sums_leads: 0,
        ...columnsOf(
          {
            sort: Math.min(last + (i + 1) * 10, Number.MAX_SAFE_INTEGER),
            can_add_elements: 1,
            can_show_in_cards: 0,
            can_link_multiple: 1,
            can_be_deleted: 1,
            sdk_widget_code: null,
            name: draft.name,
          },
          draft,
        ),
      }),
    )
    await insertCatalogs(tx, rows)
    await auditAs(ctx, tx, actor, 'catalog.added', ...rows.map(({ id, name }) => ({ id, name })))
    for (const row of rows) await addListFields(ctx, tx, actor, language, row)
    return rows
  })
}

/**
 * Changes all lists or none. `place` decides how an unknown id is reported: as 404 for the address, or as a fault
 * of an item.
 */
export function changeCatalogs(
  ctx: Context,
  actor: Actor,
  patches: (CatalogPatch & { id: number; sums_leads?: boolean })[],
  place: Place,
): Promise<CatalogRow[]> {
  return administrate(ctx, actor, async (tx, lists) => {
    const byId = new Map(lists.map((list) => [list.id, list]))
    const faults: Fault[] = []
    const changed = new Map<number, CatalogRow>()
    patches.forEach(({ id, ...patch }, i) => {
      const list = changed.get(id) ?? byId.get(id)
      const sums_leads = (patch.sums_leads ?? list?.sums_leads === 1) ? 1 : 0
      if (list) changed.set(id, { ...list, ...columnsOf(list, patch), sums_leads })
      else if (place === 'path') throw listNotFound()
      else faults.push(faultOf(patch.request_id ?? i, 'NotSupportedChoice', 'id', noSuch('list')))
    })
    if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
    const rows = [...changed.values()]
      .filter((list) => !isDeepStrictEqual(list, byId.get(list.id)))
      .map((list) => ({ ...list, updated_by: actor.user_id, updated_at: ctx.now() }))
    for (const row of rows) changed.set(row.id, row)
    await replaceCatalogs(tx, rows)
    if (rows.length > 0)
      await auditAs(ctx, tx, actor, 'catalog.changed', ...rows.map(({ id, name }) => ({ id, name })))
    return patches.map(({ id }) => changed.get(id) as CatalogRow)
  })
}

/**
 * Deletes a list (V8) with its fields and all values of its elements. The elements stay in the trash permanently:
 * they are unreachable, but their log entries stay valid.
 */
export function removeCatalog(ctx: Context, actor: Actor, id: number): Promise<void> {
  return administrate(ctx, actor, async (tx) => {
    const list = await lockCatalog(tx, actor.account_id, id)
    if (!list) throw listNotFound()
    if (list.can_be_deleted === 0)
      throw new Refusal('conflict', 'This list cannot be deleted.', { code: 'lasting_catalog' })
    const elements = await discardElementsOf(ctx, tx, actor, id)
    await deleteCatalogFields(tx, ctx.now(), actor.account_id, id, elements)
    await deleteCatalog(tx, list)
    await auditAs(ctx, tx, actor, 'catalog.removed', { id, name: list.name, elements: elements.length })
  })
}

/** Serialises changes to lists, so that the counts stay correct. */
async function administrate<T>(
  ctx: Context,
  actor: Actor,
  change: (tx: Tx, lists: CatalogRow[], language: string) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    const { language } = await lockAccount(tx, actor.account_id)
    return change(tx, await findCatalogs(tx, actor), language)
  })
}

const plain = ['name', 'sort', 'sdk_widget_code'] as const
const flags = ['can_add_elements', 'can_show_in_cards', 'can_link_multiple', 'can_be_deleted'] as const
type Columns = Pick<CatalogRow, (typeof plain)[number] | (typeof flags)[number]>

/** The columns after a patch; omitted members keep their value. */
function columnsOf(before: Columns, written: CatalogPatch): Columns {
  const chosen = plain.map((name) => [name, written[name] === undefined ? before[name] : written[name]])
  const flagged = flags.map((name) => [name, (written[name] ?? before[name] === 1) ? 1 : (0 as Flag)])
  return Object.fromEntries([...chosen, ...flagged]) as Columns
}

function refuseSecondOfType(lists: CatalogRow[], drafts: NewCatalog[]): void {
  const taken = new Set(lists.map(({ type }) => type))
  const faults = drafts.flatMap(({ type = 'regular', request_id }, i) => {
    if (type === 'regular') return []
    if (taken.has(type))
      return [
        faultOf(request_id ?? i, 'NotUnique', 'type', 'An account can have only one list of this type.'),
      ]
    taken.add(type)
    return []
  })
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

const faultOf = (request_id: string | number, code: Fault['code'], path: string, detail: string): Fault => ({
  request_id: String(request_id),
  code,
  path,
  detail,
})

const listNotFound = () => new Refusal('not_found', 'List not found in this account.')
