import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { HomeSection } from './home-section.tsx'

/** A hint for people who try the server on their own machine. */
export function DevNote() {
  const { t } = useTranslation()
  return (
    <HomeSection title={t('app.dev_mode')}>
      <Box component="p" {...soft}>
        {t('home.dev_keys')}
      </Box>
      <Box component="p" {...soft}>
        <a href={REFERENCE}>{t('home.dev_reference')}</a>
      </Box>
    </HomeSection>
  )
}

const REFERENCE = '/api/reference'
const soft = { pt: 8, c: 'var(--pb-text-soft)', fz: 'var(--pb-text-sm)' }
