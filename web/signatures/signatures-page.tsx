import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { checkSignature, recordedSignatureOptions } from '../data/signatures.ts'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { SignatureFinding } from './signature-finding.tsx'
import { SignatureForm } from './signature-form.tsx'
import classes from './signatures.module.css'

const route = getRouteApi('/shell/developers/signatures')

/** Checks the signature of a request that was recorded or pasted. */
export function SignaturesPage() {
  const { t } = useTranslation()
  const { request } = route.useSearch()
  const asked = useMutation(checkSignature)
  const recorded = useQuery({ ...recordedSignatureOptions(request ?? 0), enabled: request !== undefined })
  // A check that was asked for on the page is newer than the request of the address.
  const check = asked.isIdle ? recorded : asked
  return (
    <Page title={t('signatures.title')} lead={t('signatures.lead')}>
      <div className={classes.columns}>
        <SignatureForm key={request} request={request} pending={asked.isPending} onAsk={asked.mutate} />
        <div className={classes.result} aria-live="polite">
          <ProblemCallout error={check.error} />
          {check.data ? (
            <SignatureFinding check={check.data} />
          ) : (
            !check.error && <p className={classes.quiet}>{t('signatures.nothing')}</p>
          )}
        </div>
      </div>
    </Page>
  )
}
