import { type Static, Type } from 'typebox'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { LinkRow } from '../db/tables.ts'
import {
  type Access,
  type LinkDraft,
  linkRecords,
  listLinks,
  loadAccess,
  unlinkRecords,
} from '../entities/entities.ts'
import { type EntityType, entityTypes, isEntityType } from '../entities/records/entity-types.ts'
import { invalid, notAChoice } from '../errors.ts'
import { listOf, partsOf, type QueryValue, textOf } from '../http/queries/bracket-query.ts'
import { numberOf } from '../http/queries/query-values.ts'
import { listIn, numberIn } from './members.ts'
import { asOne, type Batch, inBatch, MAX_ITEMS } from './requests.ts'

/** Links in the legacy form (docs/wire/legacy.md#links). */
export const LegacyLink = Type.Object(
  {
    from: Type.Enum(Object.keys(entityTypes) as EntityType[]),
    from_id: Type.Integer({ description: 'The id of the record of the kind `from`.' }),
    to: Type.Enum(Object.keys(entityTypes) as EntityType[]),
    to_id: Type.Integer({ description: 'The id of the record of the kind `to`.' }),
    quantity: Type.Optional(Type.Number({ description: 'Of an element.' })),
  },
  { title: 'LegacyLink' },
)
export type LegacyLink = Static<typeof LegacyLink>

/** A link between a contact and a lead. */
export const LeadLink = Type.Object(
  { contact_id: Type.Integer(), lead_id: Type.Integer() },
  { title: 'LegacyLeadLink' },
)

/** The most links that one answer has. */
const MOST = 500

/** The links between contacts and leads that have the ids in `contacts_link` or in `deals_link`. */
export async function listLeadLinks(
  ctx: Context,
  actor: Actor,
  asked: { contacts_link?: unknown; deals_link?: unknown; limit_rows: number; limit_offset: number },
): Promise<Static<typeof LeadLink>[]> {
  const isByLead = asked.deals_link !== undefined
  const name = isByLead ? 'deals_link' : 'contacts_link'
  const ids = listOf(asked[name] as QueryValue | undefined).map((id) => numberOf(name, id))
  if (ids.length === 0) throw invalid(name, 'FieldMissing', 'This parameter names contacts or leads.')
  if (ids.length > MAX_ITEMS) throw invalid(name, 'TooMany', `A request names at most ${MAX_ITEMS} ids.`)
  const [from, to]: EntityType[] = isByLead ? ['leads', 'contacts'] : ['contacts', 'leads']
  const range = { limit: asked.limit_rows, offset: asked.limit_offset }
  const access = await loadAccess(ctx.db, actor)
  const rows = await linksOf(ctx, access, from as EntityType, ids, { to, to_id: null, ...range })
  return rows.map(({ entity_id, to_entity_id }) =>
    isByLead
      ? { contact_id: to_entity_id, lead_id: entity_id }
      : { contact_id: entity_id, lead_id: to_entity_id },
  )
}

async function linksOf(
  ctx: Context,
  access: Access,
  from: EntityType,
  ids: number[],
  range: { to: EntityType | undefined; to_id: number | null; limit: number; offset: number },
): Promise<LinkRow[]> {
  const { to, to_id, limit, offset } = range
  const filter = { to_entity_id: to_id, to_entity_type: to ?? null, to_catalog_id: null }
  const place = { page: 1, limit, offset, after: null }
  return (await listLinks(ctx, access, from, ids, filter, place)).rows
}

/** The links of the records that `links` names by `from`, `from_id` and perhaps `to` and `to_id`. */
export async function listLegacyLinks(
  ctx: Context,
  actor: Actor,
  links: QueryValue | undefined,
): Promise<LegacyLink[]> {
  const asked = typeof links === 'object' ? Object.values(links).map(partsOf) : []
  if (asked.length === 0) throw invalid('links', 'FieldMissing', 'This parameter names records.')
  if (asked.length > MOST_RECORDS)
    throw invalid('links', 'TooMany', `A request names at most ${MOST_RECORDS} records.`)
  const named = asked.map(({ from, from_id, to, to_id }, i) => ({
    type: kindOf(textOf(from), `links.${i}.from`),
    id: numberOf(`links.${i}.from_id`, textOf(from_id)),
    to: to === undefined ? undefined : kindOf(textOf(to), `links.${i}.to`),
    to_id: to_id === undefined ? null : numberOf(`links.${i}.to_id`, textOf(to_id)),
  }))
  const access = await loadAccess(ctx.db, actor)
  const found: LegacyLink[] = []
  for (const { type, id, to, to_id } of named) {
    const limit = MOST - found.length
    if (limit === 0) break
    const rows = await linksOf(ctx, access, type, [id], { to, to_id, limit, offset: 0 })
    found.push(...rows.map((row) => view(type, row)))
  }
  return found
}

/** The most records whose links are listed at once. */
const MOST_RECORDS = 50

const view = (from: EntityType, row: LinkRow): LegacyLink => ({
  from,
  from_id: row.entity_id,
  to: row.to_entity_type as EntityType,
  to_id: row.to_entity_id,
  ...(row.quantity !== null && { quantity: row.quantity }),
})

function kindOf(name: unknown, path: string): EntityType {
  if (typeof name === 'string' && isEntityType(name)) return name
  throw invalid(path, 'NotSupportedChoice', notAChoice(Object.keys(entityTypes)))
}

/** Adds links and takes links away, all of them or none. */
export async function setLegacyLinks(
  ctx: Context,
  actor: Actor,
  batches: { link: Batch; unlink: Batch },
): Promise<{ link: LegacyLink[]; unlink: LegacyLink[] }> {
  const link = batches.link.items.map((item, i) => linkIn(item, `${batches.link.at}.${i}`))
  const unlink = batches.unlink.items.map((item, i) => linkIn(item, `${batches.unlink.at}.${i}`))
  await asOne(async () => {
    for (const [type, drafts] of draftsOf(link))
      await inBatch(batches.link, () => linkRecords(ctx, actor, { type }, drafts, 'item'))
    for (const [type, drafts] of draftsOf(unlink))
      await inBatch(batches.unlink, () => unlinkRecords(ctx, actor, { type }, drafts, 'item'))
  })
  return { link: link.map(({ link }) => link), unlink: unlink.map(({ link }) => link) }
}

/** The largest quantity of an element. */
const MOST_OF_ONE = 1e15

interface Written {
  link: LegacyLink
  catalog_id: number | undefined
}

function linkIn(item: Batch['items'][number], path: string): Written {
  const [from, to] = [kindOf(item.from, `${path}.from`), kindOf(item.to, `${path}.to`)]
  const idOf = (name: string): number | undefined => {
    const id = listIn(item[name]).map(numberIn)[0]
    if (id === undefined || (Number.isSafeInteger(id) && (id as number) > 0)) return id as number | undefined
    throw invalid(`${path}.${name}`, 'InvalidType', 'This value should be an id.')
  }
  const needed = (name: string): number => {
    const id = idOf(name)
    if (id === undefined) throw invalid(`${path}.${name}`, 'FieldMissing', 'This field is missing.')
    return id
  }
  const quantity = numberIn(item.quantity)
  if (quantity !== undefined && !(typeof quantity === 'number' && quantity > 0 && quantity <= MOST_OF_ONE))
    throw invalid(`${path}.quantity`, 'InvalidType', 'This value should be a number above 0.')
  const link = { from, from_id: needed('from_id'), to, to_id: needed('to_id') }
  return {
    link: { ...link, ...(quantity !== undefined && { quantity: quantity as number }) },
    catalog_id: idOf(from === 'catalog_elements' ? 'from_catalog_id' : 'to_catalog_id'),
  }
}

/** The links by the kind of the record from which they go. An element is always the other side. */
function draftsOf(written: readonly Written[]): Map<EntityType, LinkDraft[]> {
  const drafts = written.map(({ link, catalog_id }, request_id) => {
    const isBackward = link.from === 'catalog_elements'
    const [type, id] = isBackward ? [link.to, link.to_id] : [link.from, link.from_id]
    return {
      type,
      draft: {
        entity_id: id,
        to_entity_id: isBackward ? link.from_id : link.to_id,
        to_entity_type: isBackward ? link.from : link.to,
        quantity: link.quantity,
        catalog_id,
        request_id,
      },
    }
  })
  return new Map(
    [...Map.groupBy(drafts, ({ type }) => type)].map(([type, own]) => [type, own.map(({ draft }) => draft)]),
  )
}
