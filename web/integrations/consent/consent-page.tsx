import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { consentOptions } from '../../data/consent.ts'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { PlainLayout } from '../../shell/plain-layout.tsx'
import { ConsentCard } from './consent-card.tsx'
import { ConsentRefusal } from './consent-refusal.tsx'
import { signInFirst } from './sign-in-first.ts'

/** `/oauth`: a person allows or declines an integration. */
export function ConsentPage() {
  const { t } = useTranslation()
  const query = useQuery(consentOptions(window.location.search))
  const { error } = query
  const signedOut = error instanceof Problem && error.status === 401
  useEffect(() => {
    if (signedOut) window.location.replace(signInFirst())
  }, [signedOut])
  if (error instanceof Problem && !signedOut)
    return <ConsentRefusal problem={error} onRetry={() => query.refetch()} />
  if (query.data) return <ConsentCard consent={query.data} />
  return (
    <PlainLayout title={t('consent.tab')} untitled wide>
      <Loaded query={query} rows={5}>
        {() => null}
      </Loaded>
    </PlainLayout>
  )
}
