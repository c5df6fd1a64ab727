import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addIntegration, putIcon, type SavedIntegration } from '../data/integrations.ts'
import forms from '../parts/form.module.css'
import { Page } from '../parts/page.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import { useAction } from '../parts/use-action.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { IconField } from './icon-field.tsx'
import { IntegrationFields } from './integration-fields.tsx'
import { bodyOf, emptyDraft, useIntegrationForm } from './integration-form.ts'
import { SavedPage } from './saved-page.tsx'

/** Creates an integration and then shows its keys, which only this page keeps in memory. */
export function NewIntegrationPage() {
  const [saved, setSaved] = useState<SavedIntegration>()
  return saved ? <SavedPage saved={saved} /> : <NewIntegrationForm onSaved={setSaved} />
}

function NewIntegrationForm({ onSaved }: { onSaved: (saved: SavedIntegration) => void }) {
  const { t } = useTranslation()
  const form = useIntegrationForm(emptyDraft)
  const icon = useChosenIcon()
  const upload = useAction(putIcon)
  const { submit, pending, error } = useSubmit(form, addIntegration, {
    onDone: (saved) => {
      if (icon.file) upload.run({ id: saved.integration.id, file: icon.file })
      onSaved(saved)
    },
  })
  return (
    <Page
      title={t('integrations.new')}
      lead={t('form.new_lead')}
      back={{ to: '/integrations/built', label: t('integrations.built') }}
    >
      <form noValidate onSubmit={form.onSubmit((draft) => submit(bodyOf(draft)))}>
        <IntegrationFields
          form={form}
          icon={
            <IconField name={form.values.name} url={icon.url} onPick={icon.choose} onRemove={icon.clear} />
          }
        />
        <div className={`${forms.form} ${forms.under}`}>
          <ProblemCallout error={error} />
          <div className={forms.end}>
            <Button type="submit" loading={pending}>
              {t('form.create')}
            </Button>
            <Button variant="subtle" color="gray" component={Link} to="/integrations/built">
              {t('act.cancel')}
            </Button>
          </div>
        </div>
      </form>
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
