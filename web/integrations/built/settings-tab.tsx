import { useTranslation } from 'react-i18next'
import { deleteIcon, type Integration, patchIntegration, putIcon } from '../../data/integrations.ts'
import { StoredForm } from '../../parts/forms/stored-form.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { IconField } from './icon-field.tsx'
import { IntegrationFields } from './integration-fields.tsx'
import { changesOf, draftOf, useIntegrationForm } from './integration-form.ts'
import { useIntegration } from './integration-window.tsx'
import { RedirectCheck } from './redirect-check.tsx'

/** The settings of an integration. */
export function SettingsTab() {
  const integration = useIntegration()
  const stored = draftOf(integration)
  const form = useIntegrationForm(stored)
  const isMoved = changesOf(form.values, stored).redirect_uri !== undefined
  return (
    <StoredForm
      form={form}
      stored={integration}
      draftOf={draftOf}
      changesOf={changesOf}
      patch={patchIntegration}
    >
      <IntegrationFields
        form={form}
        icon={<StoredIcon integration={integration} />}
        redirect={<RedirectCheck integration={integration} edited={isMoved} />}
      />
    </StoredForm>
  )
}

/** The icon is stored as soon as it is chosen. */
function StoredIcon({ integration }: { integration: Integration }) {
  const { t } = useTranslation()
  const put = useAction(putIcon, t('icon.saved'))
  const remove = useAction(deleteIcon, t('icon.removed'))
  return (
    <IconField
      name={integration.name}
      url={integration.icon_url}
      pending={put.pending || remove.pending}
      onPick={(file) => put.run({ id: integration.id, file })}
      onRemove={() => remove.run(integration.id)}
    />
  )
}
