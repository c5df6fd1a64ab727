import { type Static, Type } from 'typebox'

/**
 * One change in `value_after` or `value_before` of an event, by name. Each is an object with one property
 * (docs/wire/events.md#values).
 */
export const changeSchemas = {
  note: Type.Object({ note: Type.Object({ id: Type.Integer({ description: 'The id of the note.' }) }) }),
  task_text: Type.Object({ task: Type.Object({ text: Type.String() }) }),
  task_deadline: Type.Object({
    task_deadline: Type.Object({ timestamp: Type.Integer({ description: 'Unix seconds.' }) }),
  }),
  task_type: Type.Object({
    task_type: Type.Object({ id: Type.Integer({ description: 'The `task_type_id` of the task.' }) }),
  }),
  helpbot: Type.Object({ helpbot: Type.Object({ id: Type.Integer({ description: 'The id of the bot.' }) }) }),
  transaction: Type.Object({
    transaction: Type.Object({ id: Type.Integer({ description: 'The id of the purchase.' }) }),
  }),
  nps: Type.Object({ nps: Type.Object({ rate: Type.Integer({ description: 'From 1 to 10.' }) }) }),
  message: Type.Object({
    message: Type.Object({
      id: Type.String({ description: 'The UUID of the message.' }),
      talk_id: Type.Optional(Type.Integer()),
      origin: Type.Optional(Type.String({ description: 'The code of the chat channel.' })),
    }),
  }),
  tag: Type.Object({ tag: Type.Object({ name: Type.String() }) }),
  lead_status: Type.Object({
    lead_status: Type.Object({
      id: Type.Integer({ description: 'The id of the stage.' }),
      pipeline_id: Type.Integer(),
    }),
  }),
  customer_status: Type.Object({
    customer_status: Type.Object({ id: Type.Integer({ description: 'The id of the stage.' }) }),
  }),
  link: Type.Object({
    link: Type.Object({ entity: Type.Object({ type: Type.String(), id: Type.Integer() }) }),
  }),
  unlink: Type.Object({
    unlink: Type.Object({ entity: Type.Object({ type: Type.String(), id: Type.Integer() }) }),
  }),
  responsible_user: Type.Object({
    responsible_user: Type.Object({ id: Type.Integer({ description: 'The id of the user.' }) }),
  }),
  sale: Type.Object({
    sale_field_value: Type.Object({ sale: Type.Integer({ description: 'Whole units of the currency.' }) }),
  }),
  name: Type.Object({ name_field_value: Type.Object({ name: Type.String() }) }),
  ltv: Type.Object({
    ltv_field_value: Type.Object({ ltv: Type.Integer({ description: 'Whole units of the currency.' }) }),
  }),
  custom_field_value: Type.Object({
    custom_field_value: Type.Object({
      field_id: Type.Integer(),
      field_type: Type.Integer({ description: 'The number of the field type in the legacy interface.' }),
      enum_id: Type.Union([Type.Integer(), Type.Null()], {
        description: 'The id of the choice or label. Null in fields that have none.',
      }),
      text: Type.String({ description: 'The value as text.' }),
    }),
  }),
}

/** The changes as TypeScript types. */
export type Changes = { [Name in keyof typeof changeSchemas]: Static<(typeof changeSchemas)[Name]> }
