import { Button, CloseButton, FileButton, Input, Textarea, TextInput } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type ChatTemplate, saveTemplate, type TemplateDraft } from '../../data/templates.ts'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../../parts/dialogs/dialog-fields.tsx'
import { savedOf } from '../../parts/forms/rebased.ts'
import { useForm } from '../../parts/forms/use-form.ts'
import { useSubmit } from '../../parts/forms/use-submit.ts'
import { ProblemCallout } from '../../parts/layout/problem-callout.tsx'
import { markers } from './template-text.ts'
import classes from './templates.module.css'

interface TemplateDialogProps {
  /** undefined for a new template. */
  template: ChatTemplate | undefined
  onClose: () => void
}

export function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const { t } = useTranslation()
  const form = useTemplateForm(template)
  const { submit, pending, error } = useSubmit(form, saveTemplate, { done: t('app.saved'), onDone: onClose })
  const { file } = form.getValues()
  const save = (values: Values) =>
    submit(savedOf(template?.id, trimmed(values), trimmed(form.getInitialValues())))
  return (
    <Dialog onClose={onClose} title={t(template ? 'templates.edit' : 'templates.add')} size={560}>
      <form noValidate onSubmit={form.onSubmit(save)}>
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          <TextInput
            label={t('field.name')}
            description={t('templates.name_hint')}
            maxLength={255}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Textarea
            label={t('templates.content')}
            autosize
            minRows={4}
            maxRows={14}
            maxLength={20_000}
            required
            {...form.getInputProps('content')}
          />
          <Markers />
          <Attachment file={file} onChange={(changed) => form.setFieldValue('file', changed)} />
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

interface Values extends Record<string, unknown> {
  name: string
  content: string
  file: TemplateDraft['file']
}

const trimmed = ({ name, content, file }: Values): TemplateDraft => ({
  name: name.trim(),
  content: content.trim(),
  file,
})

function useTemplateForm(template: ChatTemplate | undefined) {
  const { t } = useTranslation()
  const filled = (value: string) => (value.trim() ? null : t('faults.NotBlank'))
  return useForm<Values>({
    initialValues: {
      name: template?.name ?? '',
      content: template?.content ?? '',
      file: template?.attachment ?? null,
    },
    validate: { name: filled, content: filled },
  })
}

function Markers() {
  const { t } = useTranslation()
  return (
    <div className={classes.markers}>
      <span>{t('templates.markers')}</span>
      {markers.map((marker) => (
        <code key={marker}>{marker}</code>
      ))}
    </div>
  )
}

interface AttachmentProps {
  file: TemplateDraft['file']
  onChange: (file: TemplateDraft['file']) => void
}

function Attachment({ file, onChange }: AttachmentProps) {
  const { t } = useTranslation()
  return (
    <Input.Wrapper label={t('templates.attachment')} labelElement="div">
      <div className={classes.attachment}>
        {file ? (
          <>
            <IconPaperclip size={16} aria-hidden />
            <span className={classes.file}>{file.name}</span>
            <CloseButton
              size="sm"
              onClick={() => onChange(null)}
              aria-label={t('composer.remove', { name: file.name })}
              title={t('composer.remove', { name: file.name })}
            />
          </>
        ) : (
          <FileButton onChange={onChange}>
            {(props) => (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPaperclip size={14} aria-hidden />}
                {...props}
              >
                {t('templates.attach')}
              </Button>
            )}
          </FileButton>
        )}
      </div>
    </Input.Wrapper>
  )
}
