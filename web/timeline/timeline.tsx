import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimelineKind } from '../../src/events/event-types.ts'
import { type Collection, wordOf } from '../data/records.ts'
import { rowsOf } from '../data/row-lists.ts'
import { type Card, timelineHeadOptions, timelineOptions } from '../data/timeline.ts'
import { DropArea } from '../parts/drop-area.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Composer } from './composer.tsx'
import { EmptyTimeline } from './empty-timeline.tsx'
import { KindFilter } from './kind-filter.tsx'
import { Pinned } from './pinned.tsx'
import classes from './timeline.module.css'
import { TimelineDays } from './timeline-days.tsx'
import { addDraftFiles } from './write-drafts.ts'

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

interface RowsProps {
  card: Card
  canWrite: boolean
  hasNotes: boolean
}

function Rows({ card, canWrite, hasNotes }: RowsProps) {
  const { t } = useTranslation()
  const [kinds, setKinds] = useState<TimelineKind[]>([])
  const asked = kinds.join(',')
  const query = useInfiniteQuery(timelineOptions(card, asked))
  useQuery({ ...timelineHeadOptions(card, asked), enabled: query.isSuccess })
  const items = rowsOf(query.data)
  return (
    <>
      {hasNotes && <KindFilter chosen={kinds} onChange={setKinds} />}
      {hasNotes && kinds.length === 0 && <Pinned card={card} canWrite={canWrite} />}
      <Loaded query={query} rows={6}>
        {() => (
          <>
            <TimelineDays card={card} items={items} canWrite={canWrite} />
            {items.length === 0 && (
              <EmptyTimeline onClear={kinds.length > 0 ? () => setKinds([]) : undefined} />
            )}
          </>
        )}
      </Loaded>
      <LoadMore query={query} />
      {items.length > 0 && !query.hasNextPage && <p className={classes.begin}>{t('timeline.begin')}</p>}
    </>
  )
}
