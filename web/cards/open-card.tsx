import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsOptions } from '../data/fields.ts'
import { type Member, withPatch } from '../data/record-patch.ts'
import { useRecordWrites } from '../data/record-writes.ts'
import type { Collection, ReadRecord } from '../data/records.ts'
import { usePageTitle } from '../parts/page.tsx'
import { useFocusNear } from '../parts/use-opener-focus.ts'
import { useRecordPermission } from '../shell/use-record-permission.ts'
import { TaskDialogs } from '../tasks/task-dialogs.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { type Card, CardContext } from './card-context.ts'
import { CardHead } from './card-head.tsx'
import classes from './card-page.module.css'
import { FieldsPanel } from './fields-panel.tsx'
import { PanelSwitch } from './panel-switch.tsx'
import { useRecentChanges } from './use-recent-changes.ts'

interface OpenCardProps {
  collection: Collection
  id: number
  /** The record without pending changes. */
  read: ReadRecord
  isTrashed?: boolean
}

/** Shows and edits a record. */
export function OpenCard({ collection, id, read, isTrashed = false }: OpenCardProps) {
  const { t } = useTranslation()
  const { save, pending, unsaved } = useRecordWrites(collection, id)
  const record = useMemo(
    () => pending.reduce((before, { patch }) => withPatch(before, patch), read),
    [pending, read],
  )
  const { data: fields = [] } = useQuery(fieldsOptions(collection))
  const [open, setOpen] = useState<Member | null>(null)
  const [part, setPart] = useState<'fields' | 'timeline'>('fields')
  const isAllowed = useRecordPermission(collection)
  const changed = useRecentChanges(read)
  const shown = useRef<HTMLElement>(null)
  useFocusNear(shown)
  usePageTitle(record.name || `#${id}`)
  const card: Card = {
    collection,
    id,
    record,
    read,
    fields,
    canEdit: !isTrashed && isAllowed('edit', read),
    canDelete: isAllowed('delete', read),
    isTrashed,
    changed,
    unsaved,
    open,
    setOpen,
    save: (patch, seen = record) => save({ patch, seen }),
  }
  return (
    <CardContext value={card}>
      <TaskDialogs>
        <article ref={shown} className={classes.card} data-part={part}>
          <CardHead />
          <PanelSwitch value={part} onChange={setPart} />
          <div className={classes.body}>
            <section className={classes.fields} aria-label={t('card.fields')}>
              <FieldsPanel />
            </section>
            <section className={classes.timeline} aria-label={t('card.timeline')}>
              <Timeline collection={collection} id={id} canEdit={card.canEdit} isTrashed={isTrashed} />
            </section>
          </div>
        </article>
      </TaskDialogs>
    </CardContext>
  )
}
