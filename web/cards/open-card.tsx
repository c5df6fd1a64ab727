import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsOptions } from '../api/fields.ts'
import { type Member, withPatch } from '../api/record-patch.ts'
import type { Collection, ReadRecord } from '../api/records.ts'
import { usePageTitle } from '../parts/page.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { type Card, CardContext } from './card-context.ts'
import { CardHead } from './card-head.tsx'
import classes from './card-page.module.css'
import { FactsPanel } from './facts-panel.tsx'
import { PartSwitch } from './part-switch.tsx'
import { idle, type Saving, saveRecord } from './saving.ts'
import { useChanged } from './use-changed.ts'
import { useMayDo } from './use-may.ts'

interface OpenCardProps {
  collection: Collection
  id: number
  /** The record as the server has it. */
  read: ReadRecord
  saving?: Saving
  isTrashed?: boolean
}

/** What a card shows of a record, and how it is changed. */
export function OpenCard({ collection, id, read, saving = idle, isTrashed = false }: OpenCardProps) {
  const { t } = useTranslation()
  const { pending, unsaved } = saving
  const record = useMemo(() => pending.reduce(withPatch, read), [pending, read])
  const { data: fields = [] } = useQuery(fieldsOptions(collection))
  const [open, setOpen] = useState<Member | null>(null)
  const [part, setPart] = useState<'facts' | 'timeline'>('facts')
  const may = useMayDo(collection)
  const changed = useChanged(record)
  usePageTitle(record.name || `#${id}`)
  const card: Card = {
    collection,
    id,
    record,
    fields,
    mayEdit: !isTrashed && may('edit', read),
    mayDelete: may('delete', read),
    isTrashed,
    changed,
    unsaved,
    open,
    setOpen,
    save: (patch, seen = record) => saveRecord(collection, id, patch, seen),
  }
  return (
    <CardContext value={card}>
      <article className={classes.card} data-part={part}>
        <CardHead />
        <PartSwitch value={part} onChange={setPart} />
        <div className={classes.body}>
          <section className={classes.facts} aria-label={t('card.facts')}>
            <FactsPanel />
          </section>
          <section className={classes.timeline} aria-label={t('card.timeline')}>
            <Timeline collection={collection} id={id} mayWrite={card.mayEdit} isTrashed={isTrashed} />
          </section>
        </div>
      </article>
    </CardContext>
  )
}
