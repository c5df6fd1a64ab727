import { Button, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { type Group, renameGroup } from '../api/accounts.ts'
import dialog from '../parts/dialog.module.css'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import { useSubmit } from '../parts/use-submit.ts'

export function RenameGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { name: group.name },
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  const { submit, pending, error } = useSubmit(form, renameGroup, { done: t('app.saved'), onDone: onClose })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('groups.rename')}
      closeButtonProps={{ 'aria-label': t('act.close') }}
    >
      <form noValidate onSubmit={form.onSubmit(({ name }) => submit({ id: group.id, name }))}>
        <div className={dialog.fields}>
          <ProblemCallout error={error} />
          <TextInput
            label={t('groups.name')}
            maxLength={255}
            data-autofocus
            {...form.getInputProps('name')}
          />
        </div>
        <div className={dialog.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('act.save')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
