import { type Static, Type } from 'typebox'

/** The longest delay of a rule and of a task: a year. */
export const LONGEST_SECONDS = 366 * 86_400

export const actionTypes = [
  'call_url',
  'call_widget',
  'create_task',
  'change_responsible',
  'change_tags',
  'change_stage',
  'send_message',
] as const
export type ActionType = (typeof actionTypes)[number]

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const TagName = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })
const TagNames = Type.Array(TagName, { maxItems: 50 })

/** The action of a rule. Each type has its own members; the others are ignored. */
export const Action = Type.Object(
  {
    type: Type.Enum([...actionTypes], {
      type: 'string',
      description: 'What happens to the lead. The other members belong to single types.',
    }),
    url: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2_048, description: '`call_url`: an http or https URL.' }),
    ),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: '`call_widget`: the code of an installed widget.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20_000,
        pattern: '\\S',
        description: '`create_task` and `send_message`.',
      }),
    ),
    task_type_id: Type.Optional(
      Type.Integer({ ...Id, description: '`create_task`: by default the first type.' }),
    ),
    complete_in: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_SECONDS,
        description:
          '`create_task`: seconds until the deadline. Without it, the deadline is the end of the day in the time zone of ' +
          'the account.',
      }),
    ),
    responsible_user_id: Type.Optional(
      Type.Integer({
        ...Id,
        description:
          '`change_responsible`: the person. `create_task`: by default the person who is responsible for the lead.',
      }),
    ),
    tags_to_add: Type.Optional({ ...TagNames, description: '`change_tags`: names of tags.' }),
    tags_to_delete: Type.Optional({ ...TagNames, description: '`change_tags`: names of tags.' }),
    pipeline_id: Type.Optional(
      Type.Integer({ ...Id, description: '`change_stage`: by default the pipeline of the rule.' }),
    ),
    status_id: Type.Optional(Type.Integer({ ...Id, description: '`change_stage`: the next stage.' })),
    loss_reason_id: Type.Optional(
      Type.Integer({ ...Id, description: '`change_stage`: the reason, if the next stage is 143.' }),
    ),
  },
  { title: 'AutomationAction' },
)
export type Action = Static<typeof Action>
type Member = Exclude<keyof Action, 'type'>

/** The members of each type, in the order in which responses have them. */
export const actionMembers: Record<ActionType, { required: readonly Member[]; optional: readonly Member[] }> =
  {
    call_url: { required: ['url'], optional: [] },
    call_widget: { required: ['code'], optional: [] },
    create_task: { required: ['text'], optional: ['task_type_id', 'complete_in', 'responsible_user_id'] },
    change_responsible: { required: ['responsible_user_id'], optional: [] },
    change_tags: { required: [], optional: ['tags_to_add', 'tags_to_delete'] },
    change_stage: { required: ['status_id'], optional: ['pipeline_id', 'loss_reason_id'] },
    send_message: { required: ['text'], optional: [] },
  }
