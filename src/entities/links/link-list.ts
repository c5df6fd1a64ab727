import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { EntityRow, LinkRow } from '../../db/tables.ts'
import { type Fault, notAChoice, Refusal } from '../../errors.ts'
import type { Page, Position } from '../../http/queries/paging.ts'
import { type Access, loadAccess } from '../records/access.ts'
import { type EntityType, entityTypes, isEntityType } from '../records/entity-types.ts'
import { countLinks, linksBetween, selectLinks } from '../records/link-queries.ts'
import { findVisibleIds } from '../records/queries.ts'
import {
  inList,
  lockNamed,
  notFound,
  type Place,
  type RecordReference,
  readRecord,
  requireNamed,
} from '../records/records.ts'
import { changeLinks } from './links.ts'

/** A requested link. */
export interface LinkDraft {
  entity_id: number
  to_entity_id: number
  to_entity_type: string
  is_main?: boolean | undefined
  quantity?: number | undefined
  catalog_id?: number | undefined
  price_id?: number | null | undefined
  request_id?: string | number | undefined
}

export interface LinkFilter {
  to_entity_id: number | null
  to_entity_type: EntityType | null
  to_catalog_id: number | null
}

/** A page of a list, and the link after which it begins. */
export interface LinkPlace extends Page {
  after: Position | null
}

export interface LinksPage {
  rows: LinkRow[]
  /** The last link of the page if others follow. */
  next: Position | null
  /** The number of links on all pages. */
  total: number
}

/** Lists the links of these records to visible records, by kind on each page. Hidden records have none. */
export async function listLinks(
  ctx: Context,
  access: Access,
  type: EntityType,
  ids: number[],
  { to_entity_id, to_entity_type, to_catalog_id }: LinkFilter,
  { page, limit, offset, after }: LinkPlace,
): Promise<LinksPage> {
  const kinds = entityTypes[type].links.filter((to) => to_entity_type === null || to === to_entity_type)
  const seen = await findVisibleIds(ctx.db, access, type, ids)
  const range = { ids: seen, kinds, to_entity_id, to_catalog_id }
  const found = await selectLinks(ctx.db, access, range, { limit: limit + 1, offset, after })
  const onPage = found.slice(0, limit)
  const last = found.length > limit ? onPage.at(-1) : undefined
  const next = last ? { value: last.entity_id, id: last.to_entity_id } : null
  const rows = kinds.flatMap((kind) => onPage.filter(({ to_entity_type }) => to_entity_type === kind))
  const total = page === 1 && next === null ? rows.length : await countLinks(ctx.db, access, range)
  return { rows, next, total }
}

/** Records of one kind; elements below the address of their list. */
export interface LinkedKind {
  type: EntityType
  catalog_id?: number
}

/** Lists the links of one record, which must be visible. */
export async function listLinksOf(
  ctx: Context,
  access: Access,
  { type, catalog_id }: LinkedKind,
  id: number,
  filter: LinkFilter,
  place: LinkPlace,
): Promise<LinksPage> {
  const record = await readRecord(ctx.db, access, type, id)
  if (catalog_id !== undefined && record.catalog_id !== catalog_id) throw notFound()
  return listLinks(ctx, access, type, [id], filter, place)
}

/** The links that drafts request, as they are now, in the order of the drafts. */
export async function requestedLinks(
  ctx: Context,
  access: Access,
  type: EntityType,
  drafts: readonly LinkDraft[],
): Promise<LinkRow[]> {
  const ids = [...new Set(drafts.map(({ entity_id }) => entity_id))]
  const to_ids = [...new Set(drafts.map(({ to_entity_id }) => to_entity_id))]
  const seen = await findVisibleIds(ctx.db, access, type, ids)
  const found = await Promise.all(
    entityTypes[type].links.map((to) => linksBetween(ctx.db, access, seen, to, to_ids)),
  )
  const byPair = new Map(found.flat().map((row) => [`${row.entity_id} ${row.to_entity_id}`, row]))
  return drafts.flatMap(({ entity_id, to_entity_id }) => byPair.get(`${entity_id} ${to_entity_id}`) ?? [])
}

/** Adds all links or none. Requires the right to edit one side and see the other. */
export function linkRecords(
  ctx: Context,
  actor: Actor,
  kind: LinkedKind,
  drafts: LinkDraft[],
  place: Place,
): Promise<void> {
  return change(ctx, actor, kind, drafts, place, (pairs) => ({
    add: pairs.map(({ from, to, draft }, i) => ({
      from,
      to,
      ...meta(draft),
      request_id: String(draft.request_id ?? i),
      path: 'to_entity_id',
    })),
    remove: [],
  }))
}

/** Deletes all links or none; missing links are ignored. */
export function unlinkRecords(
  ctx: Context,
  actor: Actor,
  kind: LinkedKind,
  drafts: LinkDraft[],
  place: Place,
): Promise<void> {
  return change(ctx, actor, kind, drafts, place, (pairs) => ({
    add: [],
    remove: pairs.map(({ from, to }) => ({ from, to })),
  }))
}

const meta = ({ is_main, quantity, price_id }: LinkDraft) => ({ is_main, quantity, price_id })

interface Pair {
  from: EntityRow
  to: EntityRow
  draft: LinkDraft
}

async function change(
  ctx: Context,
  actor: Actor,
  { type, catalog_id }: LinkedKind,
  drafts: LinkDraft[],
  place: Place,
  changesOf: (pairs: Pair[]) => Parameters<typeof changeLinks>[3],
): Promise<void> {
  refuseKinds(type, drafts)
  await ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    const near = drafts.map((draft, i) => ({
      ...reference(type, draft.entity_id, draft, i, 'entity_id'),
      ...inList(catalog_id),
    }))
    const far = drafts.map((draft, i) => ({
      ...reference(draft.to_entity_type as EntityType, draft.to_entity_id, draft, i, 'to_entity_id'),
      list: listOf(draft),
    }))
    const found = await lockNamed(tx, access, [...near, ...far])
    const from = requireNamed(access, 'edit', near, found, place)
    const to = requireNamed(access, 'view', far, found, 'item')
    const pairs = drafts.map((draft, i) => ({ draft, from: from[i] as EntityRow, to: to[i] as EntityRow }))
    await changeLinks(ctx, tx, actor, changesOf(pairs))
  })
}

const listOf = ({ to_entity_type, catalog_id }: LinkDraft): RecordReference['list'] =>
  to_entity_type === 'catalog_elements' && catalog_id !== undefined
    ? { id: catalog_id, path: 'metadata.catalog_id' }
    : undefined

const reference = (
  entity_type: EntityType,
  id: number,
  { request_id }: LinkDraft,
  i: number,
  path: string,
): RecordReference => ({ entity_type, id, request_id: String(request_id ?? i), path })

/** Refuses kinds that cannot be linked to this one. */
function refuseKinds(type: EntityType, drafts: LinkDraft[]): void {
  const kinds: readonly string[] = entityTypes[type].links
  const faults = drafts.flatMap(({ to_entity_type, request_id }, i): Fault[] =>
    isEntityType(to_entity_type) && kinds.includes(to_entity_type)
      ? []
      : [
          {
            request_id: String(request_id ?? i),
            code: 'NotSupportedChoice',
            path: 'to_entity_type',
            detail: notAChoice(kinds),
          },
        ],
  )
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}
