import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { retentionOptions, sizesOptions } from '../data/retention.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { DeletionSection } from './deletion-section.tsx'
import { PeriodsSection } from './periods-section.tsx'
import { SizesSection } from './sizes-section.tsx'

/** For how long the account keeps what is old, what would be deleted, and the sizes of the database. */
export function RetentionPage() {
  const { t } = useTranslation()
  const query = useQuery(retentionOptions)
  const { data: sizes } = useQuery(sizesOptions)
  return (
    <Page title={t('retention.title')} lead={t('retention.lead')}>
      <Loaded query={query} rows={8}>
        {(retention) => (
          <>
            <PeriodsSection retention={retention} />
            <DeletionSection run={retention.run} />
          </>
        )}
      </Loaded>
      {sizes && <SizesSection sizes={sizes} />}
    </Page>
  )
}
