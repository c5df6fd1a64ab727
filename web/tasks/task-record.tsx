import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { briefOptions } from '../data/record-briefs.ts'
import { recordOf, type Task } from '../data/tasks.ts'
import { RecordLink } from '../parts/records/record-link.tsx'

/** The name of the record that a task is linked to. */
export function TaskRecord({ task }: { task: Task }) {
  const { t } = useTranslation()
  const about = recordOf(task)
  const { data: record } = useQuery({
    ...briefOptions(about?.collection ?? 'leads', about?.id ?? 0),
    enabled: about !== null,
  })
  if (!about || !record) return null
  const name = record.name || t('search.unnamed', { id: record.id })
  return (
    <RecordLink collection={about.collection} id={about.id}>
      <span title={name}>{name}</span>
    </RecordLink>
  )
}
