import { type FindActing, findMembers, withoutActing } from '../accounts/accounts.ts'
import { type FieldSet, parseStored, showValues, valuesText } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import type { LinkRow, LossReasonRow } from '../db/tables.ts'
import { forEachFairly, giveWay, inParts } from '../fair-turns.ts'
import { self } from '../http/hal.ts'
import { knownLossReasons } from '../pipelines/pipelines.ts'
import type { Access } from './access.ts'
import type { EntityType } from './entity-types.ts'
import { isEntityType } from './entity-types.ts'
import { visibleLinks } from './link-queries.ts'
import type { StoredEntity } from './queries.ts'
import { membershipsOf } from './segment-queries.ts'
import { type CarriedTag, tagsOfEntities } from './tag-queries.ts'
import { alwaysEmbedded, type RecordView, type ViewContext, views, type WithName } from './views.ts'

export interface Showing {
  with: ReadonlySet<WithName>
  /** The URL of the surface, without a trailing slash. */
  base: string
  /** Finds the integrations that acted, if they are shown. */
  acting?: FindActing
}

/** Renders the records of a page with their embedded data. */
export async function showRecords(
  db: Db,
  access: Access,
  type: EntityType,
  rows: StoredEntity[],
  fields: FieldSet,
  showing: Showing,
): Promise<RecordView[]> {
  const values = ({ field_values }: StoredEntity) =>
    field_values === null ? null : showValues(fields, parseStored(field_values))
  return showEach(db, access, type, rows, showing, (row, context) =>
    views[type](row, { ...context, values: values(row) }),
  )
}

/** Renders the same records as JSON texts. The text of the values is kept between requests, and is most of a record. */
export async function recordTexts(
  db: Db,
  access: Access,
  type: EntityType,
  rows: StoredEntity[],
  fields: FieldSet,
  showing: Showing,
): Promise<string[]> {
  return showEach(db, access, type, rows, showing, (row, context) => {
    const text = JSON.stringify(views[type](row, { ...context, values: null }))
    if (row.field_values === null) return text
    // Quotes are escaped in texts, so the first match is the member itself.
    const at = text.indexOf(NO_VALUES) + NO_VALUES.length
    return text.slice(0, at - 'null'.length) + valuesText(fields, row.field_values) + text.slice(at)
  })
}

const NO_VALUES = '"custom_fields_values":null'

type Shown<T> = (row: StoredEntity, context: Omit<ViewContext, 'values'>) => T

/** Loads the embedded data of a page, one query for each kind of data and fifty records, and renders each record. */
async function showEach<T>(
  db: Db,
  access: Access,
  type: EntityType,
  rows: StoredEntity[],
  showing: Showing,
  show: Shown<T>,
): Promise<T[]> {
  if (rows.length === 0) return []
  const { account_id } = access.actor
  const ids = rows.map(({ id }) => id)
  const isElement = type === 'catalog_elements'
  const linkedTypes = [
    ...new Set<EntityType>([...alwaysEmbedded[type], ...[...showing.with].filter(isEntityType)]),
  ]
  const { acting = withoutActing } = showing
  const [ofRow, members, tags, segments, reasons, ...links] = await Promise.all([
    acting(rows),
    isElement ? null : findMembers(db, account_id),
    isElement ? [] : inEach(ids, (part) => tagsOfEntities(db, account_id, type, part)),
    type === 'customers' ? inEach(ids, (part) => membershipsOf(db, account_id, part)) : [],
    reasonsOf(db, account_id, rows, showing),
    ...linkedTypes.map((to) => inEach(ids, (part) => visibleLinks(db, access, part, to))),
  ])
  const tagsById = Map.groupBy(tags, ({ entity_id }) => entity_id)
  const segmentsById = Map.groupBy(segments, ({ entity_id }) => entity_id)
  const linksById = links.map((rows) => Map.groupBy(rows, ({ entity_id }) => entity_id))
  const shown: T[] = []
  await forEachFairly(rows, (row) => {
    const embedded: Record<string, unknown> = isElement
      ? {}
      : { tags: (tagsById.get(row.id) ?? []).map(shownTag) }
    if (type === 'customers')
      embedded.segments = (segmentsById.get(row.id) ?? []).map(({ segment_id }) => ({
        id: segment_id,
        _links: self(`${showing.base}/customers/segments/${segment_id}`),
      }))
    linkedTypes.forEach((to, i) => {
      embedded[to] = (linksById[i]?.get(row.id) ?? []).map((link) => shownLink(link, showing.base))
    })
    shown.push(
      show(row, {
        ...showing,
        embedded,
        acting: ofRow,
        group_id: members?.get(row.responsible_user_id)?.group_id ?? 0,
        loss_reason: row.loss_reason_id === null ? undefined : reasons.get(row.loss_reason_id),
      }),
    )
  })
  return shown
}

/** The most records whose tags or links one statement reads: each record can have hundreds. */
const RECORDS_AT_ONCE = 50

async function inEach<Row>(ids: readonly number[], read: (part: number[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (const part of inParts(ids, RECORDS_AT_ONCE)) {
    for (const row of await read(part)) rows.push(row)
    await giveWay()
  }
  return rows
}

async function reasonsOf(
  db: Db,
  account_id: number,
  rows: StoredEntity[],
  showing: Showing,
): Promise<Map<number, LossReasonRow>> {
  if (!showing.with.has('loss_reason')) return new Map()
  return knownLossReasons(db, account_id, [
    ...new Set(rows.flatMap(({ loss_reason_id }) => loss_reason_id ?? [])),
  ])
}

const shownTag = ({ id, name, color }: CarriedTag) => ({ id, name, color })

function shownLink(
  { to_entity_id, to_entity_type, is_main, quantity, catalog_id, price_id }: LinkRow,
  base: string,
) {
  if (to_entity_type === 'catalog_elements')
    return { id: to_entity_id, metadata: { quantity: quantity ?? 1, catalog_id: catalog_id ?? 0, price_id } }
  return {
    id: to_entity_id,
    ...(to_entity_type === 'contacts' && { is_main: is_main === 1 }),
    _links: self(`${base}/${to_entity_type}/${to_entity_id}`),
  }
}
