import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { consentOptions } from '../api/consent.ts'
import { Problem } from '../api/problem.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Bare } from '../shell/bare.tsx'
import { ConsentCard } from './consent-card.tsx'
import { ConsentRefusal } from './consent-refusal.tsx'

const route = getRouteApi('/oauth')

/** `/oauth`: a person lets an integration into an account, or does not. */
export function ConsentPage() {
  const { t } = useTranslation()
  const asked = route.useSearch()
  const query = useQuery(consentOptions(asked))
  const { error } = query
  if (error instanceof Problem && error.status === 401) {
    return <Navigate to="/sign-in" search={{ to: window.location.pathname + window.location.search }} replace />
  }
  if (error instanceof Problem) return <ConsentRefusal problem={error} onRetry={() => query.refetch()} />
  if (query.data) return <ConsentCard consent={query.data} />
  return (
    <Bare title={t('consent.tab')} untitled wide>
      <Loaded query={query} rows={5}>
        {() => null}
      </Loaded>
    </Bare>
  )
}
