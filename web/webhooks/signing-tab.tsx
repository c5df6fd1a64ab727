import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { signWebhook, stopSigning, type Webhook } from '../data/webhooks.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { Section } from '../parts/layout/section.tsx'
import { Status } from '../parts/layout/status.tsx'
import { Copyable } from '../parts/texts/copyable.tsx'
import { useWebhook } from './webhook-page.tsx'
import classes from './webhooks.module.css'

const SIGNATURE = 'X-Signature'
const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/** The signatures of requests. The secret is shown once, and discarded when the page is left. */
export function SigningTab() {
  const { t } = useTranslation()
  const webhook = useWebhook()
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <Section title={t('webhooks.signing.title')} lead={t('webhooks.signing.lead')}>
        <div className={classes.fields}>
          <Status tone={webhook.is_signed ? 'good' : 'off'}>
            {t(webhook.is_signed ? 'webhooks.signing.on' : 'webhooks.signing.off')}
          </Status>
          {secret !== undefined && webhook.is_signed && (
            <>
              <Callout tone="info" title={t('webhooks.signing.once_title')} live>
                {t('webhooks.signing.once_text')}
              </Callout>
              <Copyable label={t('webhooks.signing.secret')} value={secret} />
            </>
          )}
          <Buttons webhook={webhook} onSecret={setSecret} />
        </div>
      </Section>
      <Section title={t('webhooks.signing.verify')}>
        <ul className={classes.steps}>
          <li>
            <code>{SIGNATURE}</code> {t('webhooks.signing.by_platform')}
          </li>
          <li>
            <code>{STANDARD.join(', ')}</code> {t('webhooks.signing.by_standard')}
          </li>
        </ul>
      </Section>
    </>
  )
}

interface ButtonsProps {
  webhook: Webhook
  onSecret: (secret: string | undefined) => void
}

function Buttons({ webhook: { id, is_signed }, onSecret }: ButtonsProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<'replace' | 'stop'>()
  const sign = useAction(signWebhook)
  const stop = useAction(stopSigning, t('webhooks.signing.stopped'))
  const create = () => {
    setAsked(undefined)
    sign.run(id, ({ secret }) => onSecret(secret))
  }
  const end = () =>
    stop.run(id, () => {
      setAsked(undefined)
      onSecret(undefined)
    })
  if (!is_signed)
    return (
      <div>
        <Button loading={sign.pending} onClick={create}>
          {t('webhooks.signing.start')}
        </Button>
      </div>
    )
  return (
    <div className={classes.buttons}>
      <Button variant="default" loading={sign.pending} onClick={() => setAsked('replace')}>
        {t('webhooks.signing.replace')}
      </Button>
      <Button variant="default" color="danger" onClick={() => setAsked('stop')}>
        {t('webhooks.signing.stop')}
      </Button>
      <Confirm
        opened={asked !== undefined}
        title={t(`webhooks.signing.${asked ?? 'stop'}_title`)}
        action={t(`webhooks.signing.${asked ?? 'stop'}`)}
        pending={stop.pending}
        onConfirm={asked === 'replace' ? create : end}
        onClose={() => setAsked(undefined)}
      >
        <p>{t(`webhooks.signing.${asked ?? 'stop'}_text`)}</p>
      </Confirm>
    </div>
  )
}
