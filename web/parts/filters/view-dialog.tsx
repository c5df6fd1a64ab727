import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { sessionOptions } from '../../data/session.ts'
import { keepView, type View } from '../../data/views.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { DialogButtons } from '../dialogs/dialog-buttons.tsx'
import { DialogFields } from '../dialogs/dialog-fields.tsx'
import { useForm } from '../forms/use-form.ts'
import { useSubmit } from '../forms/use-submit.ts'
import { ProblemCallout } from '../layout/problem-callout.tsx'

/** A view to rename, or an address to save as a view. */
export type NamedView = { view: View } | { page: string; search: string }

/** Asks for the name of a view. */
export function ViewDialog({ of, onClose }: { of: NamedView | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      opened={of !== undefined}
      onClose={onClose}
      title={t(of && 'view' in of ? 'views.rename_title' : 'views.save_title')}
    >
      {of && <ViewForm of={of} onClose={onClose} />}
    </Dialog>
  )
}

function ViewForm({ of, onClose }: { of: NamedView; onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data: session } = useQuery(sessionOptions)
  const known = 'view' in of ? of.view : undefined
  const form = useForm({
    initialValues: { name: known?.name ?? '', is_shared: false },
    validate: { name: (name) => (name.trim() === '' ? t('faults.NotBlank') : null) },
  })
  const { submit, pending, error } = useSubmit(form, keepView, {
    onDone: (view: View) => {
      onClose()
      if (known) return
      const search = { ...Object.fromEntries(new URLSearchParams(view.search)), view: String(view.id) }
      navigate({ to: '.', search: search as never, replace: true })
    },
  })
  const body = ({ name, is_shared }: typeof form.values) =>
    'view' in of ? { id: of.view.id, name } : { ...of, name, is_shared }
  return (
    <form onSubmit={form.onSubmit((draft) => submit(body(draft)))} noValidate>
      <DialogFields pending={pending}>
        <ProblemCallout error={error} />
        <TextInput data-autofocus label={t('field.name')} maxLength={100} {...form.getInputProps('name')} />
        {!known && session?.account?.is_admin && (
          <Checkbox
            label={t('views.share_label')}
            {...form.getInputProps('is_shared', { type: 'checkbox' })}
          />
        )}
      </DialogFields>
      <DialogButtons pending={pending} onCancel={onClose} />
    </form>
  )
}
