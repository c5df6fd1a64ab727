import { useTranslation } from 'react-i18next'
import type { Forecast } from '../data/retention.ts'
import { useFormat } from '../parts/texts/format.ts'

/** Returns a forecast in words: how many would be deleted, how old and how large they are, and how many stay. */
export function useForecastText(): (forecast: Forecast) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ rows, is_more, kept, oldest_at, bytes }) => {
    const counted = { count: rows, rows: format.number(rows) }
    const goes = is_more ? t('retention.goes_more', { rows: counted.rows }) : t('retention.goes', counted)
    const parts = [
      ...(rows > 0 ? [goes] : [t('retention.goes_nothing')]),
      ...(rows > 0 && oldest_at !== null ? [t('retention.oldest', { date: format.date(oldest_at) })] : []),
      ...(bytes > 0 ? [t('retention.about', { size: format.size(bytes) })] : []),
      ...(kept > 0 ? [t('retention.kept', { count: kept, rows: format.number(kept) })] : []),
    ]
    return parts.join(' · ')
  }
}
