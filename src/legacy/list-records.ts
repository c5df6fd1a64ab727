import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { listEntities, loadAccess, type NamedStage, recordNames, showRecords } from '../entities/entities.ts'
import type { Company, Contact, Customer, Lead } from '../entities/records/record-schemas.ts'
import { listOf, partsOf, type QueryValue, textOf, withNames } from '../http/queries/bracket-query.ts'
import { LOST, listPipelines, WON } from '../pipelines/pipelines.ts'
import { filterOf, type LegacyQuery, pageOf } from './list-parameters.ts'
import type { RecordKind } from './record-drafts.ts'
import { companyView, contactView, leadView } from './record-views.ts'

/** Linked records that the views show. */
const linked = {
  leads: ['contacts'],
  contacts: ['leads', 'customers'],
  companies: ['leads', 'contacts', 'customers'],
  customers: ['contacts'],
} as const

/** Names in `with` of the second API, by those of v4. `only_deleted` selects the records in the trash instead. */
const parts = {
  only_deleted: 'only_deleted',
  loss_reason_name: 'loss_reason',
  is_price_modified_by_robot: 'is_price_modified_by_robot',
  catalog_elements_links: 'catalog_elements',
} as const
const partNames = Object.keys(parts) as (keyof typeof parts)[]

/** The visible records of a kind in the form of v4, by id, at most 500. */
export async function findRecords(
  ctx: Context,
  actor: Actor,
  kind: RecordKind,
  query: LegacyQuery,
  modified_since: string | undefined,
) {
  const access = await loadAccess(ctx.db, actor)
  const filter = await filterOf(ctx, actor, query, modified_since)
  if (kind === 'leads') Object.assign(filter, tasksIn(query), stagesIn(query))
  const stages = kind === 'leads' && isOfOpenLeads(query) ? await openStages(ctx, actor) : []
  const asked = { filter, stages, ...(query.query !== undefined && { query: query.query }) }
  const named = [...withNames(query.with, partNames)].map((name) => parts[name])
  const shown = new Set([...linked[kind], ...named])
  const options = { page: pageOf(query), after: null, with: shown, base: '' }
  return (await listEntities({ db: ctx.db, access, type: kind }, asked, options, showRecords)).records
}

/** The visible records of a kind in the form of the first API. */
export async function listRecords(
  ctx: Context,
  actor: Actor,
  kind: Exclude<RecordKind, 'customers'>,
  ...asked: [LegacyQuery, string | undefined]
) {
  const records = await findRecords(ctx, actor, kind, ...asked)
  if (kind === 'leads') return (records as Lead[]).map(leadView)
  if (kind === 'companies') return (records as Company[]).map(companyView)
  const companies = await companyNames(ctx, actor, records as Contact[])
  return (records as Contact[]).map((contact) => contactView(contact, { companies }))
}

/** The names of the companies of records, by their ids. */
export function companyNames(
  ctx: Context,
  { account_id }: Actor,
  records: readonly Pick<Lead | Contact | Company | Customer, '_embedded'>[],
): Promise<ReadonlyMap<number, string>> {
  const ids = records
    .flatMap(({ _embedded }) => ('companies' in _embedded ? _embedded.companies : []))
    .map(({ id }) => id)
  return recordNames(ctx.db, account_id, 'company', [...new Set(ids)])
}

/** `filter[tasks]` of the second API, which v4 has, too. */
function tasksIn({ filter }: LegacyQuery): Record<string, QueryValue> {
  const { tasks } = partsOf(filter)
  return tasks === undefined ? {} : { tasks }
}

/** The stages in `status`, in every pipeline that has them. A filter without stages would find every lead. */
function stagesIn({ status }: LegacyQuery): Record<string, QueryValue> {
  if (status === undefined) return {}
  const ids = listOf(status)
  return { statuses: [{ status_id: ids.length > 0 ? ids : '0' }] }
}

/** `filter[active]` of the second API, unless `status` names the stages. */
const isOfOpenLeads = ({ status, filter }: LegacyQuery): boolean =>
  status === undefined && textOf(partsOf(filter).active) === '1'

async function openStages(ctx: Context, actor: Actor): Promise<NamedStage[]> {
  const pipelines = await listPipelines(ctx, actor)
  return pipelines.flatMap(({ id, stages }) =>
    stages
      .filter((stage) => stage.id !== WON && stage.id !== LOST)
      .map((stage) => ({ pipeline_id: id, status_id: stage.id })),
  )
}
