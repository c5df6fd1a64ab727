import type { EventAccount } from './event-account.ts'
import type { Marks } from './history.ts'
import { ONCE } from './history-actions.ts'
import { elementType, type Fixtures } from './history-state.ts'

/** A page of the log, and the expected number of events. */
export interface Work {
  name: string
  path: string
  reader: keyof EventAccount['tokens']
  expects: 'many' | 'one' | 'none'
}

const page = (query: Record<string, string | number | (string | number)[]>): string => {
  const all = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((one) => [`${name}[]`, String(one)]) : [[name, String(value)]],
  )
  return `/api/v4/events?${new URLSearchParams([['limit', '250'], ...all] as [string, string][])}`
}

export const firstPage = page({})
const names = 'contact_name,lead_name,company_name,catalog_element_name,customer_name,catalog_name'

/** Pages without a filter, also for restricted people. The deep page is reached by paging first. */
export const plainWorks: Work[] = [
  { name: 'first page, with names', path: page({ with: names }), reader: 'admin', expects: 'many' },
  { name: 'first page, own-only rights, a fifth', path: firstPage, reader: 'fifth', expects: 'many' },
  { name: 'first page, own-only rights, 10 records', path: firstPage, reader: 'few', expects: 'many' },
]

/** Each filter with values that many events have, one old event has, and no event has. */
export const filterWorks = ({ fixtures, marks }: Pick<EventAccount, 'fixtures' | 'marks'>): Work[] => [
  ...typeWorks,
  ...authorWorks(fixtures),
  ...integrationWorks(fixtures),
  ...entityWorks(fixtures, marks),
  ...idWorks(marks),
  ...timeWorks(marks),
  ...stageWorks(fixtures),
  ...responsibleWorks(fixtures),
  ...fieldWorks(fixtures),
  ...numberWorks,
  ...restrictedWorks(fixtures),
]

const work = (
  name: string,
  expects: Work['expects'],
  query: Parameters<typeof page>[0],
  reader: Work['reader'] = 'admin',
): Work => ({ name, path: page(query), reader, expects })

const type = 'filter[type]'
const by = 'filter[created_by]'
const integration = 'filter[integration]'
const entity = 'filter[entity]'
const id = 'filter[entity_id]'
const after = (key: string) => `filter[value_after]${key}`

const typeWorks = [
  work('type', 'many', { [type]: 'lead_status_changed' }),
  work('three types', 'many', { [type]: ['lead_added', 'incoming_call', 'entity_tag_added'] }),
  work('type, a hundred events', 'many', { [type]: 'entity_merged' }),
  work('type, once long ago', 'one', { [type]: 'message_to_cashier_note_added' }),
  work('type, never', 'none', { [type]: 'geo_note_added' }),
  work('three types, never', 'none', { [type]: ['geo_note_added', 'link_followed', 'robot_replied'] }),
]

function authorWorks({ owners, workers, idle, once }: Fixtures): Work[] {
  const [owner, worker] = [owners[1] as number, workers[0] as number]
  const some = [...workers.slice(0, 4), ...idle]
  return [
    work('created_by', 'many', { [by]: owner }),
    work('created_by, ten of whom six did nothing', 'many', { [by]: some }),
    work('created_by, once long ago', 'one', { [by]: once }),
    work('created_by, seven of whom one did one thing', 'one', { [by]: [...idle, once] }),
    work('created_by, never', 'none', { [by]: idle[0] as number }),
    work('created_by and type, both common', 'many', { [by]: worker, [type]: 'lead_status_changed' }),
    work('created_by and type, a hundred events', 'many', { [by]: owner, [type]: 'entity_merged' }),
    work('created_by common, type once', 'none', { [by]: worker, [type]: 'message_to_cashier_note_added' }),
  ]
}

function integrationWorks({ integrations, owners }: Fixtures): Work[] {
  const [busy, rare, idle] = integrations.map(({ id }) => id) as [string, string, string]
  const often = 'lead_status_changed'
  return [
    work('integration', 'many', { [integration]: busy }),
    work('three integrations', 'many', { [integration]: [busy, rare, idle] }),
    work('integration, once long ago', 'one', { [integration]: rare }),
    work('integration, never', 'none', { [integration]: idle }),
    work('integration and type, both common', 'many', { [integration]: busy, [type]: often }),
    work('integration, never, and type', 'none', { [integration]: idle, [type]: often }),
    work('integration, never, and created_by', 'none', { [integration]: idle, [by]: owners[1] as number }),
  ]
}

const entityWorks = (fixtures: Fixtures, { leads, busy }: Marks): Work[] => [
  work('entity', 'many', { [entity]: 'company' }),
  work('entity, task', 'many', { [entity]: 'task' }),
  work('entity, elements of a list', 'many', { [entity]: elementType(fixtures) }),
  work('entity, never', 'none', { [entity]: 'customer' }),
  work('entity and id', 'many', { [entity]: 'lead', [id]: leads[0] as number }),
  work('entity and id, a thousand events', 'many', { [entity]: 'lead', [id]: busy }),
  work('entity and 10 ids', 'many', { [entity]: 'lead', [id]: leads }),
  work('entity and id, never', 'none', { [entity]: 'lead', [id]: 999_999_999 }),
  work('entity and type', 'many', { [entity]: 'contact', [type]: 'incoming_call' }),
]

const idWorks = ({ middle }: Marks): Work[] => [
  work('id', 'one', { 'filter[id]': middle[0] as string }),
  work('ten ids', 'many', { 'filter[id]': middle }),
]

const range = (from: number, to: number) => ({
  'filter[created_at][from]': from,
  'filter[created_at][to]': to,
})
const timeWorks = ({ month: { from, to } }: Marks): Work[] => [
  work('created_at, a month in the middle', 'many', range(from, to)),
  work('created_at, after the middle', 'many', { 'filter[created_at]': from }),
  work('created_at, before everything', 'none', range(1, 1_000)),
  work('created_at in the middle, and type', 'many', { ...range(from, to), [type]: 'lead_status_changed' }),
]

const movedTo = (pipeline_id: number, status_id: number) => ({
  [type]: 'lead_status_changed',
  [after('[leads_statuses][0][pipeline_id]')]: pipeline_id,
  [after('[leads_statuses][0][status_id]')]: status_id,
})
const stageWorks = ({ pipeline_id, stages, stage_once, stage_never }: Fixtures): Work[] => [
  work('leads_statuses', 'many', movedTo(pipeline_id, stages[1] as number)),
  work('leads_statuses, once long ago', 'one', movedTo(pipeline_id, stage_once)),
  work('leads_statuses, never', 'none', movedTo(pipeline_id, stage_never)),
]

const givenTo = (ids: number[]) => ({
  [type]: 'entity_responsible_changed',
  [after('[responsible_user_id]')]: ids.join(','),
})
const responsibleWorks = ({ owners, once, idle }: Fixtures): Work[] => [
  work('responsible_user_id, two', 'many', givenTo(owners.slice(1, 3))),
  work('responsible_user_id, once long ago', 'one', givenTo([once])),
  work('responsible_user_id, never', 'none', givenTo(idle.slice(0, 1))),
]

const changeOf = (field_id: number) => ({ [type]: `custom_field_${field_id}_value_changed` })
const choiceOf = (field_id: number, enum_id: number) => ({
  ...changeOf(field_id),
  [after('[custom_field_values]')]: enum_id,
})
const fieldWorks = ({ select, old_field, choice_once, choice_never }: Fixtures): Work[] => [
  work('custom_field_{id}_value_changed', 'many', changeOf(select.id)),
  work('custom_field_{id}_value_changed, once', 'one', changeOf(old_field.id)),
  work('custom_field_{id}_value_changed, never', 'none', changeOf(999_999_999)),
  work('custom_field_values', 'many', choiceOf(select.id, select.enums[0]?.id as number)),
  work('custom_field_values, once long ago', 'one', choiceOf(select.id, choice_once)),
  work('custom_field_values, never', 'none', choiceOf(select.id, choice_never)),
]

const numberOf = (type_name: string, value: number) => ({ [type]: type_name, [after('[value]')]: value })
const saleOf = (amount: number) => ({ [entity]: 'lead', ...numberOf('sale_field_changed', amount) })
const numberWorks = [
  work('value of sale', 'many', saleOf(5_000)),
  work('value of sale, once long ago', 'one', saleOf(ONCE.sale)),
  work('value of sale, never', 'none', saleOf(987_654_321)),
  work('value of nps', 'many', numberOf('nps_rate_added', 9)),
  work('value of nps, once long ago', 'one', numberOf('nps_rate_added', ONCE.rate)),
]

function restrictedWorks({ pipeline_id, stages, workers, few, integrations }: Fixtures): Work[] {
  const [busy, , idle] = integrations.map(({ id }) => id) as [string, string, string]
  const stage = movedTo(pipeline_id, stages[1] as number)
  return [
    work('own-only rights, a fifth: type', 'many', { [type]: 'lead_status_changed' }, 'fifth'),
    work('own-only rights, a fifth: created_by', 'many', { [by]: workers[0] as number }, 'fifth'),
    work('own-only rights, a fifth: a hundred events', 'many', { [type]: 'entity_merged' }, 'fifth'),
    work('own-only rights, a fifth: leads_statuses', 'many', stage, 'fifth'),
    work('own-only rights, a fifth: integration', 'many', { [integration]: busy }, 'fifth'),
    work('own-only rights, a fifth: integration, never', 'none', { [integration]: idle }, 'fifth'),
    work('own-only rights, 10 records: integration, never', 'none', { [integration]: idle }, 'few'),
    work('own-only rights, 10 records: type', 'many', { [type]: 'common_note_added' }, 'few'),
    work('own-only rights, 10 records: created_by', 'many', { [by]: few }, 'few'),
    work('own-only rights, 10 records: type, never', 'none', { [type]: 'geo_note_added' }, 'few'),
  ]
}
