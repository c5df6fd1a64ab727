import { Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type StageColor, stageColors } from '../../src/pipelines/stage-color-types.ts'
import type { Level } from '../data/pipeline-changes.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../parts/dialogs/dialog-fields.tsx'
import { changedMembers } from '../parts/forms/rebased.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { Palette } from '../parts/palette.tsx'
import classes from './pipelines.module.css'

const levels: readonly Level[] = ['newbie', 'candidate', 'master']

interface StageDescription {
  level: Level
  description: string
}

interface Draft extends Record<string, unknown> {
  name: string
  color: StageColor
  descriptions: Record<Level, string>
}

interface StageDialogProps {
  stage: { name: string; color: string; descriptions?: StageDescription[] | undefined }
  /** System stages have a fixed color. */
  hasColor: boolean
  /** Whether the stage can have instructions. */
  hasDescriptions?: boolean
  /** Gets what the person changed. */
  onSave: (changes: Partial<ReturnType<typeof stageOf>>) => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Edits a stage: its name, its color and its instructions by experience. */
export function StageDialog({
  stage,
  hasColor,
  hasDescriptions,
  onSave,
  onClose,
  children,
}: StageDialogProps) {
  const { t } = useTranslation()
  const form = useStageForm(stage)
  const options = {
    mutationFn: (draft: Draft) => onSave(changedMembers(stageOf(draft), stageOf(form.getInitialValues()))),
  }
  const { submit, pending, error } = useSubmit(form, options, { done: t('app.saved'), onDone: onClose })
  return (
    <Dialog onClose={onClose} title={t('stages.edit')}>
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          <TextInput label={t('field.name')} maxLength={255} data-autofocus {...form.getInputProps('name')} />
          {hasColor && (
            <Palette
              colors={stageColors}
              value={form.values.color}
              onChange={(color) => form.setFieldValue('color', color)}
            />
          )}
          {hasDescriptions && <DescriptionFields form={form} />}
          {children}
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function useStageForm({ name, color, descriptions }: StageDialogProps['stage']) {
  const { t } = useTranslation()
  const textOf = (level: Level) => descriptions?.find((one) => one.level === level)?.description ?? ''
  return useForm<Draft>({
    initialValues: {
      name,
      color: color.toLowerCase() as StageColor,
      descriptions: { newbie: textOf('newbie'), candidate: textOf('candidate'), master: textOf('master') },
    },
    validate: { name: (name) => (name.trim() ? null : t('faults.NotBlank')) },
  })
}

const stageOf = ({ name, color, descriptions }: Draft) => ({
  name: name.trim(),
  color,
  descriptions: levels
    .map((level) => ({ level, description: descriptions[level].trim() }))
    .filter(({ description }) => description !== ''),
})

/** A text per experience. */
function DescriptionFields({ form }: { form: ReturnType<typeof useStageForm> }) {
  const { t } = useTranslation()
  return (
    <div className={classes.levels}>
      {levels.map((level) => (
        <Textarea
          key={level}
          label={t(`stages.level.${level}`)}
          autosize
          minRows={1}
          maxRows={5}
          maxLength={1000}
          {...form.getInputProps(`descriptions.${level}`)}
        />
      ))}
    </div>
  )
}
