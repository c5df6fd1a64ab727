import { Modal, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Level, StageColor } from '../data/pipeline-changes.ts'
import dialog from '../parts/dialog.module.css'
import { DialogButtons } from '../parts/dialog-buttons.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import { useForm } from '../parts/use-form.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { Palette } from './palette.tsx'
import classes from './pipelines.module.css'

const levels: readonly Level[] = ['newbie', 'candidate', 'master']

interface Draft extends Record<string, unknown> {
  name: string
  color: StageColor
  descriptions: Record<Level, string>
}

interface StageDialogProps {
  stage: { name: string; color: string; descriptions?: { level: Level; description: string }[] | undefined }
  /** System stages have a fixed color. */
  hasColor: boolean
  /** Whether the stage can have instructions. */
  hasDescriptions?: boolean
  onSave: (stage: {
    name: string
    color: StageColor
    descriptions: { level: Level; description: string }[]
  }) => Promise<unknown>
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
  const textOf = (level: Level) => stage.descriptions?.find((one) => one.level === level)?.description ?? ''
  const form = useForm<Draft>({
    initialValues: {
      name: stage.name,
      color: stage.color.toLowerCase() as StageColor,
      descriptions: { newbie: textOf('newbie'), candidate: textOf('candidate'), master: textOf('master') },
    },
    validate: { name: (name) => (name.trim() ? null : t('faults.NotBlank')) },
  })
  const options = {
    mutationFn: ({ name, color, descriptions }: Draft) =>
      onSave({
        name: name.trim(),
        color,
        descriptions: levels
          .map((level) => ({ level, description: descriptions[level].trim() }))
          .filter(({ description }) => description !== ''),
      }),
  }
  const { submit, pending, error } = useSubmit(form, options, { done: t('app.saved'), onDone: onClose })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('stages.edit')}
      closeButtonProps={{ 'aria-label': t('act.close') }}
    >
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <div className={dialog.fields}>
          <ProblemCallout error={error} />
          <TextInput label={t('field.name')} maxLength={255} data-autofocus {...form.getInputProps('name')} />
          {hasColor && (
            <Palette value={form.values.color} onChange={(color) => form.setFieldValue('color', color)} />
          )}
          {hasDescriptions && (
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
          )}
          {children}
        </div>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Modal>
  )
}
