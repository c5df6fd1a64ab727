import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Automation, saveAutomation } from '../data/automation.ts'
import type { Stage } from '../data/pipelines.ts'
import { callableWidgetsOptions } from '../data/widgets.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../parts/dialogs/dialog-fields.tsx'
import { savedOf } from '../parts/forms/rebased.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { ActionFields } from './action-fields.tsx'
import { actionTypes } from './action-types.ts'
import { DurationInput } from './duration-input.tsx'
import { entries, ruleOf, useRuleForm, type Values } from './rule-form.ts'

interface RuleDialogProps {
  stage: Stage
  /** undefined for a new rule. */
  rule: Automation | undefined
  onClose: () => void
}

/** Adds or edits a rule of a stage. */
export function RuleDialog({ stage, rule, onClose }: RuleDialogProps) {
  const { t } = useTranslation()
  const { pipeline_id, id: status_id } = stage
  const { data: widgets = [] } = useQuery(callableWidgetsOptions)
  const offered = actionTypes.filter(
    (type) => type !== 'call_widget' || widgets.length > 0 || rule?.action.type === type,
  )
  const form = useRuleForm(rule, 'create_task', pipeline_id)
  const draftOf = (values: Values) => ({ status_id, ...ruleOf(values) })
  const { submit, pending, error } = useSubmit(form, saveAutomation, {
    done: t('app.saved'),
    onDone: onClose,
  })
  return (
    <Dialog
      onClose={onClose}
      title={t(rule ? 'automation.edit' : 'automation.add_to', { stage: stage.name })}
      size={520}
    >
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          submit({ pipeline_id, ...savedOf(rule?.id, draftOf(values), draftOf(form.getInitialValues())) }),
        )}
      >
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          <Select
            label={t('automation.field.type')}
            data={offered.map((type) => ({ value: type, label: t(`automation.types.${type}`) }))}
            allowDeselect={false}
            data-autofocus
            {...form.getInputProps('type')}
          />
          <ActionFields form={form} />
          <Select
            label={t('automation.field.entry')}
            data={entries.map((entry) => ({ value: entry, label: t(`automation.entry.${entry}`) }))}
            allowDeselect={false}
            {...form.getInputProps('entry')}
          />
          <DurationInput
            label={t('automation.field.delay')}
            description={t('automation.field.delay_hint')}
            none={t('automation.at_once')}
            value={form.values.delay}
            onChange={(value) => form.setFieldValue('delay', value)}
            error={form.errors.delay}
          />
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
