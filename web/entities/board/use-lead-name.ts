import { useTranslation } from 'react-i18next'
import type { AnyRecord } from '../../data/records.ts'

/** Returns the name of a lead as its card shows it. A lead can be without a name until the server has named it. */
export function useLeadName(): (lead: Pick<AnyRecord, 'id' | 'name'>) => string {
  const { t } = useTranslation()
  return ({ id, name }) => name || t('card.unnamed', { id })
}
