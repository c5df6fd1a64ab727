import type { Actor, FindActing } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { findFields } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import type { EntityRow } from '../db/tables.ts'
import {
  type Access,
  addEntities,
  editEntities,
  editRecord,
  findEntities,
  findRecord,
  type ListQuery,
  listEntities,
  loadAccess,
  type Place,
  recordTexts,
  type ShownRecord,
  showRecord,
  showRecords,
  type Totals,
  totalsOf,
} from '../entities/entities.ts'
import type { Element } from '../entities/records/record-schemas.ts'
import type { Page, ValuePosition } from '../http/queries/paging.ts'
import { readCatalog } from './lists.ts'
import type { ElementPatch, NewElement } from './schemas.ts'

/** Values of `with`; `only_deleted` selects the trash. */
export const withNamesOfElements = ['invoice_link', 'only_deleted', 'integration'] as const

export interface Showing {
  base: string
  with: ReadonlySet<(typeof withNamesOfElements)[number]>
  /** Finds the integrations that acted, if they are shown. */
  acting?: FindActing
}

const elementReader = (db: Db, access: Access) => ({ db, access, type: 'catalog_elements' as const })

/** Lists a page of the elements that the actor can see, as JSON texts; empty if the list is hidden from the actor. */
export async function listElements(
  { db }: Context,
  actor: Actor,
  catalog_id: number,
  asked: ListQuery,
  options: Showing & { page: Page; after: ValuePosition | null },
) {
  const access = await loadAccess(db, actor)
  await readCatalog(db, access, catalog_id)
  return listEntities(elementReader(db, access), asked, { ...options, catalog_id }, recordTexts)
}

/** Counts the elements that a list of the same query would show. */
export async function totalsOfElements(
  { db }: Context,
  actor: Actor,
  catalog_id: number,
  asked: ListQuery,
  in_trash: boolean,
): Promise<Totals> {
  const access = await loadAccess(db, actor)
  await readCatalog(db, access, catalog_id)
  return totalsOf({ ...elementReader(db, access), catalog_id, in_trash }, asked)
}

/**
 * Renders an element of the list if the actor can see it, in or out of the trash as requested. Throws
 * Refusal('not_found') if there is no such list.
 */
export async function findElement(
  ctx: Context,
  actor: Actor,
  catalog_id: number,
  id: number,
  showing: Showing,
): Promise<ShownRecord | undefined> {
  const access = await loadAccess(ctx.db, actor)
  const list = await readCatalog(ctx.db, access, catalog_id)
  const row = await findRecord(ctx.db, access, 'catalog_elements', id, showing.with.has('only_deleted'))
  if (row?.catalog_id !== list.id) return undefined
  const fields = await findFields(ctx.db, actor.account_id, 'catalogs', catalog_id)
  return showRecord(ctx.db, access, row, fields, showing)
}

/** Adds all elements or none; returns them complete. */
export async function addElements(
  ctx: Context,
  actor: Actor,
  catalog_id: number,
  drafts: NewElement[],
  showing: Showing,
): Promise<Element[]> {
  const rows = await addEntities(ctx, actor, 'catalog_elements', drafts.map(known), { catalog_id })
  return show(ctx, actor, catalog_id, rows, showing)
}

/** Changes all elements or none; returns them complete. */
export async function changeElements(
  ctx: Context,
  actor: Actor,
  catalog_id: number,
  patches: (ElementPatch & { id: number })[],
  place: Place,
  showing: Showing,
): Promise<Element[]> {
  const written = patches.map((patch) => ({ id: patch.id, ...known(patch) }))
  const rows = await editEntities(ctx, actor, 'catalog_elements', written, place, { catalog_id })
  return show(ctx, actor, catalog_id, rows, showing)
}

/** Changes one element if its version matches; returns it complete. */
export async function changeElement(
  ctx: Context,
  actor: Actor,
  catalog_id: number,
  { id, ...patch }: ElementPatch & { id: number },
  expected: readonly string[] | null,
  showing: Showing,
): Promise<{ element: Element; version: string }> {
  const written = { id, ...known(patch) }
  const { row, version } = await editRecord(ctx, actor, 'catalog_elements', written, expected, { catalog_id })
  const [element] = (await show(ctx, actor, catalog_id, [row], showing)) as [Element]
  return { element, version }
}

/** The element members of a body. Members of other kinds of records are ignored (V2). */
const known = ({ name, created_at, custom_fields_values, request_id }: ElementPatch) => ({
  ...(name !== undefined && { name }),
  ...(created_at !== undefined && { created_at }),
  ...(custom_fields_values !== undefined && { custom_fields_values }),
  ...(request_id !== undefined && { request_id }),
})

/** Renders elements that the actor has just read or written, in the given order. */
export async function show(
  { db }: Context,
  actor: Actor,
  catalog_id: number,
  rows: Pick<EntityRow, 'id'>[],
  showing: Showing,
): Promise<Element[]> {
  const access = await loadAccess(db, actor)
  const ids = rows.map(({ id }) => id)
  const stored = await findEntities(db, actor.account_id, 'catalog_elements', ids)
  const fields = await findFields(db, actor.account_id, 'catalogs', catalog_id)
  const shown = await showRecords(elementReader(db, access), stored, fields, showing)
  const byId = new Map(shown.map((element) => [element.id, element as Element]))
  return ids.map((id) => byId.get(id) as Element)
}
