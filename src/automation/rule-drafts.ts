import { collectFaults, notAChoice } from '../errors.ts'
import { LOST } from '../pipelines/pipelines.ts'
import { requireUrl } from '../webhooks/webhooks.ts'
import { type Action, type ActionType, actionMembers } from './action-schemas.ts'
import { findMissing, type References } from './references.ts'

/** A stage of a pipeline. */
export interface Stage {
  pipeline_id: number
  status_id: number
}

/** An action to check, and the rule that has it. */
export interface ActionDraft extends Stage {
  action: Action
  request_id: string
}

/** Refuses actions that are not complete, or that name something that the account does not have. */
export function checkActions(drafts: readonly ActionDraft[], references: References): void {
  const { about, refuse } = collectFaults()
  for (const draft of drafts) {
    const addFault = about(draft.request_id)
    const { action, pipeline_id, status_id } = draft
    for (const member of actionMembers[action.type as ActionType].required)
      if (action[member] === undefined) addFault('FieldMissing', `action.${member}`, 'This field is missing.')
    if (action.type === 'change_tags' && tagsOf(action) === 0)
      addFault('FieldMissing', 'action.tags_to_add', 'There should be a tag to add or to delete.')
    const known = onlyOwn(action)
    const missing = findMissing(known, pipeline_id, references)
    if (missing)
      addFault('NotSupportedChoice', `action.${missing.path}`, detailOf(missing.path, draft, references))
    const target = known.pipeline_id ?? pipeline_id
    if (known.status_id === status_id && target === pipeline_id)
      addFault('NotSupportedChoice', 'action.status_id', 'The lead is in this stage already.')
    else if (known.status_id !== undefined && known.status_id === references.stages.unsorted(target))
      addFault('NotSupportedChoice', 'action.status_id', 'A lead cannot be moved to the incoming stage.')
  }
  refuse()
  for (const { action, request_id } of drafts)
    if (action.type === 'call_url') requireUrl(action.url as string, { path: 'action.url', request_id })
}

const tagsOf = ({ tags_to_add = [], tags_to_delete = [] }: Action): number =>
  tags_to_add.length + tags_to_delete.length

type Path = NonNullable<ReturnType<typeof findMissing>>['path']

function detailOf(path: Path, { action, pipeline_id }: ActionDraft, references: References): string {
  const { people, task_types, stages, loss_reasons, widgets } = references
  if (path === 'code') return notAChoice(widgets)
  if (path === 'responsible_user_id') return notAChoice(people)
  if (path === 'task_type_id') return notAChoice(task_types)
  if (path === 'pipeline_id') return notAChoice(stages.pipelines)
  if (path === 'status_id') return notAChoice(stages.ids(action.pipeline_id ?? pipeline_id))
  if (action.status_id !== LOST) return 'Only a lost lead can have a loss reason.'
  return notAChoice(loss_reasons)
}

/** The members of an action that its type has, in their order. Names of tags are trimmed. */
export function onlyOwn(action: Action): Action {
  const { required, optional } = actionMembers[action.type as ActionType]
  const own = [...required, ...optional].filter((member) => action[member] !== undefined)
  const kept = Object.fromEntries(own.map((member) => [member, trimmed(action[member])]))
  return { type: action.type, ...kept }
}

const trimmed = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Set(value.map((name: string) => name.trim()))] : value
