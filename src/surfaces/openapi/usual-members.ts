import type { JsonSchema } from '../../http/operation.ts'

/**
 * Descriptions of properties that mean the same in every schema, by name and type. A schema that describes the property
 * itself keeps its own description.
 */
const usualMembers: Record<string, [type: string, description: string]> = {
  account_id: ['integer', 'The id of the account. Read-only.'],
  amojo_id: ['string', 'The UUID in the chat API. It is not the numeric `id`.'],
  avatar: ['string', 'The URL of a picture of the person.'],
  bonus_points: ['integer', 'The number of points.'],
  campaign: ['string', 'The name of the advertising campaign.'],
  can_add_elements: ['boolean', 'Whether people can add elements on a card.'],
  can_be_deleted: ['boolean', 'Whether people can delete the list.'],
  can_link_multiple: ['boolean', 'Whether an element can have several records.'],
  can_show_in_cards: ['boolean', 'Whether cards show the list as a tab.'],
  catalog_access: ['boolean', 'Whether the person has access to lists.'],
  catalog_id: ['integer', 'The id of the list.'],
  closed_at: ['integer', 'Unix seconds. Null: not closed.'],
  closest_task_at: [
    'integer',
    'Unix seconds when the next open task is due. Null: there is none. Read-only.',
  ],
  company_id: ['integer', 'The id of the company. Null: there is none.'],
  complete_till: ['integer', 'Unix seconds when the task is due.'],
  completed_at: ['integer', 'Unix seconds.'],
  country: ['string', 'ISO 3166-1 alpha-2, such as `ES`.'],
  created_at: ['integer', 'Unix seconds.'],
  created_by: ['integer', 'The id of the user. 0 is the server.'],
  currency: ['string', 'ISO 4217, such as `EUR`.'],
  customer_id: ['integer', 'The id of the customer.'],
  deleted_at: ['integer', 'Unix seconds. Null: not deleted.'],
  download_link: ['string', 'The URL of the preview. It expires.'],
  duration_ms: ['integer', 'Milliseconds.'],
  earn: ['integer', 'The number of points to add.'],
  emoji: ['string', 'One emoji.'],
  enum_code: ['string', 'The code of the choice or label. Null: it has none.'],
  expires_at: ['integer', 'Unix seconds.'],
  expires_in: ['integer', 'Seconds.'],
  extension: ['string', 'The end of the file name, without the dot.'],
  field_id: ['integer', 'The id of the custom field.'],
  field_name: ['string', 'The name of the field.'],
  field_type: ['string', 'The type of the field.'],
  file_name: ['string', 'The name of the file.'],
  file_size: ['integer', 'Bytes.'],
  file_uuid: ['string', 'The id of the file in the file service.'],
  group_id: ['integer', 'The id of the group of users. 0 is none.'],
  has_multiple_versions: ['boolean', 'Whether the file has older versions.'],
  hook_api_version: ['string', 'The form of callbacks, `v1` or `v2`.'],
  is_active: ['boolean', 'Whether the person can sign in.'],
  is_admin: ['boolean', 'Whether the person is an administrator, who has all rights.'],
  is_archive: ['boolean', 'Whether the pipeline is archived.'],
  is_completed: ['boolean', 'Whether the task is completed.'],
  is_deleted: ['boolean', 'Whether it is in the trash. Read-only.'],
  is_editable: ['boolean', 'False for system stages. Read-only.'],
  is_free: ['boolean', 'Always false.'],
  is_in_work: ['boolean', 'Whether the talk is open.'],
  is_main: ['boolean', 'Whether it is the main one.'],
  is_predefined: ['boolean', 'The server made it with the account. Read-only.'],
  is_read: ['boolean', 'Whether all messages are read.'],
  is_time_window_disabled: ['boolean', 'Stored without effect.'],
  is_trashed: ['boolean', 'Whether the file is in the trash.'],
  is_unsorted_on: ['boolean', 'Whether there is a stage for incoming leads.'],
  lang: ['string', 'The language: `en`, `es`, `ru` or `pt`.'],
  language: ['string', 'The language: `en`, `es`, `ru` or `pt`.'],
  loss_reason_id: ['integer', 'Why the lead was lost. Null: no reason.'],
  mail_access: ['boolean', 'Without effect: there is no mail.'],
  max_file_size: ['integer', 'Bytes.'],
  max_part_size: ['integer', 'Bytes.'],
  media: ['string', 'The URL of the file.'],
  mime_type: ['string', 'The media type, such as `image/png`.'],
  msec_timestamp: ['integer', 'Unix milliseconds.'],
  next_date: ['integer', 'Unix seconds of the next expected purchase.'],
  next_price: ['integer', 'The expected price, in whole units of the currency.'],
  note_type: ['string', 'The type of the note.'],
  periodicity: ['integer', 'Days between purchases. 0: not set.'],
  pipeline_id: ['integer', 'The id of the pipeline.'],
  price_id: ['integer', 'The id of the field with the price of the element.'],
  profile_link: ['string', 'The URL of the profile of the person.'],
  quantity: ['number', 'The number of elements.'],
  redeem: ['integer', 'The number of points to use.'],
  request_id: ['string', 'Chosen by the caller. The response repeats it with the same item.'],
  responsible_user_id: ['integer', 'The id of the user.'],
  role_id: ['integer', 'The id of the role. Null: the person has rights of their own.'],
  sanitized_name: ['string', 'The name without characters that are unsafe in a URL.'],
  sdk_widget_code: ['string', 'The code of the widget to which the list belongs.'],
  server_time: ['integer', 'Unix seconds.'],
  service: ['string', 'The name of the service.'],
  size: ['integer', 'Bytes.'],
  sort: ['integer', 'Lower comes first.'],
  source_id: ['integer', 'The id of the source. Null: none.'],
  status_id: ['integer', 'The id of the stage.'],
  tags_to_add: ['array', 'Tags that the record gets.'],
  tags_to_delete: ['array', 'Tags that the record loses.'],
  talk_id: ['integer', 'The id of the talk.'],
  task_type_id: ['integer', 'One of `task_types` of the account: 1 is a follow-up, 2 a meeting.'],
  thumbnail: ['string', 'The URL of a smaller picture.'],
  timestamp: ['integer', 'Unix seconds.'],
  to_entity_id: ['integer', 'The id of the linked record.'],
  to_entity_type: ['string', 'The kind of the linked record.'],
  updated_at: ['integer', 'Unix seconds.'],
  updated_by: ['integer', 'The id of the user. 0 is the server.'],
  version_uuid: ['string', 'The id of the version of the file.'],
  visitor_uid: ['string', 'The id that a site gave the visitor.'],
  _page: ['integer', 'From 1.'],
  _total_items: ['integer', 'The number of items on all pages.'],
}

const hasType = ({ type, anyOf }: JsonSchema, name: string): boolean =>
  [type].flat().includes(name) ||
  ((anyOf as JsonSchema[] | undefined)?.some((one) => hasType(one, name)) ?? false)

/** The description of a property, also if the schema allows null beside it. */
const ownDescription = ({ description, anyOf }: JsonSchema): unknown =>
  description ?? (anyOf as JsonSchema[] | undefined)?.find((one) => one.description)?.description

/** Adds the usual descriptions to the properties of a schema. */
export function describeMembers(schema: JsonSchema): JsonSchema {
  if (typeof schema.properties !== 'object' || schema.properties === null) return schema
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, member]) => {
    const [type, description] = Object.hasOwn(usualMembers, name) ? (usualMembers[name] ?? []) : []
    const own = ownDescription(member)
    if (own !== undefined) return [name, { ...member, description: own }]
    return [name, type !== undefined && hasType(member, type) ? { ...member, description } : member]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
