import { type Static, Type } from 'typebox'
import { ListOf, Self } from '../http/hal.ts'
import { KeysetList, KeysetPaged } from '../http/queries/paging.ts'
import { Action, actionTypes, LONGEST_SECONDS } from './action-schemas.ts'
import { missingThings, runReasons, runStates } from './run-types.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const OrNull = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(type: T) =>
  Type.Union([type, Type.Null()])

const entryKinds = ['entered', 'moved', 'created'] as const
const Entry = Type.Enum([...entryKinds], {
  type: 'string',
  description: 'How a lead arrives: `moved` to the stage, `created` in it, or `entered` for both.',
})
const Delay = Type.Integer({
  minimum: 0,
  maximum: LONGEST_SECONDS,
  description: 'Seconds between the arrival and the action. A lead that leaves the stage before is skipped.',
})

const Enabled = Type.Boolean({ description: 'Whether the rule acts. Runs of a disabled rule are skipped.' })

/** A rule of a stage (docs/wire/automation.md#rules). */
export const Automation = Type.Object(
  {
    id: Type.Integer(),
    pipeline_id: Type.Integer(),
    status_id: Type.Integer(),
    entry: Type.String({ description: '`entered`, `moved` or `created`.' }),
    delay: Type.Integer({ description: 'Seconds between the arrival in the stage and the action.' }),
    action: Action,
    is_enabled: Enabled,
    problem: Type.Union([Type.Enum([...missingThings], { type: 'string' }), Type.Null()], {
      description: 'What the action names and the account does not have any more.',
    }),
    created_by: Type.Integer(),
    updated_by: Type.Integer(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    account_id: Type.Integer(),
    request_id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
    _links: Self,
  },
  { title: 'Automation' },
)
export type Automation = Static<typeof Automation>
export const Automations = ListOf('automations', Automation)

const RequestId = Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Integer()]))

export const NewAutomation = Type.Object(
  {
    status_id: Id,
    entry: Type.Optional(Entry),
    delay: Type.Optional(Delay),
    action: Action,
    is_enabled: Type.Optional(Enabled),
    request_id: RequestId,
  },
  { title: 'NewAutomation' },
)
export type NewAutomation = Static<typeof NewAutomation>

export const AutomationPatch = Type.Object(
  {
    entry: Type.Optional(Entry),
    delay: Type.Optional(Delay),
    action: Type.Optional(Action),
    is_enabled: Type.Optional(Enabled),
  },
  { title: 'AutomationPatch' },
)
export type AutomationPatch = Static<typeof AutomationPatch>

/** A run of a rule (docs/wire/automation.md#runs). */
export const AutomationRun = Type.Object(
  {
    id: Type.Integer(),
    automation_id: Type.Integer(),
    action: Type.Enum([...actionTypes], { type: 'string', description: 'The type of the action.' }),
    lead_id: Type.Integer(),
    lead_name: OrNull(Type.String({ description: 'Null if the lead is in the trash.' })),
    pipeline_id: Type.Integer(),
    status_id: Type.Integer(),
    state: Type.Enum([...runStates], {
      type: 'string',
      description: '`waiting` for its time, `sending` a call, or ended.',
    }),
    reason: Type.Union([Type.Enum([...runReasons], { type: 'string' }), Type.Null()], {
      description: 'Why it was skipped or failed.',
    }),
    detail: OrNull(Type.String({ description: 'The refusal of a change, in words.' })),
    created_at: Type.Integer({ description: 'When the lead entered the stage.' }),
    planned_at: Type.Integer({ description: 'When the action is due.' }),
    ended_at: OrNull(Type.Integer()),
    task_id: OrNull(Type.Integer({ description: 'The new task.' })),
    message_id: OrNull(Type.String({ description: 'The new message.' })),
    call: Type.Union(
      [
        Type.Object(
          {
            attempts: Type.Integer({ description: 'The number of attempts so far.' }),
            next_attempt_at: OrNull(Type.Integer()),
            last_status: OrNull(Type.Integer()),
            last_error: OrNull(Type.String()),
          },
          { title: 'AutomationCall' },
        ),
        Type.Null(),
      ],
      { description: 'The attempts to call the URL or the widget.' },
    ),
  },
  { title: 'AutomationRun' },
)
export type AutomationRun = Static<typeof AutomationRun>
export const AutomationRuns = KeysetList('runs', AutomationRun)

export const RunsQuery = Type.Object({
  ...KeysetPaged.properties,
  filter: Type.Optional(Type.Unknown()),
})

export const OfPipeline = Type.Object({ pipeline_id: Id })
export const OneOfPipeline = Type.Object({ pipeline_id: Id, id: Id })
