import type { ShowActing } from '../../accounts/accounts.ts'
import type { EntityRow, LinkRow, LossReasonRow } from '../../db/tables.ts'
import { furtherText } from '../../http/bodies/json-text.ts'
import { amountOf, roundedAverage } from '../records/amount-types.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { LeadSource } from '../records/lead-sources.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import type { WithName } from '../records/views.ts'
import type { CarriedTag } from '../tags/tag-queries.ts'

/**
 * Records as JSON text, joined from the columns of a row: objects that are serialised take three times as long. The
 * schemas in `record-schemas.ts` describe the same members in the same order.
 */

/** Data for the text of a record besides its row, loaded once per page. */
export interface TextContext {
  account_id: number
  /** The URL of the surface as in a JSON text, without a trailing slash. */
  base: string
  /** `custom_fields_values` as JSON text. */
  values: string
  group_id: number
  with: ReadonlySet<WithName>
  tags: readonly CarriedTag[]
  /** The texts of the page's tags so far, by id. */
  tagTexts: Map<number, string>
  /** The segments of a customer. */
  segments: readonly number[]
  /** The linked records of each kind that is embedded. */
  links: readonly (readonly [EntityType, readonly LinkRow[]])[]
  loss_reason: LossReasonRow | undefined
  source: LeadSource | undefined
  /** Shows the integrations that acted. */
  acting: ShowActing
}

/** Joins the text of a record from columns that lists of its kind read. */
type Text<T extends EntityType> = (row: ListedEntity<T>, context: TextContext) => string

/** Joins members that several kinds have. */
type Part<Column extends keyof EntityRow> = (row: Pick<EntityRow, Column>, context: TextContext) => string

const selfOf = (href: string): string => `"_links":{"self":{"href":"${href}"}}`

const signature: Part<
  | 'created_by'
  | 'updated_by'
  | 'created_by_integration'
  | 'updated_by_integration'
  | 'created_at'
  | 'updated_at'
> = (row, { acting }) =>
  `"created_by":${row.created_by},"updated_by":${row.updated_by}${furtherText(acting(row))},"created_at":${row.created_at},"updated_at":${row.updated_at}`

/** Members that cards of the other kinds have at their end. */
const ending = (type: EntityType, { id }: Pick<EntityRow, 'id'>, { account_id, base }: TextContext): string =>
  `"account_id":${account_id},${selfOf(`${base}/${type}/${id}`)}`

const person: Part<'responsible_user_id'> = (row, { group_id }) =>
  `"responsible_user_id":${row.responsible_user_id},"group_id":${group_id}`

const task: Part<'closest_task_at'> = (row) => `"closest_task_at":${row.closest_task_at}`
const deleted: Part<'is_deleted'> = (row) => `"is_deleted":${row.is_deleted === 1}`
const named: Part<'id' | 'name'> = (row) => `"id":${row.id},"name":${JSON.stringify(row.name)}`

function embedded({ tags, tagTexts, links, base }: TextContext): string {
  let text = `"tags":[${tags.map((tag) => tagText(tag, tagTexts)).join(',')}]`
  for (const [type, rows] of links) text += `,"${type}":[${rows.map((row) => linkText(row, base)).join(',')}]`
  return text
}

function tagText({ id, name, color }: CarriedTag, texts: Map<number, string>): string {
  let text = texts.get(id)
  if (text === undefined) {
    text = JSON.stringify({ id, name, color })
    texts.set(id, text)
  }
  return text
}

function linkText(link: LinkRow, base: string): string {
  const { to_entity_id: id, to_entity_type: type } = link
  if (type === 'catalog_elements')
    return `{"id":${id},"metadata":{"quantity":${link.quantity ?? 1},"catalog_id":${link.catalog_id ?? 0},"price_id":${link.price_id}}}`
  const main = type === 'contacts' ? `"is_main":${link.is_main === 1},` : ''
  return `{"id":${id},${main}${selfOf(`${base}/${type}/${id}`)}}`
}

const leadText: Text<'leads'> = (row, context) => {
  const byRobot = context.with.has('is_price_modified_by_robot') ? ',"is_price_modified_by_robot":false' : ''
  const reason = context.with.has('loss_reason') ? `,"loss_reason":[${lossReason(context)}]` : ''
  const source = context.with.has('source') ? `,"source":${sourceText(context)}` : ''
  return `{${named(row, context)},"price":${row.price ?? 0},"price_with_minor_units":${amountOf(row, 'price')},${person(row, context)},"status_id":${row.status_id ?? 0},"pipeline_id":${row.pipeline_id ?? 0},"loss_reason_id":${row.loss_reason_id},"source_id":${row.source_id},${signature(row, context)},"closed_at":${row.closed_at},${task(row, context)},${deleted(row, context)},"custom_fields_values":${context.values},"score":null,"account_id":${context.account_id},"labor_cost":null,"is_price_computed":false${byRobot},${selfOf(`${context.base}/leads/${row.id}`)},"_embedded":{${embedded(context)}${reason}${source}}}`
}

/** Null if the source was deleted. */
const sourceText = ({ source }: TextContext): string =>
  source ? `{"id":${source.id},"name":${JSON.stringify(source.name)}}` : 'null'

/** The only item of an array, as on the platform. */
function lossReason({ loss_reason: reason, base }: TextContext): string {
  if (!reason) return ''
  const { id, name, sort, created_at, updated_at } = reason
  return `{"id":${id},"name":${JSON.stringify(name)},"sort":${sort},"created_at":${created_at},"updated_at":${updated_at},${selfOf(`${base}/leads/loss_reasons/${id}`)}}`
}

const contactText: Text<'contacts'> = (row, context) =>
  `{${named(row, context)},"first_name":${JSON.stringify(row.first_name ?? '')},"last_name":${JSON.stringify(row.last_name ?? '')},${person(row, context)},${signature(row, context)},${deleted(row, context)},"is_unsorted":${row.is_unsorted === 1},${task(row, context)},"custom_fields_values":${context.values},${ending('contacts', row, context)},"_embedded":{${embedded(context)}}}`

const companyText: Text<'companies'> = (row, context) =>
  `{${named(row, context)},${person(row, context)},${signature(row, context)},${deleted(row, context)},${task(row, context)},"custom_fields_values":${context.values},${ending('companies', row, context)},"_embedded":{${embedded(context)}}}`

const customerText: Text<'customers'> = (row, context) => {
  const [ltv, count] = [amountOf(row, 'ltv'), row.purchases_count ?? 0]
  const check = count > 0 ? ltv / count : 0
  const segments = context.segments.map(
    (id) => `{"id":${id},${selfOf(`${context.base}/customers/segments/${id}`)}}`,
  )
  return `{${named(row, context)},"next_price":${row.next_price ?? 0},"next_price_with_minor_units":${amountOf(row, 'next_price')},"next_date":${row.next_date},"responsible_user_id":${row.responsible_user_id},"status_id":${row.status_id ?? 0},"periodicity":${row.periodicity ?? 0},${signature(row, context)},${task(row, context)},${deleted(row, context)},"custom_fields_values":${context.values},"ltv":${row.ltv ?? 0},"ltv_with_minor_units":${ltv},"purchases_count":${count},"average_check":${Math.round(check)},"average_check_with_minor_units":${roundedAverage(check)},${ending('customers', row, context)},"_embedded":{"segments":[${segments.join(',')}],${embedded(context)}}}`
}

const elementText: Text<'catalog_elements'> = (row, context) => {
  // This server prints no invoices.
  const invoice = context.with.has('invoice_link') ? ',"invoice_link":null' : ''
  const href = `${context.base}/catalogs/${row.catalog_id}/elements/${row.id}`
  return `{${named(row, context)},${signature(row, context)},${deleted(row, context)},"custom_fields_values":${context.values},"catalog_id":${row.catalog_id ?? 0},"account_id":${context.account_id}${invoice},${selfOf(href)}}`
}

/** The text of a record of each kind. */
export const texts: { [T in EntityType]: Text<T> } = {
  leads: leadText,
  contacts: contactText,
  companies: companyText,
  customers: customerText,
  catalog_elements: elementText,
}
