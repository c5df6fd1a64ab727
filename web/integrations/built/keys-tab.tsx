import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Keys, regenerateSecret, showKeys } from '../../data/integrations.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Section } from '../../parts/layout/section.tsx'
import { Copyable } from '../../parts/texts/copyable.tsx'
import { Secret } from '../../parts/texts/secret.tsx'
import { useIntegration } from './integration-window.tsx'
import classes from './window.module.css'

/** The keys are loaded on request and discarded when the page is left. */
export function KeysTab() {
  const { t } = useTranslation()
  const { id } = useIntegration()
  const [keys, setKeys] = useState<Keys>()
  const [asking, setAsking] = useState(false)
  const show = useAction(showKeys)
  return (
    <>
      <Section title={t('keys_of.title')} lead={t('keys_of.lead')}>
        <div className={classes.stack}>
          <Copyable label={t('keys_of.client_id')} value={id} />
          <Secret
            label={t('keys_of.client_secret')}
            value={keys?.client_secret}
            ask={t('keys_of.show')}
            pending={show.pending}
            onAsk={() => show.run(id, setKeys)}
            onHide={() => setKeys(undefined)}
          />
        </div>
      </Section>
      <Section
        title={t('keys_of.regenerate')}
        lead={t('keys_of.regenerate_lead')}
        actions={
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('keys_of.regenerate')}
          </Button>
        }
      />
      <RegenerateDialog id={id} opened={asking} onClose={() => setAsking(false)} onKeys={setKeys} />
    </>
  )
}

interface RegenerateDialogProps {
  id: string
  opened: boolean
  onClose: () => void
  onKeys: (keys: Keys) => void
}

function RegenerateDialog({ id, opened, onClose, onKeys }: RegenerateDialogProps) {
  const { t } = useTranslation()
  const regenerate = useAction(regenerateSecret, t('keys_of.regenerated'))
  return (
    <Confirm
      opened={opened}
      title={t('keys_of.regenerate_title')}
      action={t('keys_of.regenerate')}
      pending={regenerate.pending}
      onConfirm={() =>
        regenerate.run(id, (keys) => {
          onKeys(keys)
          onClose()
        })
      }
      onClose={onClose}
    >
      <p>{t('keys_of.regenerate_text')}</p>
    </Confirm>
  )
}
