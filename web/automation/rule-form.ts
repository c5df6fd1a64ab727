import { useTranslation } from 'react-i18next'
import type { Action, ActionType, Automation, AutomationDraft } from '../data/automation.ts'
import { LOST } from '../data/pipelines.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { type Duration, durationOf, secondsOf } from './durations.ts'

export type Entry = 'entered' | 'moved' | 'created'
export const entries: readonly Entry[] = ['entered', 'moved', 'created']

/** The fields of the dialog. Those of other types are kept while it is open. */
export interface Values extends Record<string, unknown> {
  type: ActionType
  entry: Entry
  delay: Duration | null
  url: string
  code: string | null
  text: string
  task_type_id: number | null
  complete_in: Duration | null
  responsible_user_id: number | null
  tags_to_add: string[]
  tags_to_delete: string[]
  status_id: { pipeline_id: number; status_id: number } | null
  loss_reason_id: number | null
}

export type RuleForm = ReturnType<typeof useRuleForm>

export function useRuleForm(rule: Automation | undefined, type: ActionType, pipeline_id: number) {
  const { t } = useTranslation()
  const action: Action = rule?.action ?? { type }
  const needs =
    (...types: ActionType[]) =>
    (isFilled: boolean, { type }: Values) =>
      types.includes(type) && !isFilled ? t('faults.NotBlank') : null
  return useForm<Values>({
    initialValues: {
      type: action.type,
      entry: (rule?.entry ?? 'entered') as Entry,
      delay: rule && rule.delay > 0 ? durationOf(rule.delay) : null,
      url: action.url ?? '',
      code: action.code ?? null,
      text: action.text ?? '',
      task_type_id: action.task_type_id ?? null,
      complete_in: action.complete_in === undefined ? null : durationOf(action.complete_in),
      responsible_user_id: action.responsible_user_id ?? null,
      tags_to_add: action.tags_to_add ?? [],
      tags_to_delete: action.tags_to_delete ?? [],
      status_id:
        action.status_id === undefined
          ? null
          : { pipeline_id: action.pipeline_id ?? pipeline_id, status_id: action.status_id },
      loss_reason_id: action.loss_reason_id ?? null,
    },
    validate: {
      url: (url, values) => needs('call_url')(url.trim() !== '', values),
      code: (code, values) => needs('call_widget')(code !== null, values),
      text: (text, values) => needs('create_task', 'send_message')(text.trim() !== '', values),
      responsible_user_id: (id, values) => needs('change_responsible')(id !== null, values),
      status_id: (stage, values) => needs('change_stage')(stage !== null, values),
      tags_to_add: (names, values) =>
        needs('change_tags')(names.length + values.tags_to_delete.length > 0, values),
    },
  })
}

/** The rule that the values describe. */
export function ruleOf(values: Values): Pick<AutomationDraft, 'entry' | 'delay' | 'action'> {
  const { type, entry, delay } = values
  return { entry, delay: delay ? secondsOf(delay) : 0, action: { type, ...members[type](values) } }
}

const members: Record<ActionType, (values: Values) => Omit<Action, 'type'>> = {
  call_url: ({ url }) => ({ url: url.trim() }),
  call_widget: ({ code }) => (code === null ? {} : { code }),
  create_task: ({ text, task_type_id, complete_in, responsible_user_id }) => ({
    text: text.trim(),
    ...(task_type_id !== null && { task_type_id }),
    ...(complete_in && { complete_in: secondsOf(complete_in) }),
    ...(responsible_user_id !== null && { responsible_user_id }),
  }),
  change_responsible: ({ responsible_user_id: id }) => (id === null ? {} : { responsible_user_id: id }),
  change_tags: ({ tags_to_add, tags_to_delete }) => ({ tags_to_add, tags_to_delete }),
  change_stage: ({ status_id: stage, loss_reason_id }) => ({
    ...stage,
    ...(stage?.status_id === LOST && loss_reason_id !== null && { loss_reason_id }),
  }),
  send_message: ({ text }) => ({ text: text.trim() }),
}
