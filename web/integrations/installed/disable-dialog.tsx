import { useTranslation } from 'react-i18next'
import { disable, type Installation } from '../../data/installations.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'

interface DisableDialogProps {
  installation: Installation
  opened: boolean
  onClose: () => void
}

/** Disables an integration, after an explanation of the result. */
export function DisableDialog({ installation, opened, onClose }: DisableDialogProps) {
  const { t } = useTranslation()
  const { integration, grants } = installation
  const off = useAction(disable, t('disable.done'))
  return (
    <Confirm
      opened={opened}
      title={t('disable.title', { name: integration.name })}
      action={t('installation.disable')}
      pending={off.pending}
      onConfirm={() => off.run(integration.id, onClose)}
      onClose={onClose}
    >
      <p>{t('disable.lead')}</p>
      <ul>
        <li>{t('disable.tokens', { count: grants.length })}</li>
        <li>{t('disable.hook')}</li>
        <li>{t('disable.data')}</li>
        <li>{t('disable.back')}</li>
      </ul>
    </Confirm>
  )
}
