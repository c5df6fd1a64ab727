import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Collection, wordOf } from '../api/records.ts'
import { type Card, storyHeadOptions, storyOptions, type TimelineKind } from '../api/timeline.ts'
import { DropArea } from '../parts/drop-area.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { Composer } from './composer.tsx'
import { KindFilter } from './kind-filter.tsx'
import { NothingHappened } from './nothing-happened.tsx'
import { Pinned } from './pinned.tsx'
import { Story } from './story.tsx'
import classes from './timeline.module.css'
import { addDraftFiles } from './write-drafts.ts'

interface TimelineProps {
  collection: Collection
  id: number
  /** Whether the reader may change the record: then he writes here. */
  mayWrite?: boolean
  isTrashed?: boolean
}

/** Everything that happened to a record, newest first, and where one writes the next thing. */
export function Timeline({ collection, id, mayWrite = true, isTrashed = false }: TimelineProps) {
  const { t } = useTranslation()
  const card: Card = { collection, id, isTrashed }
  // Elements of lists have no notes and no tasks.
  const hasNotes = wordOf(collection) !== 'elements'
  const canWrite = mayWrite && hasNotes && !isTrashed
  return (
    <DropArea
      isOpen={canWrite}
      label={t('timeline.write.drop')}
      onFiles={(files) => addDraftFiles(card, files)}
      className={classes.timeline}
    >
      {canWrite && <Composer card={card} />}
      {hasNotes && !mayWrite && !isTrashed && <OnlyReading />}
      <Rows key={`${collection} ${id}`} card={card} mayWrite={canWrite} hasNotes={hasNotes} />
    </DropArea>
  )
}

function OnlyReading() {
  const { t } = useTranslation()
  return <p className={classes.reading}>{t('timeline.reading')}</p>
}

interface RowsProps {
  card: Card
  mayWrite: boolean
  hasNotes: boolean
}

function Rows({ card, mayWrite, hasNotes }: RowsProps) {
  const { t } = useTranslation()
  const [kinds, setKinds] = useState<TimelineKind[]>([])
  const asked = kinds.join(',')
  const query = useInfiniteQuery(storyOptions(card, asked))
  useQuery({ ...storyHeadOptions(card, asked), enabled: query.isSuccess })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      {hasNotes && <KindFilter chosen={kinds} onChange={setKinds} />}
      {hasNotes && kinds.length === 0 && <Pinned card={card} mayWrite={mayWrite} />}
      <Loaded query={query} rows={6}>
        {() => (
          <>
            <Story card={card} items={items} mayWrite={mayWrite} />
            {items.length === 0 && (
              <NothingHappened onClear={kinds.length > 0 ? () => setKinds([]) : undefined} />
            )}
          </>
        )}
      </Loaded>
      <More query={query} />
      {items.length > 0 && !query.hasNextPage && <p className={classes.begin}>{t('timeline.begin')}</p>}
    </>
  )
}
