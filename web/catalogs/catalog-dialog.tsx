import { Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Catalog } from '../data/catalogs.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../parts/dialogs/dialog-fields.tsx'
import { changedMembers } from '../parts/forms/rebased.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'

const flags = ['can_add_elements', 'can_show_in_cards', 'can_link_multiple'] as const
type Draft = Pick<Catalog, 'name' | (typeof flags)[number]>

interface CatalogDialogProps {
  catalog: Catalog
  /** Gets what the person changed. */
  onSave: (changes: Partial<Draft>) => Promise<unknown>
  onClose: () => void
}

/** Edits a list: its name, its permissions and its links to cards. */
export function CatalogDialog({ catalog, onSave, onClose }: CatalogDialogProps) {
  const { t } = useTranslation()
  const { name, can_add_elements, can_show_in_cards, can_link_multiple } = catalog
  const form = useForm<Draft & Record<string, unknown>>({
    initialValues: { name, can_add_elements, can_show_in_cards, can_link_multiple },
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  const options = {
    mutationFn: (draft: Draft) =>
      onSave(changedMembers({ ...draft, name: draft.name.trim() }, form.getInitialValues())),
  }
  const { submit, pending, error } = useSubmit(form, options, { done: t('app.saved'), onDone: onClose })
  return (
    <Dialog onClose={onClose} title={t('catalogs.edit')}>
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          <TextInput label={t('field.name')} maxLength={255} data-autofocus {...form.getInputProps('name')} />
          {flags.map((flag) => (
            <Switch
              key={flag}
              label={t(`catalogs.flag.${flag}`)}
              description={t(`catalogs.hint.${flag}`)}
              disabled={flag === 'can_link_multiple' && !form.values.can_show_in_cards}
              {...form.getInputProps(flag, { type: 'checkbox' })}
            />
          ))}
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
