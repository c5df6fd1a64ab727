import { Button } from '@mantine/core'
import { type Icon, IconFilterOff, IconPlus, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { importedKinds } from '../data/jobs.ts'
import { type Collection, wordOf } from '../data/records.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'

interface NoRecordsProps {
  collection: Collection
  icon: Icon
  onAdd: (() => void) | undefined
  /** Set if filters may hide records. */
  onClear: (() => void) | undefined
}

/** Replaces the rows of an empty list. */
export function NoRecords({ collection, icon, onAdd, onClear }: NoRecordsProps) {
  const { t } = useTranslation()
  const word = wordOf(collection)
  const kind = importedKinds.find((one) => one === collection)
  if (onClear)
    return (
      <EmptyState
        icon={IconFilterOff}
        title={t('list.nothing_fits')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('filters.clear')}
          </Button>
        }
      >
        {t('list.nothing_fits_text')}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={icon}
      title={t(`list.empty.${word}`)}
      action={
        onAdd && (
          <>
            <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
              {t(`record.new_${word}`)}
            </Button>
            {kind && (
              <Button
                variant="default"
                leftSection={<IconUpload size={15} stroke={1.7} aria-hidden />}
                renderRoot={(props) => <Link to="/import/new/$kind" params={{ kind }} {...props} />}
              >
                {t('list.import')}
              </Button>
            )}
          </>
        )
      }
    >
      {t(`list.empty_text.${word}`)}
    </EmptyState>
  )
}
