import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Collection, wordOf } from '../data/records.ts'
import { rowsOf } from '../data/row-lists.ts'
import { type Card, type TimelineFilter, timelineHeadOptions, timelineOptions } from '../data/timeline.ts'
import { DropArea } from '../parts/forms/drop-area.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { Composer } from './composer/composer.tsx'
import { addDraftFiles } from './composer/write-drafts.ts'
import { EmptyTimeline } from './empty-timeline.tsx'
import { IntegrationSelect } from './integration-select.tsx'
import { KindFilter } from './kind-filter.tsx'
import { Pinned } from './rows/pinned.tsx'
import classes from './rows/timeline.module.css'
import { TimelineDays } from './rows/timeline-days.tsx'

interface TimelineProps {
  collection: Collection
  id: number
  /** Whether the reader can change the record and so add to its timeline. */
  canEdit?: boolean
  isTrashed?: boolean
}

/** The events of a record, newest first, and the composer. */
export function Timeline({ collection, id, canEdit = true, isTrashed = false }: TimelineProps) {
  const { t } = useTranslation()
  const card: Card = { collection, id, isTrashed }
  // List items have no notes and no tasks.
  const hasNotes = wordOf(collection) !== 'elements'
  const canWrite = canEdit && hasNotes && !isTrashed
  return (
    <DropArea
      isOpen={canWrite}
      label={t('timeline.write.drop')}
      onFiles={(files) => addDraftFiles(card, files)}
      className={classes.timeline}
    >
      {canWrite && <Composer card={card} />}
      {hasNotes && !canEdit && !isTrashed && <ReadOnlyNotice />}
      <Rows key={`${collection} ${id}`} card={card} canWrite={canWrite} hasNotes={hasNotes} />
    </DropArea>
  )
}

function ReadOnlyNotice() {
  const { t } = useTranslation()
  return <p className={classes.reading}>{t('timeline.reading')}</p>
}

const EVERYTHING: TimelineFilter = { kinds: [], integration: '' }

interface RowsProps {
  card: Card
  canWrite: boolean
  hasNotes: boolean
}

function Rows({ card, canWrite, hasNotes }: RowsProps) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState(EVERYTHING)
  const { kinds, integration } = filter
  const isFiltered = kinds.length > 0 || integration !== ''
  const query = useInfiniteQuery(timelineOptions(card, filter))
  useQuery({ ...timelineHeadOptions(card, filter), enabled: query.isSuccess })
  const items = rowsOf(query.data)
  return (
    <>
      {hasNotes && (
        <div className={classes.filters}>
          <KindFilter chosen={kinds} onChange={(kinds) => setFilter({ ...filter, kinds })} />
          <IntegrationSelect
            chosen={integration}
            onChange={(integration) => setFilter({ ...filter, integration })}
          />
        </div>
      )}
      {hasNotes && !isFiltered && <Pinned card={card} canWrite={canWrite} />}
      <Loaded query={query} rows={6}>
        {() => (
          <>
            <TimelineDays card={card} items={items} canWrite={canWrite} />
            {items.length === 0 && (
              <EmptyTimeline onClear={isFiltered ? () => setFilter(EVERYTHING) : undefined} />
            )}
          </>
        )}
      </Loaded>
      <LoadMore query={query} />
      {items.length > 0 && !query.hasNextPage && <p className={classes.begin}>{t('timeline.begin')}</p>}
    </>
  )
}
