import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { outboundReasons } from '../../../src/outbound/reason-types.ts'
import { checkRedirect, type Integration } from '../../data/integrations.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { RelativeTime } from '../../parts/texts/relative-time.tsx'
import { RedirectState } from './built-list.tsx'
import classes from './redirect-check.module.css'

/** Explains an error code or HTTP status of the check. */
function useReason(): (error: string) => string {
  const { t } = useTranslation()
  return (error) => {
    const known = outboundReasons.find((name) => name === error)
    return known ? t(`redirect.reason.${known}`) : t('redirect.reason.other', { error })
  }
}

/** The state of the stored redirect URI, and a button that checks it. */
export function RedirectCheck({ integration, edited }: { integration: Integration; edited: boolean }) {
  const { t } = useTranslation()
  const check = useAction(checkRedirect)
  const reason = useReason()
  const { redirect_checked_at, redirect_error } = integration
  return (
    <div className={classes.box}>
      <div className={classes.state}>
        <RedirectState of={integration} />
        {redirect_checked_at !== null && (
          <span className={classes.when}>
            {t('redirect.checked')} <RelativeTime at={redirect_checked_at} />
          </span>
        )}
        <Button
          variant="default"
          size="xs"
          onClick={() => check.run(integration.id)}
          loading={check.pending}
          disabled={edited}
        >
          {t('redirect.check')}
        </Button>
      </div>
      {redirect_error && <p className={classes.error}>{reason(redirect_error)}</p>}
      {redirect_error && <p className={classes.hint}>{t('redirect.silent_hint')}</p>}
      {edited && <p className={classes.hint}>{t('redirect.edited')}</p>}
    </div>
  )
}
