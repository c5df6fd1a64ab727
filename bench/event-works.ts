import type { EventAccount } from './event-account.ts'
import { ONCE } from './story-actions.ts'
import { elementType } from './story-parts.ts'

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
export function filterWorks({ cast, marks }: Pick<EventAccount, 'cast' | 'marks'>): Work[] {
  const { pipeline_id, select, old_field, owners, workers, idle, once } = cast
  const [owner, worker] = [owners[1] as number, workers[0] as number]
  const works: Work[] = []
  const add = (
    name: string,
    expects: Work['expects'],
    query: Parameters<typeof page>[0],
    reader?: Work['reader'],
  ) => works.push({ name, path: page(query), reader: reader ?? 'admin', expects })

  const type = 'filter[type]'
  add('type', 'many', { [type]: 'lead_status_changed' })
  add('three types', 'many', { [type]: ['lead_added', 'incoming_call', 'entity_tag_added'] })
  add('type, a hundred events', 'many', { [type]: 'entity_merged' })
  add('type, once long ago', 'one', { [type]: 'message_to_cashier_note_added' })
  add('type, never', 'none', { [type]: 'geo_note_added' })
  add('three types, never', 'none', { [type]: ['geo_note_added', 'link_followed', 'robot_replied'] })

  const by = 'filter[created_by]'
  add('created_by', 'many', { [by]: owner })
  add('created_by, ten of whom six did nothing', 'many', { [by]: [...workers.slice(0, 4), ...idle] })
  add('created_by, once long ago', 'one', { [by]: once })
  add('created_by, seven of whom one did one thing', 'one', { [by]: [...idle, once] })
  add('created_by, never', 'none', { [by]: idle[0] as number })
  add('created_by and type, both common', 'many', { [by]: worker, [type]: 'lead_status_changed' })
  add('created_by and type, a hundred events', 'many', { [by]: owner, [type]: 'entity_merged' })
  add('created_by common, type once', 'none', { [by]: worker, [type]: 'message_to_cashier_note_added' })

  const entity = 'filter[entity]'
  const id = 'filter[entity_id]'
  add('entity', 'many', { [entity]: 'company' })
  add('entity, task', 'many', { [entity]: 'task' })
  add('entity, elements of a list', 'many', { [entity]: elementType(cast) })
  add('entity, never', 'none', { [entity]: 'customer' })
  add('entity and id', 'many', { [entity]: 'lead', [id]: marks.leads[0] as number })
  add('entity and id, a thousand events', 'many', { [entity]: 'lead', [id]: marks.busy })
  add('entity and 10 ids', 'many', { [entity]: 'lead', [id]: marks.leads })
  add('entity and id, never', 'none', { [entity]: 'lead', [id]: 999_999_999 })
  add('entity and type', 'many', { [entity]: 'contact', [type]: 'incoming_call' })

  add('id', 'one', { 'filter[id]': marks.middle[0] as string })
  add('ten ids', 'many', { 'filter[id]': marks.middle })

  const { from, to } = marks.month
  const range = (from: number, to: number) => ({
    'filter[created_at][from]': from,
    'filter[created_at][to]': to,
  })
  add('created_at, a month in the middle', 'many', range(from, to))
  add('created_at, after the middle', 'many', { 'filter[created_at]': from })
  add('created_at, before everything', 'none', range(1, 1_000))
  add('created_at in the middle, and type', 'many', { ...range(from, to), [type]: 'lead_status_changed' })

  const after = (key: string) => `filter[value_after]${key}`
  const stage = (status_id: number) => ({
    [type]: 'lead_status_changed',
    [after('[leads_statuses][0][pipeline_id]')]: pipeline_id,
    [after('[leads_statuses][0][status_id]')]: status_id,
  })
  add('leads_statuses', 'many', stage(cast.stages[1] as number))
  add('leads_statuses, once long ago', 'one', stage(cast.stage_once))
  add('leads_statuses, never', 'none', stage(cast.stage_never))

  const responsible = (ids: number[]) => ({
    [type]: 'entity_responsible_changed',
    [after('[responsible_user_id]')]: ids.join(','),
  })
  add('responsible_user_id, two', 'many', responsible([owner, owners[2] as number]))
  add('responsible_user_id, once long ago', 'one', responsible([once]))
  add('responsible_user_id, never', 'none', responsible([idle[0] as number]))

  const changed = (field: { id: number }) => ({ [type]: `custom_field_${field.id}_value_changed` })
  const choice = (enum_id: number) => ({ ...changed(select), [after('[custom_field_values]')]: enum_id })
  add('custom_field_{id}_value_changed', 'many', changed(select))
  add('custom_field_{id}_value_changed, once', 'one', changed(old_field))
  add('custom_field_{id}_value_changed, never', 'none', changed({ id: 999_999_999 }))
  add('custom_field_values', 'many', choice(select.enums[0]?.id as number))
  add('custom_field_values, once long ago', 'one', choice(cast.choice_once))
  add('custom_field_values, never', 'none', choice(cast.choice_never))

  const value = (type_name: string, value: number) => ({ [type]: type_name, [after('[value]')]: value })
  const sale = (amount: number) => ({ [entity]: 'lead', ...value('sale_field_changed', amount) })
  add('value of sale', 'many', sale(5_000))
  add('value of sale, once long ago', 'one', sale(ONCE.sale))
  add('value of sale, never', 'none', sale(987_654_321))
  add('value of nps', 'many', value('nps_rate_added', 9))
  add('value of nps, once long ago', 'one', value('nps_rate_added', ONCE.rate))

  add('own-only rights, a fifth: type', 'many', { [type]: 'lead_status_changed' }, 'fifth')
  add('own-only rights, a fifth: created_by', 'many', { [by]: worker }, 'fifth')
  add('own-only rights, a fifth: a hundred events', 'many', { [type]: 'entity_merged' }, 'fifth')
  add('own-only rights, a fifth: leads_statuses', 'many', stage(cast.stages[1] as number), 'fifth')
  add('own-only rights, 10 records: type', 'many', { [type]: 'common_note_added' }, 'few')
  add('own-only rights, 10 records: created_by', 'many', { [by]: cast.few }, 'few')
  add('own-only rights, 10 records: type, never', 'none', { [type]: 'geo_note_added' }, 'few')
  return works
}
