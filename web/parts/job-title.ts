import { useTranslation } from 'react-i18next'
import type { JobSummary } from '../data/jobs.ts'
import { useFormat } from './texts/format.ts'

const kinds = ['leads', 'contacts', 'companies', 'customers', 'catalog_elements'] as const
type Kind = (typeof kinds)[number]

/** Returns the title of a job: its action, its kind of records, and its file or count. */
export function useJobTitle(): (job: JobSummary) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ kind, entity_type, name, state, total, changes }) => {
    const records = entity_type as Kind
    if (state === 'undoing') return t('jobs.title.undoing')
    if (kind === 'import') return name || t(`jobs.title.import_${records as 'leads'}`)
    const counted = { count: total, number: format.number(total) }
    return changes?.delete
      ? t(`jobs.title.delete_${records}`, counted)
      : t(`jobs.title.change_${records}`, counted)
  }
}
