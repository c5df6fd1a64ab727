import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { briefOptions } from '../../data/record-briefs.ts'
import { RecordLink } from '../../parts/records/record-link.tsx'
import { useFilter, useSetFilter } from './filters.ts'
import classes from './record-filter.module.css'

/** The record whose conversations are shown, when the reader came from its card. */
export function RecordFilter() {
  const { t } = useTranslation()
  const { contact, lead } = useFilter()
  const set = useSetFilter()
  const collection = lead ? 'leads' : 'contacts'
  const id = Number(lead ?? contact)
  const { data: record } = useQuery({ ...briefOptions(collection, id), enabled: id > 0 })
  if (!(id > 0)) return null
  return (
    <p className={classes.of}>
      <span className={classes.words}>
        {t('inbox.of_record')}{' '}
        <RecordLink collection={collection} id={id}>
          {record?.name || t('search.unnamed', { id })}
        </RecordLink>
      </span>
      <CloseButton
        size="sm"
        onClick={() => set({ contact: undefined, lead: undefined })}
        aria-label={t('inbox.of_everybody')}
        title={t('inbox.of_everybody')}
      />
    </p>
  )
}
