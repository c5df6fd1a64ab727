import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountOptions } from '../data/accounts.ts'
import { Page } from '../parts/layout/page.tsx'
import { Audiences } from './audiences.tsx'
import { Segments } from './segments.tsx'
import { ShortLinks } from './short-links.tsx'
import { Surveys } from './surveys.tsx'

/** Segments, audiences, surveys and short links, each with its API call. */
export function MarketingPage() {
  const { t } = useTranslation()
  const customers_mode = useQuery(accountOptions).data?.customers_mode
  return (
    <Page title={t('marketing.title')} lead={t('marketing.lead')}>
      {customers_mode !== undefined && customers_mode !== 'disabled' && <Segments />}
      <Audiences />
      <Surveys />
      <ShortLinks />
    </Page>
  )
}
