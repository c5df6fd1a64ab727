import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addIntegration, putIcon, type SavedIntegration } from '../../data/integrations.ts'
import { showOnce } from '../../data/shown-once.ts'
import { NewForm } from '../../parts/forms/new-form.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Page } from '../../parts/layout/page.tsx'
import { IconField } from './icon-field.tsx'
import { IntegrationFields } from './integration-fields.tsx'
import { bodyOf, emptyDraft, useIntegrationForm } from './integration-form.ts'

/** Creates an integration and opens the page that shows its keys once. */
export function NewIntegrationPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const form = useIntegrationForm(emptyDraft)
  const icon = useChosenIcon()
  const upload = useAction(putIcon)
  const onDone = (saved: SavedIntegration) => {
    if (icon.file) upload.run({ id: saved.integration.id, file: icon.file })
    const { id } = saved.integration
    showOnce(id, saved)
    navigate({ to: '/integrations/built/$clientId/saved', params: { clientId: id }, replace: true })
  }
  return (
    <Page
      title={t('integrations.new')}
      lead={t('form.new_lead')}
      back={{ to: '/integrations/built', label: t('integrations.built') }}
    >
      <NewForm
        form={form}
        bodyOf={bodyOf}
        add={addIntegration}
        action={t('form.create')}
        onDone={onDone}
        back="/integrations/built"
      >
        <IntegrationFields
          form={form}
          icon={
            <IconField name={form.values.name} url={icon.url} onPick={icon.choose} onRemove={icon.clear} />
          }
        />
      </NewForm>
    </Page>
  )
}

/** Keeps the icon as a blob URL until the integration has an id. */
function useChosenIcon() {
  const [chosen, setChosen] = useState<{ file: File; url: string }>()
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen])
  return {
    file: chosen?.file,
    url: chosen?.url ?? null,
    choose: (file: File) => setChosen({ file, url: URL.createObjectURL(file) }),
    clear: () => setChosen(undefined),
  }
}
