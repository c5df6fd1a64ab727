import { useTranslation } from 'react-i18next'
import { Page } from '../parts/page.tsx'
import { Audiences } from './audiences.tsx'
import { ShortLinks } from './short-links.tsx'
import { Surveys } from './surveys.tsx'

/** Audiences, surveys and short links, each with its API call. */
export function MarketingPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('marketing.title')} lead={t('marketing.lead')}>
      <Audiences />
      <Surveys />
      <ShortLinks />
    </Page>
  )
}
