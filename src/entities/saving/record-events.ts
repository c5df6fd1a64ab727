import { changedFields, type FieldSet } from '../../custom-fields/custom-fields.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { EventDraft } from '../../events/event-types.ts'
import { type EntityType, entityTypes, eventEntityType } from '../records/entity-types.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import type { References } from './references.ts'

/** Events of a new record: its creation and its initial data. `note_id` is the note that marks its creation. */
export function additionEvents(
  copy: WorkingCopy,
  references: References,
  note_id: number | undefined,
): EventDraft[] {
  const { row } = copy
  const about = { entity_type: eventEntityType(row), entity_id: row.id }
  const { added } = entityTypes[row.entity_type as EntityType].events
  return [
    ...(added && note_id !== undefined
      ? [{ type: added, ...about, after: [{ note: { id: note_id } }] }]
      : []),
    ...fieldEvents(copy, references.fields),
    ...tagEvents(copy, references),
  ]
}

/** Events of a change: one for each difference. */
export function changeEvents(copy: WorkingCopy, references: References): EventDraft[] {
  const { before, row } = copy
  if (!before) return []
  const about = { entity_type: eventEntityType(row), entity_id: row.id }
  const events: EventDraft[] = []
  if (before.name !== row.name)
    events.push({
      type: 'name_field_changed',
      ...about,
      before: [{ name_field_value: { name: before.name } }],
      after: [{ name_field_value: { name: row.name } }],
    })
  if (before.price !== row.price)
    events.push({
      type: 'sale_field_changed',
      ...about,
      before: [{ sale_field_value: { sale: before.price ?? 0 } }],
      after: [{ sale_field_value: { sale: row.price ?? 0 } }],
    })
  events.push(...stageEvents(before, row))
  if (before.ltv !== row.ltv)
    events.push({
      type: 'ltv_field_changed',
      ...about,
      before: [{ ltv_field_value: { ltv: before.ltv ?? 0 } }],
      after: [{ ltv_field_value: { ltv: row.ltv ?? 0 } }],
    })
  if (before.responsible_user_id !== row.responsible_user_id)
    events.push({
      type: 'entity_responsible_changed',
      ...about,
      before: [{ responsible_user: { id: before.responsible_user_id } }],
      after: [{ responsible_user: { id: row.responsible_user_id } }],
    })
  events.push(...fieldEvents(copy, references.fields), ...tagEvents(copy, references))
  return events
}

/** The event of a lead or a customer that gets another stage. */
export function stageEvents(before: EntityRow, row: EntityRow): EventDraft[] {
  const about = { entity_type: eventEntityType(row), entity_id: row.id }
  if (
    row.entity_type === 'leads' &&
    (before.status_id !== row.status_id || before.pipeline_id !== row.pipeline_id)
  )
    return [
      {
        type: 'lead_status_changed',
        ...about,
        before: [
          { lead_status: { id: before.status_id as number, pipeline_id: before.pipeline_id as number } },
        ],
        after: [{ lead_status: { id: row.status_id as number, pipeline_id: row.pipeline_id as number } }],
      },
    ]
  if (row.entity_type === 'customers' && before.status_id !== row.status_id)
    return [
      {
        type: 'customer_status_changed',
        ...about,
        before: [{ customer_status: { id: before.status_id as number } }],
        after: [{ customer_status: { id: row.status_id as number } }],
      },
    ]
  return []
}

function fieldEvents({ row, values_before, values }: WorkingCopy, fields: FieldSet): EventDraft[] {
  const about = { entity_type: eventEntityType(row), entity_id: row.id }
  return changedFields(fields, values_before, values).map(({ field, before, after }) => ({
    type: 'custom_field_value_changed',
    ...about,
    field: { id: field.id, name: field.name },
    before,
    after,
  }))
}

function tagEvents({ row, tags_before, tags }: WorkingCopy, references: References): EventDraft[] {
  const about = { entity_type: eventEntityType(row), entity_id: row.id }
  const named = (ids: number[]) =>
    ids.map((id) => ({ tag: { name: references.tags.byId.get(id)?.name ?? '' } }))
  const added = named([...tags].filter((id) => !tags_before.has(id)))
  const deleted = named([...tags_before].filter((id) => !tags.has(id)))
  return [
    ...(added.length > 0 ? [{ type: 'entity_tag_added' as const, ...about, after: added }] : []),
    ...(deleted.length > 0 ? [{ type: 'entity_tag_deleted' as const, ...about, before: deleted }] : []),
  ]
}
