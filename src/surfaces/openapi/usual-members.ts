import type { JsonSchema } from '../../http/operation.ts'

/**
 * Descriptions of properties that mean the same in every schema, by name and type. A schema that describes the property
 * itself keeps its own description.
 */
const usualMembers: Record<string, [type: string, description: string]> = {
  account_id: ['integer', 'The id of the account. Read-only.'],
  amojo_id: ['string', 'The UUID in the chat API. It is not the numeric `id`.'],
  catalog_id: ['integer', 'The id of the list.'],
  closed_at: ['integer', 'Unix seconds. Null: not closed.'],
  closest_task_at: [
    'integer',
    'Unix seconds when the next open task is due. Null: there is none. Read-only.',
  ],
  complete_till: ['integer', 'Unix seconds when the task is due.'],
  completed_at: ['integer', 'Unix seconds.'],
  country: ['string', 'ISO 3166-1 alpha-2, as `ES`.'],
  created_at: ['integer', 'Unix seconds.'],
  created_by: ['integer', 'The id of the user. 0 is the server.'],
  currency: ['string', 'ISO 4217, as `EUR`.'],
  deleted_at: ['integer', 'Unix seconds. Null: not deleted.'],
  duration_ms: ['integer', 'Milliseconds.'],
  expires_at: ['integer', 'Unix seconds.'],
  expires_in: ['integer', 'Seconds.'],
  field_id: ['integer', 'The id of the custom field.'],
  file_size: ['integer', 'Bytes.'],
  file_uuid: ['string', 'The id of the file in the file service.'],
  group_id: ['integer', 'The id of the group of users. 0 is none.'],
  is_deleted: ['boolean', 'Whether it is in the trash. Read-only.'],
  is_main: ['boolean', 'Whether it is the main one.'],
  loss_reason_id: ['integer', 'Why the lead was lost. Null: no reason.'],
  max_file_size: ['integer', 'Bytes.'],
  max_part_size: ['integer', 'Bytes.'],
  msec_timestamp: ['integer', 'Unix milliseconds.'],
  next_date: ['integer', 'Unix seconds of the next expected purchase.'],
  pipeline_id: ['integer', 'The id of the pipeline.'],
  price_id: ['integer', 'The id of the field with the price of the element.'],
  request_id: ['string', 'Chosen by the caller. The response repeats it with the same item.'],
  responsible_user_id: ['integer', 'The id of the user.'],
  server_time: ['integer', 'Unix seconds.'],
  size: ['integer', 'Bytes.'],
  sort: ['integer', 'Lower comes first.'],
  source_id: ['integer', 'The id of the source. Null: none.'],
  status_id: ['integer', 'The id of the stage.'],
  task_type_id: ['integer', 'One of `task_types` of the account: 1 is a call, 2 a meeting.'],
  timestamp: ['integer', 'Unix seconds.'],
  updated_at: ['integer', 'Unix seconds.'],
  updated_by: ['integer', 'The id of the user. 0 is the server.'],
  version_uuid: ['string', 'The id of the version of the file.'],
  _page: ['integer', 'From 1.'],
  _total_items: ['integer', 'The number of items on all pages.'],
}

const hasType = ({ type, anyOf }: JsonSchema, name: string): boolean =>
  [type].flat().includes(name) ||
  ((anyOf as JsonSchema[] | undefined)?.some((one) => hasType(one, name)) ?? false)

/** Adds the usual descriptions to the properties of a schema. */
export function describeMembers(schema: JsonSchema): JsonSchema {
  if (typeof schema.properties !== 'object' || schema.properties === null) return schema
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, member]) => {
    const [type, description] = Object.hasOwn(usualMembers, name) ? (usualMembers[name] ?? []) : []
    const isUsual = type !== undefined && member.description === undefined && hasType(member, type)
    return [name, isUsual ? { ...member, description } : member]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
