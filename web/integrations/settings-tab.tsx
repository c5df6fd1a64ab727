import { useTranslation } from 'react-i18next'
import { deleteIcon, type Integration, patchIntegration, putIcon } from '../data/integrations.ts'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import { SaveBar } from '../parts/save-bar.tsx'
import { useAction } from '../parts/use-action.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { IconField } from './icon-field.tsx'
import { IntegrationFields } from './integration-fields.tsx'
import { changesOf, draftOf, useIntegrationForm } from './integration-form.ts'
import { useIntegration } from './integration-window.tsx'
import { RedirectCheck } from './redirect-check.tsx'

export function SettingsTab() {
  const { t } = useTranslation()
  const integration = useIntegration()
  const stored = draftOf(integration)
  const form = useIntegrationForm(stored)
  const { submit, pending, error } = useSubmit(form, patchIntegration, {
    done: t('app.saved'),
    onDone: (patched) => {
      form.setInitialValues(draftOf(patched))
      form.setValues(draftOf(patched))
    },
  })
  const changes = changesOf(form.values, stored)
  return (
    <form noValidate onSubmit={form.onSubmit(() => submit({ id: integration.id, ...changes }))}>
      <IntegrationFields
        form={form}
        icon={<StoredIcon integration={integration} />}
        redirect={<RedirectCheck integration={integration} edited={changes.redirect_uri !== undefined} />}
      />
      <ProblemCallout error={error} />
      <SaveBar
        shown={Object.keys(changes).length > 0}
        pending={pending}
        onDiscard={() => {
          form.setValues(stored)
          form.clearErrors()
        }}
      />
    </form>
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
