import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useForm } from '../forms/use-form.ts'
import { useSubmit } from '../forms/use-submit.ts'
import { ProblemCallout } from '../layout/problem-callout.tsx'
import { Dialog } from './dialog.tsx'
import { DialogButtons } from './dialog-buttons.tsx'
import { DialogFields } from './dialog-fields.tsx'

interface NameDialogProps {
  title: string
  name: string
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Renames something. */
export function NameDialog({ title, name, onSave, onClose }: NameDialogProps) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { name },
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  const options = { mutationFn: (draft: { name: string }) => onSave(draft.name.trim()) }
  const { submit, pending, error } = useSubmit(form, options, { done: t('app.saved'), onDone: onClose })
  return (
    <Dialog onClose={onClose} title={title}>
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          <TextInput label={t('field.name')} maxLength={255} data-autofocus {...form.getInputProps('name')} />
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
