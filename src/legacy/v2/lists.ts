import { type Static, Type } from 'typebox'
import type { Actor } from '../../accounts/accounts.ts'
import { addCatalogs, changeCatalogs, listCatalogs, removeCatalog } from '../../catalogs/catalogs.ts'
import { CatalogInBatch, NewCatalog } from '../../catalogs/schemas.ts'
import type { Context } from '../../context.ts'
import type { CatalogRow } from '../../db/tables.ts'
import { loadAccess } from '../../entities/entities.ts'
import { listOf } from '../../http/queries/bracket-query.ts'
import type { LegacyQuery } from '../list-parameters.ts'
import { draftOf, flagIn, type Item, numberIn, type Translate, textIn, to } from '../members.ts'
import { asOne, type Batch, inBatch, requestIdOf, validated } from '../requests.ts'
import { Links, linksById } from './bodies.ts'

/** A list as the second API has it. */
export const V2List = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created_by: Type.Integer(),
    created_at: Type.Integer(),
    sort: Type.Integer(),
    type: Type.String(),
    can_add_elements: Type.Boolean(),
    can_show_in_cards: Type.Boolean(),
    can_link_multiple: Type.Boolean(),
    sdk_widget_code: Type.Union([Type.String(), Type.Null()]),
    widgets: Type.Array(Type.Unknown(), { maxItems: 0, description: 'Always empty.' }),
    _links: Links,
  },
  { title: 'V2Catalog' },
)

/** The lists that the person sees. */
export async function findV2Lists(
  ctx: Context,
  actor: Actor,
  { id, limit_rows, limit_offset }: LegacyQuery,
): Promise<Static<typeof V2List>[]> {
  const named = listOf(id).map(Number)
  const lists = await listCatalogs(ctx.db, await loadAccess(ctx.db, actor))
  return lists
    .filter((list) => id === undefined || named.includes(list.id))
    .slice(limit_offset, limit_offset + limit_rows)
    .map(listView)
}

const listView = (row: CatalogRow): Static<typeof V2List> => ({
  id: row.id,
  name: row.name,
  created_by: row.created_by,
  created_at: row.created_at,
  sort: row.sort,
  type: row.type,
  can_add_elements: row.can_add_elements === 1,
  can_show_in_cards: row.can_show_in_cards === 1,
  can_link_multiple: row.can_link_multiple === 1,
  sdk_widget_code: row.sdk_widget_code,
  widgets: [],
  _links: linksById('catalogs', row.id),
})

const members: Record<string, Translate> = {
  id: to('id', numberIn),
  name: to('name', textIn),
  type: to('type'),
  sort: to('sort', numberIn),
  can_add_elements: to('can_add_elements', flagIn),
  can_show_in_cards: to('can_show_in_cards', flagIn),
  can_link_multiple: to('can_link_multiple', flagIn),
}

const draftsOf = ({ items }: Batch) => items.map((item) => draftOf(item, members))

/** Adds, changes and deletes lists, all of them or none. */
export function setV2Lists(
  ctx: Context,
  actor: Actor,
  { add, update, gone }: { add: Batch; update: Batch; gone: readonly number[] },
) {
  const drafts = validated(NewCatalog, draftsOf(add), add)
  const patches = validated(CatalogInBatch, draftsOf(update), update)
  return asOne(async () => {
    const added = drafts.length > 0 ? await inBatch(add, () => addCatalogs(ctx, actor, drafts)) : []
    const changed =
      patches.length > 0 ? await inBatch(update, () => changeCatalogs(ctx, actor, patches, 'item')) : []
    for (const id of gone) await removeCatalog(ctx, actor, id)
    return {
      add: added.map(({ id }, i) => ({ id, request_id: requestIdOf(add.items[i] as Item, i) })),
      update: changed.map(({ id, updated_at }) => ({ id, last_modified: updated_at })),
    }
  })
}
