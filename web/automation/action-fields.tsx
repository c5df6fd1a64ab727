import { Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ActionType } from '../data/automation.ts'
import { lossReasonsOptions } from '../data/loss-reasons.ts'
import { LOST } from '../data/pipelines.ts'
import { callableWidgetsOptions } from '../data/widgets.ts'
import { TagInput } from '../parts/forms/tag-input.tsx'
import { useClearable } from '../parts/forms/use-clearable.ts'
import { PersonSelect } from '../parts/people/person-select.tsx'
import { StageSelect } from '../parts/records/stage-select.tsx'
import { useTaskTypes } from '../tasks/use-task-types.ts'
import { DurationInput } from './duration-input.tsx'
import type { RuleForm } from './rule-form.ts'

interface FieldsProps {
  form: RuleForm
}

/** The fields of an action. */
export function ActionFields({ form }: FieldsProps) {
  const Fields = fields[form.values.type]
  return <Fields form={form} />
}

const fields: Record<ActionType, (props: FieldsProps) => React.ReactNode> = {
  call_url: UrlField,
  call_widget: WidgetField,
  create_task: TaskFields,
  change_responsible: PersonField,
  change_tags: TagFields,
  change_stage: StageFields,
  send_message: MessageField,
}

function UrlField({ form }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('automation.field.url')}
      description={t('automation.field.url_hint')}
      type="url"
      maxLength={2_048}
      required
      {...form.getInputProps('url')}
    />
  )
}

function WidgetField({ form }: FieldsProps) {
  const { t } = useTranslation()
  const { data: widgets = [] } = useQuery(callableWidgetsOptions)
  return (
    <Select
      label={t('automation.field.widget')}
      description={t('automation.field.widget_hint')}
      data={widgets.map(({ code, name }) => ({ value: code, label: name }))}
      allowDeselect={false}
      required
      {...form.getInputProps('code')}
    />
  )
}

function MessageField({ form }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <Textarea
      label={t('automation.field.message')}
      description={t('automation.field.message_hint')}
      autosize
      minRows={3}
      maxRows={10}
      maxLength={20_000}
      required
      {...form.getInputProps('text')}
    />
  )
}

function TaskFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  const types = useTaskTypes()
  const clearable = useClearable()
  const { task_type_id, complete_in, responsible_user_id } = form.values
  return (
    <>
      <Textarea
        label={t('automation.field.task')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={20_000}
        required
        {...form.getInputProps('text')}
      />
      <Select
        label={t('automation.field.task_type')}
        data={types.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(task_type_id ?? types[0]?.id ?? '')}
        onChange={(id) => form.setFieldValue('task_type_id', id === null ? null : Number(id))}
        allowDeselect={false}
        error={form.errors.task_type_id}
      />
      <DurationInput
        label={t('automation.field.due')}
        none={t('automation.field.day_end')}
        value={complete_in}
        onChange={(value) => form.setFieldValue('complete_in', value)}
        error={form.errors.complete_in}
      />
      <PersonSelect
        label={t('automation.field.who')}
        placeholder={t('automation.field.lead_person')}
        {...clearable(t('automation.field.who'))}
        onClear={() => form.setFieldValue('responsible_user_id', null)}
        value={responsible_user_id}
        onChange={(id) => form.setFieldValue('responsible_user_id', id)}
        error={form.errors.responsible_user_id}
      />
    </>
  )
}

function PersonField({ form }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <PersonSelect
      label={t('automation.field.new_person')}
      required
      value={form.values.responsible_user_id}
      onChange={(id) => form.setFieldValue('responsible_user_id', id)}
      error={form.errors.responsible_user_id}
    />
  )
}

function TagFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  return (['tags_to_add', 'tags_to_delete'] as const).map((name) => (
    <TagInput
      key={name}
      collection="leads"
      label={t(`automation.field.${name}`)}
      maxTags={50}
      value={form.values[name]}
      onChange={(names) => form.setFieldValue(name, names)}
      error={form.errors[name]}
    />
  ))
}

function StageFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  const { data: reasons = [] } = useQuery(lossReasonsOptions)
  const clearable = useClearable()
  const { status_id: stage, loss_reason_id } = form.values
  return (
    <>
      <StageSelect
        label={t('automation.field.next_stage')}
        required
        value={stage}
        onChange={(place) => form.setFieldValue('status_id', place)}
        error={form.errors.status_id}
      />
      {stage?.status_id === LOST && reasons.length > 0 && (
        <Select
          label={t('automation.field.loss_reason')}
          {...clearable(t('automation.field.loss_reason'))}
          data={reasons.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={loss_reason_id === null ? null : String(loss_reason_id)}
          onChange={(id) => form.setFieldValue('loss_reason_id', id === null ? null : Number(id))}
          error={form.errors.loss_reason_id}
        />
      )}
    </>
  )
}
