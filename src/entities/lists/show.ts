import { type FindActing, findMembers, withoutActing } from '../../accounts/accounts.ts'
import { type FieldSet, valuesText } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { readingTogether } from '../../db/query-batches.ts'
import type { LossReasonRow } from '../../db/tables.ts'
import { forEachFairly, giveWay, inParts } from '../../fair-turns.ts'
import { quotedText } from '../../http/bodies/json-text.ts'
import { knownLossReasons } from '../../pipelines/pipelines.ts'
import type { Access } from '../records/access.ts'
import { type EntityType, isEntityType } from '../records/entity-types.ts'
import type { LeadSource, LeadSources } from '../records/lead-sources.ts'
import { embeddedLinks } from '../records/link-queries.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { membershipsOf } from '../records/membership-queries.ts'
import type { StoredEntity } from '../records/queries.ts'
import { alwaysEmbedded, type RecordView, type WithName } from '../records/views.ts'
import { shownVersion } from '../saving/versions.ts'
import { tagsOfEntities } from '../tags/tag-queries.ts'
import type { RecordReader } from './record-list.ts'
import { type TextContext, texts } from './record-texts.ts'

export interface Showing {
  with: ReadonlySet<WithName>
  /** The URL of the surface, without a trailing slash. */
  base: string
  /** Finds the integrations that acted, if they are shown. */
  acting?: FindActing
  /** Finds the sources of leads, if they are shown. */
  sources?: LeadSources['byId']
}

/** Renders the records of a page with their embedded data. */
export async function showRecords(
  reader: RecordReader,
  rows: ListedEntity[],
  fields: FieldSet,
  showing: Showing,
): Promise<RecordView[]> {
  const shown = await recordTexts(reader, rows, fields, showing)
  return shown.map((text) => JSON.parse(text))
}

/** Renders the same records as JSON texts. */
export const recordTexts = (
  reader: RecordReader,
  rows: ListedEntity[],
  fields: FieldSet,
  showing: Showing,
): Promise<string[]> => showEach(reader, rows, fields, showing, texts[reader.type])

/** A record as JSON text, with its version. */
export interface ShownRecord {
  text: string
  version: string
}

/** Renders one record. */
export async function showRecord(
  db: Db,
  access: Access,
  row: StoredEntity,
  fields: FieldSet,
  showing: Showing,
): Promise<ShownRecord> {
  const type = row.entity_type as EntityType
  const [shown] = await showEach({ db, access, type }, [row], fields, showing, (row, context) => ({
    text: texts[type](row, context),
    version: shownVersion(row, context.tags),
  }))
  return shown as ShownRecord
}

const none: readonly never[] = []

type Show<Row, T> = (row: Row, context: TextContext) => T

/** Loads the embedded data of a page, one query for each kind of data and part of the page, and renders each record. */
async function showEach<Row extends ListedEntity, T>(
  { db, access, type }: RecordReader,
  rows: Row[],
  fields: FieldSet,
  showing: Showing,
  show: Show<Row, T>,
): Promise<T[]> {
  if (rows.length === 0) return []
  const { account_id } = access.actor
  const ids = rows.map(({ id }) => id)
  const isElement = type === 'catalog_elements'
  const linkedTypes = [
    ...new Set<EntityType>([...alwaysEmbedded[type], ...[...showing.with].filter(isEntityType)]),
  ]
  const { acting = withoutActing } = showing
  const page = readingTogether(db, ids.length)
  const [ofRow, members, tags, segments, reasons, sources, ...links] = await Promise.all([
    acting(rows),
    isElement ? null : findMembers(db, account_id),
    isElement ? [] : inEach(page, ids, (part) => tagsOfEntities(page, account_id, type, part)),
    type === 'customers' ? inEach(page, ids, (part) => membershipsOf(page, account_id, part)) : [],
    reasonsOf(db, account_id, rows, showing),
    sourcesOf(db, account_id, rows, showing),
    ...linkedTypes.map((to) => inEach(page, ids, (part) => embeddedLinks(page, access, part, to))),
  ])
  const tagsById = Map.groupBy(tags, ({ entity_id }) => entity_id)
  const segmentsById = Map.groupBy(segments, ({ entity_id }) => entity_id)
  const linksById = links.map((rows) => Map.groupBy(rows, ({ entity_id }) => entity_id))
  const base = quotedText(showing.base)
  const tagTexts = new Map<number, string>()
  const shown: T[] = []
  await forEachFairly(rows, (row) => {
    shown.push(
      show(row, {
        account_id,
        base,
        with: showing.with,
        values: row.field_values === null ? 'null' : valuesText(fields, row.id, row.field_values),
        acting: ofRow,
        group_id: members?.get(row.responsible_user_id)?.group_id ?? 0,
        tags: tagsById.get(row.id) ?? none,
        tagTexts,
        segments: segmentsById.get(row.id)?.map(({ segment_id }) => segment_id) ?? none,
        links: linkedTypes.map((to, i) => [to, linksById[i]?.get(row.id) ?? none]),
        loss_reason: row.loss_reason_id === null ? undefined : reasons.get(row.loss_reason_id),
        source: row.source_id === null ? undefined : sources.get(row.source_id),
      }),
    )
  })
  return shown
}

/** The most records whose tags or links one statement reads on the event loop: each record can have hundreds. */
const RECORDS_AT_ONCE = 50
/**
 * So many rows take about a millisecond. A page has fewer, unless its records have many tags or links, and is not
 * interrupted only because other pages are read in the same turn of the event loop.
 */
const ROWS_A_SLICE = 1_000

async function inEach<Row>(
  db: Db,
  ids: readonly number[],
  read: (part: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (isPostgres(db)) return read(ids)
  const rows: Row[] = []
  let next = ROWS_A_SLICE
  for (const part of inParts(ids, RECORDS_AT_ONCE)) {
    for (const row of await read(part)) rows.push(row)
    if (rows.length < next) continue
    await giveWay()
    next = rows.length + ROWS_A_SLICE
  }
  return rows
}

async function reasonsOf(
  db: Db,
  account_id: number,
  rows: ListedEntity[],
  showing: Showing,
): Promise<Map<number, LossReasonRow>> {
  if (!showing.with.has('loss_reason')) return new Map()
  return knownLossReasons(db, account_id, [
    ...new Set(rows.flatMap(({ loss_reason_id }) => loss_reason_id ?? [])),
  ])
}

async function sourcesOf(
  db: Db,
  account_id: number,
  rows: ListedEntity[],
  { with: names, sources }: Showing,
): Promise<Map<number, LeadSource>> {
  const ids = names.has('source') ? [...new Set(rows.flatMap(({ source_id }) => source_id ?? []))] : []
  if (ids.length === 0 || !sources) return new Map()
  return new Map((await sources(db, account_id, ids)).map((source) => [source.id, source]))
}
